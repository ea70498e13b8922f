"""The game as a table asks for it: how it is set up, what it waits for, what everybody sees."""

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final

import msgspec
from hextraction.api.games import (
    AnyOption,
    Awaited,
    Board,
    Counter,
    Game,
    Glow,
    Ignored,
    Knows,
    Laying,
    Luck,
    NoPreparation,
    NoRolls,
    Occasion,
    Option,
    Physical,
    Piece,
    PlaceView,
    PrivateView,
    Prompt,
    Scene,
    Seated,
    SeatView,
    Section,
    Standing,
    Step,
    Strength,
    TileSeen,
    TileShape,
    WorldEvent,
    lamps_of,
)

from light_the_ring import rules
from light_the_ring.rules import Player, Setup, State

__all__ = ["HouseRules", "LightTheRing"]

_PLAIN: Final = TileShape(name="plain", title="Plain tile", channels=((1, 4), (2, 5), (3, 6)))
_TILE_IDS: Final = 100
"""Tokens are numbered below, tiles from here on: no two pieces share a number."""


class HouseRules(msgspec.Struct, frozen=True, kw_only=True):
    """What a table may set: how long a turn may take."""

    turn_us: int = 60_000_000


class Bold(AnyOption):
    """How bots play: any slot, the highest token, and they never pass."""

    def choices(self, view: PrivateView, knows: Knows | None) -> Sequence[Option]:
        """Return the highest token if one is asked for, else the slots."""
        if view.prompts:
            return view.prompts[0].options[-1:]
        return super().choices(view, knows)


class LightTheRing(Game[Setup, State]):
    """Light the ring on one board. Holds no state of a game."""

    kind: ClassVar[str] = "ring"
    title: ClassVar[str] = "Light the ring"
    seats: ClassVar[range] = range(2, 4)
    leaving: ClassVar[Mapping[str, Any]] = {"do": "leave"}
    setup_type = Setup

    def __init__(self, board: Board, house: HouseRules) -> None:
        self.board = board
        self.house = house

    # --- before a game ---

    @classmethod
    def read_rules(cls, section: Section, folder: Path) -> HouseRules:  # noqa: ARG003 - as the protocol says
        """Read ``turn_s``, the seconds that a turn may take."""
        return HouseRules(turn_us=int(section.number("turn_s", 5, 600, 60) * 1_000_000))

    @classmethod
    def demo_rules(cls, laid: int | None, own: Path | None = None) -> HouseRules:  # noqa: ARG003
        """Return the usual rules: the ring is dark at first, and there are no tiles of one's own."""
        return HouseRules()

    @classmethod
    def on(cls, board: Board, rules: Any = None) -> "LightTheRing":
        """Return the game on a board."""
        return cls(board, rules or HouseRules())

    def preparation(self, keep: Path | None) -> NoPreparation:  # noqa: ARG002
        """Ask nothing before a game."""
        return NoPreparation(self._set_up)

    def _set_up(self, occasion: Occasion) -> Setup:
        return Setup(
            board=self.board.name,
            seats=occasion.seats,
            at_us=occasion.at_us,
            chance=occasion.luck.getrandbits(64),
            turn_us=self.house.turn_us,
            sees_tiles=occasion.senses.tiles,
        )

    def problems(self, wanted: Setup) -> list[tuple[str, str]]:
        """Return why a game cannot be played so."""
        found = []
        if not rules.ring_of(self.board):
            found.append((f"no slot of {self.board.title} has six neighbours", ""))
        if len(wanted.seats) not in self.seats or len({one.seat for one in wanted.seats}) < len(wanted.seats):
            found.append((f"it takes two or three players, there are {len(wanted.seats)}", ""))
        return found

    def start(self, wanted: Setup) -> State:
        """Deal the tokens."""
        return rules.start(self.board, wanted)

    def contact_us(self, wanted: Setup) -> int:  # noqa: ARG002
        """Return the usual time; no ball rolls here."""
        return 80_000

    # --- a running game ---

    def step(self, state: State, event: WorldEvent) -> Step[State]:
        """Apply one event."""
        if isinstance(event, TileSeen) and event.slot not in self.board.by_name:
            return Step(state, (Ignored(reason="a tile where no slot is"),))
        return rules.step(state, event)

    def wake_at_us(self, state: State) -> int | None:
        """Return when the turn has taken too long."""
        return None if state.phase == "over" or state.paused_us is not None else state.deadline_us

    def standing(self, state: State) -> Standing:
        """Return how the game stands."""
        return Standing(
            over=state.phase == "over",
            players=state.players,
            active=state.active,
            outcome=state.outcome,
            turn=state.turn,
            power=state.power,
            paused=state.paused_us is not None,
        )

    def physical(self, state: State) -> Physical:
        """Return the tiles that lie on the board."""
        return Physical(tiles=_lying(state.tiles))

    def awaited(self, state: State) -> Awaited:
        """Return whose turn it is, and what hands should do."""
        if state.phase == "over" or state.paused_us is not None:
            return Awaited()
        slot = rules.to_lay(state)
        return Awaited(
            seat=state.active,
            lift=rules.strays(state),
            lay=Laying(slot, _PLAIN, 0) if slot else None,
            tiles_seen=state.sees_tiles and state.power,
            decision=state.phase == "asking",
        )

    def roll_watcher(self) -> NoRolls:
        """Return nobody: no ball rolls here."""
        return NoRolls()

    # --- what is shown ---

    def scene(self, state: State) -> Scene:
        """Return what everybody may see: of a hand only how many tokens are in it."""
        slot, over = state.slot, state.phase == "over"
        return Scene(
            kind=self.kind,
            headline=state.outcome or f"{state.now_plays.name} {_DOES[state.phase].format(slot=slot)}",
            turn=state.turn,
            active=state.active,
            acting=state.active,
            seats=tuple(_seat(state, one) for one in state.players),
            places=tuple(_place(state, slot) for slot in dict.fromkeys((*state.ring, *rules.strays(state)))),
            counters=(
                Counter(label="dark slots", one="dark slot", count=len(state.ring) - len(state.lights)),
            ),
            asked=((state.active, f"Which token lights {slot}?"),) if state.phase == "asking" else (),
            power=state.power,
            paused=state.paused_us is not None,
            deadline_us=state.deadline_us if state.phase in {"choosing", "laying"} else None,
            winners=state.winners,
            losers=tuple(one.seat for one in state.players if over and one.seat not in state.winners),
            outcome=state.outcome,
        )

    def private(self, state: State, seat: str) -> PrivateView:
        """Return the tokens of one seat, and what it may do now."""
        player = state.player(seat)
        tokens = player.tokens if player is not None else ()
        hand = tuple(_token(number, seat) for number in tokens)
        if player is None or player.out or state.phase == "over" or state.paused_us is not None:
            return PrivateView(seat=seat, hand=hand, options=(), prompts=())
        ours = seat == state.active
        options = (*(_turn(state) if ours else ()), *_hands(state))
        prompts = (_prompt(state, player),) if ours and state.phase == "asking" else ()
        headline = _YOU_DO[state.phase].format(slot=state.slot) if ours else ""
        return PrivateView(seat=seat, hand=hand, options=options, prompts=prompts, headline=headline)

    def lamps(self, scene: Scene) -> Mapping[str, Glow]:
        """Let glowing slots blink and lit ones shine in their player's colour, as scenes usually do."""
        return lamps_of(scene)

    # --- bots and studies ---

    @classmethod
    def files(cls) -> Sequence[str]:
        """Return nothing: there is one kind of tile only."""
        return ()

    def draw(self, seats: Sequence[Seated], luck: Luck, files: Sequence[str], laid: int) -> Setup:  # noqa: ARG002
        """Return a set-up drawn at random; some boards see their tiles, others do not."""
        return Setup(
            board=self.board.name,
            seats=tuple(seats),
            chance=luck.getrandbits(64),
            sees_tiles=luck.random() < 0.5,
        )

    def strategy(self, strength: Strength = "strong") -> Bold:  # noqa: ARG002 - as the protocol says
        """Return how bots choose."""
        return Bold(leave=frozenset({"pass"}))

    def ending(self, state: State, clause: str) -> str:  # noqa: ARG002
        """Return how a game ended, for statistics."""
        if sum(not one.out for one in state.players) == 1:
            return "left alone"
        return ("dark", "most lights", "tie")[min(len(state.winners), 2)]


_DOES: Final = {
    "choosing": "chooses a glowing slot",
    "laying": "lays a tile at {slot}",
    "asking": "chooses a token for {slot}",
    "over": "",
}
_YOU_DO: Final = {
    "choosing": "Your turn: choose a glowing slot",
    "laying": "Lay a tile at {slot}",
    "asking": "Choose a token for {slot}",
    "over": "",
}


@functools.lru_cache(maxsize=64)
def _lying(tiles: tuple[str, ...]) -> Mapping[str, tuple[TileShape, int]]:
    """Return plain tiles in these slots; the same object for the same slots, as tables want it."""
    return dict.fromkeys(tiles, (_PLAIN, 0))


def _token(number: int, seat: str) -> Piece:
    takes = "Takes the lights beside it that have a lower number."
    return Piece(id=number, name=f"token-{number}", title=f"Token {number}", owner=seat, summary=takes)


def _seat(state: State, player: Player) -> SeatView:
    lights = sum(light.seat == player.seat for light in state.lights)
    return SeatView(
        seat=player.seat,
        name=player.name,
        colour=player.seat,
        counters=(
            Counter(label="lights", one="light", count=lights),
            Counter(label="tokens", one="token", count=len(player.tokens)),
        ),
        out=player.out,
    )


def _place(state: State, slot: str) -> PlaceView:
    """Return how a slot looks: lit, glowing, waiting for its tile, or with a tile that must go."""
    light = next((one for one in state.lights if one.slot == slot), None)
    wants, note = "", ""
    if slot in rules.strays(state):
        wants, note = "lift", "This tile does not belong here."
    elif slot == rules.to_lay(state) or slot in rules.glowing(state):
        wants = "put"
    if light is not None:
        note = f"Lit with token {light.token}."
    lies = slot in state.tiles and wants != "lift"
    tile = Piece(id=_TILE_IDS + state.ring.index(slot), name="plain", title="Plain tile") if lies else None
    return PlaceView(
        place=f"slot.{slot}",
        piece=tile,
        owner=light.seat if light is not None else "",
        label=str(light.token) if light is not None else "",
        wants=wants,
        note=note,
    )


def _turn(state: State) -> list[Option]:
    """Return what only the player whose turn it is may do."""
    take = [
        Option(group="take", label=f"Take {slot}", act={"do": "take", "slot": slot}, slot=slot)
        for slot in rules.glowing(state)
    ]
    if state.phase == "laying":
        fit = "The tile does not fit: choose again"
        take.append(Option(group="back", label=fit, act={"do": "back"}, tells="unfit"))
    if state.phase != "asking":
        take.append(Option(group="pass", label="Pass: it costs your lowest token", act={"do": "pass"}))
    return take


def _hands(state: State) -> list[Option]:
    """Return what anybody may tell of tiles. A board that sees tiles needs it only if a sensor is broken."""
    slot = rules.to_lay(state)
    laid = {"do": "laid", "slot": slot}
    told = [Option(group="laid", label=f"The tile lies in {slot}", act=laid, tells="laid")] if slot else []
    for stray in rules.strays(state):
        act = {"do": "lifted", "slot": stray}
        told.append(
            Option(group="lifted", label=f"{stray} is empty", act=act, slot=stray, tells=f"lifted {stray}")
        )
    return told


def _prompt(state: State, player: Player) -> Prompt:
    asked = rules.question(state)
    return Prompt(
        id=asked,
        seat=player.seat,
        kind="token",
        text=f"Which token lights {state.slot}?",
        clause="",
        options=tuple(
            Option(
                group="token",
                label=f"Token {token}",
                act={"do": "answer", "prompt": asked, "choice": str(token)},
                tile=token,
            )
            for token in player.tokens
        ),
        default=0,
        deadline_us=state.deadline_us,
        slot=state.slot,
    )
