"""The rules: what a game is made of, and :func:`step`, which makes the next state from an event.

Everything here is pure. A state is never changed, only replaced; time and luck come with the events. What a
person may not do raises :class:`Refusal`, and :func:`step` turns that into the answer they get.
"""

import math
from typing import Final, Literal

import msgspec
from hextraction.api.games import (
    Acted,
    Board,
    Effect,
    Ignored,
    Paused,
    PowerSet,
    Refused,
    Renamed,
    Said,
    Seated,
    Step,
    TileSeen,
    Woke,
    WorldEvent,
)
from msgspec.structs import replace

__all__ = ["Light", "Player", "Setup", "State", "glowing", "ring_of", "start", "step", "strays", "to_lay"]

TOKENS: Final = range(1, 10)
HAND: Final = 3


# --- What a game is made of ---


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """What a game starts from. It is in the journal: all that :func:`start` needs, luck too."""

    board: str
    seats: tuple[Seated, ...]
    at_us: int = 0
    chance: int = 0
    turn_us: int = 60_000_000
    sees_tiles: bool = True


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who plays, and the tokens that nobody else may see; ``out`` if they have left."""

    seat: str
    name: str
    tokens: tuple[int, ...]
    out: bool = False


class Light(msgspec.Struct, frozen=True, kw_only=True):
    """A slot that is lit: the token under its tile, and the seat whose colour it shines in."""

    slot: str
    token: int
    seat: str


class State(msgspec.Struct, frozen=True, kw_only=True):
    """The whole game at one moment.

    ``phase`` says what it waits for: a slot, a tile in it, or the token under it. ``slot`` is where the tile
    goes. ``tiles`` are the slots in which tiles really lie. ``spark`` is the place in the ring from which on
    the next two dark slots glow. ``paused_us`` is when the break began, if there is one.
    """

    ring: tuple[str, ...]
    players: tuple[Player, ...]
    active: str
    at_us: int
    turn_us: int
    deadline_us: int
    sees_tiles: bool
    phase: Literal["choosing", "laying", "asking", "over"] = "choosing"
    turn: int = 1
    spark: int = 0
    slot: str = ""
    lights: tuple[Light, ...] = ()
    tiles: tuple[str, ...] = ()
    power: bool = True
    paused_us: int | None = None
    winners: tuple[str, ...] = ()
    outcome: str | None = None

    def player(self, seat: str) -> Player | None:
        """Return who sits there."""
        return next((one for one in self.players if one.seat == seat), None)

    @property
    def now_plays(self) -> Player:
        """The player whose turn it is."""
        return next(one for one in self.players if one.seat == self.active)


def ring_of(board: Board) -> tuple[str, ...]:
    """Return the six slots around the middle one, clockwise; none if no slot has six neighbours."""
    middles = [slot for slot in board.slots if len(board.neighbours(slot.name)) == 6]
    if not middles:
        return ()
    x_mm = sum(slot.x_mm for slot in board.slots) / len(board.slots)
    y_mm = sum(slot.y_mm for slot in board.slots) / len(board.slots)
    middle = min(middles, key=lambda slot: math.hypot(slot.x_mm - x_mm, slot.y_mm - y_mm))
    return board.neighbours(middle.name)


def start(board: Board, wanted: Setup) -> State:
    """Deal the tokens; whoever sits first goes first."""
    left, chance, players = list(TOKENS), wanted.chance, []
    for seat, name in wanted.seats:
        hand = []
        for _token in range(HAND):
            chance, at = divmod(chance, len(left))
            hand.append(left.pop(at))
        players.append(Player(seat=seat, name=name, tokens=tuple(sorted(hand))))
    return State(
        ring=ring_of(board),
        players=tuple(players),
        active=players[0].seat,
        at_us=wanted.at_us,
        turn_us=wanted.turn_us,
        deadline_us=wanted.at_us + wanted.turn_us,
        sees_tiles=wanted.sees_tiles,
    )


# --- What a state means ---


def glowing(state: State) -> tuple[str, ...]:
    """Return the two slots among which the player chooses (only one if no more are dark)."""
    if state.phase != "choosing":
        return ()
    lit = {light.slot for light in state.lights}
    around = state.ring[state.spark :] + state.ring[: state.spark]
    return tuple(slot for slot in around if slot not in lit)[:2]


def to_lay(state: State) -> str:
    """Return the slot in which hands should lay a tile: the chosen one, or one whose tile was lifted."""
    if state.phase == "laying":
        return state.slot
    return next((light.slot for light in state.lights if light.slot not in state.tiles), "")


def strays(state: State) -> tuple[str, ...]:
    """Return the slots with tiles that do not belong there."""
    belong = {state.slot, *(light.slot for light in state.lights)}
    return tuple(slot for slot in state.tiles if slot not in belong)


# --- What people can do ---


class Act(msgspec.Struct, frozen=True):
    """What somebody does, as in ``{"do": "take", "slot": "B2"}``.

    ``take`` a glowing slot, ``pass``, or go ``back`` because the tile does not fit; ``answer`` the question
    ``prompt`` with a token as ``choice``; tell that a tile was ``laid`` or ``lifted``; ``leave`` for good.
    """

    do: Literal["take", "pass", "back", "answer", "laid", "lifted", "leave"]
    slot: str = ""
    prompt: str = ""
    choice: str = ""


class Refusal(Exception):  # noqa: N818 - it is an answer to a person, not an error
    """What somebody wants is not possible now; the text says why."""


# --- Events ---


def step(state: State, event: WorldEvent) -> Step[State]:
    """Apply one event."""
    if state.phase == "over" and not isinstance(event, Acted):
        return Step(state, (Ignored(reason=f"over/{type(event).__name__}"),))
    said: list[Effect] = []
    now = replace(state, at_us=max(state.at_us, event.at_us))
    match event:
        case Acted():
            try:
                after = _acted(now, event, said)
            except Refusal as why:
                return Step(state, (Refused(seat=event.seat, reason=str(why), clause=""),))
        case TileSeen(slot=slot, present=present):
            after = _tile(now, slot, present=present)
        case PowerSet(on=on) if on is not state.power:
            said.append(Said(kind="power", text=f"The board is {'on' if on else 'off'}."))
            after = replace(now, power=on)
        case Paused(on=on) if on is (state.paused_us is None):
            after = _paused(now, on=on)
        case Renamed(seat=seat, name=name) if state.player(seat) is not None:
            after = _with_player(now, seat, name=name)
        case Woke() if state.paused_us is None and now.at_us >= state.deadline_us:
            after = _too_late(now, said)
        case _:
            return Step(state, (Ignored(reason=f"{state.phase}/{type(event).__name__}"),))
    return Step(after, tuple(said))


def _acted(state: State, event: Acted, said: list[Effect]) -> State:
    try:
        act = msgspec.convert(event.act, Act)
    except msgspec.ValidationError as error:
        raise Refusal(f"That cannot be done in this game: {error}") from None
    player = state.player(event.seat)
    if player is None or player.out:
        raise Refusal("You do not play in this game.")
    if state.phase == "over":
        raise Refusal("The game is over.")
    if act.do == "leave":
        return _left(state, player, said)
    if state.paused_us is not None:
        raise Refusal("The game is paused. Until it goes on, you can only leave.")
    if act.do in {"laid", "lifted"}:
        return _told(state, act.slot, laid=act.do == "laid")
    if event.seat != state.active:
        raise Refusal(f"It is {state.now_plays.name}'s turn.")
    return _played(state, act, event.chance, said)


def _told(state: State, slot: str, *, laid: bool) -> State:
    """Anybody may tell what lies on the board, as far as it matters."""
    if not slot or slot not in ((to_lay(state),) if laid else strays(state)):
        raise Refusal("No tile should be laid or lifted there.")
    return _tile(state, slot, present=laid)


def _played(state: State, act: Act, chance: int, said: list[Effect]) -> State:
    token = next((one for one in state.now_plays.tokens if str(one) == act.choice), None)
    match state.phase, act.do:
        case "choosing", "take" if act.slot in glowing(state):
            return _settled(replace(state, phase="laying", slot=act.slot))
        case "laying", "back":
            return replace(state, phase="choosing", slot="")
        case "choosing" | "laying", "pass":
            return _passed(state, said)
        case "asking", "answer" if act.prompt == question(state) and token is not None:
            return _lit(state, token, chance, said)
    raise Refusal("That is not possible now.")


def question(state: State) -> str:
    """Return the name of this turn's question."""
    return f"turn-{state.turn}"


def _tile(state: State, slot: str, *, present: bool) -> State:
    """Note what lies on the board. A tile that is laid on a glowing slot is a choice, too."""
    tiles = {*state.tiles, slot} if present else {*state.tiles} - {slot}
    chosen = present and state.paused_us is None and slot in glowing(state)
    state = replace(state, tiles=tuple(sorted(tiles)))
    return _settled(replace(state, phase="laying", slot=slot) if chosen else state)


def _settled(state: State) -> State:
    """Ask for the token once the tile lies there; there is time anew for the answer."""
    if state.phase == "laying" and state.slot in state.tiles and state.paused_us is None:
        return replace(state, phase="asking", deadline_us=state.at_us + state.turn_us)
    return state


def _paused(state: State, *, on: bool) -> State:
    if on or state.paused_us is None:
        return replace(state, paused_us=state.at_us)
    longer = state.deadline_us + state.at_us - state.paused_us
    return _settled(replace(state, paused_us=None, deadline_us=longer))


def _too_late(state: State, said: list[Effect]) -> State:
    """A turn that takes too long passes by itself; a question that nobody answers takes the lowest token."""
    if state.phase == "asking":
        return _lit(state, min(state.now_plays.tokens), 0, said)
    return _passed(state, said)


# --- Turns ---


def _passed(state: State, said: list[Effect]) -> State:
    """To pass costs the lowest token, so that every game comes to an end. Nobody sees which one it was."""
    player = state.now_plays
    said.append(Said(kind="pass", text=f"{player.name} lets it pass and gives up a token.", seat=player.seat))
    return _next_turn(_with_player(state, player.seat, tokens=player.tokens[1:]), said)


def _lit(state: State, token: int, chance: int, said: list[Effect]) -> State:
    """Light the chosen slot; it takes the lights beside it that have a lower token."""
    player, at = state.now_plays, state.ring.index(state.slot)
    beside = {state.ring[at - 1], state.ring[(at + 1) % len(state.ring)]}
    taken = [one.slot for one in state.lights
             if one.slot in beside and one.token < token and one.seat != player.seat]  # fmt: skip
    lights = [replace(one, seat=player.seat) if one.slot in taken else one for one in state.lights]
    lights.append(Light(slot=state.slot, token=token, seat=player.seat))
    takes = f" and takes {' and '.join(taken)}" if taken else ""
    text = f"{player.name} lights {state.slot} with token {token}{takes}."
    said.append(Said(kind="light", text=text, seat=player.seat, slot=state.slot))
    left = tuple(one for one in player.tokens if one != token)
    spark = (at + 1 + chance) % len(state.ring)
    state = replace(_with_player(state, player.seat, tokens=left), lights=tuple(lights), spark=spark)
    return _next_turn(state, said)


def _left(state: State, player: Player, said: list[Effect]) -> State:
    said.append(Said(kind="left", text=f"{player.name} leaves.", seat=player.seat))
    state = _with_player(state, player.seat, out=True, tokens=())
    alone = sum(not one.out for one in state.players) == 1
    return _next_turn(state, said) if alone or player.seat == state.active else state


def _next_turn(state: State, said: list[Effect]) -> State:
    """Let the next one play who has a token; end the game if nobody has, all is lit or only one is left."""
    at = state.players.index(state.now_plays)
    order = [*state.players[at + 1 :], *state.players[: at + 1]]
    able = [one for one in order if one.tokens]
    if not able or len(state.lights) == len(state.ring) or sum(not one.out for one in order) == 1:
        return _over(state, said)
    return replace(
        state,
        active=able[0].seat,
        turn=state.turn + 1,
        phase="choosing",
        slot="",
        deadline_us=state.at_us + state.turn_us,
    )


def _over(state: State, said: list[Effect]) -> State:
    owned = {one.seat: sum(light.seat == one.seat for light in state.lights) for one in state.players}
    left = [one for one in state.players if not one.out]
    most = max(owned[one.seat] for one in left)
    best = [one for one in left if owned[one.seat] == most]
    names = " and ".join(one.name for one in best)
    if len(left) > 1 and not most:
        best, outcome = [], "The ring stays dark."
    elif len(best) > 1:
        outcome = f"{names} share the ring with {most} each."
    else:
        outcome = f"{names} wins with {most} of the ring." if most else f"{names} wins: nobody else is left."
    winners = tuple(one.seat for one in best)
    said.append(Said(kind="win" if winners else "over", text=outcome))
    return replace(state, phase="over", slot="", winners=winners, outcome=outcome)


def _with_player(state: State, seat: str, **changed: object) -> State:
    players = tuple(replace(one, **changed) if one.seat == seat else one for one in state.players)
    return replace(state, players=players)
