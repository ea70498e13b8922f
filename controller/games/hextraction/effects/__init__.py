"""What the effects on cards do, and in which order.

To import it is to learn all words of the vocabulary. What somebody needs who makes a word stands here too.
"""

from hextraction.controller.games.hextraction.cards.vocabulary import Deed, Effect, Limit, When
from hextraction.controller.games.hextraction.effects import (
    ball_deeds,
    destroy_deeds,
    hand_deeds,
    limits,
    moving_deeds,
    people_deeds,
    play_deeds,
    tile_deeds,
    turn_deeds,
)
from hextraction.controller.games.hextraction.effects.ball_deeds import kicked
from hextraction.controller.games.hextraction.lay.legal_slots import covered, usable_slots
from hextraction.controller.games.hextraction.state.deeds import Acting, Doing, OfEffect
from hextraction.controller.games.hextraction.state.fates import decree
from hextraction.controller.games.hextraction.state.move import Move
from hextraction.controller.games.hextraction.state.state import Laid, Waiting
from hextraction.controller.games.hextraction.turn.destroying import destroy
from hextraction.controller.games.hextraction.turn.seating import relocate
from hextraction.controller.games.hextraction.turn.turns import discard_copy, draw

_FILES = (
    ball_deeds, destroy_deeds, hand_deeds, limits, moving_deeds, people_deeds, play_deeds, tile_deeds,
    turn_deeds,
)  # fmt: skip
"""The files of the vocabulary, each of which enrols its words."""

__all__ = [
    "Acting", "Deed", "Doing", "Effect", "Laid", "Limit", "Move", "OfEffect", "Waiting", "When", "covered",
    "decree", "destroy", "discard_copy", "draw", "kicked", "relocate", "usable_slots",
]  # fmt: skip
