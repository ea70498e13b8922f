"""What each DO sentence does: one small function per sentence, and two tables."""

from collections.abc import Callable
from typing import Any, Final

from hextraction.board.facts import (
    Answer,
    BallEntered,
    BallFell,
    BallInZone,
    BallLeft,
    BallLeftZone,
    BallOffBoard,
    BallReleased,
    BallStuckOnRamp,
    Doubt,
    Question,
    RollSettled,
)
from hextraction.controller.games.hextraction import Phase, State
from hextraction.controller.games.hextraction.scenario.driver import Driver, Unmet
from hextraction.controller.games.hextraction.scenario.language import names_in
from hextraction.controller.games.hextraction.scenario.phrases import Sentence
from hextraction.controller.games.protocol import PowerSet, Refused, TileSeen, Woke

__all__ = ["commit", "do_sentence", "let_moment_pass", "quiet", "refusal_of", "wait"]

# --- The time of a scenario: the balls lie still, the grace passes, the game is woken ---

_SECOND_US: Final = 1_000_000


def _question(driver: Driver) -> Question | None:
    """Return the board's question about a ball that lies on one of several slots."""
    if driver.unsure is None or driver.state.roll is None:
        return None
    (ball, slots), driver.unsure = driver.unsure, None
    on = driver.state.roll.record.on.get(ball, ())
    answers = []
    for slot in slots:
        left = [BallLeft(at_us=driver.now(), ball=ball, slot=old) for old in on if slot not in on]
        entered = [] if slot in on else [BallEntered(at_us=driver.now(), ball=ball, slot=slot)]
        counts = tuple(int(other == slot) for other in slots)
        facts = (*driver.facts, *left, *entered)
        answers.append(Answer(counts=counts, facts=facts, likelihood=1 / len(slots), probability=1.0))
    return Question(kind="rests", slots=slots, answers=tuple(answers))


def quiet(driver: Driver, _fields: dict[str, str]) -> None:
    """Let all balls lie still: feed the account of everything since the last quiet, or people's word."""
    question = _question(driver)
    facts, missing = tuple(driver.facts), tuple(driver.missing)
    driver.facts, driver.missing = [], []
    if driver.attests() and driver.state.roll is not None:
        driver.act(driver.teller(), do="attest", saw="still")
    else:
        driver.feed(RollSettled(at_us=driver.now(), facts=facts, missing=missing, question=question))


def commit(driver: Driver, _fields: dict[str, str]) -> None:
    """Let the grace pass, if the game is settling.

    Raises:
        Unmet: something moves, waits or is asked.
    """
    state = driver.state
    asked = state.vote is not None or bool(state.asks)
    if state.phase in {Phase.CHOOSING, Phase.OVER} and not asked:
        return  # all is committed already
    if state.phase is not Phase.SETTLING or asked:
        raise Unmet("the game to be settling", _stand(state))
    driver.at_us = max(driver.now(), driver.state.deadline_us or 0)
    driver.feed(Woke(at_us=driver.at_us))


def _stand(state: State) -> str:
    asked = "".join(f", {ask.seat} is asked {ask.kind}" for ask in state.asks)
    return f"phase {state.phase.value}{', a vote is open' if state.vote else ''}{asked}"


def wait(driver: Driver, fields: dict[str, str]) -> None:
    """Let time pass; the game is woken whenever it asked to be."""
    until = driver.at_us + round(float(fields["N"]) * _SECOND_US)
    wake = driver.game.wake_at_us(driver.state)
    while wake is not None and wake <= until:
        driver.at_us = max(driver.at_us, wake)
        before = driver.state
        driver.feed(Woke(at_us=driver.at_us))
        wake = driver.game.wake_at_us(driver.state)
        if driver.state == before:
            break
    driver.at_us = until


def let_moment_pass(driver: Driver) -> None:
    """Let the moment pass that a lone effect waits, or a hand needs to get away from a kicker (0.5.1)."""
    for _moment in range(_MOST_MOMENTS):
        state = driver.state
        waits = state.phase in {Phase.RESOLVING, Phase.TIDYING} and state.deadline_us is not None
        if not waits or state.asks or state.vote is not None or state.paused_us is not None:
            return
        driver.at_us = max(driver.now(), state.deadline_us or 0)
        driver.feed(Woke(at_us=driver.at_us))


_MOST_MOMENTS: Final = 50
_IN_THE_MOMENT: Final = frozenset({"rules", "wait", "break_time"})
"""What people do at once, while a lone effect still waits for its moment; all else comes after it."""
_WHEN_STILL: Final = frozenset({
    "pick", "roll", "play", "play_at", "activate", "discard", "end", "agree", "reclaim", "reclaim_ball",
    "commit",
})  # fmt: skip
"""What waits until balls lie still that moved though nobody rolled."""
_OUTSIDE_A_ROLL: Final = frozenset({"call", "call_played"})
"""What they do at once if nobody rolls: a vote in a roll makes it void anyway."""

_UNIQUE_DISCARD: Final = 99


def do_sentence(driver: Driver, sentence: Sentence) -> None:
    """Do what a DO line says.

    Raises:
        Unmet: it was refused or cannot be done now.
    """
    key = sentence.phrase.key
    if key not in _IN_THE_MOMENT and not (key in _OUTSIDE_A_ROLL and driver.state.roll is None):
        let_moment_pass(driver)
    if driver.state.adrift and key in _WHEN_STILL:
        quiet(driver, {})
    if sentence.line != driver.doing:
        driver.effects, driver.doing = [], sentence.line
    _DOING[sentence.phrase.key](driver, sentence.fields)


def refusal_of(driver: Driver, sentence: Sentence) -> Refused | None:
    """Let a player try what a REFUSED line says; return the refusal, if it is refused."""
    said = list(driver.effects)
    who, fields = sentence.fields["WHO"], sentence.fields
    refused = driver.try_to(who, **_ACTS[sentence.phrase.key](driver, fields))
    if refused is None and sentence.phrase.key == "play_at":
        slot, turns = driver.slot(fields["SLOT"]), driver.turns(fields)
        refused = driver.try_to(who, do="place", slot=slot, turns=turns)
    driver.effects = said  # what the last DO line brought about is still the last that happened
    return refused


def _roll(driver: Driver, fields: dict[str, str]) -> None:
    ramp = driver.ramp(fields["RAMP"])
    driver.act(fields["WHO"], do="roll", ramp=ramp)
    if driver.state.phase is not Phase.RELEASING:
        raise Unmet("a ball to be released", f"phase {driver.state.phase.value}")
    _released(driver, {"RAMP": ramp})


def _released(driver: Driver, fields: dict[str, str]) -> None:
    ball, ramp = driver.new_ball(fields), driver.ramp(fields["RAMP"])
    driver.fact(BallReleased(at_us=driver.now(), ball=ball, ramp=ramp), "released", ramp)


def _play_at(driver: Driver, fields: dict[str, str]) -> None:
    driver.act(fields["WHO"], **driver.held(fields["WHO"], fields["TILE"]))
    slot, turns = driver.slot(fields["SLOT"]), driver.turns(fields)
    driver.act(fields["WHO"], do="place", slot=slot, turns=turns)
    driver.act(fields["WHO"], do="seated")


def _enters(driver: Driver, fields: dict[str, str]) -> None:
    ball, slot = driver.number(fields), driver.slot(fields["SLOT"])
    driver.fact(BallEntered(at_us=driver.now(), ball=ball, slot=slot), "touched", slot)


def _leaves(driver: Driver, fields: dict[str, str]) -> None:
    ball, slot = driver.number(fields), driver.slot(fields["SLOT"])
    driver.fact(BallLeft(at_us=driver.now(), ball=ball, slot=slot), "left", slot)


def _moves(driver: Driver, fields: dict[str, str]) -> None:
    ball = driver.number(fields)
    now = driver.state.rest if driver.state.roll is None else driver.state.roll.record
    for slot in now.on.get(ball, ()):
        _leaves(driver, {"SLOT": slot})
    _enters(driver, {"SLOT": fields["SLOT"]})


def _runs(driver: Driver, fields: dict[str, str]) -> None:
    driver.number(fields)
    for slot in names_in(fields["LIST"]):
        _moves(driver, {"SLOT": slot})


def _through(driver: Driver, fields: dict[str, str]) -> None:
    ball, slot = driver.number(fields), driver.slot(fields["SLOT"])
    driver.fact(BallFell(at_us=driver.now(), ball=ball, slot=slot), "fell", slot)


def _zone_in(driver: Driver, fields: dict[str, str]) -> None:
    ball, zone = driver.number(fields), driver.zone(fields["ZONE"])
    driver.fact(BallInZone(at_us=driver.now(), ball=ball, zone=zone), "zone", zone)


def _zone_out(driver: Driver, fields: dict[str, str]) -> None:
    driver.fact(
        BallLeftZone(at_us=driver.now(), ball=driver.number(fields), zone=driver.zone(fields["ZONE"]))
    )


def _off(driver: Driver, fields: dict[str, str]) -> None:
    driver.fact(BallOffBoard(at_us=driver.now(), ball=driver.number(fields)), "off")


def _stuck(driver: Driver, fields: dict[str, str]) -> None:
    ball, ramp = driver.number(fields), driver.ramp(fields["RAMP"])
    driver.fact(BallStuckOnRamp(at_us=driver.now(), ball=ball, ramp=ramp), "stuck", ramp)


def _missing(driver: Driver, fields: dict[str, str]) -> None:
    ball = driver.number(fields)
    roll = driver.state.roll
    on = roll.record.on.get(ball, ()) if roll is not None else ()
    driver.missing.append(Doubt(ball=ball, slot=on[-1] if on else None))


def _unsure(driver: Driver, fields: dict[str, str]) -> None:
    ball = driver.number(fields)
    driver.unsure = ball, tuple(driver.slot(slot) for slot in names_in(fields["LIST"]))


def _power(driver: Driver, fields: dict[str, str]) -> None:
    word = fields["word"].lower()
    driver.feed(PowerSet(at_us=driver.now(), on=word != "off", lost=word == "lost"))


def _tile(driver: Driver, fields: dict[str, str], *, present: bool) -> None:
    driver.feed(TileSeen(at_us=driver.now(), slot=driver.slot(fields["SLOT"]), present=present))


def _ballot(_driver: Driver, fields: dict[str, str]) -> dict[str, Any]:
    yea = fields["word"].lower() in {"yea", "keep", "enable"}
    proxy = {"seat": fields["OTHER"].lower()} if "OTHER" in fields else {}
    return {"do": "ballot", "yea": yea, **proxy}


def _unique(driver: Driver, fields: dict[str, str]) -> dict[str, Any]:
    return {**driver.held(fields["WHO"], fields["TILE"]), "do": "activate", "effect": _UNIQUE_DISCARD}


def _attest_at(driver: Driver, fields: dict[str, str]) -> dict[str, Any]:
    return {"do": "attest", "saw": fields["word"].lower(), "place": driver.place(fields["PLACE"])}


_Act = Callable[[Driver, dict[str, str]], dict[str, Any]]


def _position(driver: Driver, fields: dict[str, str]) -> dict[str, Any]:
    tiles: dict[str, tuple[str, int]] = {}
    balls = []
    for item in fields["LIST"].split(","):
        first, name, *turned = item.split()
        if first.lower() == "ball":
            balls.append(driver.place(name))
        else:
            tiles[driver.slot(first)] = (name.lower(), int(turned[-1]) if turned else 0)
    driver.newest += len(balls)  # unknown balls get the next numbers
    return {"do": "reenter", "tiles": tiles, "balls": balls, "active": fields["OTHER"].lower()}


def _arrangement(driver: Driver, fields: dict[str, str]) -> dict[str, Any]:
    tiles: dict[str, tuple[str, int]] = {}
    balls, away, gone, draw = [], [], {}, False
    for item in fields["LIST"].split(","):
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
                raise Unmet("a tile and its slot, a ball, or where a tile went", repr(item.strip()))
    driver.newest += len(balls)  # unknown balls get the next numbers
    return {"do": "arrange", "tiles": tiles, "balls": balls, "gone": gone, "away": away, "draw": draw}


def _as_laid(driver: Driver, slot: str, name: str, turned: list[str]) -> tuple[str, int]:
    """Return a tile and its turns: as said, else as it lies there, else upright."""
    kind = driver.game.rules.named(name).name
    lies = next((one for one in driver.state.laid if one.slot == driver.slot(slot)), None)
    same = lies is not None and driver.state.copies[lies.copy].name == kind
    return kind, int(turned[-1]) if turned else lies.turns if lies is not None and same else 0


_ACTS: Final[dict[str, _Act]] = {
    "pick": lambda driver, fields: {"do": "roll", "ramp": driver.ramp(fields["RAMP"])},
    "roll": lambda driver, fields: {"do": "roll", "ramp": driver.ramp(fields["RAMP"])},
    "play": lambda driver, fields: driver.held(fields["WHO"], fields["TILE"]),
    "play_at": lambda driver, fields: driver.held(fields["WHO"], fields["TILE"]),
    "place": lambda driver, fields: {
        "do": "place", "slot": driver.slot(fields["SLOT"]), "turns": driver.turns(fields)
    },
    "let_go": lambda _driver, _fields: {"do": "seated"},
    "no_fit": lambda _driver, _fields: {"do": "no_fit"},
    "activate": lambda driver, fields: driver.usable(fields["WHO"], fields["TILE"], fields.get("SLOT")),
    "discard": _unique,
    "end": lambda _driver, _fields: {"do": "end"},
    "break": lambda _driver, _fields: {"do": "break_loop"},
    "call": lambda driver, fields: {"do": "vote", "slot": driver.slot(fields["SLOT"])},
    "call_played": lambda _driver, _fields: {"do": "vote"},
    "ballot": _ballot,
    "concede": lambda _driver, _fields: {"do": "concede"},
    "answer": lambda driver, fields: driver.answer(fields["WHO"], fields["ANSWER"]),
    "correct": lambda driver, fields: {
        "do": "correct", "slot": driver.slot(fields["SLOT"]), "touches": int(fields["N"])
    },
    "correct_gone": lambda driver, fields: {
        "do": "correct", "slot": driver.slot(fields["SLOT"]), "touches": int(fields["N"]),
        "tile": driver.gone(fields["TILE"]),
    },
    "contend": lambda driver, fields: {
        "do": "contend", "ball": driver.named_ball(fields), "place": driver.place(fields["PLACE"])
    },
    "contend_gone": lambda driver, fields: {
        "do": "contend", "ball": driver.named_ball(fields), "place": fields["word"].lower()
    },
    "overrule": lambda driver, fields: {
        "do": "overrule", "tile": driver.gone(fields["TILE"]), "to": driver.slot(fields["SLOT"]),
        "turns": int(fields.get("N", "0")),
    },
    "overrule_hand": lambda driver, fields: {
        "do": "overrule", "tile": driver.gone(fields["TILE"]), "to": f"hand.{fields['OTHER'].lower()}"
    },
    "overrule_pool": lambda driver, fields: {
        "do": "overrule", "tile": driver.gone(fields["TILE"]), "to": "pool"
    },
    "reenter": _position,
    "arrange": _arrangement,
    "undo": lambda _driver, _fields: {"do": "undo"},
    "flick": lambda _driver, _fields: {"do": "flick"},
    "flag": lambda driver, fields: {
        "do": "flag", "slot": driver.slot(fields["SLOT"]), "item": fields["WORD"].lower()
    },
    "jam": lambda driver, fields: {"do": "jammed", "slot": driver.slot(fields["SLOT"])},
    "rules": lambda driver, fields: {
        "do": "rules", "tile": driver.owned(fields["WHO"], fields["TILE"], fields.get("SLOT"))
    },
    "reclaim": lambda _driver, fields: {"do": "reclaim", "what": fields["word"].lower()},
    "reclaim_ball": lambda driver, fields: {
        "do": "reclaim", "what": "ball", "slot": driver.slot(fields["SLOT"])
    },
    "adjust": lambda _driver, _fields: {"do": "adjust"},
    "lift": lambda driver, fields: {"do": "lifted", "slot": driver.slot(fields["SLOT"])},
    "fallen": lambda driver, fields: {"do": "fallen", "slot": driver.slot(fields["SLOT"])},
    "about": lambda driver, fields: {"do": "attest", "saw": "ball", "ball": driver.named_ball(fields)},
    "agree": lambda _driver, fields: {
        "do": "agree", **({"seat": fields["OTHER"].lower()} if "OTHER" in fields else {})
    },
    "attest_at": _attest_at,
    "attest": lambda _driver, fields: {"do": "attest", "saw": fields["word"].lower()},
}  # fmt: skip


def _acting(key: str) -> Callable[[Driver, dict[str, str]], None]:
    return lambda driver, fields: driver.act(fields["WHO"], **_ACTS[key](driver, fields))


_DOING: Final[dict[str, Callable[[Driver, dict[str, str]], None]]] = {
    **{key: _acting(key) for key in _ACTS},
    "roll": _roll,
    "play_at": _play_at,
    "released": _released,
    "enters": _enters,
    "leaves": _leaves,
    "moves": _moves,
    "runs": _runs,
    "through": _through,
    "zone_in": _zone_in,
    "zone_out": _zone_out,
    "off": _off,
    "stuck": _stuck,
    "missing": _missing,
    "unsure": _unsure,
    "quiet": quiet,
    "commit": commit,
    "wait": wait,
    "break_time": lambda driver, fields: driver.rest(begins=fields["word"].lower() == "begins"),
    "power": _power,
    "tile_seen": lambda driver, fields: _tile(driver, fields, present=True),
    "tile_gone": lambda driver, fields: _tile(driver, fields, present=False),
}
