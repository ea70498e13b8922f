"""Tracking: turns sensor edges into facts about balls.

Rules of this room: no clock, no chance, no files; it imports only the board's vocabulary. A fact is
provisional until the roll settles; balls are never invented and never lost, only doubted.
"""

from hextraction.controller.tracking.graph import Laid
from hextraction.controller.tracking.tracker import Settings, Tracker

__all__ = ["Laid", "Settings", "Tracker"]
