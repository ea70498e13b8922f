"""What each EXPECT sentence checks: each check returns what was found, and whether it is as expected."""

import re
from collections.abc import Callable, Iterable
from typing import Final

import msgspec
from hextraction.controller.games.hextraction import Phase
from hextraction.controller.games.hextraction.cards.glossary import term
from hextraction.controller.games.hextraction.scenario import offers
from hextraction.controller.games.hextraction.scenario.driver import Driver, Unmet
from hextraction.controller.games.hextraction.scenario.found import (
    Fields,
    Found,
    named,
    number,
    same,
    switch,
    tiles,
)
from hextraction.controller.games.hextraction.scenario.language import names_in
from hextraction.controller.games.hextraction.scenario.phrases import Sentence
from hextraction.controller.games.hextraction.state.move import Move
from hextraction.controller.games.hextraction.state.state import Player
from hextraction.controller.games.hextraction.turn.triggers import queue_triggers, unheard
from hextraction.controller.games.protocol import KickBalls, OpenGate, Said
from hextraction.controller.games.scene import Prompt, colour_of

__all__ = ["check"]


def check(driver: Driver, sentence: Sentence) -> None:
    """Compare an EXPECT line with the state.

    Raises:
        Unmet: they differ.
    """
    met, found = _LOOKS[sentence.phrase.key](driver, sentence.fields)
    if met is sentence.negated:
        raise Unmet(sentence.text, found)


def _in_parts(driver: Driver, names: Iterable[str]) -> list[str]:
    """Return kinds of tiles with each Combo as its parts: a list may name either."""
    return [part for name in names for part in driver.game.rules.named(name).parts or (name,)]


def _seats(found: Iterable[str], fields: Fields) -> Found:
    wanted = [name.lower() for name in names_in(fields["LIST"])]
    return same(found, [] if wanted == ["none"] else wanted)


def _losers(driver: Driver) -> tuple[str, ...]:
    return tuple(player.seat for player in driver.state.players if player.out)


def _over(driver: Driver) -> str:
    state = driver.state
    return f"{state.phase.value}, {state.outcome or 'no outcome'}"


def _slot(driver: Driver, fields: Fields) -> Found:
    laid = next((one for one in driver.state.laid if driver.slot(fields["SLOT"]) in one.slots), None)
    if laid is None:
        return False, "open"
    name = named(driver, [laid.copy])[0]
    same = name == driver.game.rules.named(fields["TILE"]).name
    return same and int(fields.get("N", laid.turns)) == laid.turns, f"{name} turned {laid.turns}"


def _slot_open(driver: Driver, fields: Fields) -> Found:
    laid = next((one for one in driver.state.laid if driver.slot(fields["SLOT"]) in one.slots), None)
    return laid is None, "open" if laid is None else named(driver, [laid.copy])[0]


def _part(driver: Driver, fields: Fields) -> Found:
    laid = next((one for one in driver.state.laid if driver.slot(fields["SLOT"]) in one.slots), None)
    return number(laid.part if laid is not None else -1, fields)


def _touches(driver: Driver, fields: Fields) -> Found:
    place = f"slot.{driver.slot(fields['SLOT'])}"
    view = next(one for one in driver.game.scene(driver.state).places if one.place == place)
    return number(view.count, fields)


def _hand(driver: Driver, fields: Fields) -> tuple[int, ...]:
    return next(player.hand for player in driver.state.players if player.seat == fields["WHO"].lower())


# --- the rest -----------------------------------------------------------------------------------------------


def _said(driver: Driver) -> list[Said]:
    return [effect for effect in driver.effects if isinstance(effect, Said)]


def _said_text(driver: Driver, fields: Fields) -> Found:
    wanted = fields["TEXT"].strip('"').lower()
    said = [one.text for one in _said(driver)]
    return any(wanted in text.lower() for text in said), " / ".join(said) or "nothing"


def _said_clause(driver: Driver, fields: Fields) -> Found:
    clauses = [one.clause or "-" for one in _said(driver)]
    return fields["CLAUSE"] in clauses, ", ".join(clauses) or "nothing"


def _said_in_order(driver: Driver, fields: Fields) -> Found:
    said = [one.clause for one in _said(driver) if one.clause]
    rest = iter(said)
    return all(clause in rest for clause in names_in(fields["LIST"])), ", ".join(said) or "nothing"


def _balls(driver: Driver, fields: Fields) -> Found:
    now = driver.state.rest if driver.state.roll is None else driver.state.roll.record
    place = driver.place(fields["PLACE"])
    lying = [*now.zones.values(), *now.ramps.values()]
    there = sum(place in on for on in now.on.values()) + lying.count(place)
    return number(there, fields)


def _ball_at(driver: Driver, fields: Fields) -> Found:
    now = driver.state.rest if driver.state.roll is None else driver.state.roll.record
    ball, place = driver.named_ball(fields), driver.place(fields["PLACE"])
    places = (*now.on.get(ball, ()), now.zones.get(ball, ""), now.ramps.get(ball, ""))
    return place in places, ", ".join(filter(None, places)) or "not on the board"


def _gate(driver: Driver, fields: Fields) -> Found:
    opened = [effect.ramp for effect in driver.effects if isinstance(effect, OpenGate)]
    return driver.ramp(fields["RAMP"]) in opened, ", ".join(opened) or "no gate"


def _kicker(driver: Driver, fields: Fields) -> Found:
    fired = [effect.slot for effect in driver.effects if isinstance(effect, KickBalls)]
    return driver.slot(fields["SLOT"]) in fired, ", ".join(fired) or "no kicker"


def _ball_out(driver: Driver, fields: Fields) -> Found:
    now = driver.state.rest if driver.state.roll is None else driver.state.roll.record
    said = _said(driver)
    places = [one.slot for one in said if one.kind == "lift" and one.slot]
    places += [now.zones[one.ball] for one in said if one.clause == "R-24" and one.ball in now.zones]
    fell = [one.text for one in said if one.kind == "zone" and one.clause == "2.1.5.1"]
    zones = driver.game.board.zones
    places += [zone.name for zone in zones for text in fell if f" lies in the {zone.title}: " in text]
    return driver.place(fields["PLACE"]) in places, ", ".join(places) or "no ball"


_LAMPS: Final = {
    (255, 255, 255): "white",
    (255, 120, 0): "amber",
    (255, 0, 0): "red",
    (140, 0, 255): "violet",
}
_DIM: Final = 40
"""Lamps none of whose colours is brighter than this are dim."""


def _lamp(driver: Driver, fields: Fields) -> Found:
    """Check how the lamps of a place shine: as numbers that a person would call so."""
    scene, place = driver.game.scene(driver.state), driver.place(fields["PLACE"])
    kind = next((one.place for one in scene.places if one.place.endswith(f".{place}")), "")
    glow = driver.game.lamps(scene)[kind]
    dim = max(glow.colour) <= _DIM
    words = {_LAMPS.get(glow.colour, ""), "blinking" if glow.blink else "", "dim" if dim else ""} - {""}
    words |= {
        one.seat
        for one in scene.seats
        if glow.colour
        in {colour_of(scene, one.seat), tuple(part // 8 for part in colour_of(scene, one.seat))}
    }
    words = {"dark"} if not any(glow.colour) and not any(glow.rest) else words
    lit = glow.lit is None or "N" not in fields or int(fields["N"]) == glow.lit
    found = f"{' '.join(sorted(words))}{'' if glow.lit is None else f', {glow.lit} lit'}"
    return fields["WORD"].lower() in words and lit, found


def _vote(driver: Driver, fields: Fields) -> Found:
    vote = driver.game.scene(driver.state).detail.vote
    awaited = vote.awaited if vote is not None else None
    return awaited == fields["WHO"].lower(), awaited or "no vote"


def _secret(driver: Driver, _fields: Fields) -> Found:
    """Check that hands are secret: other views must stay the same when a hand holds different tiles.

    What an open question says was written when it was asked, so its words are read as well.
    """
    shown = {driver.state.play.copy} if driver.state.play is not None else set()
    for player in driver.state.players:
        copies = dict(driver.state.copies)
        for copy in set(player.hand) - shown:
            copies[copy] = msgspec.structs.replace(copies[copy], name="wide")
        other = msgspec.structs.replace(driver.state, copies=copies)
        views = [driver.game.scene(driver.state) == driver.game.scene(other)]
        views += [
            driver.game.private(driver.state, seat.seat) == driver.game.private(other, seat.seat)
            for seat in driver.state.players
            if seat.seat != player.seat
        ]
        told = _told_by_questions(driver, player)
        if not all(views) or told:
            return False, f"{player.seat}'s hand shows{f': {told}' if told else ''}"
    return True, "no hand shows"


def _told_by_questions(driver: Driver, player: Player) -> str:
    """Return a question that names, to somebody else, a kind that lies in this hand and in no open place."""
    state, known = driver.state, driver.state.copies
    open_places = {*state.pool, *state.virtual, *state.destroyed, *state.taken}
    open_places |= {laid.copy for laid in state.laid}
    open_places |= {state.play.copy, *state.play.pieces} if state.play is not None else set()
    for seat in state.players:
        if seat.seat == player.seat:
            continue
        view = driver.game.private(state, seat.seat)
        for prompts, seen in ((view.prompts, (*open_places, *seat.hand)), (view.others, open_places)):
            hidden = {known[copy].name for copy in player.hand} - {known[copy].name for copy in seen} - {""}
            for prompt in prompts:
                for name in hidden:
                    if _names(prompt, name, driver.game.rules.named(name).title):
                        return prompt.text
    return ""


def _names(prompt: Prompt, name: str, title: str) -> bool:
    """Whether the text, a label or a choice of a question names a kind of tile."""
    words = [prompt.text, *(option.label for option in prompt.options)]
    spelled = re.compile(rf"(?<!\w){re.escape(title)}(?!\w)")
    return any(spelled.search(one) for one in words) or any(
        option.act.get("choice") == name for option in prompt.options
    )


def _card(driver: Driver, fields: Fields) -> Found:
    card = driver.game.card(fields["TILE"])
    if "WORD" in fields:
        badges = [*card.keywords, *(["starred"] if card.starred else [])]
        return fields["WORD"].lower() in badges, ", ".join(badges) or "no badge"
    return fields["TEXT"].strip('"').lower() in card.summary.lower(), card.summary or "nothing"


def _term(_driver: Driver, fields: Fields) -> Found:
    found = term(fields["TEXT"].strip('"'))
    clauses = (found.clause, *found.see) if found is not None else ()
    return fields["CLAUSE"] in clauses, ", ".join(clauses) or "no such word"


def _advice(driver: Driver, fields: Fields) -> Found:
    clauses = [clause for _text, clause in driver.advice]
    return fields["CLAUSE"] in clauses, ", ".join(clauses)


def _waiting(driver: Driver) -> list[str]:
    """Return the tiles whose effects wait, including those set off by a ball still moving (2.6.1)."""
    move, roll = Move(driver.game.rules, driver.state), driver.state.roll
    if roll is not None and driver.state.phase is Phase.ROLLING:
        queue_triggers(move, unheard(roll, roll.record))
    poised = (move.state.poised,) if move.state.poised is not None else ()
    return named(driver, (one.copy for one in (*move.state.waiting, *poised)))


def _roller(driver: Driver) -> str:
    """Return who is rolling, including a player whom an effect still obliges to roll (3.Rolling.2)."""
    state = driver.state
    if state.demanded and state.intent is not None:
        return state.intent[0]
    return state.roll.roller if state.roll is not None else "nobody"


_LOOKS: Final[dict[str, Callable[[Driver, Fields], Found]]] = {
    "no_winner": lambda driver, _f: (not driver.state.winners, _over(driver)),
    "winners": lambda driver, fields: _seats(driver.state.winners, fields),
    "no_loser": lambda driver, _f: (not _losers(driver), ", ".join(_losers(driver))),
    "losers": lambda driver, fields: _seats(_losers(driver), fields),
    "draw": lambda driver, _f: (driver.state.phase is Phase.OVER and not driver.state.winners, _over(driver)),
    "goes_on": lambda driver, _f: (driver.state.phase is not Phase.OVER, _over(driver)),
    "nothing_destroyed": lambda driver, _f: same(driver.destroyed, ()),
    "destroyed": lambda driver, fields: same(
        _in_parts(driver, driver.destroyed), _in_parts(driver, tiles(driver, fields["LIST"]))
    ),
    "slot_open": _slot_open,
    "slot": _slot,
    "part": _part,
    "touches": _touches,
    "chime": lambda driver, fields: number(driver.state.chime, fields),
    "hand_count": lambda driver, fields: number(len(_hand(driver, fields)), fields),
    "hand": lambda driver, fields: same(
        named(driver, _hand(driver, fields)), tiles(driver, fields["LIST"])
    ),
    "pool": lambda driver, fields: number(len(driver.state.pool), fields),
    "virtual": lambda driver, fields: number(len(driver.state.virtual), fields),
    "virtual_list": lambda driver, fields: same(
        named(driver, driver.state.virtual), tiles(driver, fields["LIST"])
    ),
    "offline": lambda driver, fields: switch(driver.state.offline, fields),
    "overdrive": lambda driver, fields: switch(driver.state.overdrive, fields),
    "rolls_owed": lambda driver, fields: number(driver.state.rolls_owed, fields),
    "plays_owed": lambda driver, fields: number(driver.state.plays_owed, fields),
    "nothing_waiting": lambda driver, _f: same(_waiting(driver), ()),
    "waiting": lambda driver, fields: same(
        _waiting(driver), tiles(driver, fields["LIST"])
    ),
    "prompt_about": offers.prompt_choices,
    "prompt_says": offers.prompt_says,
    "prompt_choices": offers.prompt_choices,
    "no_prompt_to": offers.no_prompt,
    "no_prompt": offers.no_prompt,
    "prompt_kind": offers.prompt,
    "prompt": offers.prompt,
    "option": lambda driver, fields: (
        fields["WORD"].lower() in offers.groups(driver, fields),
        ", ".join(offers.groups(driver, fields)) or "none",
    ),
    "options": offers.options,
    "ramps": offers.ramps,
    "slots": offers.slots,
    "tiles": lambda driver, fields: offers.of_tiles(driver, fields, "play"),
    "effects": lambda driver, fields: offers.of_tiles(driver, fields, "activate"),
    "phase": lambda driver, fields: (
        driver.state.phase.value == fields["WORD"].lower(), driver.state.phase.value
    ),
    "active": lambda driver, fields: (driver.state.active == fields["WHO"].lower(), driver.state.active),
    "nobody_rolls": lambda driver, _f: (_roller(driver) == "nobody", _roller(driver)),
    "roller": lambda driver, fields: (_roller(driver) == fields["WHO"].lower(), _roller(driver)),
    "said_clause": _said_clause,
    "said_in_order": _said_in_order,
    "said": _said_text,
    "gate": _gate,
    "kicker": _kicker,
    "balls": _balls,
    "ball_at": _ball_at,
    "no_vote": lambda driver, _f: (driver.state.vote is None, "a vote"),
    "vote": _vote,
    "secret": _secret,
    "lifts": lambda driver, fields: same(
        [slot.lower() for slot in driver.state.to_lift],
        [] if fields["LIST"].strip().lower() == "none" else [one.lower() for one in names_in(fields["LIST"])],
    ),
    "ball_out": _ball_out,
    "lamp": _lamp,
    "no_deadline": offers.deadline,
    "deadline": offers.deadline,
    "prompt_due": offers.prompt_due,
    "lift": lambda driver, fields: (
        driver.slot(fields["SLOT"]) in driver.state.to_lift, ", ".join(driver.state.to_lift) or "nothing"
    ),
    "advice": _advice,
    "taken": lambda driver, fields: same(
        named(driver, driver.state.taken), tiles(driver, fields["LIST"])
    ),
    "blocked": lambda driver, fields: (
        driver.slot(fields["SLOT"]) in driver.state.blocked, ", ".join(driver.state.blocked) or "nothing"
    ),
    "card": _card,
    "card_badge": _card,
    "term": _term,
    "start_refused": lambda driver, fields: (
        fields["CLAUSE"] in driver.problems, ", ".join(driver.problems) or "it may start"
    ),
}  # fmt: skip
