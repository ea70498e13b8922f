"""Devices: sensors, lamps, coils, the power switch and the clock. No game words.

Rules of this room:

1. A sensor's or coil's name is an opaque string from the wiring file; only the controller knows its meaning.
2. Polarity, pull-ups and bounce are dealt with here: above this room there are only clean, timestamped edges.
3. Each vendor library is used in exactly one module and imported when that backend is opened, never before.
4. A callback stamps, posts and returns; it never works, waits or raises.
5. Coil limits live in the lowest layer (:mod:`hextraction.hal.guard`); no configuration can lift them.
"""
