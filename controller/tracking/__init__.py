"""Tracking: turns sensor edges into facts about balls.

Rules of this room: no clock, no chance, no files but the route tables; it imports only the board's
vocabulary. A fact is provisional until the roll settles; balls are never invented and never lost, only
doubted.

In the terms of the field this is multiple-hypothesis tracking: a *story* is a hypothesis about all balls at
once, its *cost* the negative logarithm of its likelihood, a *ghost* a false alarm (clutter), a *miss* a
missed detection. Pulses are the measurements, the 24 cheapest stories are kept, and *verdicts* sum the
stories that the rules cannot tell apart.
"""

from hextraction.controller.tracking.beams_alone import BeamsAlone, only_ends
from hextraction.controller.tracking.graph import Laid
from hextraction.controller.tracking.tracker import Settings, Tracker

__all__ = ["BeamsAlone", "Laid", "Settings", "Tracker", "only_ends"]
