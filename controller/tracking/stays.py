"""A ball's stay on one tile: how likely it leaves over each edge or rests, and the ball Hall sees it, 0..1.

Two sources are mixed. The channels apply to any tile: a ball follows them, downhill rather than up. The route
tables (``board.routes``) say what balls did on exactly this geometry in simulated physics; real balls differ,
so the channels count as a number of additional balls. Nobody measures exactly how a board is tilted, and how
much its plastic brakes: the tables of all tilts are mixed.
"""

from collections.abc import Iterable
from functools import lru_cache
from math import exp
from typing import Final, NamedTuple

from hextraction.board.grid import EDGES
from hextraction.board.routes import TILTS_DEG, Ending, RouteRow, RouteTable, Start, load_routes, nearest_tilt
from hextraction.board.tiles import TileShape

__all__ = ["Channels", "Stay", "make_stay", "stay_on"]

_DOWNHILL: Final = (1.0, 0.16, 0.45, 2.3, 6.3, 2.3, 0.45)
_BACK: Final = 0.37
_LEAST: Final = 0.097
"""Balls rock: any joined edge is taken now and then, even uphill."""
_LEAK: Final = 0.035
_NEAR: Final = 0.68
"""A ball Hall in the middle sees three visits in four: curved channels pass it at a distance."""
_CHANNELS_WEIGH: Final = 20.0
"""How many balls the channels count for, next to those of a table (100 for each way in). In worlds drawn
for tuning six to twelve tell as well where balls go, and with twelve the tracker is as right."""
_OTHER_TILT: Final = 0.5
"""How much the tables of another tilt than the board's count."""
_DISH_RESTS: Final = 0.04
"""On a dish, where hardly a wall leads balls, at least this share rests: how flat, the print decides."""
_DISH_MOUTHS: Final = 5
_RESTS_TOO: Final = 0.006
_ROLLS_ON: Final = 0.28
"""In other physics than that of the tables one ball in a hundred rests where hardly any should, and a quarter
of those that should rest does not."""
_CHANNELS_WEIGH_CROWDED: Final = 59.0
"""The same where balls lie in the way, which no table covers."""
_NEAR_WEIGHS: Final = 13.0
_ANYWHERE: Final = (0.65, 0.017, 0.018, 0.062, 0.087, 0.062, 0.018, 0.086)
_LIES_WEIGH: Final = 3.1
"""Where balls rest on tiles about which no more is known: over the Hall, before beams, in the dark."""
_RESTS_ON: Final = 0.91
_RESTS_DOWNHILL: Final = 3.5
_RESTS_AT_END: Final = 0.44
"""How unlikely it is, in nats, that a ball stays: in a pocket; on the way down; at the end of a channel."""

Channels = tuple[tuple[int, ...], ...]


class Stay(NamedTuple):
    """Shares of balls. ``outs`` and ``near`` are indexed by edge 1..6; ``near[0]`` is for balls that rest.

    ``near`` is the share of the balls with that ending that come over the middle. ``lies`` says where resting
    balls lie, as in :class:`.Passage`: over the Hall, before the beam of an edge, in the dark.
    """

    outs: tuple[float, ...]
    rests: float
    near: tuple[float, ...]
    lies: tuple[float, ...]
    seen: float


def make_stay(
    outs: tuple[float, ...], rests: float, near: tuple[float, ...], lies: tuple[float, ...]
) -> Stay:
    """Return a stay; ``seen`` is the share of all balls that comes over the middle."""
    seen = rests * near[0] + sum([outs[edge] * near[edge] for edge in EDGES])
    return Stay(outs, rests, near, lies, seen)


@lru_cache(maxsize=8192)
def stay_on(
    tile: TileShape, turns: int, edge: int, turned: int, lying: int = 0, *, tilt_deg: float = 15.0
) -> Stay:
    """Return what a ball that came over ``edge`` (0: it lay there) does on a tile.

    ``turned``: it did not get out over that edge, and starts again from there, slowly. ``lying`` is how many
    balls lie there; they fill pockets, or are in the way, so that tables made without them count for less.
    The tables are those for the tilt nearest to ``tilt_deg``, and with less weight those for the others.
    """
    channels = None if tile.scatters else tile.channels_at(turns)
    rolls_on = not (turned or tile.holds) and (channels is None or _leads_on(channels, edge))
    plain = _by_channels(channels, edge, holds=bool(tile.holds), turned=turned)
    tables = [] if tile.channels is None else _tables(tile, tilt_deg)
    if not tables:
        return _less_certain(plain) if rolls_on else plain
    rows = []
    for share, table in tables:
        if edge == 0:  # one of those that lie there itself
            start, states = Start.KNOCKED, range(table.states)
        else:
            start, states = Start.TURNED if turned else Start.ROLLED_IN, _states(tile, table, lying)
        rows += [(share / len(states), table.laid(turns, edge, start, state)) for state in states]
    stay = _mixed(plain, rows, crowded=bool(edge) and lying > tile.holds)
    if rolls_on:
        stay = _less_certain(stay)
    dish = tile.scatters or any(len(channel) >= _DISH_MOUTHS for channel in channels or ())
    return _resting(stay, max(stay.rests, _DISH_RESTS)) if dish else stay


def _tables(tile: TileShape, tilt_deg: float) -> list[tuple[float, RouteTable]]:
    """Return the tables of a tile, and how much each counts; together 1."""
    near = nearest_tilt(tilt_deg)
    known = [(1.0 if at == near else _OTHER_TILT, load_routes(at).of(tile)) for at in TILTS_DEG]
    found = [(weight, table) for weight, table in known if table is not None]
    return [(weight / sum(weight for weight, _table in found), table) for weight, table in found]


def _states(tile: TileShape, table: RouteTable, lying: int) -> range:
    """Return the inner states that a tile may be in; which way a flip-flop leans is unknown."""
    if not tile.holds or tile.alternates or 0 < lying < tile.holds:
        return range(table.states)
    return range(1, 2) if lying else range(1)


def _by_channels(channels: Channels | None, edge: int, *, holds: bool, turned: int) -> Stay:
    weights = [_weight(channels, edge, out) for out in EDGES]
    whole = sum(weights)
    rests = exp(-_rest_cost(channels, edge, holds=holds, turned=turned)) if whole else 1.0
    left = (1.0 - rests) / (whole or 1.0)
    return make_stay((0.0, *(weight * left for weight in weights)), rests, (_NEAR,) * 7, _ANYWHERE)


def _rest_cost(channels: Channels | None, edge: int, *, holds: bool, turned: int) -> float:
    if channels is None or holds:
        return _RESTS_ON
    downhill = any(edge in channel and {3, 4, 5} & set(channel) - {edge} for channel in channels)
    if downhill and not (turned and edge in {3, 4, 5}):
        return _RESTS_DOWNHILL
    return _RESTS_AT_END


def _weight(channels: Channels | None, edge: int, out: int) -> float:
    weight = max(_DOWNHILL[out] * (_BACK if out == edge else 1.0), _LEAST)
    if channels is None:
        return weight
    if not any(out in channel for channel in channels):
        return 0.0  # a wall
    joined = any(out in channel and (edge in channel or edge == 0) for channel in channels)
    return weight if joined else weight * _LEAK


def _mixed(plain: Stay, rows: Iterable[tuple[float, RouteRow]], *, crowded: bool) -> Stay:
    """Combine channels and tables; balls that never got inside are ignored."""
    outs, near, lies = [0.0] * 7, [0.0] * 7, [_LIES_WEIGH * share for share in _ANYWHERE]
    for weight, row in rows:
        for passage in row.passages:
            if passage.ending is Ending.OUT or passage.ending is Ending.RESTS:
                outs[passage.edge] += weight * passage.balls
                near[passage.edge] += weight * passage.near
                for at, balls in passage.lies:
                    lies[at] += weight * balls
    own = _CHANNELS_WEIGH_CROWDED if crowded else _CHANNELS_WEIGH
    weight = own / (sum(outs) + own)
    many = sum(outs) or 1.0
    shares = [weight * share + (1 - weight) * out / many for share, out in zip(plain.outs, outs, strict=True)]
    rests = weight * plain.rests + (1 - weight) * outs[0] / many
    seen = [(n + _NEAR * _NEAR_WEIGHS) / (out + _NEAR_WEIGHS) for n, out in zip(near, outs, strict=True)]
    return make_stay((0.0, *shares[1:]), rests, tuple(seen), tuple([part / sum(lies) for part in lies]))


def _leads_on(channels: Channels, edge: int) -> bool:
    """Whether a channel leads from an edge to another one: it is neither a pocket nor a dead end."""
    return any(edge in channel and len(channel) > 1 for channel in channels)


def _less_certain(stay: Stay) -> Stay:
    """Return a stay in which balls rest a little more where few do, and less where many do."""
    return _resting(stay, _RESTS_TOO + (1.0 - _ROLLS_ON) * stay.rests) if any(stay.outs) else stay


def _resting(stay: Stay, share: float) -> Stay:
    """Return a stay in which this share of the balls rests, and the others leave as before."""
    left = (1.0 - share) / (1.0 - stay.rests)
    return make_stay(tuple([out * left for out in stay.outs]), share, stay.near, stay.lies)
