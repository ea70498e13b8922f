"""What each DO sentence does: what people do, and what balls and the board do."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from hextraction.board.facts import (
    BallEntered,
    BallFell,
    BallInZone,
    BallLeft,
    BallLeftZone,
    BallOffBoard,
    BallReleased,
    BallStuckOnRamp,
    Doubt,
)
from hextraction.controller.games.hextraction import Phase
from hextraction.controller.games.hextraction.scenario.driver import (
    AT_ONCE,
    OUTSIDE_A_ROLL,
    WHEN_STILL,
    Driver,
)
from hextraction.controller.games.protocol import Paused, PowerSet, TileSeen
from hextraction.controller.games.sentences import Sentence, Unmet

__all__ = ["ACTS", "EVENTS"]

_UNIQUE_DISCARD: Final = 99
_Act = dict[str, Any]


def _doing(do: str) -> Callable[..., _Act]:
    """Return an act without any choice."""
    return lambda _driver, **_said: {"do": do}


def _at(do: str) -> Callable[..., _Act]:
    """Return an act at a slot."""
    return lambda driver, slot, **_said: {"do": do, "slot": driver.slot(slot)}


# --- what people do ---


def _pick(driver: Driver, ramp: str, **_who: str) -> _Act:
    return {"do": "roll", "ramp": driver.ramp(ramp)}


def _roll(driver: Driver, who: str, ramp: str) -> Iterator[_Act]:
    yield _pick(driver, ramp, who=who)
    if driver.state.phase is not Phase.RELEASING:
        raise Unmet(f"phase {driver.state.phase.value}", "a ball to be released")
    _released(driver, ramp)


def _play(driver: Driver, who: str, tile: str) -> _Act:
    return driver.held(who, tile)


def _place(driver: Driver, who: str, slot: str, turn: int | None = None) -> _Act:
    turns = driver.turns(who, slot) if turn is None else turn
    return {"do": "place", "slot": driver.slot(slot), "turns": turns}


def _play_at(driver: Driver, who: str, tile: str, slot: str, turn: int | None = None) -> Iterator[_Act]:
    yield driver.held(who, tile)
    yield _place(driver, who, slot, turn)
    yield {"do": "seated"}


def _activate(driver: Driver, who: str, tile: str, slot: str | None = None) -> _Act:
    return driver.usable(who, tile, slot)


def _unique(driver: Driver, who: str, tile: str) -> _Act:
    return {**driver.held(who, tile), "do": "activate", "effect": _UNIQUE_DISCARD}


def _ballot(_driver: Driver, word: str, other: str | None = None, **_who: str) -> _Act:
    return {"do": "ballot", "yea": word in {"yea", "keep", "enable"}, **_seat(other)}


def _agree(_driver: Driver, other: str | None = None, **_who: str) -> _Act:
    return {"do": "agree", **_seat(other)}


def _seat(other: str | None) -> dict[str, str]:
    return {} if other is None else {"seat": other.lower()}


def _correct(driver: Driver, slot: str, n: int, tile: str | None = None, **_who: str) -> _Act:
    gone = {} if tile is None else {"tile": driver.gone(tile)}
    return {"do": "correct", "slot": driver.slot(slot), "touches": n, **gone}


def _contend(driver: Driver, n: int, place: str = "", word: str = "", **_who: str) -> _Act:
    return {"do": "contend", "ball": driver.named_ball(n), "place": word or driver.place(place)}


def _overrule(driver: Driver, tile: str, slot: str, turn: int = 0, **_who: str) -> _Act:
    return {"do": "overrule", "tile": driver.gone(tile), "to": driver.slot(slot), "turns": turn}


def _overrule_to(driver: Driver, tile: str, other: str = "", **_who: str) -> _Act:
    to = f"hand.{other.lower()}" if other else "pool"
    return {"do": "overrule", "tile": driver.gone(tile), "to": to}


def _position(driver: Driver, other: str, list: str, **_who: str) -> _Act:  # noqa: A002 - the word LIST
    tiles: dict[str, tuple[str, int]] = {}
    balls = []
    for item in list.split(","):
        first, name, *turned = item.split()
        if first.lower() == "ball":
            balls.append(driver.place(name))
        else:
            tiles[driver.slot(first)] = (name.lower(), int(turned[-1]) if turned else 0)
    driver.newest += len(balls)  # unknown balls get the next numbers
    return {"do": "reenter", "tiles": tiles, "balls": balls, "active": other.lower()}


def _arrangement(driver: Driver, list: str, **_who: str) -> _Act:  # noqa: A002 - the word LIST
    tiles: dict[str, tuple[str, int]] = {}
    balls, away, gone, draw = [], [], {}, False
    for item in list.split(","):
        match item.split():
            case ["ball", place]:
                balls.append(driver.place(place))
            case ["all", "draw"]:
                draw = True
            case ["away", name]:
                away.append(driver.game.rules.named(name).name)
            case [slot, "to", "hand", who]:
                gone[driver.slot(slot)] = f"hand.{who.lower()}"
            case [slot, "to", place]:
                gone[driver.slot(slot)] = place
            case [slot, name, *turned]:
                tiles[driver.slot(slot)] = _as_laid(driver, slot, name, turned)
            case _:
                raise Unmet(repr(item.strip()), "a tile and its slot, a ball, or where a tile went")
    driver.newest += len(balls)  # unknown balls get the next numbers
    return {"do": "arrange", "tiles": tiles, "balls": balls, "gone": gone, "away": away, "draw": draw}


def _as_laid(driver: Driver, slot: str, name: str, turned: list[str]) -> tuple[str, int]:
    """Return a tile and its turns: as said, else as it lies there, else upright."""
    kind = driver.game.rules.named(name).name
    lies = next((one for one in driver.state.laid if one.slot == driver.slot(slot)), None)
    same = lies is not None and driver.state.copies[lies.copy].name == kind
    return kind, int(turned[-1]) if turned else lies.turns if lies is not None and same else 0


def _flag(driver: Driver, slot: str, finding: str, **_who: str) -> _Act:
    return {"do": "flag", "slot": driver.slot(slot), "item": finding}


def _rules(driver: Driver, who: str, tile: str, slot: str | None = None) -> _Act:
    return {"do": "rules", "tile": driver.owned(who, tile, slot)}


def _reclaim(driver: Driver, slot: str | None = None, word: str = "ball", **_who: str) -> _Act:
    return {"do": "reclaim", "what": word, **({} if slot is None else {"slot": driver.slot(slot)})}


def _attest(driver: Driver, word: str, place: str | None = None, **_who: str) -> _Act:
    return {"do": "attest", "saw": word, **({} if place is None else {"place": driver.place(place)})}


def _about(driver: Driver, n: int, **_who: str) -> _Act:
    return {"do": "attest", "saw": "ball", "ball": driver.named_ball(n)}


# --- what balls do ---


def _released(driver: Driver, ramp: str, n: int | None = None) -> None:
    ball, there = driver.new_ball(n), driver.ramp(ramp)
    driver.fact(BallReleased(at_us=driver.now(), ball=ball, ramp=there), "released", there)


def _enters(driver: Driver, slot: str, n: int | None = None) -> None:
    ball, there = driver.number(n), driver.slot(slot)
    driver.fact(BallEntered(at_us=driver.now(), ball=ball, slot=there), "touched", there)


def _leaves(driver: Driver, slot: str, n: int | None = None) -> None:
    ball, there = driver.number(n), driver.slot(slot)
    driver.fact(BallLeft(at_us=driver.now(), ball=ball, slot=there), "left", there)


def _moves(driver: Driver, slot: str, n: int | None = None) -> None:
    ball = driver.number(n)
    now = driver.state.rest if driver.state.roll is None else driver.state.roll.record
    for old in now.on.get(ball, ()):
        _leaves(driver, old)
    _enters(driver, slot)


def _runs(driver: Driver, slots: Iterable[str], n: int | None = None) -> None:
    driver.number(n)
    for slot in slots:
        _moves(driver, slot)


def _through(driver: Driver, slot: str, n: int | None = None) -> None:
    ball, there = driver.number(n), driver.slot(slot)
    driver.fact(BallFell(at_us=driver.now(), ball=ball, slot=there), "fell", there)


def _zone_in(driver: Driver, zone: str, n: int | None = None) -> None:
    ball, there = driver.number(n), driver.zone(zone)
    driver.fact(BallInZone(at_us=driver.now(), ball=ball, zone=there), "zone", there)


def _zone_out(driver: Driver, zone: str, n: int | None = None) -> None:
    driver.fact(BallLeftZone(at_us=driver.now(), ball=driver.number(n), zone=driver.zone(zone)))


def _off(driver: Driver, n: int | None = None) -> None:
    driver.fact(BallOffBoard(at_us=driver.now(), ball=driver.number(n)), "off")


def _stuck(driver: Driver, ramp: str, n: int | None = None) -> None:
    ball, there = driver.number(n), driver.ramp(ramp)
    driver.fact(BallStuckOnRamp(at_us=driver.now(), ball=ball, ramp=there), "stuck", there)


def _missing(driver: Driver, n: int | None = None) -> None:
    ball = driver.number(n)
    roll = driver.state.roll
    on = roll.record.on.get(ball, ()) if roll is not None else ()
    driver.missing.append(Doubt(ball=ball, slot=on[-1] if on else None))


def _unsure(driver: Driver, slots: Iterable[str], n: int | None = None) -> None:
    driver.unsure = driver.number(n), tuple(driver.slot(slot) for slot in slots)


# --- what the board and the table do ---


def _power(driver: Driver, word: str) -> None:
    driver.step(PowerSet(at_us=driver.now(), on=word != "off", lost=word == "lost"))


def _break(driver: Driver, word: str) -> None:
    driver.step(Paused(at_us=driver.now(), on=word == "begins"))


def _tile(*, present: bool) -> Callable[[Driver, str], None]:
    def seen(driver: Driver, slot: str) -> None:
        driver.step(TileSeen(at_us=driver.now(), slot=driver.slot(slot), present=present))

    return seen


ACTS: Final = (
    Sentence("WHO picks ramp RAMP", "Chooses a ramp; the ball is still on it.", _pick, WHEN_STILL),
    Sentence("WHO rolls on [ramp] RAMP", "Chooses a ramp and releases a new ball on it.", _roll, WHEN_STILL),
    Sentence(
        "WHO plays TILE at SLOT [turn TURN]",
        "Reveals a tile of the hand, lays it there (as it fits, unless said) and lets go.",
        _play_at,
        WHEN_STILL,
    ),
    Sentence("WHO plays TILE", "Reveals a tile of the hand.", _play, WHEN_STILL),
    Sentence(
        "WHO places it at SLOT [turn TURN]", "Chooses slot and orientation: unless said, as it fits.", _place
    ),
    Sentence("WHO lets go", "The tile bottoms out and nobody touches it any more.", _doing("seated")),
    Sentence("WHO cannot fit it", "The tile bottoms out in no orientation.", _doing("no_fit")),
    Sentence("WHO activates TILE [at SLOT]", "Uses an activated effect.", _activate, WHEN_STILL),
    Sentence(
        "WHO discards TILE for another",
        "Uses the discard that every Unique tile has (3.Unique.2).",
        _unique,
        WHEN_STILL,
    ),
    Sentence("WHO ends the turn", "Ends the turn.", _doing("end"), WHEN_STILL),
    Sentence("WHO breaks the loop", "Breaks the Loop before the game is stable.", _doing("break_loop")),
    Sentence(
        "WHO calls a vote on the tile being played",
        "Puts the revealed tile to the vote.",
        _doing("vote"),
        OUTSIDE_A_ROLL,
    ),
    Sentence("WHO calls a vote on SLOT", "Puts an installed tile to the vote.", _at("vote"), OUTSIDE_A_ROLL),
    Sentence(
        "WHO votes yea|nay|keep|destroy|enable|disable [for OTHER]",
        "Casts a ballot, perhaps for another.",
        _ballot,
    ),
    Sentence("WHO concedes", "Leaves the game.", _doing("concede")),
    Sentence(
        "WHO answers ANSWER",
        "Answers a question by its word, its label or the beginning of it.",
        Driver.answer,
    ),
    Sentence("WHO says SLOT was touched N times", "Disputes a count of touches (R-14).", _correct),
    Sentence(
        "WHO says TILE at SLOT was touched N times",
        "Disputes a count of touches of a tile that is destroyed by now (R-14).",
        _correct,
    ),
    Sentence("WHO says ball N is in PLACE", "Disputes where a ball lies (R-14).", _contend),
    Sentence("WHO says ball N is off|fell", "Disputes what became of a ball (R-14).", _contend),
    Sentence(
        "WHO wants TILE back at SLOT [turn TURN]", "Proposes that a destroyed tile is not (0.0).", _overrule
    ),
    Sentence(
        "WHO wants TILE in the hand of OTHER", "Proposes that a destroyed tile goes there.", _overrule_to
    ),
    Sentence("WHO wants TILE in the pool", "Proposes that a destroyed tile goes there.", _overrule_to),
    Sentence(
        "WHO enters the board in the turn of OTHER: LIST",
        "After the dark: what lies where now (`c1 BELL, d2 WIDE turn 1, ball c1`), and whose turn begins.",
        _position,
    ),
    Sentence(
        "WHO says what lies where: LIST",
        "What a card made people do: all on the board (`c1 BELL, ball c1`), and what has left it.",
        _arrangement,
    ),
    Sentence("WHO takes it back", "Proposes to undo the own last action (0.0).", _doing("undo")),
    Sentence("WHO calls it a flick", "Says that the ball was pushed (2.1.1.1).", _doing("flick")),
    Sentence(
        "WHO flags SLOT as FINDING", "Wants the effects of a tile struck; see the checklist below.", _flag
    ),
    Sentence(
        "WHO cannot lift the tile from SLOT",
        "Says that a destroyed tile does not come out (0.1.9).",
        _at("jammed"),
    ),
    Sentence("WHO asks for the card of TILE [at SLOT]", "Asks for a rules card (2.5.1).", _rules, AT_ONCE),
    Sentence(
        "WHO reclaims the ball at SLOT", "Takes a ball back after losing (2.8.3.3).", _reclaim, WHEN_STILL
    ),
    Sentence(
        "WHO reclaims tiles|draw|leave",
        "Takes things back after losing, or leaves them (2.8.3).",
        _reclaim,
        WHEN_STILL,
    ),
    Sentence(
        "WHO sets the moving parts", "Sets moving parts of the tile being played (2.2.3).", _doing("adjust")
    ),
    Sentence("WHO lifts the tile from SLOT", "Takes a destroyed tile out of its slot.", _at("lifted")),
    Sentence("WHO says that the tile is out of SLOT", "Where no tile Hall sees it (2.4.3).", _at("fallen")),
    Sentence(
        "WHO attests released|touched|left|rests|fell|zone|off|stuck PLACE",
        "Says what everybody saw, and where.",
        _attest,
    ),
    Sentence("WHO attests off|still|nothing", "Says what everybody saw.", _attest),
    Sentence("WHO tells about ball N", "From now on, what is attested is about that ball.", _about),
    Sentence(
        "WHO has no objection [for OTHER]", "Need not wait for the grace to pass (R-20).", _agree, WHEN_STILL
    ),
    Sentence(
        "WHO objects",
        "Says that something is wrong, and has a minute to say what (R-20).",
        _doing("object"),
        WHEN_STILL,
    ),
)
EVENTS: Final = (
    Sentence("break begins|ends", "The table has a break: for the game no time passes.", _break, AT_ONCE),
    Sentence("ball [N] released on [ramp] RAMP", "A ball left a ramp.", _released),
    Sentence(
        "ball [N] enters SLOT", "New contact with what lies in the slot; contact elsewhere goes on.", _enters
    ),
    Sentence("ball [N] leaves SLOT", "An accepted departure.", _leaves),
    Sentence("ball [N] moves to SLOT", "Leaves whatever it was in contact with and enters the slot.", _moves),
    Sentence("ball [N] runs SLOTS", "Moves to each slot of the list in turn.", _runs),
    Sentence("ball [N] through SLOT", "Drops through a slot.", _through),
    Sentence("ball [N] in ZONE", "Past the beam of an end zone, and staying.", _zone_in),
    Sentence("ball [N] out of ZONE", "Comes back out of an end zone.", _zone_out),
    Sentence("ball [N] over the side", "Left the board another way.", _off),
    Sentence("ball [N] stuck on [ramp] RAMP", "Was released and never left its ramp.", _stuck),
    Sentence("ball [N] missing", "Nobody saw where it went: the board will ask at the next quiet.", _missing),
    Sentence(
        "ball [N] on one of SLOTS",
        "The board cannot tell on which slot it lies: it asks at the next quiet.",
        _unsure,
    ),
    Sentence("quiet", "Nothing moves any more.", Driver.quiet),
    Sentence(
        "commit",
        "The grace is over and nobody objected; where nothing is left to commit, nothing.",
        Driver.commit,
        WHEN_STILL,
    ),
    Sentence("wait SECONDS s", "Time passes.", Driver.wait, AT_ONCE),
    Sentence("power on|off|lost", "The switch; `lost` is a dark spell that ends now.", _power),
    Sentence("tile seen at SLOT", "A tile Hall sees a tile.", _tile(present=True)),
    Sentence("tile gone from SLOT", "A tile Hall sees no tile any more.", _tile(present=False)),
)
