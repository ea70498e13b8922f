"""The words that a scenario may use for phases, questions, options, badges, findings and lamps.

A misspelt word makes ``EXPECT not …`` come true whatever happens, so each is checked as a file is read. This
is of its own because it knows the rules' words, while reading knows none; ``docs/scenarios.md`` lists them.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, get_args

from hextraction.controller.games.hextraction.cards.checklist import CHECKLIST
from hextraction.controller.games.hextraction.cards.tiles import Keyword
from hextraction.controller.games.hextraction.scenario.phrases import Phrase
from hextraction.controller.games.hextraction.state.actions import Action
from hextraction.controller.games.hextraction.state.state import Phase
from hextraction.controller.games.hextraction.talk.asking import QUESTIONS

__all__ = ["LAMPS", "answers_table", "misspelt", "sentences_table"]

LAMPS: Final = ("dark", "dim", "white", "amber", "red", "violet", "blinking")
"""How lamps may shine, beside the colours of players."""
_PHASES: Final = tuple(phase.value for phase in Phase)
_OPTIONS: Final = tuple(sorted(action.__struct_config__.tag for action in get_args(Action)))
_KINDS: Final = tuple(sorted(QUESTIONS))
_BADGES: Final = (*(keyword.value for keyword in Keyword), "forbidden", "starred")
_WORDS: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "phase": ("phase", _PHASES),
    "option": ("option", _OPTIONS),
    "options": ("option", (*_OPTIONS, "none")),
    "prompt_about": ("kind of question", _KINDS),
    "prompt_kind": ("kind of question", _KINDS),
    "prompt_due": ("kind of question", _KINDS),
    "card_badge": ("badge", _BADGES),
    "mark": ("word of the checklist", tuple(CHECKLIST)),
    "flag": ("word of the checklist", tuple(CHECKLIST)),
}
"""What the words of a sentence are, and which there are."""
_PIPE: Final = "\\|"
"""A bar inside a table of Markdown."""
_CLAUSE: Final = re.compile(r"[0-3](\.\w+)+|R-\d\d")


def misspelt(key: str, fields: Mapping[str, str], players: tuple[str, ...]) -> Iterator[str]:
    """Yield what is wrong with the words and clauses of an EXPECT or set-up sentence."""
    what, known = _WORDS.get(key, ("", ()))
    if key == "lamp":
        what, known = "lamp", (*LAMPS, *(player.lower() for player in players))
    listed = re.findall(r"[\w-]+", fields.get("LIST", "")) if key == "options" else []
    words = listed or [fields[name] for name in ("WORD",) if name in fields]
    for word in words if known else ():
        if word.lower() not in known:
            yield f"there is no {what} {word!r}, want one of {', '.join(known)}"
    clauses = re.split(r"[\s,]+", fields["LIST"]) if key == "said_in_order" else [fields.get("CLAUSE", "")]
    for clause in filter(None, clauses):
        if not _CLAUSE.fullmatch(clause):
            yield f"{clause!r} is no clause or ruling, want one such as 2.1.5.3, 3.Touch.A or R-33"


def sentences_table(phrases: Iterable[Phrase]) -> str:
    """Return sentences with their meanings as Markdown."""
    rows = [f"| `{one.template.replace('|', _PIPE)}` | {one.meaning} |\n" for one in phrases]
    return "".join(["| Sentence | Meaning |\n", "|---|---|\n", *rows])


def answers_table() -> str:
    """Return all kinds of questions with the words of their answers as Markdown."""
    rows = ["| Question | Answers |\n", "|---|---|\n"]
    for word, kind in sorted(QUESTIONS.items()):
        rows.append(f"| `{word}` | {', '.join(f'`{answer}`' for answer in kind.answers)} |\n")
    return "".join(rows)
