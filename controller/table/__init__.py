"""One table: who sits here, what they ask of it besides playing, and what is asked of the hardware.

Rules of this room: it holds the running game (``play``) and never looks into its rules; phones are one more
:class:`~hextraction.controller.table.audience.Audience`. No network.
"""
