"""What the effects on cards do, and in which order; to import it is to learn all words of the vocabulary."""

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

__all__ = [
    "ball_deeds",
    "destroy_deeds",
    "hand_deeds",
    "limits",
    "moving_deeds",
    "people_deeds",
    "play_deeds",
    "tile_deeds",
    "turn_deeds",
]
