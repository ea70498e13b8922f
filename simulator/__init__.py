"""The simulated board: steel balls on tilted tiles, and the sensors that see them.

Rules of this room:

1. Time is simulated: whole microseconds since the world was created. Nothing here uses real time.
2. The same seed and the same calls at the same simulated times give bit-identical balls, facts and edges,
   no matter in what steps time advances between them.
3. Only :mod:`hextraction.simulator.table` uses pymunk; only :mod:`hextraction.simulator.channels` and
   :mod:`hextraction.simulator.fittings` use shapely.
4. Sensors are geometry applied to the balls' positions, never collision shapes. Noise is added afterwards and
   is off by default.
5. The world knows what truly happened (:meth:`World.facts`); a controller sees it through sensors only.
   To the controller a :class:`SimulatedBoard` is one more backend of the ports in :mod:`hextraction.hal`.

Coordinates are in millimetres, x to the right and y downhill, as on the board; speeds in mm a second.
"""

from hextraction.simulator.backend import SimulatedBoard
from hextraction.simulator.contents import Contents
from hextraction.simulator.noise import Noise
from hextraction.simulator.recording import RecordedRoll, record
from hextraction.simulator.variant import VARIANTS, Variant
from hextraction.simulator.world import World

__all__ = ["VARIANTS", "Contents", "Noise", "RecordedRoll", "SimulatedBoard", "Variant", "World", "record"]
