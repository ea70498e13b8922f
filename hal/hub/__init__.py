"""The host's side of the sensor hub: port, framing, frame bodies, and the session that fires its coils.

Rules of this room: whatever can be pure is pure (bytes in, bytes out, time as an argument); only ``port`` and
``backend`` touch a device. The protocol is described in ``docs/hub-protocol.md``.
"""
