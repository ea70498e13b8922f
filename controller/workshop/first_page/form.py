"""The first page as HTML: it needs no script, and speaks English or German as the browser asks. Pure."""

import functools
import html
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

import segno
from hextraction.controller.workshop.first_page import words
from hextraction.controller.workshop.first_page.choices import BUILDS, Choices

__all__ = ["POLICY", "Done", "done_page", "form_page", "language_of"]

POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
"""What a browser may load for it: nothing."""
_LANGUAGES: Final = ("de",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What is shown in the end: where the table opens, and how to join its own Wi-Fi if it makes one."""

    address: str
    ssid: str = ""
    password: str = ""
    check: bool = False


def language_of(accepted: str) -> str:
    """Return the first language of an ``Accept-Language`` header that we speak; English if none is."""
    for one in accepted.lower().split(","):
        spoken = one.partition(";")[0].strip().partition("-")[0]
        if spoken in {"en", *_LANGUAGES}:
            return spoken
    return "en"


def form_page(
    fields: Mapping[str, str], problems: Mapping[str, str], *, key: str, service: bool, language: str
) -> str:
    """Return the form, filled in with what was sent before, and what is wrong beside each field.

    ``key`` comes back with the form and shows that it was ours; ``service``: this machine can also check the
    board and make a Wi-Fi.
    """
    say = _Speaker(language)
    parts = [
        f"<p>{say(words.LEAD)}</p>",
        '<form method="post" action="/">',
        f'<input type="hidden" name="key" value="{key}">',
        _builds(say, fields, problems),
        _field(say, "name", (words.NAME, words.NAME_TOLD), fields, problems),
        _field(say, "code", (words.CODE, words.CODE_TOLD), fields, problems),
        *((_wifi(say, fields, problems), _check(say, fields)) if service else ()),
        f"<button>{say(words.SAVE)}</button></form>",
    ]  # fmt: skip
    return _page(say, words.TITLE, parts)


def done_page(choices: Choices, done: Done, *, language: str) -> str:
    """Return the last page: what happens now, and the way to the table."""
    say = _Speaker(language)
    soon = words.CHECKED_FIRST if done.check else words.OPENS_SOON
    parts = [f"<p>{say(soon)}</p>"]
    if done.ssid:
        parts += [
            f"<p>{say(words.MAKES_ITS_OWN)}</p>",
            f"<p><b>{_plain(done.ssid)}</b> · {say(words.WIFI_PASSWORD)} <b>{_plain(done.password)}</b></p>",
        ]
    if choices.code:
        parts += [f"<p>{say(words.THE_CODE)}: <b>{choices.code[:4]} {choices.code[4:]}</b></p>"]
    parts += [
        f'<p><a class="button" href="{_plain(done.address)}">{say(words.ONWARD)}</a></p>',
        f'<div class="qr">{_square(done.address)}</div>',
        f"<p>{say(words.FRIENDS)}</p>",
    ]
    return _page(say, words.DONE, parts)


class _Speaker:
    """Says a text of ours in a language, ready for HTML."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._said = _translations(language)

    def __call__(self, text: str) -> str:
        return _plain(self._said.get(text, text))


@functools.cache
def _translations(language: str) -> Mapping[str, str]:
    if language not in _LANGUAGES:
        return {}
    text = files("hextraction.controller.page").joinpath(f"first/{language}.json").read_text("utf-8")
    return {text: said for text, said in json.loads(text).items() if isinstance(said, str)}


@functools.cache
def _style() -> str:
    return files("hextraction.controller.workshop.first_page").joinpath("style.css").read_text("utf-8")


def _square(address: str) -> str:
    """Return an address as a QR code that takes whatever width it is given."""
    drawn: str = segno.make(address, error="m").svg_inline(omitsize=True, border=3, light="white")
    return drawn


def _plain(text: str) -> str:
    return html.escape(text, quote=True)


def _problem(say: _Speaker, problems: Mapping[str, str], name: str) -> str:
    return f'<p class="wrong" role="alert">{say(problems[name])}</p>' if name in problems else ""


def _builds(say: _Speaker, fields: Mapping[str, str], problems: Mapping[str, str]) -> str:
    chosen = fields.get("build", "")
    rows = [
        f'<label><input type="radio" name="build" value="{name}" required'
        f"{' checked' if name == chosen else ''}>"
        f"<span><b>{say(build.title)}</b> {say(build.told)}</span></label>"
        for name, build in BUILDS.items()
    ]
    legend = f"<legend>{say(words.BUILD)}</legend>"
    return f"<fieldset>{legend}{_problem(say, problems, 'build')}{''.join(rows)}</fieldset>"


def _field(
    say: _Speaker,
    name: str,
    texts: tuple[str, str],
    fields: Mapping[str, str],
    problems: Mapping[str, str],
) -> str:
    title, told = texts
    value = _plain(fields.get(name, ""))
    return (
        f'<fieldset><label class="text" for="{name}">{say(title)}</label>{_problem(say, problems, name)}'
        f'<input id="{name}" name="{name}" value="{value}" maxlength="40" autocomplete="off" '
        f'autocapitalize="off" spellcheck="false" aria-describedby="{name}-told">'
        f'<p class="told" id="{name}-told">{say(told)}</p></fieldset>'
    )


def _wifi(say: _Speaker, fields: Mapping[str, str], problems: Mapping[str, str]) -> str:
    own = fields.get("wifi") == "own"
    kept = f'<input type="radio" name="wifi" value="known"{"" if own else " checked"}>'
    made = f'<input type="radio" name="wifi" value="own"{" checked" if own else ""}>'
    return (
        f"<fieldset><legend>{say(words.WIFI)}</legend>{_problem(say, problems, 'wifi')}"
        f"<label>{kept}<span>{say(words.KNOWN_WIFI)}</span></label>"
        f"<label>{made}<span>{say(words.OWN_WIFI)}</span></label></fieldset>"
    )


def _check(say: _Speaker, fields: Mapping[str, str]) -> str:
    checked = " checked" if "check" in fields else ""
    return (
        f'<fieldset><label><input type="checkbox" name="check"{checked}>'
        f"<span>{say(words.CHECK)}</span></label></fieldset>"
    )


def _page(say: _Speaker, title: str, parts: list[str]) -> str:
    return (
        f'<!doctype html><html lang="{say.language}"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{say(title)}</title><style>{_style()}</style></head>"
        f"<body><main><h1>{say(title)}</h1>{''.join(parts)}</main></body></html>"
    )
