"""The checks of EXPECT sentences about questions and options, as a phone would show them."""

import re
from collections.abc import Iterable
from typing import Final

from hextraction.controller.games.hextraction.scenario.driver import Driver, choice_of
from hextraction.controller.games.hextraction.scenario.found import Fields, Found, named, same, tiles
from hextraction.controller.games.hextraction.scenario.language import names_in
from hextraction.controller.games.hextraction.state import Ask
from hextraction.controller.games.scene import Option

__all__ = ["groups", "no_prompt", "of_tiles", "options", "prompt", "prompt_choices", "ramps", "slots"]

_ALWAYS: Final = frozenset({"concede", "vote", "attest", "lifted"})
_TALK: Final = frozenset(
    {
        "adjust",
        "arrange",
        "contend",
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
    """Check for a question with exactly these choices."""
    items = [item.strip() for item in re.findall(r'"[^"]*"|[^,"]+', fields["LIST"]) if item.strip()]
    met = any(
        len(items) == len(ask.choices)
        and len({choice_of(ask, item) for item in items} - {None}) == len(items)
        for ask in _asked(driver, fields)
    )
    return met, _asks_said(driver)


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
    """Check the tiles that options of one group are about."""
    options = _of_group(driver, fields, group)
    copies = [
        option.tile if option.tile is not None else int(option.act.get("tile", 0)) for option in options
    ]
    return same(set(named(driver, copies)), set(tiles(driver, fields["LIST"])))
