"""Rolls on a simulated board as in real play, with what really happened.

Between two rolls the board is tidied as rules and players would: tiles that were touched three times, lost a
ball or carry three balls are destroyed and replaced, balls in end zones and on ramps are taken away. Other
balls stay where they rest, up to the number that a table has.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec
from hextraction.board.facts import BallStuckOnRamp, Fact
from hextraction.board.grid import EDGES, opposite
from hextraction.board.profile import Board
from hextraction.board.tiles import TileShape
from hextraction.controller.evaluation.verdict import Ground, verdict_of
from hextraction.controller.games.hextraction.cards.tiles import Catalogue, Tile
from hextraction.controller.tracking import Laid
from hextraction.controller.workshop.trials.making.three_halls import LOOK_US, Watching
from hextraction.simulator import World
from hextraction.simulator.rail_world import RailWorld
from hextraction.simulator.story import Cover
from hextraction.simulator.variant import variant_named

__all__ = ["LEAD_US", "TrueRoll", "rolls_on", "world_in"]

LEAD_US: Final = 3_000_000
"""How long after its trace a roll begins, so that sensors on at the start count as old."""
_LIMIT_US: Final = 20_000_000
_FRAME_US: Final = 10_000
_TAIL_US: Final = 500_000
_GAP_US: Final = 400_000
_BALLS: Final = 12
_FEWEST_TILES: Final = 17
_RINGING: Final = 0.15
_SENSIBLE: Final = 0.9
_DRAWN: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class TrueRoll:
    """One roll without sensors. Times are those of the simulated world; the trace begins at ``from_us``."""

    from_us: int
    until_us: int
    facts: tuple[Fact, ...]
    covers: tuple[Cover, ...]
    tiles: Mapping[str, Laid]
    balls: Mapping[int, str]


def world_in(variant: str, board: Board, *, seed: int, tilt_deg: float | None = None) -> World | RailWorld:
    """Return an empty world of a variant, in whichever physics that has."""
    named = variant_named(variant)
    if named.rails is not None:
        return RailWorld(board, named, seed=seed, tilt_deg=tilt_deg)
    return World(board, seed=seed, tilt_deg=tilt_deg, variant=variant)


class _Table:
    """A board in play, from a seed."""

    def __init__(
        self,
        board: Board,
        catalogue: Catalogue,
        seed: str,
        *,
        tilt_deg: float | None,
        variant: str,
        halls: Watching | None,
    ) -> None:
        self._rng = random.Random(seed)  # noqa: S311 - seeded on purpose
        self.world = world_in(variant, board, seed=self._rng.getrandbits(32), tilt_deg=tilt_deg)
        self._board = board
        self._halls = halls
        self._hall_covers: list[Cover] = []
        self._plain, self._ringing = _kinds(catalogue)
        # There is always a tile below a ramp: an open slot there would swallow every ball at once.
        fed = {ramp.slot for ramp in board.ramps}
        others = [slot for slot in board.slot_names if slot not in fed]
        many = self._rng.randint(min(_FEWEST_TILES, len(others)), len(others)) - len(fed)
        for slot in (*sorted(fed), *self._rng.sample(others, max(0, many))):
            self._lay(slot)

    def roll(self, balls: int) -> TrueRoll:
        """Release some balls in quick succession, and wait until all lie still."""
        world, began_us = self.world, self.world.now_us
        laid = {slot: Laid(*found) for slot, found in world.tiles.items()}
        resting = {ball: slot for slot, some in world.contents.slots.items() for ball in some}
        world.facts()
        before = world.covers()
        self._advance(began_us + LEAD_US)
        for _ball in range(balls):
            self._release()
            self._advance(world.now_us + self._rng.randint(0, _GAP_US))
        self._settle(began_us + LEAD_US + _LIMIT_US)
        self._advance(world.now_us + _TAIL_US)
        return TrueRoll(
            from_us=began_us,
            until_us=world.now_us,
            facts=tuple(_moved(fact, -began_us) for fact in world.facts()),
            covers=self._heard((*before, *world.covers())),
            tiles=laid,
            balls=resting,
        )

    def tidy(self, done: TrueRoll) -> bool:
        """Apply the rules after a roll; return whether the board came to rest."""
        world = self.world
        for slot in sorted(self._doomed(done)):
            world.lift(slot)
            self._lay(slot)
        contents = world.contents
        away = [ball for some in (*contents.zones.values(), *contents.ramps.values()) for ball in some]
        resting = [ball for some in contents.slots.values() for ball in some]
        for ball in away + self._rng.sample(resting, max(0, len(resting) - _BALLS)):
            world.take_ball(ball)
        self._settle(world.now_us + _LIMIT_US)
        return not world.moving

    def _doomed(self, done: TrueRoll) -> set[str]:
        ground = Ground(tiled=frozenset(done.tiles), triggers=frozenset(), balls=done.balls)
        verdict = verdict_of(done.facts, ground)
        doomed = set(verdict.loops) | set(verdict.lost) | {slot for slot, many in verdict.balls if many >= 3}
        ramps = [fact.ramp for fact in done.facts if isinstance(fact, BallStuckOnRamp)]
        doomed |= {self._board.ramp_by_name[ramp].slot for ramp in ramps}
        return doomed & set(done.tiles)

    def _settle(self, limit_us: int) -> None:
        world = self.world
        while world.moving and world.now_us < limit_us:
            self._advance(world.now_us + _FRAME_US)

    def _advance(self, to_us: int) -> None:
        """Let time pass; with three Halls per slot, watch the balls meanwhile."""
        while self._halls is not None and self.world.now_us < to_us and self.world.moving:
            self.world.advance(min(to_us, self.world.now_us + LOOK_US))
            self._hall_covers += self._halls.look(self.world)
        self.world.advance(to_us)

    def _heard(self, covers: tuple[Cover, ...]) -> tuple[Cover, ...]:
        """Replace the edges of one Hall in the middle by those of three Halls."""
        if self._halls is None:
            return covers
        found, self._hall_covers = self._hall_covers, []
        others = [cover for cover in covers if not cover.sensor.startswith("ball.")]
        return tuple(sorted([*others, *found], key=lambda cover: cover.at_us))

    def _release(self) -> None:
        clear = [ramp for ramp in self._board.ramps if self.world.ramp_clear(ramp.name)]
        tiles = self.world.tiles
        inviting = [ramp for ramp in clear if _opens(*tiles[ramp.slot], ramp.edge)]
        if clear:
            self.world.release(self._rng.choice(inviting or clear).name)

    def _lay(self, slot: str) -> None:
        """Lay the best of three drawn tiles: the one with the most mouths that meet another tile's mouth."""
        drawn = [self._draw(slot) for _draw in range(_DRAWN)]
        self.world.lay(slot, *max(drawn, key=lambda laid: self._meets(slot, *laid)))

    def _draw(self, slot: str) -> Laid:
        """Draw a tile and turn it as a player would, so that a ball can come through from above."""
        fed = [ramp.edge for ramp in self._board.ramps_to(slot)]
        while True:
            tile = self._rng.choice(self._ringing if self._rng.random() < _RINGING else self._plain)
            turns = self._rng.choice(tile.turns)
            sensible = _leads_down(tile, turns) or self._rng.random() >= _SENSIBLE
            if sensible and (not fed or any(_opens(tile, turns, edge) for edge in fed)):
                return Laid(tile, turns)

    def _meets(self, slot: str, tile: TileShape, turns: int) -> int:
        tiles, mouths = self.world.tiles, [edge for edge in EDGES if _opens(tile, turns, edge)]
        beyond = [(edge, self._board.neighbour(slot, edge) or "") for edge in mouths]
        return sum(_opens(*tiles[other], opposite(edge)) for edge, other in beyond if other in tiles)


def rolls_on(
    board: Board,
    catalogue: Catalogue,
    *,
    seed: str,
    balls: int,
    rolls: int,
    tilt_deg: float | None = None,
    variant: str = "standard",
    halls: Watching | None = None,
) -> Iterator[TrueRoll]:
    """Play ``rolls`` rolls of ``balls`` balls on one board, from a seed; fewer if it never comes to rest.

    ``halls`` watch instead of the single Hall in each slot; ``variant`` names different physics.
    """
    table = _Table(board, catalogue, seed, tilt_deg=tilt_deg, variant=variant, halls=halls)
    for _roll in range(rolls):
        done = table.roll(balls)
        yield done
        if not table.tidy(done):
            return


_NO_MODEL: Final = frozenset({"secret-trigger"})
"""Known only by the outline of a laser-cut tile: how deep its dead ends are would be our guess."""


def _kinds(catalogue: Catalogue) -> tuple[Sequence[Tile], Sequence[Tile]]:
    """Return the one-slot kinds with known channels: those without a trigger, and those with one."""
    known = sorted(
        (tile for tile in catalogue.values() if tile.channels and not tile.covers and not tile.parts),
        key=lambda tile: tile.name,
    )
    known = [tile for tile in known if tile.name not in _NO_MODEL]
    plain = [tile for tile in known if not tile.sets_off and tile.creator]
    return plain, [tile for tile in known if tile.sets_off]


def _opens(tile: TileShape, turns: int, edge: int) -> bool:
    return any(edge in channel for channel in tile.channels_at(turns) or ())


def _leads_down(tile: TileShape, turns: int) -> bool:
    return any(
        {1, 2, 6} & set(channel) and {3, 4, 5} & set(channel) for channel in tile.channels_at(turns) or ()
    )


def _moved(fact: Fact, by_us: int) -> Fact:
    return msgspec.structs.replace(fact, at_us=fact.at_us + by_us)
