"""To write a word for tile files: an effect of your own, in a package of your own.

A package names its word by an entry point of the group ``hextraction.effects``: the word as tile files spell
it, and the object, a :class:`Deed` or an :class:`Acting`, that is the word. ``examples/swap_neighbours`` is a
whole one, and docs/effects.md says what a word can say about itself.
"""

from hextraction.controller.games.hextraction.effects import (
    Acting,
    Deed,
    Doing,
    Effect,
    Laid,
    Limit,
    Move,
    OfEffect,
    Waiting,
    When,
    covered,
    decree,
    destroy,
    discard_copy,
    draw,
    kicked,
    relocate,
    usable_slots,
)

__all__ = [
    "Acting",
    "Deed",
    "Doing",
    "Effect",
    "Laid",
    "Limit",
    "Move",
    "OfEffect",
    "Waiting",
    "When",
    "covered",
    "decree",
    "destroy",
    "discard_copy",
    "draw",
    "kicked",
    "relocate",
    "usable_slots",
]
