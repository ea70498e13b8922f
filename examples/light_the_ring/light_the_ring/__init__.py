"""Light the ring: a tiny game, and the example of how to write one (README.md).

``rules`` is the game itself: states, and what each event makes of them. ``game`` is what a table asks of it.
"""

from light_the_ring.game import LightTheRing

__all__ = ["LightTheRing"]
