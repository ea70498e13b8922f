"""The world: a board with tiles on it, balls that roll, and what truly happens to them.

Chance (speed and place of a release, the direction of a kick) comes from the seed, in the order of calls. How
time passes is :mod:`hextraction.simulator.motion`.
"""

import heapq
import math
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from hextraction.board.design import load_design
from hextraction.board.facts import BallReleased, Fact
from hextraction.board.grid import turned
from hextraction.board.profile import Board, Zone
from hextraction.board.tiles import UNKNOWN_SHAPE, TileShape
from hextraction.simulator.cells import AXES, Cell, Floor, make_cells
from hextraction.simulator.channels import Shape, places, ramp_walls, shape_of, tile_walls
from hextraction.simulator.contents import Contents
from hextraction.simulator.groove import groove_of
from hextraction.simulator.motion import Motion
from hextraction.simulator.sight import Track
from hextraction.simulator.story import Cover, Story
from hextraction.simulator.table import BALL_RADIUS_MM, Table
from hextraction.simulator.variant import variant_named

__all__ = ["World"]

_GATE_MM: Final = load_design().gate.out_mm
_ASIDE_MM: Final = 0.4
_KICK_UP_MM_S: Final = 320.0
_KICK_ASIDE_MM_S: Final = 260.0
_CUP_MM: Final = 45.0


@dataclass(slots=True, eq=False)
class _Laid:
    """A tile in a slot, and how many balls have left it by one of its alternating exits."""

    tile: TileShape
    turns: int
    passed: int = 0


class World:
    """A simulated board. It starts with all slots open and no balls.

    ``variant`` names another physics (:mod:`hextraction.simulator.variant`).

    Raises:
        KeyError: there is no such variant.
    """

    def __init__(
        self, board: Board, *, seed: int = 0, tilt_deg: float | None = None, variant: str = "standard"
    ) -> None:
        self.board = board
        self.variant = variant_named(variant)
        self.tilt_deg = (self.variant.tilt_deg or board.tilt_deg) if tilt_deg is None else tilt_deg
        self._rng = random.Random(seed)  # noqa: S311 - a game of marbles
        self._seed = seed
        self._table = Table(self.tilt_deg, self.variant.physics)
        self._cells = make_cells(board, self.variant.hall_mm, self.variant.fitted(seed))
        self._story = Story()
        self._motion = Motion(self._table, self._story, left=self._slot_left, arrived=self._arrived)
        self._laid: dict[str, _Laid] = {}
        self._in_zone: dict[str, list[int]] = {zone.name: [] for zone in board.zones}
        self._balls = 0
        self._due: list[tuple[int, int, Callable[[], None]]] = []
        self._asked = 0
        for ramp in board.ramps:
            cell = self._cells[ramp.slot]
            walls = ramp_walls(ramp.edge, board.pitch_mm)
            self._table.set_walls(f"ramp.{ramp.name}", walls, cell.x_mm, cell.y_mm)

    @property
    def now_us(self) -> int:
        """The simulated time reached so far."""
        return self._motion.now_us

    @property
    def moving(self) -> bool:
        """Whether any ball is moving, falling or settling, so that facts may still come."""
        return self._motion.awake or self._story.pending

    @property
    def cells(self) -> Mapping[str, Cell]:
        """Return the slots' cells: where they are, and how far their Halls see."""
        return self._cells

    @property
    def table(self) -> Table:
        """The physics table, for measurements."""
        return self._table

    @property
    def tiles(self) -> Mapping[str, tuple[TileShape, int]]:
        """The tile and its turns by slot; a large tile appears in each slot that it covers."""
        return {slot: (laid.tile, laid.turns) for slot, laid in self._laid.items()}

    @property
    def contents(self) -> Contents:
        """Which balls are where now."""
        slots: dict[str, list[int]] = {slot: [] for slot in self._cells}
        ramps: dict[str, list[int]] = {ramp.name: [] for ramp in self.board.ramps}
        for ball, rolling in self._motion.rolling.items():
            track = rolling.track
            (ramps[track.ramp] if track.ramp else slots[track.last_slot or track.cell.slot]).append(ball)
        return Contents(
            slots={slot: tuple(balls) for slot, balls in slots.items() if balls},
            zones={zone: tuple(balls) for zone, balls in self._in_zone.items() if balls},
            ramps={ramp: tuple(balls) for ramp, balls in ramps.items() if balls},
        )

    def positions(self) -> tuple[tuple[int, float, float], ...]:
        """Return ``(ball, x_mm, y_mm)`` of every ball on the board or in an end zone."""
        rolling = [(ball, *rolling.ball.place()) for ball, rolling in self._motion.rolling.items()]
        return tuple(rolling + [place for zone in self.board.zones for place in self._cup(zone)])

    def facts(self) -> tuple[Fact, ...]:
        """Return what truly happened since the last call, in order of time."""
        return self._story.take_facts()

    def covers(self) -> tuple[Cover, ...]:
        """Return what sensors would have seen since the last call, in order of time."""
        return self._story.take_covers()

    def lay(self, slot: str, tile: TileShape, turns: int = 0) -> None:
        """Lay a tile, turned clockwise by sixths, replacing what lay there; balls there come off first.

        Raises:
            KeyError: the board has no such slot.
        """
        self.lift(slot)
        self._place(slot, tile, turns)
        for edge in tile.covers:
            over = self.board.neighbour(slot, turned(edge, turns))
            if over is not None:
                self.lift(over)
                self._place(over, UNKNOWN_SHAPE, turns)

    def lift(self, slot: str) -> tuple[int, ...]:
        """Lift the tile out of a slot and return the balls that came off with it."""
        cell = self._cells[slot]
        balls = self.contents.slots.get(slot, ())
        for ball in balls:
            self.take_ball(ball)
        cell.floor, cell.holes = Floor.OPEN, ()
        self._table.clear_walls(slot)
        self._table.clear_groove(slot)
        if self._laid.pop(slot, None) is not None:
            self._story.cover(self.now_us, f"tile.{slot}", active=False)
        self._motion.touched()
        return balls

    def turn(self, slot: str, turns: int) -> None:
        """Turn the tile in a slot where it lies, to so many sixths; balls there come off first.

        Its tile Hall sees it all the while.

        Raises:
            KeyError: no tile lies there.
        """
        laid = self._laid[slot]
        for ball in self.contents.slots.get(slot, ()):
            self.take_ball(ball)
        self._table.clear_walls(slot)
        self._table.clear_groove(slot)
        self._set(slot, laid.tile, turns)
        self._motion.touched()

    def ramp_clear(self, ramp: str) -> bool:
        """Whether a ball can be released on a ramp: no other one stands at its gate."""
        x_mm, y_mm = self._gate(ramp)
        near_mm = 2 * BALL_RADIUS_MM - 0.5
        return all(
            math.dist(rolling.ball.place(), (x_mm, y_mm)) > near_mm
            for rolling in self._motion.rolling.values()
        )

    def release(self, ramp: str) -> int:
        """Release a ball on a ramp and return its number.

        Raises:
            KeyError: the board has no such ramp.
            ValueError: another ball stands at its gate.
        """
        place = self.board.ramp_by_name[ramp]
        if not self.ramp_clear(ramp):
            raise ValueError(f"ramp {ramp} is blocked by a ball at its gate")
        speed = self._rng.gauss(self.variant.release_mm_s, self.variant.release_spread_mm_s)
        aside = self._rng.uniform(-_ASIDE_MM, _ASIDE_MM)
        across, down = AXES[place.edge - 1]
        x_mm, y_mm = self._gate(ramp)
        at_mm = x_mm - down * aside, y_mm + across * aside
        track = self._add(self._cells[place.slot], *at_mm, -across * speed, -down * speed)
        track.ramp = ramp
        self._story.fact(self.now_us, BallReleased(at_us=self.now_us, ball=track.ball, ramp=ramp))
        return track.ball

    def put_ball(self, slot: str) -> int:
        """Put a ball on a slot by hand, into a pocket if there is one, and return its number.

        It is on the slot without having entered it; where the tile does not hold it, it rolls.
        """
        cell = self._cells[slot]
        x_mm, y_mm = self._free_place(slot)
        aside = self._rng.uniform(-_ASIDE_MM, _ASIDE_MM)
        track = self._add(cell, cell.x_mm + x_mm + aside, cell.y_mm + y_mm)
        track.inside = cell.floor is not Floor.OPEN
        track.last_slot = slot
        return track.ball

    def take_ball(self, ball: int) -> None:
        """Take a ball away by hand.

        Raises:
            KeyError: there is no such ball.
        """
        for zone, balls in self._in_zone.items():
            if ball in balls:
                balls.remove(ball)
                self._story.cover(self.now_us, f"rest.{zone}", active=False)
                return
        self._motion.remove(ball)
        self._motion.touched()

    def kick(self, slot: str) -> tuple[int, ...]:
        """Knock every ball that is on a slot uphill and to a side; return them."""
        balls = self.contents.slots.get(slot, ())
        for ball in balls:
            aside = self._rng.choice((-1, 1)) * self._rng.uniform(0.5, 1.0) * _KICK_ASIDE_MM_S
            self._motion.rolling[ball].ball.push(aside, -_KICK_UP_MM_S * self._rng.uniform(0.8, 1.2))
        self._motion.touched()
        return balls

    def advance(self, to_us: int) -> None:
        """Let time pass until ``to_us``.

        Raises:
            ValueError: that is in the past.
        """
        while self.advance_to_news(to_us):
            pass

    def advance_to_news(self, to_us: int) -> bool:
        """Let time pass until ``to_us`` or until there is something to report; return whether there is.

        Raises:
            ValueError: that is in the past.
        """
        if not self._due or self._due[0][0] > to_us:
            return self._motion.advance_to_news(to_us)
        if not self._motion.advance_to_news(max(self.now_us, self._due[0][0])):
            heapq.heappop(self._due)[2]()
        return True

    def call_at(self, at_us: int, act: Callable[[], None]) -> None:
        """Do something to the board when its time comes to ``at_us``; at once on the way if that is past."""
        heapq.heappush(self._due, (at_us, self._asked, act))
        self._asked += 1

    def _place(self, slot: str, tile: TileShape, turns: int) -> None:
        self._set(slot, tile, turns)
        self._story.cover(self.now_us, f"tile.{slot}", active=True)

    def _set(self, slot: str, tile: TileShape, turns: int) -> None:
        self._laid[slot] = _Laid(tile, turns)
        cell = self._cells[slot]
        cell.floor = Floor.HOLE if tile.drops else Floor.TILE
        cell.holes = tile.holes_at(turns, self.board.pitch_mm)
        self._build(slot)

    def _build(self, slot: str) -> None:
        cell = self._cells[slot]
        shape = self._shape(slot)
        warped = self.variant.warped(tile_walls(shape), f"{self._seed} {slot}")
        self._table.set_walls(slot, warped, cell.x_mm, cell.y_mm)
        self._table.set_groove(slot, groove_of(shape), cell.x_mm, cell.y_mm)

    def _shape(self, slot: str) -> Shape:
        laid = self._laid[slot]
        shape = shape_of(laid.tile, laid.turns, self.board.pitch_mm, laid.passed)
        return self.variant.redrawn(shape)

    def _free_place(self, slot: str) -> tuple[float, float]:
        """Return a free place on a slot, relative to its middle; above the last one if all are taken."""
        spots = places(self._shape(slot)) if slot in self._laid else ((0.0, 0.0),)
        number = len(self.contents.slots.get(slot, ()))
        x_mm, y_mm = spots[min(number, len(spots) - 1)]
        return x_mm, y_mm - 2 * BALL_RADIUS_MM * max(0, number - len(spots) + 1)

    def _gate(self, ramp: str) -> tuple[float, float]:
        place = self.board.ramp_by_name[ramp]
        cell = self._cells[place.slot]
        across, down = AXES[place.edge - 1]
        far_mm = cell.apothem_mm + _GATE_MM
        return cell.x_mm + across * far_mm, cell.y_mm + down * far_mm

    def _add(self, cell: Cell, x_mm: float, y_mm: float, vx: float = 0.0, vy: float = 0.0) -> Track:
        self._balls += 1
        track = Track(self._balls, cell, x_mm, y_mm, self.now_us)
        self._motion.add(track, vx, vy)
        return track

    def _slot_left(self, slot: str, edge: int) -> None:
        """Flip a flip-flop when a ball has left it by one of its alternating exits."""
        laid = self._laid.get(slot)
        if laid is not None and edge in {turned(exit_, laid.turns) for exit_ in laid.tile.alternates}:
            laid.passed += 1
            self._build(slot)

    def _arrived(self, ball: int, zone: str) -> None:
        self._in_zone[zone].append(ball)

    def _cup(self, zone: Zone) -> list[tuple[int, float, float]]:
        cell = self._cells[zone.outlets[0][0]]
        balls = self._in_zone[zone.name]
        left_mm = cell.x_mm - BALL_RADIUS_MM * (len(balls) - 1)
        return [
            (ball, left_mm + 2 * BALL_RADIUS_MM * place, cell.y_mm + _CUP_MM)
            for place, ball in enumerate(balls)
        ]
