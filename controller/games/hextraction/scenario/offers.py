"""The checks of EXPECT sentences about questions and options, as a phone would show them."""

import re
from collections.abc import Callable, Iterable
from typing import Final

from hextraction.controller.games.hextraction.scenario.driver import Driver, choices_of
from hextraction.controller.games.hextraction.scenario.found import alike
from hextraction.controller.games.hextraction.state.state import Ask
from hextraction.controller.games.scene import Option
from hextraction.controller.games.sentences import Found

__all__ = [
    "deadline",
    "no_prompt",
    "of_tiles",
    "option",
    "options",
    "prompt",
    "prompt_choices",
    "prompt_due",
    "prompt_says",
    "ramps",
    "slots",
]

_SECOND_US: Final = 1_000_000
_CLOSE_S: Final = 0.1
_ALWAYS: Final = frozenset({"concede", "vote", "attest", "lifted"})
_TALK: Final = frozenset(
    {
        "adjust",
        "arrange",
        "contend",
        "fallen",
        "flag",
        "flick",
        "jammed",
        "overrule",
        "reclaim",
        "reenter",
        "rules",
        "undo",
    }
)


def _asked(driver: Driver, who: str, kind: str = "") -> list[Ask]:
    shown = driver.game.private(driver.state, who.lower()).prompts
    ids = {prompt.id for prompt in shown}
    return [ask for ask in driver.state.asks if ask.id in ids and kind in {"", ask.kind}]


def _asks_said(driver: Driver) -> str:
    return (
        "; ".join(
            f"{ask.seat} {ask.kind}: {', '.join(label for _word, label in ask.choices)}"
            for ask in driver.state.asks
        )
        or "no prompt"
    )


def prompt(driver: Driver, who: str, question: str = "") -> Found:
    """Check for a question to a seat."""
    return bool(_asked(driver, who, question)), _asks_said(driver)


def prompt_choices(driver: Driver, who: str, choices: str, question: str = "") -> Found:
    """Check for a question with exactly these choices, of which some may read alike."""
    items = _items(choices)
    asked = _asked(driver, who, question)
    met = any(len(items) == len(ask.choices) and _all_meant(ask, items) for ask in asked)
    return met, _asks_said(driver)


def prompt_says(driver: Driver, who: str, text: str) -> Found:
    """Check for a question with these words, as a phone shows it."""
    texts = [ask.text for ask in _asked(driver, who)]
    return any(text.lower() in one.lower() for one in texts), " / ".join(texts) or _asks_said(driver)


def _items(text: str) -> list[str]:
    """Split a list of choices at commas outside of quotes and parentheses."""
    return [item.strip() for item in re.findall(r'(?:"[^"]*"|\([^)]*\)|[^,"(])+', text) if item.strip()]


def _all_meant(ask: Ask, items: list[str], used: frozenset[str] = frozenset()) -> bool:
    """Whether each item can stand for a choice of its own."""
    if not items:
        return True
    return any(
        _all_meant(ask, items[1:], used | {choice})
        for choice in choices_of(ask, items[0])
        if choice not in used
    )


def prompt_due(driver: Driver, who: str, question: str, seconds: float) -> Found:
    """Check for a question with so much time for its answer."""
    times = [ask.deadline_us for ask in _asked(driver, who, question)]
    left_s = [(due_us - driver.state.at_us) / _SECOND_US for due_us in times if due_us is not None]
    met = any(abs(left - seconds) < _CLOSE_S for left in left_s)
    return met, ", ".join(f"{left:g} s" for left in left_s) or f"no such deadline; {_asks_said(driver)}"


def deadline(driver: Driver, seconds: float | None = None) -> Found:
    """Check when the game goes on by itself, or that it does not."""
    due_us = driver.game.wake_at_us(driver.state)
    if due_us is None:
        return seconds is None, "no deadline"
    left_s = (due_us - driver.state.at_us) / _SECOND_US
    return seconds is not None and abs(left_s - seconds) < _CLOSE_S, f"{left_s:g} s"


def no_prompt(driver: Driver, who: str = "") -> Found:
    """Check that nobody, or not that seat, is asked anything."""
    none = not (_asked(driver, who) if who else driver.state.asks)
    return none, _asks_said(driver)


def _options_of(driver: Driver, who: str) -> list[Option]:
    return list(driver.game.private(driver.state, who.lower()).options)


def _groups(driver: Driver, who: str) -> list[str]:
    """Return the groups of a seat's options."""
    return sorted({option.group for option in _options_of(driver, who)})


def options(driver: Driver, who: str, options: list[str]) -> Found:
    """Check everything that a seat may do, except leaving, calling votes and attesting."""
    return _listed(set(_groups(driver, who)) - _ALWAYS - _TALK, options)


def option(driver: Driver, who: str, option: str) -> Found:
    """Check that a seat may do that."""
    return option in _groups(driver, who), ", ".join(_groups(driver, who)) or "none"


def _listed(found: Iterable[str], wanted: Iterable[str]) -> Found:
    return alike({name.lower() for name in found}, {name.lower() for name in wanted})


def _of_group(driver: Driver, who: str, group: str) -> list[Option]:
    return [option for option in _options_of(driver, who) if option.group == group]


def ramps(driver: Driver, who: str, ramps: list[str]) -> Found:
    """Check the ramps that can be chosen."""
    return _listed((option.ramp or "" for option in _of_group(driver, who, "roll")), ramps)


def slots(driver: Driver, who: str, slots: list[str]) -> Found:
    """Check the slots that can be chosen."""
    return _listed((option.slot or "" for option in _of_group(driver, who, "place")), slots)


def of_tiles(group: str) -> Callable[[Driver, str, str], Found]:
    """Return what checks the tiles that options of a group are about; an unseen one may be any named."""

    def look(driver: Driver, who: str, tiles: str) -> Found:
        found: set[str] = set()
        for one in _of_group(driver, who, group):
            copy = one.tile if one.tile is not None else int(one.act.get("tile", 0))
            found |= {*driver.named([copy])} if copy else {str(one.act["name"])}
        return alike(found, set(driver.kinds(tiles)))

    return look
