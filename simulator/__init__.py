"""The simulated board: steel balls on tilted tiles, and the sensors that see them.

Rules of this room:

1. Time is simulated: whole microseconds since the world was made. Nothing here knows the time of day.
2. The same seed and the same calls at the same simulated times give the same balls, facts and edges to the
   last bit, however the time between them is cut up.
3. pymunk is named in :mod:`hextraction.simulator.table` only, shapely in
   :mod:`hextraction.simulator.channels` and :mod:`hextraction.simulator.fittings` only.
4. Sensors are geometry applied to where the balls are, never collision shapes. Noise comes after them and is
   off unless asked for.
5. The world knows what truly happened (:meth:`World.facts`); a controller may see it through sensors alone.
   To the controller a :class:`SimulatedBoard` is one more backend of the ports in :mod:`hextraction.hal`.

Millimetres have x to the right and y downhill, as on the board; speeds are millimetres a second.
"""

from hextraction.simulator.backend import SimulatedBoard
from hextraction.simulator.noise import Noise
from hextraction.simulator.recording import RecordedRoll, record
from hextraction.simulator.variant import VARIANTS, Variant
from hextraction.simulator.world import Contents, World

__all__ = ["VARIANTS", "Contents", "Noise", "RecordedRoll", "SimulatedBoard", "Variant", "World", "record"]
