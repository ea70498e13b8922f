"""The page's files: read once, compressed once, served from a fixed table.

No path is ever joined to a folder, so there is nothing to traverse. Scripts and style sheets come bundled,
under the names of their sources (``built/``, made by ``make page``), as long as just these lie beside them:
whoever edits a module sees it at once, without a tool.
"""

import gzip
import hashlib
import logging
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import escape
from http import HTTPStatus
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import islice
from pathlib import Path
from typing import Final

import msgspec
from hextraction.controller.payloads.messages import Glance
from hextraction.controller.phones.http import Request, answer
from hextraction.settings.plain import read_plain

__all__ = ["BUILT", "Asset", "Page", "bundled", "sources_digest"]

_log = logging.getLogger(__name__)
BUILT: Final = "built/"
_ALONE: Final = "alone.html"

_KINDS: Final = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "json": "application/json",
    "txt": "text/plain; charset=utf-8",
    "png": "image/png",
    "ico": "image/x-icon",
    "webmanifest": "application/manifest+json",
}
_GZIP = re.compile(r"gzip(;q=(1(\.0*)?|0?\.\d*[1-9]\d*))?")
_PAGES: Final = {"/": "/index.html", "/tv": "/tv.html", "/history": "/history.html"}
_PACKED: Final = frozenset({"png", "ico"})
_GLANCE: Final = b'<script type="application/json" id="glance">'
"""Where the front page takes what everybody may see."""
_SEATS: Final = b'<ul id="seats"></ul>'
"""The strip of seats, before the page's own modules draw it."""
_STYLE: Final = "rel=preload; as=style"
_MODULE: Final = "rel=modulepreload"
_BARE: Final = '<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
_HOST: Final = re.compile(r"[a-z0-9][a-z0-9.-]{0,252}")
_LARGEST: Final = 8_000_000
_MOST_BROUGHT: Final = 32_000_000
_MOST_FILES: Final = 2000
_DEEPEST: Final = 6
"""What an added game may bring for phones: bytes of a file, of all, how many, how deep in folders."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asset:
    """One file: as it is, compressed, and the tag that tells whether a browser has it already."""

    kind: str
    plain: bytes
    packed: bytes | None
    tag: str


class Page:
    """All files of the page by path.

    Args:
        contents: file name, with ``/`` between folders, to its bytes. ``index.html`` is also ``/``, and
            ``tv.html`` the big screen at ``/tv``, ``history.html`` what was played at ``/history``.
    """

    def __init__(self, contents: Mapping[str, bytes]) -> None:
        self._front: tuple[Asset, Asset, bytes] | None = None
        self._assets = {
            f"/{name}": _asset(name, data) for name, data in contents.items() if _suffix(name) in _KINDS
        }
        self._shelf: Mapping[str, Asset] = {}
        self._sentences: dict[str, Mapping[str, str]] = {}
        for path, name in _PAGES.items():
            if name in self._assets:
                self._assets[path] = self._assets[name]

    @classmethod
    def installed(cls, added: Iterable[Path] = ()) -> "Page":
        """Return the page that comes with the controller, and with it what added games bring for phones.

        What lies in one of the folders ``added`` is served below ``games/``; it cannot replace our files.
        """
        whole = dict(_walk(files("hextraction.controller.page"), ""))
        own = {name: data for name, data in whole.items() if not name.startswith(BUILT)}
        if f"{BUILT}{_ALONE}" in whole:  # a game in a file of its own comes bundled, or not at all
            own[_ALONE] = whole[f"{BUILT}{_ALONE}"]
        brought = {name: data for folder in added for name, data in _brought(folder) if name not in own}
        # An added game shares modules with the page, which a bundle would have twice.
        made = {} if brought else bundled(whole)
        return cls({**own, **brought, **made})

    def find(self, path: str) -> Asset | None:
        """Return the file at this exact path."""
        return self._assets.get(path) or self._shelf.get(path)

    def shelve(self, packed: Mapping[str, bytes]) -> None:
        """Serve these JSON files, by path, instead of those shelved before; they are gzip already."""
        self._shelf = {
            path: Asset(kind=_KINDS["json"], plain=b"", packed=data, tag=_tag(data))
            for path, data in packed.items()
        }

    def front(self, glance: Glance) -> Asset:
        """Return the front page with what everybody may see in it, so that its board is drawn at once."""
        bare, told = self._assets["/"], msgspec.json.encode(glance)
        if self._front is None or self._front[0] is not bare or self._front[2] != told:
            # Within a string of JSON; so nothing that people typed ends the element.
            put = _GLANCE + told.replace(b"<", b"\\u003c")
            page = bare.plain.replace(_GLANCE, put, 1).replace(_SEATS, _strip(glance), 1)
            self._front = (bare, _asset("index.html", page), told)
        return self._front[1]

    def is_front(self, asset: Asset) -> bool:
        """Return whether this file is the phones' front page, and has a place for a glance at the table."""
        return asset is self._assets.get("/") and _GLANCE in asset.plain

    def signpost(self, request: Request, says: tuple[str, str, str], address: str, name: str) -> bytes:
        """Return the answer to somebody who came by a name that is not ours, in their own language.

        ``says`` are a title, what stands before the right address, and what stands before the setting that
        makes the name one of ours, if it can be one.
        """
        words = self._words(request.headers.get("accept-language", ""))
        title, here, advice = (escape(words.get(text, text)) for text in says)
        link = f'<a href="{escape(address)}">{escape(address)}</a>'
        lines = [f"<title>{title}</title>", f"<h1>{title}</h1>", f"<p>{here} {link}</p>"]
        if _HOST.fullmatch(name):
            setting = escape(f'[page]\nnames = ["{name}"]')
            lines += [f"<p>{advice}</p>", f"<pre>{setting}</pre>"]
        body = "\n".join([_BARE, *lines, ""]).encode()
        policy = {"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'"}
        return answer(HTTPStatus.MISDIRECTED_REQUEST, body, kind=_KINDS["html"], headers=policy)

    def _words(self, languages: str) -> Mapping[str, str]:
        """Return our sentences in the first language of an ``Accept-Language``; nothing for English."""
        path = f"/words/{languages[:2].lower()}.json"
        asset = self._assets.get(path)
        if asset is None:
            return {}
        if path not in self._sentences:
            told = msgspec.json.decode(asset.plain, type=dict[str, str | dict[str, str]])  # or by number
            self._sentences[path] = {text: said for text, said in told.items() if isinstance(said, str)}
        return self._sentences[path]

    def hints(self, kind: str) -> str:
        """Return a ``Link`` header: those of our files that a browser shall fetch at once for this game."""
        wanted = (
            ("style.css", _STYLE),
            (f"games/{kind}.css", _STYLE),
            ("start.js", _MODULE),
            (f"games/{kind}.js", _MODULE),
        )
        return ", ".join(f"</{name}>; {how}" for name, how in wanted if f"/{name}" in self._assets)

    def serve(self, request: Request, asset: Asset, *, hints: str = "") -> bytes:
        """Return the whole answer for a file: compressed if asked, or that nothing has changed.

        ``hints`` is a ``Link`` header.
        """
        headers = {
            "Cache-Control": "no-cache",
            "ETag": asset.tag,
            "Vary": "Accept-Encoding",
            "Content-Security-Policy": policy(request.host),
        }
        if hints:
            headers["Link"] = hints
        if asset.tag in request.headers.get("if-none-match", ""):
            return answer(HTTPStatus.NOT_MODIFIED, headers=headers)
        body = asset.plain
        # What is shelved is there only packed: unpacking would cost more than a file.
        if asset.packed is not None and (not asset.plain or _takes_gzip(request)):
            headers["Content-Encoding"] = "gzip"
            body = asset.packed
        only_head = request.method == "HEAD"
        return answer(HTTPStatus.OK, body, kind=asset.kind, headers=headers, only_head=only_head)


class Bundle(msgspec.Struct, frozen=True):
    """What the bundler says of its files: of which sources they were made."""

    sources: str = ""


def bundled(whole: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the bundled files under the names that the page asks for; none if they are of other sources."""
    made = {name.removeprefix(BUILT): data for name, data in whole.items() if name.startswith(BUILT)}
    told = msgspec.json.decode(made.pop("built.json", b"{}"), type=Bundle)
    return made if told.sources == sources_digest(whole) else {}


def sources_digest(whole: Mapping[str, bytes]) -> str:
    """Return what tells these scripts and style sheets from others (SHA-256 in hex); see ``bundle.mjs``."""
    lines = (
        f"{name} {hashlib.sha256(data).hexdigest()}\n"
        for name, data in sorted(whole.items())
        if _suffix(name) in {"js", "css"} and not name.startswith(BUILT)
    )
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def policy(host: str) -> str:
    """Return the content security policy: all from here, nothing inline, in nobody's frame.

    ``host`` has been checked against the allow-list; it is named because older Safari does not take a
    websocket as ``'self'``.
    """
    return "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self' data:",
            "manifest-src 'self'",
            f"connect-src 'self' ws://{host} wss://{host}",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        )
    )


def _takes_gzip(request: Request) -> bool:
    offers = request.headers.get("accept-encoding", "").lower().replace(" ", "").split(",")
    return any(_GZIP.fullmatch(offer) for offer in offers)


def _strip(glance: Glance) -> bytes:
    """Return the strip with the room that its seats take, so that nothing moves when they are drawn."""
    if glance.table is None or glance.table.phase == "lobby" or glance.state is None:
        return _SEATS
    seats = glance.state.view.seats
    most = max((len(one.counters) for one in seats), default=0)
    return f'<ul id="seats" data-counters="{min(4, most)}">{"<li></li>" * len(seats)}</ul>'.encode()


def _asset(name: str, data: bytes) -> Asset:
    packed = None if _suffix(name) in _PACKED else gzip.compress(data, 9, mtime=0)
    return Asset(
        kind=_KINDS[_suffix(name)],
        plain=data,
        packed=packed if packed is not None and len(packed) < len(data) else None,
        tag=_tag(data),
    )


def _tag(data: bytes) -> str:
    return f'"{hashlib.sha256(data).hexdigest()[:20]}"'


def _suffix(name: str) -> str:
    return name.rpartition(".")[2].lower()


def _walk(folder: Traversable, path: str, deep: int = 0) -> Iterator[tuple[str, bytes]]:
    """Yield the files below a folder that a page may be made of; what is no plain file is left out."""
    for entry in folder.iterdir() if folder.is_dir() else ():
        try:
            if entry.is_dir():
                # A linked folder may lead back to where it lies.
                if deep < _DEEPEST and not (isinstance(entry, Path) and entry.is_symlink()):
                    yield from _walk(entry, f"{path}{entry.name}/", deep + 1)
            elif _suffix(entry.name) in _KINDS:
                whole = isinstance(entry, Path)
                yield (
                    f"{path}{entry.name}",
                    read_plain(Path(str(entry)), _LARGEST) if whole else entry.read_bytes(),
                )
        except OSError as error:
            _log.warning("%s is not served: %s", entry, error.strerror or error)


def _brought(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield what an added game brings for phones, up to a size at which no page would open any more."""
    room = _MOST_BROUGHT
    for name, data in islice(_walk(folder, "games/"), _MOST_FILES):
        room -= len(data)
        if room < 0:
            _log.warning(
                "%s holds more than %d MB: the rest is not served", folder, _MOST_BROUGHT // 1_000_000
            )
            return
        yield name, data
