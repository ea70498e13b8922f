"""What a table shows, as samples for the phone page: payloads built with the real types.

Tests import it as ``fake``: ``fake.state()``, ``fake.view(options=fake.ROLLS)``.
"""

from typing import Any

from hextraction.board.profile import STANDARD, load_board
from hextraction.controller.games import scene as shown
from hextraction.controller.games.hextraction.cards.face import TileView
from hextraction.controller.games.hextraction.setup.lobby import LobbyDetail, TableSetup
from hextraction.controller.games.hextraction.shown import detail
from hextraction.controller.games.rolls import LastRoll, RolledBall, Stop
from hextraction.controller.payloads.messages import (
    EdgeShape,
    Evening,
    Event,
    Info,
    PlayedGame,
    SlotShape,
    State,
    Table,
    TableSeat,
    View,
)

STRAIGHT = ((1, 4),)
CROSS = ((1, 4), (2, 5), (3, 6))
TILES: dict[str, dict[str, Any]] = {
    "straight": {"title": "Straight", "channels": STRAIGHT},
    "bend": {"title": "Wide Bend", "channels": ((1, 3), (4, 6))},
    "split": {"title": "Splitter", "channels": ((1, 3, 5),)},
    "triple": {"title": "Three Curves", "channels": ((1, 2), (3, 4), (5, 6))},
    "cross": {"title": "Crossing", "channels": CROSS},
    "chime": {
        "title": "Bell",
        "channels": STRAIGHT,
        "trigger": "whole",
        "starred": True,
        "summary": "The board chimes once for each ball.",
    },
    "bomb": {
        "title": "Powder Keg",
        "channels": ((1, 4), (2, 6)),
        "trigger": "area",
        "starred": True,
        "summary": "Destroy all neighbouring tiles at once.",
        "keywords": ("unique",),
    },
    "odd": {"title": "Somebody's Own Contraption", "summary": "Nobody has published its channels."},
}

ROLL = LastRoll(
    number=3,
    roller="p1",
    turn=7,
    probability=0.91,
    balls=(
        RolledBall(
            ball=1,
            ramp="L2",
            stops=(Stop(slot="B1", at_ms=100, touch=1), Stop(slot="B2", at_ms=260, touch=1)),
            fate="hole.C4",
            end_ms=820,
        ),
    ),
    touches={"B1": 1, "B2": 1},
)
"""A ball went over two tiles and fell through a hole."""


def tile(number: int, name: str, turns: int = 0, **more: Any) -> TileView:
    """Return one of the sample tiles."""
    return TileView(id=number, name=name, turns=turns, **{**TILES[name], **more})


def info(*, electronics: bool = True) -> Info:
    """Return the standard board."""
    board = load_board(STANDARD)
    slots = tuple(
        SlotShape(
            slot=slot.name,
            x_mm=slot.x_mm,
            y_mm=slot.y_mm,
            edges=tuple(EdgeShape(slot=e.slot, ramp=e.ramp, zone=e.zone) for e in slot.edges),
        )
        for slot in board.slots
    )
    return Info(
        board="fake",
        title=board.title,
        pitch_mm=board.pitch_mm,
        slots=slots,
        electronics=electronics,
        simulated=True,
        game="hextraction",
        software="0",
    )


def table(phase: str = "playing", *, second: str = "Bo", **more: Any) -> Table:
    """Return a table of three."""
    seats = (
        TableSeat(seat="p1", name="Ada", colour="red", kind="person", here=True),
        TableSeat(seat="p2", name=second, colour="blue", kind="person", here=True),
        TableSeat(seat="p3", name="Robin", colour="yellow", kind="bot"),
    )
    return Table(phase=phase, seats=more.pop("seats", seats), game="g1", kind="hextraction", **more)


def lobby(**more: Any) -> Table:
    """Return a table where a game is being set up, as ``setup`` tells."""
    return table("lobby", can_start=True, detail=LobbyDetail(setup=TableSetup(**more)))


LAID = {
    "A1": ("bend", 0),
    "A2": ("straight", 1),
    "A3": ("triple", 0),
    "B1": ("split", 0),
    "B2": ("chime", 0),
    "B3": ("cross", 0),
    "B4": ("bend", 2),
    "C1": ("straight", 5),
    "C2": ("bomb", 0),
    "C3": ("triple", 1),
    "C4": ("bend", 4),
    "D1": ("split", 1),
    "D2": ("odd", 0),
    "D3": ("straight", 0),
    "D4": ("cross", 0),
    "D5": ("straight", 0),
    "E1": ("bend", 5),
    "E3": ("chime", 1),
}
TOUCHES = {"B1": 1, "B2": 2, "B3": 3, "C3": 1, "D4": 5}


def slots() -> tuple[shown.PlaceView, ...]:
    """Return the slots in the middle of a roll."""
    notes = {"B2": "2 touches, 1 effect waits", "B1": "1 touch", "C3": "1 touch"}
    return tuple(
        shown.PlaceView(
            place=f"slot.{name}",
            piece=tile(i, LAID[name][0], LAID[name][1], owner="p1") if name in LAID else None,
            count=TOUCHES.get(name, 0),
            balls={"C3": 1, "D2": 1}.get(name, 0),
            badge="!" if name == "B2" else "",
            wants={"B3": "lift", "A4": "put"}.get(name, ""),
            note=notes.get(name, f"{TOUCHES[name]} touches" if name in TOUCHES else ""),
        )
        for i, name in enumerate(load_board(STANDARD).slot_names)
    )


def places(**more: Any) -> tuple[shown.PlaceView, ...]:
    """Return all places; ``slots`` takes the place of the usual ones."""
    board = load_board(STANDARD)
    wants = {"L2": "release"}
    return (
        *more.get("slots", slots()),
        *(
            shown.PlaceView(place=f"ramp.{r.name}", shut=r.name == "R3", wants=wants.get(r.name, ""))
            for r in board.ramps
        ),
        *(shown.PlaceView(place=f"zone.{z.name}", title=z.title) for z in board.zones),
    )


def public(*, rolling: bool = True, **more: Any) -> shown.Scene:
    """Return a scene in the middle of a roll; what only Hextraction shows goes into its detail."""
    own = {
        "phase": "rolling" if rolling else "choosing",
        "pool": 41,
        "virtual_pool": 2,
        "destroyed": 5,
        "rolls_owed": 1,
    }
    own |= {name: more.pop(name) for name in detail.Detail.__struct_fields__ if name in more}
    view: dict[str, Any] = {
        "kind": "hextraction",
        "headline": "Ada rolls on L2.",
        "turn": 7,
        "active": "p1",
        "acting": more.get("active", "p1"),
        "seats": tuple(
            shown.SeatView(
                seat=one.seat,
                name=one.name,
                colour=one.colour,
                counters=(shown.Counter(label="tiles", one="tile", count=3),),
                note="rolls" if rolling and one.seat == more.get("active", "p1") else "",
            )
            for one in table().seats
        ),
        "places": more.pop("places", None) or places(),
        "balls": (
            shown.BallView(ball=1, place="slot.C3", trail=("B1", "B2", "C2", "C3"), moving=True),
            shown.BallView(ball=2, place="slot.D2"),
        ),
        "counters": (shown.Counter(label="tiles in the pool", one="tile in the pool", count=41),),
        "detail": detail.Detail(**own),
    }
    return shown.Scene(**{**view, **more})


def state(seq: int = 40, game: str = "g1", **more: Any) -> State:
    """Return a snapshot."""
    return State(game=game, seq=seq, at_us=1_000_000 * seq, view=public(**more))


HAND = (tile(101, "bomb"), tile(102, "triple"), tile(103, "odd"))
ROLLS = tuple(
    shown.Option(group="roll", label=f"Roll on {ramp}", act={"do": "roll", "ramp": ramp}, ramp=ramp)
    for ramp in ("L1", "L2", "L3", "R1", "R2")
)
PLAYS = tuple(
    shown.Option(group="play", label=f"Play {one.title}", act={"do": "play", "tile": one.id}, tile=one.id)
    for one in HAND
)
RELEASES = tuple(
    shown.Option(
        group="attest",
        label=f"The ball left ramp {ramp}",
        act={"do": "attest", "saw": "released", "place": ramp},
        ramp=ramp,
        tells=f"released {ramp}",
    )
    for ramp in ("L1", "L2", "L3", "R1", "R2", "R3")
)
TOLD = (
    *(
        shown.Option(
            group="attest",
            label=f"It touched {slot}",
            act={"do": "attest", "saw": "touched", "place": slot},
            slot=slot,
            tells=f"touched {slot}",
        )
        for slot in ("B1", "B2")
    ),
    shown.Option(
        group="attest",
        label="It is in the left end zone",
        act={"do": "attest", "saw": "zone", "place": "L"},
        tells="zone L",
    ),
    shown.Option(
        group="attest", label="All balls have stopped", act={"do": "attest", "saw": "still"}, tells="still"
    ),
)
NAMES = tuple(
    shown.Option(group="play", label=f"Play {title}", act={"do": "play", "name": name})
    for name, title in (
        ("pinata", "Piñata"),
        ("peace", "Peace"),
        ("dc", "DC"),
        ("dic", "DIC"),
        ("j", "J"),
        ("x", "X"),
        ("z", "Z"),
        ("unknown", "Unknown tile"),
    )
)
BALLOTS = tuple(
    shown.Option(group="ballot", label=label, act={"do": "ballot", "yea": yea, **more})
    for label, yea, more in (
        ("Keep it", True, {}),
        ("Destroy it", False, {}),
        ("Keep it for Bo", True, {"seat": "p2"}),
        ("Destroy it for Bo", False, {"seat": "p2"}),
        ("Enable", True, {}),
        ("Disable", False, {}),
    )
)
PLACES = tuple(
    shown.Option(
        group="place",
        label=f"Put it on {slot}",
        act={"do": "place", "slot": slot},
        slot=slot,
        tile=102,
        turns=(0, 1, 3),
    )
    for slot in ("B5", "E2", "E4")
)
END = shown.Option(group="end", label="End the turn", act={"do": "end"})
VOTES = tuple(
    shown.Option(group="vote", label=f"Vote on {slot}", act={"do": "vote", "slot": slot}, slot=slot)
    for slot in ("C2", "D2")
)
CONCEDE = shown.Option(group="concede", label="Concede", act={"do": "concede"})
KEEP = shown.Prompt(
    id="v1",
    seat="p1",
    kind="vote",
    text="Does Powder Keg on C2 stay?",
    clause="0.5.4",
    slot="C2",
    default=0,
    deadline_us=1_000_000 * 52,
    options=(
        shown.Option(group="answer", label="KEEP", act={"do": "answer", "prompt": "v1", "choice": 0}),
        shown.Option(group="answer", label="DESTROY", act={"do": "answer", "prompt": "v1", "choice": 1}),
    ),
)


def answer(prompt: str, choice: str, label: str, slot: str | None = None) -> shown.Option:
    """Return an answer to a question."""
    return shown.Option(
        group="answer", label=label, act={"do": "answer", "prompt": prompt, "choice": choice}, slot=slot
    )


def missing() -> shown.Prompt:
    """Return the question where a ball went: every slot, ramp and end zone, or over the side."""
    board = load_board(STANDARD)
    options = [answer("q1", "off", "Over the side")]
    options += [answer("q1", f"zone.{zone.name}", f"In the {zone.title}") for zone in board.zones]
    options += [answer("q1", f"slot.{name}", f"It lies on {name}", name) for name in board.slot_names]
    options += [answer("q1", f"ramp.{ramp.name}", f"Still on ramp {ramp.name}") for ramp in board.ramps]
    text = "Where did the ball go? It was last seen on C3."
    return shown.Prompt(
        id="q1", seat="p1", kind="missing", text=text, clause="R-34", slot="C3", options=tuple(options)
    )


MISSING = missing()
ORDER = shown.Prompt(
    id="q3",
    seat="p2",
    kind="order",
    text="Which effect first?",
    clause="2.6.4",
    options=(answer("q3", "B2", "Bell", "B2"), answer("q3", "C2", "Powder Keg", "C2")),
)


def said(group: str, label: str, clause: str, slot: str | None = None, **act: object) -> shown.Option:
    """Return something that may be said to the table."""
    named = {key.rstrip("_"): value for key, value in act.items()}
    return shown.Option(group=group, label=label, act={"do": group, **named}, slot=slot, clause=clause)


TALK = (
    said("rules", "Ask for the card of Bell at B2", "2.5.1", "B2", tile=4),
    said("rules", "Ask for the card of Powder Keg at C2", "2.5.1", "C2", tile=8),
    said("undo", "Take that back", "0.0"),
    said("flick", "The ball was pushed", "2.1.1.1"),
    *(said("contend", f"Ball {ball} left over the side", "R-14", ball=ball, place="off") for ball in (1, 2)),
    *(
        said(
            "flag",
            f"{title} may break something: switch off its effects",
            "0.1.4",
            slot,
            slot_=slot,
            item="harms",
        )
        for title, slot in (("Bell", "B2"), ("Powder Keg", "C2"))
    ),
    CONCEDE,
)


def view(
    seat: str = "p1",
    *,
    options: tuple[shown.Option, ...] = (),
    prompts: tuple[shown.Prompt, ...] = (),
    **more: Any,
) -> View:
    """Return a private view."""
    private = shown.PrivateView(
        seat=seat, hand=more.pop("hand", HAND), options=options, prompts=prompts, **more
    )
    return View(game="g1", seq=40, view=private)


def event(seq: int, text: str, **more: Any) -> Event:
    """Return something that happened."""
    return Event(game="g1", seq=seq, at_us=1_000_000 * seq, kind=more.pop("kind", "touch"), text=text, **more)


FELL = LastRoll(
    number=3,
    roller="p1",
    turn=7,
    probability=0.91,
    touches={"B1": 1, "C4": 2},
    balls=(
        RolledBall(
            ball=1,
            ramp="L2",
            stops=(Stop(slot="B1", at_ms=100, touch=1), Stop(slot="C4", at_ms=300, touch=1)),
            fate="hole.C4",
            end_ms=800,
        ),
    ),
)
"""A roll whose ball fell through."""
TONIGHT = Evening(
    events=tuple(event(seq, f"This is event number {seq}.") for seq in range(1, 21)),
    games=(
        PlayedGame(
            game="g0",
            kind="hextraction",
            title="Hextraction",
            wall="2026-11-23T19:05:00+0100",
            players=("Ada", "Bo"),
            outcome="Ada wins with a ball in the end zone!",
        ),
    ),
    address="http://192.168.4.20:8080/",
)
"""What happened so far, and one game that was played before."""
