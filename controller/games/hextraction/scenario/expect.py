"""What each EXPECT sentence checks: each check returns what was found, and whether it is as expected."""

import re
from collections.abc import Callable, Collection, Iterable
from typing import Final

import msgspec
from hextraction.controller.games.hextraction import Phase, State
from hextraction.controller.games.hextraction.cards.glossary import term
from hextraction.controller.games.hextraction.scenario import offers
from hextraction.controller.games.hextraction.scenario.driver import HELD, Driver
from hextraction.controller.games.hextraction.scenario.found import alike, switch
from hextraction.controller.games.hextraction.state.move import Move
from hextraction.controller.games.hextraction.state.state import Laid, Player
from hextraction.controller.games.hextraction.turn.triggers import queue_triggers, unheard
from hextraction.controller.games.protocol import KickBalls, OpenGate, Said
from hextraction.controller.games.scene import Prompt, colour_of
from hextraction.controller.games.sentences import Found, Sentence, same

__all__ = ["EXPECTED"]


def _in_parts(driver: Driver, names: Iterable[str]) -> list[str]:
    """Return kinds of tiles with each Combo as its parts: a list may name either."""
    return [part for name in names for part in driver.game.rules.named(name).parts or (name,)]


def _seats(found: Iterable[str], players: Iterable[str]) -> Found:
    return alike(found, [name.lower() for name in players])


def _losers(driver: Driver) -> tuple[str, ...]:
    return tuple(player.seat for player in driver.state.players if player.out)


def _over(driver: Driver) -> str:
    state = driver.state
    return f"{state.phase.value}, {state.outcome or 'no outcome'}"


def _laid(driver: Driver, slot: str) -> Laid | None:
    return next((one for one in driver.state.laid if driver.slot(slot) in one.slots), None)


def _slot(driver: Driver, slot: str, tile: str, turn: int | None = None) -> Found:
    laid = _laid(driver, slot)
    if laid is None:
        return False, "open"
    name = driver.named([laid.copy])[0]
    met = name == driver.game.rules.named(tile).name and turn in {None, laid.turns}
    return met, f"{name} turned {laid.turns}"


def _slot_open(driver: Driver, slot: str) -> Found:
    laid = _laid(driver, slot)
    return laid is None, "open" if laid is None else driver.named([laid.copy])[0]


def _part(driver: Driver, slot: str, turn: int) -> Found:
    laid = _laid(driver, slot)
    return same(laid.part if laid is not None else -1, turn)


def _touches(driver: Driver, slot: str, n: int) -> Found:
    place = f"slot.{driver.slot(slot)}"
    return same(next(one for one in driver.game.scene(driver.state).places if one.place == place).count, n)


def _hand(driver: Driver, who: str) -> tuple[int, ...]:
    return next(player.hand for player in driver.state.players if player.seat == who.lower())


def _tiles(copies: Callable[[State], Iterable[int]]) -> Callable[[Driver, str], Found]:
    """Return what compares some tiles with a list."""
    return lambda driver, tiles: alike(driver.named(copies(driver.state)), driver.kinds(tiles))


def _number(count: Callable[[State], int]) -> Callable[[Driver, int], Found]:
    """Return what compares a number of the state."""
    return lambda driver, n: same(count(driver.state), n)


def _in(driver: Driver, slot: str, slots: Collection[str]) -> Found:
    return driver.slot(slot) in slots, ", ".join(slots) or "nothing"


def _is(found: str, wanted: str) -> Found:
    return found == wanted.lower(), found


# --- the rest -----------------------------------------------------------------------------------------------


def _said(driver: Driver) -> list[Said]:
    return [effect for effect in driver.effects if isinstance(effect, Said)]


def _said_text(driver: Driver, text: str) -> Found:
    said = driver.said
    return any(text.lower() in one.lower() for one in said), " / ".join(said) or "nothing"


def _said_clause(driver: Driver, clause: str) -> Found:
    clauses = [one.clause or "-" for one in _said(driver)]
    return clause in clauses, ", ".join(clauses) or "nothing"


def _said_in_order(driver: Driver, clauses: list[str]) -> Found:
    said = [one.clause for one in _said(driver) if one.clause]
    rest = iter(said)
    return all(clause in rest for clause in clauses), ", ".join(said) or "nothing"


def _balls(driver: Driver, place: str, n: int) -> Found:
    now = driver.state.rest if driver.state.roll is None else driver.state.roll.record
    there = driver.place(place)
    lying = [*now.zones.values(), *now.ramps.values()]
    return same(sum(there in on for on in now.on.values()) + lying.count(there), n)


def _ball_at(driver: Driver, n: int, place: str) -> Found:
    now = driver.state.rest if driver.state.roll is None else driver.state.roll.record
    ball = driver.named_ball(n)
    places = (*now.on.get(ball, ()), now.zones.get(ball, ""), now.ramps.get(ball, ""))
    return driver.place(place) in places, ", ".join(filter(None, places)) or "not on the board"


def _gate(driver: Driver, ramp: str) -> Found:
    opened = [effect.ramp for effect in driver.effects if isinstance(effect, OpenGate)]
    return driver.ramp(ramp) in opened, ", ".join(opened) or "no gate"


def _kicker(driver: Driver, slot: str) -> Found:
    fired = [effect.slot for effect in driver.effects if isinstance(effect, KickBalls)]
    return driver.slot(slot) in fired, ", ".join(fired) or "no kicker"


def _ball_out(driver: Driver, place: str) -> Found:
    said = _said(driver)
    places = [one.slot for one in said if one.kind == "lift" and one.slot]
    out = [one.text for one in said if one.kind == "zone" and one.clause in {"2.1.5.1", "R-24"}]
    zones = driver.game.board.zones
    places += [zone.name for zone in zones if any(f" the {zone.title}" in text for text in out)]
    return driver.place(place) in places, ", ".join(places) or "no ball"


_LAMPS: Final = {
    (255, 255, 255): "white",
    (255, 120, 0): "amber",
    (255, 0, 0): "red",
    (140, 0, 255): "violet",
}
_DIM: Final = 40
"""Lamps none of whose colours is brighter than this are dim."""


def _lamp(driver: Driver, place: str, lamp: str, n: int | None = None) -> Found:
    """Check how the lamps of a place shine: as numbers that a person would call so."""
    scene, there = driver.game.scene(driver.state), driver.place(place)
    kind = next((one.place for one in scene.places if one.place.endswith(f".{there}")), "")
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
    lit = glow.lit is None or n in {None, glow.lit}
    found = f"{' '.join(sorted(words))}{'' if glow.lit is None else f', {glow.lit} lit'}"
    return lamp in words and lit, found


def _vote(driver: Driver, who: str) -> Found:
    vote = driver.game.scene(driver.state).detail.vote
    awaited = vote.awaited if vote is not None else None
    return awaited == who.lower(), awaited or "no vote"


def _secret(driver: Driver) -> Found:
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


def _badge(driver: Driver, tile: str, badge: str) -> Found:
    card = driver.game.card(tile)
    badges = [*card.keywords, *(["starred"] if card.starred else [])]
    return badge in badges, ", ".join(badges) or "no badge"


def _card(driver: Driver, tile: str, text: str) -> Found:
    summary = driver.game.card(tile).summary
    return text.lower() in summary.lower(), summary or "nothing"


def _term(_driver: Driver, text: str, clause: str) -> Found:
    found = term(text)
    clauses = (found.clause, *found.see) if found is not None else ()
    return clause in clauses, ", ".join(clauses) or "no such word"


def _advice(driver: Driver, clause: str) -> Found:
    clauses = [cited for _text, cited in driver.advice]
    return clause in clauses, ", ".join(clauses)


def _waiting(driver: Driver) -> list[str]:
    """Return the tiles whose effects wait, including those set off by a ball still moving (2.6.1)."""
    move, roll = Move(driver.game.rules, driver.state), driver.state.roll
    if roll is not None and driver.state.phase is Phase.ROLLING:
        queue_triggers(move, unheard(roll, roll.record))
    poised = (move.state.poised,) if move.state.poised is not None else ()
    return driver.named(one.copy for one in (*move.state.waiting, *poised))


def _roller(driver: Driver) -> str:
    """Return who is rolling, including a player whom an effect still obliges to roll (3.Rolling.2)."""
    state = driver.state
    if state.demanded and state.intent is not None:
        return state.intent[0]
    return state.roll.roller if state.roll is not None else "nobody"


EXPECTED: Final = (
    Sentence("no winner", "Nobody has won.", lambda driver: (not driver.state.winners, _over(driver))),
    Sentence(
        "winner|winners PLAYERS",
        "Exactly these have won.",
        lambda driver, players, **_either: _seats(driver.state.winners, players),
    ),
    Sentence(
        "no loser", "Nobody has lost.", lambda driver: (not _losers(driver), ", ".join(_losers(driver)))
    ),
    Sentence(
        "loser|losers PLAYERS",
        "Exactly these have lost.",
        lambda driver, players, **_either: _seats(_losers(driver), players),
    ),
    Sentence(
        "draw",
        "The game is over and nobody has won.",
        lambda driver: (driver.state.phase is Phase.OVER and not driver.state.winners, _over(driver)),
    ),
    Sentence(
        "game goes on",
        "The game is not over.",
        lambda driver: (driver.state.phase is not Phase.OVER, _over(driver)),
    ),
    Sentence(
        "nothing destroyed",
        "No tile has been destroyed in this scenario.",
        lambda driver: alike(driver.destroyed, ()),
    ),
    Sentence(
        "destroyed TILES",
        "Exactly these tiles have been destroyed, out of a hand or Virtual ones too; a Combo or its parts.",
        lambda driver, tiles: alike(
            _in_parts(driver, driver.destroyed), _in_parts(driver, driver.kinds(tiles))
        ),
    ),
    Sentence("slot SLOT open", "No tile lies in the slot.", _slot_open),
    Sentence("slot SLOT TILE [turn TURN]", "What lies in a slot, and how it is turned.", _slot),
    Sentence("part SLOT TURN", "How an effect has turned the moving part of a tile, in sixths.", _part),
    Sentence("touches SLOT N", "Touches counted for the tile in a slot.", _touches),
    Sentence("chime N", "How often the chime has rung.", _number(lambda state: state.chime)),
    Sentence(
        "hand WHO N", "How many tiles a hand holds.", lambda driver, who, n: same(len(_hand(driver, who)), n)
    ),
    Sentence(
        "hand WHO TILES",
        "Exactly these tiles are in a hand (`none`).",
        lambda driver, who, tiles: alike(driver.named(_hand(driver, who)), driver.kinds(tiles)),
    ),
    Sentence("pool N", "How many tiles are in the Main Pool.", _number(lambda state: len(state.pool))),
    Sentence(
        "virtual N", "How many tiles are in the Virtual Pool.", _number(lambda state: len(state.virtual))
    ),
    Sentence(
        "virtual TILES",
        "Exactly these tiles are in the Virtual Pool (`none`).",
        _tiles(lambda state: state.virtual),
    ),
    Sentence(
        "offline on|off",
        "Whether Offline effects are enabled.",
        lambda driver, word: switch(driver.state.offline, word),
    ),
    Sentence(
        "overdrive on|off",
        "Whether Overdrive effects are enabled.",
        lambda driver, word: switch(driver.state.overdrive, word),
    ),
    Sentence(
        "rolls owed N", "Rolls that the active player has left.", _number(lambda state: state.rolls_owed)
    ),
    Sentence(
        "plays owed N", "Plays that the active player has left.", _number(lambda state: state.plays_owed)
    ),
    Sentence("nothing waiting", "No effect waits.", lambda driver: alike(_waiting(driver), ())),
    Sentence(
        "waiting TILES",
        "The tiles whose effects wait, one name for each effect.",
        lambda driver, tiles: alike(_waiting(driver), driver.kinds(tiles)),
        HELD,
    ),
    Sentence(
        "prompt WHO QUESTION within SECONDS s",
        "A question of that kind to that seat, with that much time.",
        offers.prompt_due,
    ),
    Sentence(
        "prompt WHO QUESTION: CHOICES",
        "A question of that kind to that seat, with exactly these choices.",
        offers.prompt_choices,
    ),
    Sentence("prompt WHO says TEXT", "A question with these words to that seat.", offers.prompt_says),
    Sentence(
        "prompt WHO: CHOICES", "A question to that seat with exactly these choices.", offers.prompt_choices
    ),
    Sentence("no prompt WHO", "Nobody asks that seat anything.", offers.no_prompt),
    Sentence("no prompt", "Nobody is asked anything.", offers.no_prompt),
    Sentence("prompt WHO QUESTION", "A question of that kind to that seat.", offers.prompt),
    Sentence("prompt WHO", "A question to that seat.", offers.prompt),
    Sentence(
        "option WHO OPTION",
        "The seat may do that: roll, play, place, activate, end, break_loop, ballot …",
        offers.option,
    ),
    Sentence(
        "options WHO OPTIONS",
        "All that the seat may do; leaving, calling votes and telling are left out.",
        offers.options,
    ),
    Sentence("ramps WHO RAMPS", "Exactly these ramps can be chosen (`none`).", offers.ramps),
    Sentence("slots WHO SLOTS", "Exactly these slots can be chosen (`none`).", offers.slots),
    Sentence(
        "tiles WHO TILES",
        "Exactly these tiles of the hand can be revealed (`none`).",
        offers.of_tiles("play"),
    ),
    Sentence(
        "effects WHO TILES",
        "Exactly these tiles' effects can be activated (`none`).",
        offers.of_tiles("activate"),
    ),
    Sentence(
        "phase PHASE",
        "Where the game stands; docs/rules.md lists the phases.",
        lambda driver, phase: _is(driver.state.phase.value, phase),
    ),
    Sentence("active WHO", "Whose turn it is.", lambda driver, who: _is(driver.state.active, who)),
    Sentence("nobody rolls", "No roll is going on.", lambda driver: _is(_roller(driver), "nobody")),
    Sentence("roller WHO", "Whose roll it is.", lambda driver, who: _is(_roller(driver), who)),
    Sentence(
        "said clause CLAUSE",
        "Since the last DO line the table was told something under that clause.",
        _said_clause,
    ),
    Sentence(
        "said in order CLAUSES",
        "Since the last DO line the table was told things under these clauses, in this order.",
        _said_in_order,
    ),
    Sentence(
        "said TEXT", "Since the last DO line the table was told something with these words.", _said_text
    ),
    Sentence("gate RAMP opens", "Since the last DO line the gate of a ramp was opened.", _gate),
    Sentence("kicker SLOT fires", "Since the last DO line a kicker was fired.", _kicker),
    Sentence(
        "balls PLACE N", "How many balls touch what lies in a slot, or are in a zone or on a ramp.", _balls
    ),
    Sentence(
        "ball N at PLACE", "That ball touches what lies there, or is in that zone or on that ramp.", _ball_at
    ),
    Sentence("no vote", "No vote or ballot is open.", lambda driver: (driver.state.vote is None, "a vote")),
    Sentence("vote WHO", "A vote or ballot is open and that player is next.", _vote),
    Sentence("hands secret", "No hand can be read from any other view.", _secret),
    Sentence(
        "lift SLOT",
        "The tile is still to be taken out of the slot.",
        lambda driver, slot: _in(driver, slot, driver.state.to_lift),
    ),
    Sentence(
        "lifts SLOTS",
        "From exactly these slots a tile is still to be taken out (`none`).",
        lambda driver, slots: alike(map(str.lower, driver.state.to_lift), map(str.lower, slots)),
    ),
    Sentence(
        "ball to take from PLACE", "Since the last DO line a ball was to be taken away there.", _ball_out
    ),
    Sentence(
        "lamp PLACE LAMP [N]",
        "How a place shines: dark, dim, white, amber, red, violet, blinking, a player's name; on N lamps.",
        _lamp,
    ),
    Sentence("no deadline", "Nothing happens by itself: the game waits for somebody.", offers.deadline),
    Sentence(
        "deadline SECONDS s", "So long after the last event the game goes on by itself.", offers.deadline
    ),
    Sentence(
        "start refused CLAUSE",
        "The game must not start as set up, by that clause.",
        lambda driver, clause: (clause in driver.problems, ", ".join(driver.problems) or "it may start"),
    ),
    Sentence("advice CLAUSE", "The table is advised about the set-up under that clause.", _advice),
    Sentence(
        "taken TILES",
        "Exactly these tiles were taken back, or kept out of the game.",
        _tiles(lambda state: state.taken),
    ),
    Sentence(
        "blocked SLOT",
        "Nothing can be laid in the slot until its destroyed tile is out.",
        lambda driver, slot: _in(driver, slot, driver.state.blocked),
    ),
    Sentence("card TILE is BADGE", "The card of a kind of tile has that badge, or is starred.", _badge),
    Sentence("card TILE says TEXT", "The card of a kind of tile has these words.", _card),
    Sentence("term TEXT refers to CLAUSE", "The word is explained, with that clause to read on.", _term),
)
