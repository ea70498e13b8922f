"""What each EXPECT sentence looks at: it says what was found, and whether that is as expected."""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

import msgspec
from hextraction.controller.games.hextraction import Phase
from hextraction.controller.games.hextraction.state import Ask
from hextraction.controller.games.protocol import KickBalls, OpenGate, Option, Said
from hextraction.controller.scenario_driver import Driver, Unmet, choice_of
from hextraction.controller.scenario_language import counted, names_in
from hextraction.controller.scenario_phrases import Sentence

__all__ = ["check"]

_Found = tuple[bool, str]
_Fields = dict[str, str]
_ALWAYS: Final = frozenset({"concede", "vote", "attest", "lifted"})


def check(driver: Driver, sentence: Sentence) -> None:
    """Compare an EXPECT line with the state.

    Raises:
        Unmet: it is not so.
    """
    met, found = _LOOKS[sentence.phrase.key](driver, sentence.fields)
    if met is sentence.negated:
        raise Unmet(sentence.text, found)


def _named(driver: Driver, copies: Iterable[int]) -> list[str]:
    return [driver.game.rules.tile(driver.state.copies[copy]).name for copy in copies]


def _tiles(driver: Driver, text: str) -> list[str]:
    return (
        []
        if text.strip().lower() == "none"
        else [driver.game.rules.named(name).name for name in counted(text)]
    )


def _same(found: Iterable[str], wanted: Iterable[str]) -> _Found:
    have = sorted(found)
    return Counter(have) == Counter(wanted), ", ".join(have) or "none"


def _number(found: int, fields: _Fields) -> _Found:
    return found == int(fields["N"]), str(found)


def _switch(found: bool, fields: _Fields) -> _Found:  # noqa: FBT001 - the state of a switch
    return found == (fields["word"].lower() == "on"), "on" if found else "off"


def _seats(found: Iterable[str], fields: _Fields) -> _Found:
    return _same(found, [name.lower() for name in names_in(fields["LIST"])])


def _losers(driver: Driver) -> tuple[str, ...]:
    return tuple(player.seat for player in driver.state.players if player.out)


def _over(driver: Driver) -> str:
    state = driver.state
    return f"{state.phase.value}, {state.outcome or 'no outcome'}"


def _slot(driver: Driver, fields: _Fields) -> _Found:
    laid = next((one for one in driver.state.laid if driver.slot(fields["SLOT"]) in one.slots), None)
    if laid is None:
        return False, "open"
    name = _named(driver, [laid.copy])[0]
    same = name == driver.game.rules.named(fields["TILE"]).name
    return same and int(fields.get("N", laid.turns)) == laid.turns, f"{name} turned {laid.turns}"


def _slot_open(driver: Driver, fields: _Fields) -> _Found:
    laid = next((one for one in driver.state.laid if driver.slot(fields["SLOT"]) in one.slots), None)
    return laid is None, "open" if laid is None else _named(driver, [laid.copy])[0]


def _touches(driver: Driver, fields: _Fields) -> _Found:
    view = next(
        one for one in driver.game.public(driver.state).slots if one.slot == driver.slot(fields["SLOT"])
    )
    return _number(view.touches, fields)


def _hand(driver: Driver, fields: _Fields) -> tuple[int, ...]:
    return next(player.hand for player in driver.state.players if player.seat == fields["WHO"].lower())


# --- questions ----------------------------------------------------------------------------------------------


def _asked(driver: Driver, fields: _Fields) -> list[Ask]:
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


def _prompt(driver: Driver, fields: _Fields) -> _Found:
    return bool(_asked(driver, fields)), _asks_said(driver)


def _prompt_choices(driver: Driver, fields: _Fields) -> _Found:
    items = [item.strip() for item in re.findall(r'"[^"]*"|[^,"]+', fields["LIST"]) if item.strip()]
    met = any(
        len(items) == len(ask.choices)
        and len({choice_of(ask, item) for item in items} - {None}) == len(items)
        for ask in _asked(driver, fields)
    )
    return met, _asks_said(driver)


def _no_prompt(driver: Driver, fields: _Fields) -> _Found:
    none = not driver.state.asks if "WHO" not in fields else not _asked(driver, fields)
    return none, _asks_said(driver)


# --- options ------------------------------------------------------------------------------------------------


def _options(driver: Driver, fields: _Fields) -> list[Option]:
    return list(driver.game.private(driver.state, fields["WHO"].lower()).options)


def _groups(driver: Driver, fields: _Fields) -> list[str]:
    return sorted({option.group for option in _options(driver, fields)} - _ALWAYS)


def _listed(found: Iterable[str], fields: _Fields) -> _Found:
    text = fields["LIST"]
    wanted = [] if text.strip().lower() == "none" else [name.lower() for name in names_in(text)]
    return _same({name.lower() for name in found}, set(wanted))


def _of_group(driver: Driver, fields: _Fields, group: str) -> list[Option]:
    return [option for option in _options(driver, fields) if option.group == group]


def _ramps(driver: Driver, fields: _Fields) -> _Found:
    return _listed((option.ramp or "" for option in _of_group(driver, fields, "roll")), fields)


def _slots(driver: Driver, fields: _Fields) -> _Found:
    return _listed((option.slot or "" for option in _of_group(driver, fields, "place")), fields)


def _of_tiles(driver: Driver, fields: _Fields, group: str) -> _Found:
    options = _of_group(driver, fields, group)
    copies = [
        option.tile if option.tile is not None else int(option.act.get("tile", 0)) for option in options
    ]
    return _same(set(_named(driver, copies)), set(_tiles(driver, fields["LIST"])))


# --- the rest -----------------------------------------------------------------------------------------------


def _said(driver: Driver) -> list[Said]:
    return [effect for effect in driver.effects if isinstance(effect, Said)]


def _said_text(driver: Driver, fields: _Fields) -> _Found:
    wanted = fields["TEXT"].strip('"').lower()
    said = [one.text for one in _said(driver)]
    return any(wanted in text.lower() for text in said), " / ".join(said) or "nothing"


def _said_clause(driver: Driver, fields: _Fields) -> _Found:
    clauses = [one.clause or "-" for one in _said(driver)]
    return fields["CLAUSE"] in clauses, ", ".join(clauses) or "nothing"


def _balls(driver: Driver, fields: _Fields) -> _Found:
    now = driver.state.rest if driver.state.roll is None else driver.state.roll.record
    slot = driver.slot(fields["SLOT"])
    return _number(sum(slot in on for on in now.on.values()), fields)


def _gate(driver: Driver, fields: _Fields) -> _Found:
    opened = [effect.ramp for effect in driver.effects if isinstance(effect, OpenGate)]
    return driver.ramp(fields["RAMP"]) in opened, ", ".join(opened) or "no gate"


def _kicker(driver: Driver, fields: _Fields) -> _Found:
    fired = [effect.slot for effect in driver.effects if isinstance(effect, KickBalls)]
    return driver.slot(fields["SLOT"]) in fired, ", ".join(fired) or "no kicker"


def _vote(driver: Driver, fields: _Fields) -> _Found:
    vote = driver.game.public(driver.state).vote
    awaited = vote.awaited if vote is not None else None
    return awaited == fields["WHO"].lower(), awaited or "no vote"


def _secret(driver: Driver, _fields: _Fields) -> _Found:
    """Hands are secret if other views stay the same when a hand holds quite other tiles."""
    shown = {driver.state.play.copy} if driver.state.play is not None else set()
    for player in driver.state.players:
        copies = dict(driver.state.copies)
        for copy in set(player.hand) - shown:
            copies[copy] = msgspec.structs.replace(copies[copy], name="wide")
        other = msgspec.structs.replace(driver.state, copies=copies)
        views = [driver.game.public(driver.state) == driver.game.public(other)]
        views += [
            driver.game.private(driver.state, seat.seat) == driver.game.private(other, seat.seat)
            for seat in driver.state.players
            if seat.seat != player.seat
        ]
        if not all(views):
            return False, f"{player.seat}'s hand shows"
    return True, "no hand shows"


def _waiting(driver: Driver) -> list[str]:
    return _named(driver, (one.copy for one in driver.state.waiting))


def _roller(driver: Driver) -> str:
    return driver.state.roll.roller if driver.state.roll is not None else "nobody"


_LOOKS: Final[dict[str, Callable[[Driver, _Fields], _Found]]] = {
    "no_winner": lambda driver, _f: (not driver.state.winners, _over(driver)),
    "winners": lambda driver, fields: _seats(driver.state.winners, fields),
    "no_loser": lambda driver, _f: (not _losers(driver), ", ".join(_losers(driver))),
    "losers": lambda driver, fields: _seats(_losers(driver), fields),
    "draw": lambda driver, _f: (driver.state.phase is Phase.OVER and not driver.state.winners, _over(driver)),
    "goes_on": lambda driver, _f: (driver.state.phase is not Phase.OVER, _over(driver)),
    "nothing_destroyed": lambda driver, _f: _same(driver.destroyed, ()),
    "destroyed": lambda driver, fields: _same(driver.destroyed, _tiles(driver, fields["LIST"])),
    "slot_open": _slot_open,
    "slot": _slot,
    "touches": _touches,
    "chime": lambda driver, fields: _number(driver.state.chime, fields),
    "hand_count": lambda driver, fields: _number(len(_hand(driver, fields)), fields),
    "hand": lambda driver, fields: _same(
        _named(driver, _hand(driver, fields)), _tiles(driver, fields["LIST"])
    ),
    "pool": lambda driver, fields: _number(len(driver.state.pool), fields),
    "virtual": lambda driver, fields: _number(len(driver.state.virtual), fields),
    "virtual_list": lambda driver, fields: _same(
        _named(driver, driver.state.virtual), _tiles(driver, fields["LIST"])
    ),
    "offline": lambda driver, fields: _switch(driver.state.offline, fields),
    "overdrive": lambda driver, fields: _switch(driver.state.overdrive, fields),
    "rolls_owed": lambda driver, fields: _number(driver.state.rolls_owed, fields),
    "plays_owed": lambda driver, fields: _number(driver.state.plays_owed, fields),
    "nothing_waiting": lambda driver, _f: _same(_waiting(driver), ()),
    "waiting": lambda driver, fields: _same(
        _waiting(driver), _tiles(driver, fields["LIST"])
    ),
    "prompt_about": _prompt_choices,
    "prompt_choices": _prompt_choices,
    "no_prompt_to": _no_prompt,
    "no_prompt": _no_prompt,
    "prompt_kind": _prompt,
    "prompt": _prompt,
    "option": lambda driver, fields: (
        any(option.group == fields["WORD"].lower() for option in _options(driver, fields)),
        ", ".join(_groups(driver, fields)) or "none",
    ),
    "options": lambda driver, fields: _listed(_groups(driver, fields), fields),
    "ramps": _ramps,
    "slots": _slots,
    "tiles": lambda driver, fields: _of_tiles(driver, fields, "play"),
    "effects": lambda driver, fields: _of_tiles(driver, fields, "activate"),
    "phase": lambda driver, fields: (
        driver.state.phase.value == fields["WORD"].lower(), driver.state.phase.value
    ),
    "active": lambda driver, fields: (driver.state.active == fields["WHO"].lower(), driver.state.active),
    "nobody_rolls": lambda driver, _f: (driver.state.roll is None, _roller(driver)),
    "roller": lambda driver, fields: (_roller(driver) == fields["WHO"].lower(), _roller(driver)),
    "said_clause": _said_clause,
    "said": _said_text,
    "gate": _gate,
    "kicker": _kicker,
    "balls": _balls,
    "no_vote": lambda driver, _f: (driver.state.vote is None, "a vote"),
    "vote": _vote,
    "secret": _secret,
    "lift": lambda driver, fields: (
        driver.slot(fields["SLOT"]) in driver.state.to_lift, ", ".join(driver.state.to_lift) or "nothing"
    ),
    "start_refused": lambda driver, fields: (
        fields["CLAUSE"] in driver.problems, ", ".join(driver.problems) or "it may start"
    ),
}  # fmt: skip
