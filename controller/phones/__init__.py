"""Everything between the table and the browser: the gate, the broker, who may read what, and the link to it.

Rules of this room: nothing from the network is believed before it is checked (``admission``, ``inbox``),
nothing secret leaves on a public topic (``rights`` keeps the roles), and no phone can slow the game.
"""
