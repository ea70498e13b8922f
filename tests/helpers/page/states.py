"""The states of the page that are looked at one by one: how the fake table gets there, and what is tapped then.

``docs/page.md`` lists them; a test compares. What holds in every one of them is in ``tests/page/test_states.py``.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from helpers.page import rolls
from helpers.page import samples as fake
from hextraction.controller.games.hextraction.shown.detail import VoteView, WaitingView
from hextraction.controller.payloads.health import CheckView, CoilsView, SensorTrouble
from hextraction.controller.payloads.messages import Evening, Odds, RampOdds, Status
from msgspec.structs import replace

__all__ = ["STATES", "State"]

ODDS = Odds(
    game="g1",
    ramps=(
        RampOdds(ramp="L1", zone=0.42, ends={"zone.L": 0.42, "hole.C4": 0.3}),
        RampOdds(ramp="R1", zone=0.0, ends={"slot.A1": 1.0}, guessed=True),
    ),
)
ANEW = fake.shown.Option(
    group="reenter",
    label="Enter the whole board again",
    act={
        "do": "reenter",
        "tiles": {name: list(lies) for name, lies in fake.LAID.items()},
        "balls": ["C3"],
        "active": "p1",
    },
    clause="R-49",
)
OPEN_SEAT = fake.TableSeat(seat="p4", name="Green", colour="green", kind="open")


class State(NamedTuple):
    """A state: its name, what a person sees, and the way there.

    ``show`` has the table publish it, ``tap`` does what people do then, ``there`` is what is seen at the end.
    """

    name: str
    words: str
    there: str
    seat: str | None = "p1"
    show: Callable[[Any], None] = lambda _table: None
    tap: Callable[[Any], None] = lambda _page: None
    path: str = ""
    newcomer: bool = False
    after: Callable[[Any], None] = lambda _table: None
    """What the table does once the page is there."""


def offers(*options: Any, **more: Any) -> Callable[[Any], None]:
    """Return a way to give Ada these options, and what else her view has."""

    def show(table: Any) -> None:
        table.views["p1"] = fake.view(options=options, **more)

    return show


def tells(**more: Any) -> Callable[[Any], None]:
    """Return a way to publish another table."""

    def show(table: Any) -> None:
        table.publish("table", fake.table(**more))

    return show


def sees(**more: Any) -> Callable[[Any], None]:
    """Return a way to publish another scene."""

    def show(table: Any) -> None:
        table.publish("state", fake.state(41, **more))

    return show


def both(*ways: Callable[[Any], None]) -> Callable[[Any], None]:
    """Return a way to do one after the other."""

    def do(what: Any) -> None:
        for way in ways:
            way(what)

    return do


def presses(*names: str) -> Callable[[Any], None]:
    """Return a way to press buttons, one after the other."""

    def tap(page: Any) -> None:
        for name in names:
            page.get_by_role("button", name=name, exact=True).first.click()

    return tap


def opens(*words: str) -> Callable[[Any], None]:
    """Return a way to open what folds."""

    def tap(page: Any) -> None:
        for text in words:
            page.locator("summary", has_text=text).first.click()

    return tap


def slot(name: str) -> Callable[[Any], None]:
    """Return a way to tap a slot on the drawing."""
    return lambda page: page.locator(f'#board [data-slot="{name}"] .hit').click()


def card(number: int) -> Callable[[Any], None]:
    """Return a way to choose a piece in the hand."""
    return lambda page: page.locator(f'[data-tile="{number}"]').click()


def _witness(table: Any) -> None:
    prompt, roll = rolls.asked("third")
    table.publish("state", fake.state(41, rolling=False, balls=(), last_roll=roll))
    table.views["p1"] = fake.view(prompts=(prompt,))


def _without_electronics(table: Any) -> None:
    table.publish("info", fake.info(electronics=False))
    table.views["p1"] = fake.view(options=fake.TOLD)


def _sensors(table: Any) -> None:
    table.publish("info", replace(fake.info(), sensors=("drain.C3", "tile.C3")))
    stuck = SensorTrouble(sensor="drain.C3", state="stuck", why="it has been on for 61 s", does="It waits.")
    table.publish("table", fake.table(health=(stuck,)))
    table.views["p1"] = fake.view(options=(fake.END,))


def _late(table: Any) -> None:
    table.evening = Evening(
        events=tuple(fake.event(seq, f"This is event number {seq}.") for seq in range(1, 21)), games=()
    )


VOTE = VoteView(kind="destroy", title="Bell", slot="B2", ballots={"p2": True, "p3": False}, awaited="p1")
WAITING = (WaitingView(id=1, title="Bell", slot="B2", text="chimes once more"),)


def real(table: Any) -> None:
    """Publish a table that is no demonstration: there how to play comes before the board."""
    table.publish("info", replace(fake.info(), simulated=False))


TURN = (*fake.ROLLS, *fake.PLAYS, *fake.PLACES, fake.END, *fake.TALK)
HEX = "#j=HEX"
STATES = (
    State("watching", "A game is on; this phone only watches.", "#board .ball", None),
    State("joining", "A name is asked for; the code came with the address.", "#join", None, path=HEX),
    State("lobby", "Who sits where, before a game.", "#lobby-actions .button", "p1", tells(phase="lobby", can_start=True, seats=(*fake.table().seats, OPEN_SEAT))),
    State("how to play", "The first of six pictures, for a newcomer.", "#howto[open]", None, real, newcomer=True),
    State("your turn", "Ramps and slots are bright, the hand is open.", "#tray .card", show=offers(*TURN)),
    State("a piece chosen", "What it does, and its button.", ".details", show=offers(*TURN), tap=card(102)),
    State("laying", "The piece is turned on a tapped slot.", ".pick", show=offers(*fake.PLACES), tap=slot("B5")),
    State("a slot read", "What lies on a tapped slot.", ".inspect", None, tap=slot("B2")),
    State("more", "All that may be said to the table.", ".part.last", show=offers(*TURN), tap=opens("More")),
    State("really", "What is grave is asked once more.", ".sure-box", show=offers(fake.CONCEDE), tap=both(opens("More"), presses("Concede"))),
    State("a question", "Its answers, its time, what silence means.", ".question", show=offers(fake.END, prompts=(fake.KEEP,))),
    State("a question about places", "All slots are bright.", ".slot.target", show=offers(prompts=(fake.MISSING,)), tap=opens("As a list")),
    State("a question about a roll", "What the tracker asks, with ways drawn.", ".question", show=_witness),
    State("answering for Bo", "Somebody else's question, opened here.", ".prompt.passed", show=offers(fake.CONCEDE, others=(fake.ORDER,)), tap=presses("Answer for Bo…")),
    State("telling", "Without electronics: what a ball does, by taps.", ".slot.tell", show=_without_electronics),
    State("one of many tiles", "A tile is found by a picture or its name.", ".chooser", show=offers(*fake.NAMES, hand=(fake.TileView(id=1, name="", title="a tile"),)), tap=presses("Play a tile…")),
    State("a vote", "The ballots so far, and an effect that waits.", ".vote", show=both(sees(vote=VOTE, waiting=WAITING), offers(*fake.BALLOTS))),
    State("the last roll", "It is watched again.", "#replay:not([hidden])", show=both(sees(rolling=False, balls=(), last_roll=fake.ROLL), offers(fake.END)), tap=presses("Show the last roll")),
    State("the odds", "For whoever watches: where a ball from each ramp goes.", "#odds:not([hidden])", None, lambda table: table.publish("odds", ODDS)),
    State("the board as text", "Tables instead of the drawing.", "#text table", show=offers(*TURN), tap=presses("Text view")),
    State("the board as text, watched", "With the odds of each ramp.", "#text table", None, lambda table: table.publish("odds", ODDS), presses("Text view")),
    State("paused", "Nothing goes on.", "#pause:not([hidden])", show=both(tells(paused=True), offers(*TURN))),
    State("over", "Who won, and what may be done now.", "#pause:not([hidden])", show=both(sees(rolling=False, outcome="Ada wins!", winners=("p1",)), tells(phase="over"), offers())),
    State("no connection", "One banner, one button.", "#trouble:not([hidden])", show=offers(*TURN), after=lambda table: table.publish("status", Status(state="offline", boot="b1", software="0"))),
    State("emergency stop", "Coils do not fire.", "#coils:not([hidden])", show=tells(coils=CoilsView(state="asks", say="Is everybody's hand clear?", says=("clear",)))),
    State("a check of the board", "A step, and where it waits.", "#check:not([hidden])", show=tells(phase="lobby", check=CheckView(number=1, steps=3, name="tile.C3", ask="Lift it.", says=("skip", "stop"), place="slot.C3"))),
    State("help", "How the page works.", "#help[open]", tap=presses("Help")),
    State("reference", "A tile's card.", "#reference .card-head", tap=both(presses("Reference"), lambda page: page.get_by_label("Tile, word or clause").fill("pinata"), lambda page: page.locator("#reference .found-row").first.click())),
    State("sensors", "Those that are not well.", "#sensors[open]", show=_sensors, tap=both(opens("More"), presses("A sensor is wrong…"))),
    State("setting up", "Whose board, which balls.", "#setup[open]", show=lambda table: table.publish("table", fake.lobby(pool=60, hidden=True)), tap=presses("Set up…", "Next")),
    State("a tile of one's own", "Its channels are drawn by taps.", "#author[open]", show=tells(phase="lobby"), tap=presses("Describe a tile…")),
    State("the board anew", "What lies where is said to the table.", "#anew[open]", show=offers(ANEW), tap=both(opens("More"), presses("Enter the whole board again…"), lambda page: page.locator("#anew [data-place=A2]").press("Enter"))),
    State("big screen", "The table for a television.", "#board .ball", None, _late, path="tv#j=HEXAGONS"),
)  # fmt: skip
"""Each with its name, what is seen, what must be there, the seat, the table's part, the person's part."""
