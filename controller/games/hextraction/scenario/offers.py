"""The checks of EXPECT sentences about questions and options, as a phone would show them."""

import re
from collections.abc import Iterable
from typing import Final

from hextraction.controller.games.hextraction.scenario.driver import Driver, choices_of
from hextraction.controller.games.hextraction.scenario.found import Fields, Found, named, same, tiles
from hextraction.controller.games.hextraction.scenario.language import names_in
from hextraction.controller.games.hextraction.state.state import Ask
from hextraction.controller.games.scene import Option

__all__ = [
    "deadline",
    "groups",
    "no_prompt",
    "of_tiles",
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


def _asked(driver: Driver, fields: Fields) -> list[Ask]:
    kind = fields.get("WORD", "").lower()
    shown = driver.game.private(driver.state, fields["WHO"].lower()).prompts
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


def prompt(driver: Driver, fields: Fields) -> Found:
    """Check for a question to a seat."""
    return bool(_asked(driver, fields)), _asks_said(driver)


def prompt_choices(driver: Driver, fields: Fields) -> Found:
    """Check for a question with exactly these choices, of which some may read alike."""
    items = _items(fields["LIST"])
    met = any(len(items) == len(ask.choices) and _all_meant(ask, items) for ask in _asked(driver, fields))
    return met, _asks_said(driver)


def prompt_says(driver: Driver, fields: Fields) -> Found:
    """Check for a question with these words, as a phone shows it."""
    texts = [ask.text for ask in _asked(driver, fields)]
    wanted = fields["TEXT"].strip('"').lower()
    return any(wanted in text.lower() for text in texts), " / ".join(texts) or _asks_said(driver)


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


def prompt_due(driver: Driver, fields: Fields) -> Found:
    """Check for a question with so much time for its answer."""
    times = [ask.deadline_us for ask in _asked(driver, fields)]
    left_s = [(due_us - driver.state.at_us) / _SECOND_US for due_us in times if due_us is not None]
    met = any(abs(left - float(fields["N"])) < _CLOSE_S for left in left_s)
    return met, ", ".join(f"{left:g} s" for left in left_s) or f"no such deadline; {_asks_said(driver)}"


def deadline(driver: Driver, fields: Fields) -> Found:
    """Check when the game goes on by itself, or that it does not."""
    due_us = driver.game.wake_at_us(driver.state)
    if due_us is None:
        return "N" not in fields, "no deadline"
    left_s = (due_us - driver.state.at_us) / _SECOND_US
    return "N" in fields and abs(left_s - float(fields["N"])) < _CLOSE_S, f"{left_s:g} s"


def no_prompt(driver: Driver, fields: Fields) -> Found:
    """Check that nobody, or not that seat, is asked anything."""
    none = not driver.state.asks if "WHO" not in fields else not _asked(driver, fields)
    return none, _asks_said(driver)


def _options_of(driver: Driver, fields: Fields) -> list[Option]:
    return list(driver.game.private(driver.state, fields["WHO"].lower()).options)


def groups(driver: Driver, fields: Fields) -> list[str]:
    """Return the groups of a seat's options."""
    return sorted({option.group for option in _options_of(driver, fields)})


def options(driver: Driver, fields: Fields) -> Found:
    """Check everything that a seat may do, except leaving, calling votes and attesting."""
    return _listed(set(groups(driver, fields)) - _ALWAYS - _TALK, fields)


def _listed(found: Iterable[str], fields: Fields) -> Found:
    text = fields["LIST"]
    wanted = [] if text.strip().lower() == "none" else [name.lower() for name in names_in(text)]
    return same({name.lower() for name in found}, set(wanted))


def _of_group(driver: Driver, fields: Fields, group: str) -> list[Option]:
    return [option for option in _options_of(driver, fields) if option.group == group]


def ramps(driver: Driver, fields: Fields) -> Found:
    """Check the ramps that can be chosen."""
    return _listed((option.ramp or "" for option in _of_group(driver, fields, "roll")), fields)


def slots(driver: Driver, fields: Fields) -> Found:
    """Check the slots that can be chosen."""
    return _listed((option.slot or "" for option in _of_group(driver, fields, "place")), fields)


def of_tiles(driver: Driver, fields: Fields, group: str) -> Found:
    """Check the tiles that options of one group are about; an unseen tile may be any that an option names."""
    found: set[str] = set()
    for option in _of_group(driver, fields, group):
        copy = option.tile if option.tile is not None else int(option.act.get("tile", 0))
        found |= {*named(driver, [copy])} if copy else {str(option.act["name"])}
    return same(found, set(tiles(driver, fields["LIST"])))
