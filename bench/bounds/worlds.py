"""Many worlds in which the same is done: the same tiles and balls at rest, gates opened at the same times.

What differs from world to world is what nobody at the table can know: how fast a ball sets out and how far
beside the middle of its ramp, how exactly balls lie in their pockets; and, unless the physics are known to
the last figure, tilt, bounce and resistance, within the bounds between which the route tables average.
"""

import enum
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeVar
from unittest.mock import patch

import msgspec
from hextraction.board.facts import BallReleased
from hextraction.board.profile import Board
from hextraction.controller.games.hextraction.cards.tiles import Catalogue
from hextraction.controller.tracking import Laid
from hextraction.controller.workshop.trials.dataset import ROLLS_A_BOARD
from hextraction.controller.workshop.trials.rolls import LEAD_US, TrueRoll, rolls_on, world_in
from hextraction.simulator import World
from hextraction.simulator.physics import Physics
from hextraction.simulator.rail_world import RailWorld
from hextraction.simulator.story import Cover
from hextraction.simulator.transits import SPREAD
from hextraction.simulator.variant import FIRST_JUDGE, VARIANTS, Variant, variant_named

from bench.bounds.watch import LOOK_US, Watch

__all__ = ["Manner", "Setup", "play", "setups", "some_world", "worlds"]

_FRAME_US: Final = 20_000
_LIMIT_US: Final = 20_000_000
_TAIL_US: Final = 500_000
_TRIED: Final = 5
_RELEASE_MM_S: Final = (240.0, 320.0)
_RELEASE_SPREAD_MM_S: Final = 40.0
_JUDGES: Final = 20

W = TypeVar("W", bound=World | RailWorld)


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What everybody at the table knows of a roll: tiles, slots with balls at rest, and the gates opened.

    ``resting`` has a slot once for each ball; ``releases`` pairs microseconds after the first with a ramp.
    ``variant`` is the physics in which it is done.
    """

    number: int
    tiles: Mapping[str, Laid]
    resting: tuple[str, ...]
    releases: tuple[tuple[int, str], ...]
    variant: str = "standard"


class Manner(enum.Enum):
    """Of which worlds somebody knows that the board is one."""

    KNOWN = "known"
    """The simulator's own, to the last figure."""
    UNSURE = "unsure"
    """Tilt, bounce, resistance and releases are anywhere within bounds."""
    FOREIGN = "foreign"
    """The variants *rough* and *lively*: all worlds are wrong."""
    DRAWN = "drawn"
    """One that judges the tracker, to the last figure; but not how tiles are printed and sensors placed."""
    RAILS = "rails"
    """The same in the second physics."""
    ITSELF = "rails itself"
    """In the second physics the very board: how balls set out and which way they take is left to chance."""

    @property
    def judges(self) -> bool:
        """Whether its worlds are those that judge the tracker."""
        return self in {Manner.DRAWN, Manner.RAILS, Manner.ITSELF}

    def variant(self, setup: int) -> str:
        """Return the physics of the setup of a number: each that judges in turn, else the standard one."""
        kind = self.value.partition(" ")[0]
        return f"{kind}-{FIRST_JUDGE + 1 + setup % _JUDGES}" if self.judges else "standard"


def setups(
    board: Board, catalogue: Catalogue, manner: Manner, *, seed: int, balls: int, numbers: Iterable[int]
) -> Iterator[Setup]:
    """Yield setups as they come in play, each on a board of its own, after none to seven rolls on it.

    In worlds that judge it is the first roll: there nobody can put a ball where one lay.
    """
    for number in numbers:
        variant = manner.variant(number)
        rolls = 1 if manner.judges else 1 + number % ROLLS_A_BOARD
        *_earlier, roll = rolls_on(
            board, catalogue, seed=f"bound {seed} {balls} {number}", balls=balls, rolls=rolls, variant=variant
        )
        gates = [fact for fact in roll.facts if isinstance(fact, BallReleased)]
        setup = Setup(
            number=number,
            tiles=roll.tiles,
            resting=tuple(sorted(roll.balls.values())),
            releases=tuple((fact.at_us - gates[0].at_us, fact.ramp) for fact in gates),
            variant=variant,
        )
        yield _settled(board, setup)


def worlds(
    board: Board, setup: Setup, numbers: Iterable[int], manner: Manner, *, further: bool
) -> list[TrueRoll]:
    """Return what happened in worlds of some numbers, but for those where balls do not lie as they should.

    ``further``: the sensors of :mod:`.watch` are there too.
    """
    made = _many(board, setup, numbers, manner)
    found = (play(world, setup, Watch(board) if further else None) for world in made)
    return [roll for roll in found if roll is not None]


def _many(board: Board, setup: Setup, numbers: Iterable[int], manner: Manner) -> Iterator[World | RailWorld]:
    """Yield worlds of some numbers, laid out for a setup."""
    first = 1 + setup.number * 1_000_003
    if manner is Manner.ITSELF:
        itself = _laid_out(RailWorld(board, variant_named(setup.variant), seed=first), setup)
        yield from (itself.another(first + number) for number in numbers)
    else:
        empty = (some_world(board, first + number, manner, setup.variant) for number in numbers)
        yield from (_laid_out(world, setup) for world in empty)


def some_world(board: Board, seed: int, manner: Manner, variant: str = "standard") -> World | RailWorld:
    """Return an empty world of a manner."""
    if manner is Manner.KNOWN or manner.judges:
        return world_in(variant, board, seed=seed)
    if manner is Manner.FOREIGN:
        return World(board, seed=seed, variant="rough" if seed % 2 else "lively")
    rng = random.Random(f"some world {seed}")
    name = f"world {seed}"
    unsure = Variant(
        name=name,
        physics=Physics(
            wall_restitution=rng.uniform(*SPREAD.wall_restitution), resistance=rng.uniform(*SPREAD.resistance)
        ),
        release_mm_s=rng.uniform(*_RELEASE_MM_S),
        release_spread_mm_s=_RELEASE_SPREAD_MM_S,
    )
    with patch.dict(VARIANTS, {name: unsure}):
        return World(board, seed=seed, tilt_deg=rng.uniform(*SPREAD.tilt_deg), variant=name)


def play(world: World | RailWorld, setup: Setup, watch: Watch | None = None) -> TrueRoll | None:
    """Return a world's roll; None if its balls lie otherwise, or a gate stays blocked."""
    if _lying(world) != setup.resting:
        return None
    began_us = world.now_us
    resting = {ball: slot for slot, some in world.contents.slots.items() for ball in some}
    world.facts()
    # What is on when the roll begins went on some time before it.
    covers = [cover._replace(at_us=began_us - _TAIL_US // 2) for cover in _look(world, watch)]
    for after_us, ramp in setup.releases:
        covers += _advance(world, max(world.now_us, began_us + LEAD_US + after_us), watch)
        while not world.ramp_clear(ramp) and world.moving:
            covers += _advance(world, world.now_us + _FRAME_US, watch)
        if not world.ramp_clear(ramp):
            return None
        world.release(ramp)
    while world.moving and world.now_us < began_us + _LIMIT_US:
        covers += _advance(world, world.now_us + _FRAME_US, watch)
    covers += _advance(world, world.now_us + _TAIL_US, watch)
    covers += world.covers()
    return TrueRoll(
        from_us=began_us,
        until_us=world.now_us,
        facts=tuple(msgspec.structs.replace(fact, at_us=fact.at_us - began_us) for fact in world.facts()),
        covers=tuple(sorted(covers, key=lambda cover: cover.at_us)),
        tiles=setup.tiles,
        balls=resting,
    )


def _advance(world: World | RailWorld, to_us: int, watch: Watch | None) -> list[Cover]:
    """Let time pass, and look at the balls on the way while any moves."""
    found: list[Cover] = []
    while watch is not None and world.now_us < to_us and world.moving:
        world.advance(min(to_us, world.now_us + LOOK_US))
        found += watch.look(world)
    world.advance(to_us)
    return found + _look(world, watch)


def _look(world: World | RailWorld, watch: Watch | None) -> list[Cover]:
    return [] if watch is None else list(watch.look(world))


def _laid_out(world: W, setup: Setup) -> W:
    """Put the setup's tiles and balls into a world and let them come to rest; on rails there are none."""
    for slot, laid in sorted(setup.tiles.items()):
        world.lay(slot, *laid)
    if isinstance(world, World):
        for slot in setup.resting:
            world.put_ball(slot)
    while world.moving and world.now_us < _LIMIT_US:
        world.advance(world.now_us + _FRAME_US)
    world.advance(world.now_us + _TAIL_US)
    return world


def _settled(board: Board, setup: Setup) -> Setup:
    """Leave out balls that roll away again if they are put down; if all is unsteady, all of them."""
    for _try in range(_TRIED if setup.resting else 0):
        lying = _usually_lying(board, setup)
        if lying == setup.resting:
            return setup
        setup = replace(setup, resting=lying)
    return replace(setup, resting=())


def _usually_lying(board: Board, setup: Setup) -> tuple[str, ...]:
    """Return where balls lie in most worlds."""
    tried = [some_world(board, -1 - number, Manner.UNSURE) for number in range(_TRIED)]
    return Counter(_lying(_laid_out(world, setup)) for world in tried).most_common(1)[0][0]


def _lying(world: World | RailWorld) -> tuple[str, ...]:
    return tuple(sorted(Counter({slot: len(some) for slot, some in world.contents.slots.items()}).elements()))
