"""A second physics, from the formulas alone: balls roll along rails, and chance says where they leave a knot.

A ball on a rail feels 5/7 g sin(tilt) along the slope and rolling resistance against its way; it loses speed
in every bend and at every joint between tiles, bounces off walls and other balls, and is still when slow
for a quarter of a second. There is no pymunk in it and no wall of the other physics: it judges trackers that
were made with that one. It has the part of :class:`hextraction.simulator.world.World` that rolls need.
"""

import copy
import math
import random
from collections.abc import Mapping
from typing import Final

from hextraction.board.facts import BallEntered, BallLeft, BallOffBoard, BallReleased, Fact
from hextraction.board.grid import opposite, turned
from hextraction.board.profile import Board
from hextraction.board.tiles import TileShape
from hextraction.simulator.cells import Cell, make_cells
from hextraction.simulator.contents import Contents
from hextraction.simulator.physics import GRAVITY_MM_S2, ROLLING
from hextraction.simulator.rails import BALL_MM, Rail, RailPhysics, draw_rails, stub
from hextraction.simulator.sight import Happened
from hextraction.simulator.story import Cover, Story
from hextraction.simulator.variant import Variant

__all__ = ["RailWorld"]

_STEP_S: Final = 0.001
_STILL_MM_S: Final = 12.0
_STILL_MS: Final = 250
_INSIDE_MM: Final = 2.5
_DROP_MM: Final = 4.5
_GONE_MM: Final = 6.0
_RAMP_MM: Final = 20.5
_GATE_MM: Final = 15.0
_LEANS_MM: Final = 10.6
_POCKET_MM: Final = 9.0
_BACK: Final = -0.3
"""A ball that is too slow for a lip rolls back from it with this share of its speed."""


class _Ball:
    """A ball: on which rail, how far along it, how fast; which slot it is inside; which sensors it covers."""

    __slots__ = (
        "asleep", "at_mm", "down", "inside", "last_slot", "leans", "number", "pocketed", "rail", "ramp",
        "right", "seen", "speed", "still_ms", "stuck", "tried", "x_mm", "y_mm",
    )  # fmt: skip

    def __init__(self, number: int, rail: Rail, at_mm: float, speed: float) -> None:
        self.number = number
        self.rail = rail
        self.at_mm = at_mm
        self.speed = speed
        self.inside: str | None = None
        self.last_slot: str | None = None
        self.ramp: str | None = None
        self.stuck = False
        self.asleep = False
        self.pocketed = False
        self.still_ms = 0
        self.leans: tuple[_Ball, ...] = ()
        self.seen: set[str] = set()
        self.tried = False
        self.x_mm, self.y_mm, self.right, self.down = rail.place(at_mm)


class RailWorld:
    """A board with tiles and balls in a world of rails; it starts with all slots open and no balls."""

    def __init__(
        self, board: Board, variant: Variant, *, seed: int = 0, tilt_deg: float | None = None
    ) -> None:
        if variant.rails is None:
            raise ValueError(f"{variant.name} is no world of rails")
        self.board = board
        self.variant = variant
        self._physics: RailPhysics = variant.rails
        tilt = tilt_deg or variant.tilt_deg or board.tilt_deg
        self._pull = ROLLING * GRAVITY_MM_S2 * math.sin(math.radians(tilt))
        self._drag = ROLLING * GRAVITY_MM_S2 * self._physics.resistance
        self.reseed(seed)
        self._cells = make_cells(board, variant.hall_mm, variant.fitted(seed))
        self._story = Story()
        self._laid: dict[str, tuple[TileShape, int]] = {}
        self._passed: dict[str, int] = {}
        self._rails: dict[str, list[Rail]] = {}
        self._stubs: dict[tuple[str, int], Rail] = {}
        self._balls: dict[int, _Ball] = {}
        self._in_zone: dict[str, list[int]] = {zone.name: [] for zone in board.zones}
        self._many = 0
        self._now_us = 0
        self._ramps = {(ramp.slot, ramp.edge): ramp.name for ramp in board.ramps}
        self._draw_stubs()

    @property
    def now_us(self) -> int:
        """The simulated time reached so far."""
        return self._now_us

    @property
    def moving(self) -> bool:
        """Whether any ball moves, or facts may still come."""
        return any(not ball.asleep for ball in self._balls.values()) or self._story.pending

    @property
    def tiles(self) -> Mapping[str, tuple[TileShape, int]]:
        """The tile and its turns by slot."""
        return dict(self._laid)

    @property
    def contents(self) -> Contents:
        """Which balls are where now."""
        slots: dict[str, list[int]] = {}
        ramps: dict[str, list[int]] = {}
        for ball in self._balls.values():
            if ball.ramp:
                ramps.setdefault(ball.ramp, []).append(ball.number)
            else:
                slots.setdefault(ball.last_slot or ball.rail.slot, []).append(ball.number)
        return Contents(
            slots={slot: tuple(balls) for slot, balls in slots.items()},
            zones={zone: tuple(balls) for zone, balls in self._in_zone.items() if balls},
            ramps={ramp: tuple(balls) for ramp, balls in ramps.items()},
        )

    def positions(self) -> tuple[tuple[int, float, float], ...]:
        """Return ``(ball, x_mm, y_mm)`` of every ball on the board."""
        return tuple((ball.number, ball.x_mm, ball.y_mm) for ball in self._balls.values())

    def facts(self) -> tuple[Fact, ...]:
        """Return what truly happened since the last call, in order of time."""
        return self._story.take_facts()

    def covers(self) -> tuple[Cover, ...]:
        """Return what sensors would have seen since the last call, in order of time."""
        return self._story.take_covers()

    def lay(self, slot: str, tile: TileShape, turns: int = 0) -> None:
        """Lay a tile of known channels, replacing what lay there; balls there come off first."""
        self.lift(slot)
        self._laid[slot] = (tile, turns)
        self._passed[slot] = 0
        cell = self._cells[slot]
        groups = tile.channels_at(turns) or ((1, 2, 3, 4, 5, 6),)
        rails = draw_rails(
            slot, (cell.x_mm, cell.y_mm), self.board.pitch_mm, groups, physics=self._physics, rng=self._rng
        )
        self._rails[slot] = list(rails)
        self._close_and_open(slot)

    def lift(self, slot: str) -> tuple[int, ...]:
        """Lift the tile out of a slot and return the balls that came off with it."""
        balls = self.contents.slots.get(slot, ())
        for ball in balls:
            self.take_ball(ball)
        self._laid.pop(slot, None)
        self._rails.pop(slot, None)
        self._close_and_open(slot)
        return balls

    def take_ball(self, ball: int) -> None:
        """Take a ball away by hand."""
        for zone, balls in self._in_zone.items():
            if ball in balls:
                balls.remove(ball)
                self._story.cover(self._now_us, f"rest.{zone}", active=False)
                return
        self._remove(self._balls[ball], self._now_us)

    def ramp_clear(self, ramp: str) -> bool:
        """Whether a ball can be released on a ramp: no other one stands at its gate."""
        place = self.board.ramp_by_name[ramp]
        x_mm, y_mm, *_way = self._stubs[place.slot, place.edge].place(_GATE_MM)
        return all(math.dist((ball.x_mm, ball.y_mm), (x_mm, y_mm)) > 9.5 for ball in self._balls.values())

    def another(self, seed: int) -> "RailWorld":
        """Return the same board and balls, printed and fitted as here, where chance will fall otherwise."""
        kept = [self.board, self.variant, self._cells, *(tile for tile, _turns in self._laid.values())]
        found = copy.deepcopy(self, {id(one): one for one in kept})
        found.reseed(seed)
        return found

    def reseed(self, seed: int) -> None:
        """Let chance fall from now on as it falls in a world of this seed."""
        self._rng = random.Random(f"rails {seed}")  # noqa: S311 - a game of marbles

    def release(self, ramp: str) -> int:
        """Release a ball on a ramp and return its number."""
        place = self.board.ramp_by_name[ramp]
        speed = max(60.0, self._rng.gauss(self.variant.release_mm_s, self.variant.release_spread_mm_s))
        self._many += 1
        ball = _Ball(self._many, self._stubs[place.slot, place.edge], _GATE_MM, -speed)
        ball.ramp = ramp
        self._balls[ball.number] = ball
        self._story.fact(self._now_us, BallReleased(at_us=self._now_us, ball=ball.number, ramp=ramp))
        return ball.number

    def advance(self, to_us: int) -> None:
        """Let time pass until ``to_us``."""
        while self._now_us + 1_000 <= to_us:
            if all(ball.asleep for ball in self._balls.values()):
                break
            self._now_us += 1_000
            self._step()
        self._now_us = max(self._now_us, to_us)
        self._story.tell(self._now_us)

    # --- One millisecond ---

    def _step(self) -> None:
        balls = list(self._balls.values())
        for ball in balls:
            if ball.asleep:
                if ball.leans and any(not o.asleep or o.number not in self._balls for o in ball.leans):
                    ball.asleep, ball.still_ms, ball.leans = False, 0, ()
                continue
            self._roll(ball)
        for number, ball in enumerate(balls):
            for other in balls[number + 1 :]:
                if not (ball.asleep and other.asleep):
                    self._bump(ball, other)
        for ball in balls:
            if not ball.asleep and ball.number in self._balls:
                self._notice(ball)

    def _roll(self, ball: _Ball) -> None:
        """Move a ball along its rail, and on to the next."""
        rail, physics = ball.rail, self._physics
        number = rail.index(ball.at_mm)
        speed = ball.speed + self._pull * rail.slopes[number] * _STEP_S
        loss = (self._drag + physics.turn_loss * speed * speed * rail.bends[number]) * _STEP_S
        speed = 0.0 if abs(speed) <= loss else speed - math.copysign(loss, speed)
        ball.speed = speed
        ball.at_mm += speed * _STEP_S
        if ball.at_mm < rail.least_mm:
            self._at_begin(ball, rail.least_mm - ball.at_mm)
        elif ball.at_mm > rail.most_mm:
            self._at_end(ball, ball.at_mm - rail.most_mm)

    def _at_begin(self, ball: _Ball, over_mm: float) -> None:
        rail = ball.rail
        if rail.least_mm > 0.0:
            self._bounce(ball, rail.least_mm)
        elif rail.group < 0:  # back from outside
            self._cross(ball, rail.slot, rail.edges[0], over_mm, inward=True)
        else:
            self._cross(ball, rail.slot, rail.edges[0], over_mm)

    def _at_end(self, ball: _Ball, over_mm: float) -> None:
        rail = ball.rail
        if rail.most_mm < rail.length_mm or rail.dead:
            self._bounce(ball, rail.most_mm)
        elif rail.group < 0:
            ball.at_mm = rail.most_mm  # its fate is noticed there
        elif rail.edges[1]:
            self._cross(ball, rail.slot, rail.edges[1], over_mm)
        else:
            self._through_knot(ball, over_mm)

    def _bounce(self, ball: _Ball, at_mm: float) -> None:
        ball.at_mm = at_mm
        ball.speed = -self._physics.wall_bounce * ball.speed if abs(ball.speed) > _STILL_MM_S else 0.0

    def _cross(self, ball: _Ball, slot: str, edge: int, over_mm: float, *, inward: bool = False) -> None:
        """Take a ball over an edge: into the next tile, onto what is outside, or back from a lip."""
        outside = self._stubs.get((slot, edge))
        over = slot if inward else (self.board.neighbour(slot, edge) or "")
        mouth = edge if inward else opposite(edge)
        rng, physics = self._rng, self._physics
        if inward or outside is None:
            speed = abs(ball.speed)
            if speed < physics.lip_mm_s * rng.random():
                ball.at_mm += math.copysign(over_mm, -ball.speed)
                ball.speed *= _BACK
                return
            ways = [rail for rail in self._rails.get(over, ()) if mouth in rail.edges]
            if not ways:  # the tile below a ramp was taken away
                self._remove(ball, self._now_us)
                self._story.note(ball.number, ball.last_slot, self._now_us, Happened.FELL, over)
                return
            speed *= 1 - min(0.9, physics.joint_loss * rng.uniform(0.3, 1.7))
            rail = rng.choice(ways)
            ahead = rail.edges[0] == mouth
            ball.rail, ball.tried = rail, False
            ball.at_mm = over_mm if ahead else rail.length_mm - over_mm
            ball.speed = speed if ahead else -speed
        else:
            ball.rail, ball.at_mm, ball.speed = outside, over_mm, abs(ball.speed)

    def _through_knot(self, ball: _Ball, over_mm: float) -> None:
        """Choose by chance the arm over which a ball leaves a knot, and take its loss for the turn."""
        came, physics = ball.rail, self._physics
        arms = [rail for rail in self._rails[came.slot] if rail.group == came.group]
        arms = [rail for rail in arms if self._open_exit(rail)] or [came]
        *_place, right, down = came.place(came.length_mm)
        tile = self._laid[came.slot][0]
        weights = []
        for arm in arms:
            *_place, inward_x, inward_y = arm.place(arm.length_mm)
            straight = -(right * inward_x + down * inward_y)
            keeps = 0.0 if tile.scatters else physics.keeps_line * min(1.0, abs(ball.speed) / 300.0)
            back = 2.0 if arm is came else 0.0
            weights.append(math.exp(keeps * straight - physics.falls * inward_y - back))
        arm = self._rng.choices(arms, weights)[0]
        *_place, inward_x, inward_y = arm.place(arm.length_mm)
        turn = math.acos(max(-1.0, min(1.0, -(right * inward_x + down * inward_y))))
        speed = abs(ball.speed) * max(0.1, 1 - physics.turn_loss * turn)
        ball.rail, ball.at_mm, ball.speed = arm, arm.length_mm - over_mm, -speed

    def _open_exit(self, rail: Rail) -> bool:
        """Whether a flip-flop lets balls out over this arm just now."""
        tile, turns = self._laid[rail.slot]
        exits = [turned(edge, turns) for edge in tile.alternates]
        return rail.edges[0] not in exits or exits[self._passed[rail.slot] % len(exits)] == rail.edges[0]

    def _bump(self, ball: _Ball, other: _Ball) -> None:
        """Let two balls that touch push each other, each along its own rail."""
        across, down = ball.x_mm - other.x_mm, ball.y_mm - other.y_mm
        square = across * across + down * down
        if square >= 4 * BALL_MM * BALL_MM or square == 0.0 or ball.pocketed or other.pocketed:
            return
        apart = math.sqrt(square)
        across, down = across / apart, down / apart
        one = across * ball.right + down * ball.down
        two = across * other.right + down * other.down
        closing = ball.speed * one - other.speed * two
        mass = one * one + two * two
        if closing >= 0 or mass < 0.05:
            return
        push = -(1 + self._physics.ball_bounce) * closing / mass
        ball.speed += push * one
        other.speed -= push * two
        overlap = 2 * BALL_MM - apart
        for moved, way in ((ball, one), (other, -two)):
            if moved.asleep and abs(moved.speed) > _STILL_MM_S:
                moved.asleep, moved.still_ms, moved.leans = False, 0, ()
            if moved.asleep:
                moved.speed = 0.0
            elif abs(way) > 0.2:
                back = min(0.5, overlap / 2) * math.copysign(1.0, way)
                moved.at_mm = min(max(moved.at_mm + back, moved.rail.least_mm), moved.rail.most_mm)

    # --- What is seen of it ---

    def _notice(self, ball: _Ball) -> None:
        """Report what a ball does now: where it is inside, what covers it, whether it is gone or still."""
        ball.x_mm, ball.y_mm, ball.right, ball.down = ball.rail.place(ball.at_mm)
        self._cover(ball)
        rail = ball.rail
        if rail.group < 0:
            self._outside(ball, rail)
        else:
            depths = [ball.at_mm if rail.edges[0] else math.inf]
            depths.append(rail.length_mm - ball.at_mm if rail.edges[1] else math.inf)
            if min(depths) >= _INSIDE_MM and ball.inside != rail.slot:
                self._leave(ball, rail.slot)
                self._story.fact(
                    self._now_us, BallEntered(at_us=self._now_us, ball=ball.number, slot=rail.slot)
                )
                ball.inside = ball.last_slot = rail.slot
                ball.ramp = None
            self._in_tile(ball, rail)
        if ball.number in self._balls:
            self._falls_asleep(ball)

    def _outside(self, ball: _Ball, rail: Rail) -> None:
        if ball.at_mm >= _INSIDE_MM:
            self._leave(ball, None, rail.edges[0])
        beyond = self.board.by_name[rail.slot].beyond(rail.edges[0])
        if beyond.ramp is not None:
            return
        if beyond.slot is not None and ball.at_mm >= _DROP_MM:
            self._remove(ball, self._now_us)
            self._story.note(ball.number, ball.last_slot, self._now_us, Happened.FELL, beyond.slot)
        elif beyond.slot is None and ball.at_mm >= _GONE_MM:
            self._remove(ball, self._now_us)
            if beyond.zone is not None:
                self._in_zone[beyond.zone].append(ball.number)
                self._story.note(ball.number, ball.last_slot, self._now_us, Happened.GONE, beyond.zone)
            else:
                lost = BallOffBoard(at_us=self._now_us, ball=ball.number, slot=ball.last_slot)
                self._story.fact(self._now_us, lost)

    def _leave(self, ball: _Ball, now_in: str | None, edge: int = 0) -> None:
        """Report that a ball is no longer in its slot, and turn a flip-flop over."""
        slot = ball.inside
        if slot is None:
            return
        self._story.fact(self._now_us, BallLeft(at_us=self._now_us, ball=ball.number, slot=slot))
        ball.inside = None
        if slot not in self._laid:
            return
        if now_in is not None:
            edge = next((e for e in range(1, 7) if self.board.neighbour(slot, e) == now_in), 0)
        tile, turns = self._laid[slot]
        if edge in {turned(exit_, turns) for exit_ in tile.alternates}:
            self._passed[slot] += 1

    def _in_tile(self, ball: _Ball, rail: Rail) -> None:
        """Let a ball drop through the tile's hole, or be caught by a pocket."""
        tile, turns = self._laid[rail.slot]
        cell = self._cells[rail.slot]
        holes = tile.holes_at(turns, self.board.pitch_mm) if tile.drops else ()
        dx, dy = ball.x_mm - cell.x_mm, ball.y_mm - cell.y_mm
        if any(math.hypot(dx - x, dy - y) < radius for x, y, radius in holes):
            self._remove(ball, self._now_us)
            self._story.note(ball.number, ball.last_slot, self._now_us, Happened.FELL, rail.slot)
            return
        if not tile.holds or ball.tried or not 0.35 < ball.at_mm / rail.length_mm < 0.65:
            return
        ball.tried = True
        caught = sum(other.pocketed and other.last_slot == rail.slot for other in self._balls.values())
        if caught < tile.holds and self._rng.random() < self._physics.pocket:
            side = 1 if caught % 2 else -1
            ball.pocketed = ball.asleep = True
            ball.speed = 0.0
            ball.x_mm += side * _POCKET_MM * ball.down
            ball.y_mm += _POCKET_MM * abs(ball.right)
            self._cover(ball)

    def _cover(self, ball: _Ball) -> None:
        """Report sensors that a ball begins or ceases to cover."""
        x_mm, y_mm = ball.x_mm, ball.y_mm
        now = {
            name
            for name, at_x, at_y, square in ball.rail.seen_by
            if (x_mm - at_x) * (x_mm - at_x) + (y_mm - at_y) * (y_mm - at_y) < square
        }
        if now != ball.seen:
            for name in sorted(ball.seen - now):
                self._story.cover(self._now_us, name, active=False)
            for name in sorted(now - ball.seen):
                self._story.cover(self._now_us, name, active=True)
            ball.seen = now

    def _falls_asleep(self, ball: _Ball) -> None:
        ball.still_ms = ball.still_ms + 1 if abs(ball.speed) < _STILL_MM_S else 0
        if ball.still_ms < _STILL_MS:
            return
        ball.asleep, ball.speed = True, 0.0
        near = [
            other
            for other in self._balls.values()
            if other is not ball and math.hypot(other.x_mm - ball.x_mm, other.y_mm - ball.y_mm) < _LEANS_MM
        ]
        ball.leans = tuple(other for other in near if other.asleep)
        if ball.ramp is not None and not ball.stuck:
            ball.stuck = True
            self._story.stuck(self._now_us, ball.number, ball.ramp)

    def _remove(self, ball: _Ball, at_us: int) -> None:
        for name in sorted(ball.seen):
            self._story.cover(at_us, name, active=False)
        self._balls.pop(ball.number, None)

    # --- What lies where ---

    def _draw_stubs(self) -> None:
        """Draw what leads outward over edges: a ramp, the way off the board, the drop into an open slot."""
        for slot in self.board.slots:
            for edge in range(1, 7):
                self._draw_stub(slot.name, edge)

    def _draw_stub(self, slot: str, edge: int) -> None:
        beyond, cell = self.board.by_name[slot].beyond(edge), self._cells[slot]
        self._stubs.pop((slot, edge), None)
        if beyond.slot is not None and beyond.slot in self._laid:
            return
        length_mm = _RAMP_MM if beyond.ramp else _DROP_MM + 0.5 if beyond.slot else _GONE_MM + 0.5
        line = stub(slot, (cell.x_mm, cell.y_mm), edge, pitch_mm=self.board.pitch_mm, length_mm=length_mm)
        if beyond.ramp:
            line.most_mm = length_mm - BALL_MM
            opens = any(edge in rail.edges for rail in self._rails.get(slot, ()))
            line.least_mm = 0.0 if opens or slot not in self._laid else BALL_MM
        line.seen_by = [_mounted(cell, edge)]
        self._stubs[slot, edge] = line

    def _close_and_open(self, slot: str) -> None:
        """Set where walls keep balls off, around a slot whose tile has changed."""
        for edge in range(1, 7):
            self._draw_stub(slot, edge)
            over = self.board.neighbour(slot, edge)
            if over is not None:
                self._draw_stub(over, opposite(edge))
        for name in {slot, *(self.board.neighbour(slot, edge) or slot for edge in range(1, 7))}:
            for rail in self._rails.get(name, ()):
                begins, ends = (self._closed(name, edge) for edge in rail.edges)
                rail.least_mm = BALL_MM if begins else 0.0
                rail.most_mm = rail.length_mm - (BALL_MM if ends else 0.0)
                cell = self._cells[name]
                rail.seen_by = [_mounted(cell, edge) for edge in rail.edges if edge]
                rail.seen_by.append((cell.ball_sensor, cell.hall_x_mm, cell.hall_y_mm, cell.hall_mm**2))
        for ball in self._balls.values():
            if ball.rail.group < 0 and ball.rail.edges[0]:
                ball.rail = self._stubs.get((ball.rail.slot, ball.rail.edges[0]), ball.rail)
            if ball.asleep and not ball.pocketed:
                ball.asleep, ball.still_ms = False, 0

    def _closed(self, slot: str, edge: int) -> bool:
        """Whether a wall of the next tile stands behind an edge."""
        over = self.board.neighbour(slot, edge) if edge else None
        if over is None or over not in self._laid:
            return False
        return not any(opposite(edge) in rail.edges for rail in self._rails.get(over, ()))


def _mounted(cell: Cell, edge: int) -> tuple[str, float, float, float]:
    """Return an edge sensor's name, its place, and the square of how far it sees."""
    x_mm, y_mm = cell.beam_place_mm(edge - 1)
    return cell.edge_sensors[edge - 1], x_mm, y_mm, cell.reach_mm[edge - 1] ** 2
