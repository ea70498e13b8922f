"""One table: who sits here, what they request besides playing, and whether the hardware may move.

Rules of this room: it holds the running game (``play``) but knows none of its rules; phones are just another
:class:`~hextraction.controller.table.audience.Audience`. No network.
"""
