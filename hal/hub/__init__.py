"""The sensor hub from the host's side: port, frames, words, and the conversation that fires its coils.

Rules of this room: what can be pure is pure (bytes in, bytes out, the time is given); only ``port`` and
``backend`` touch a device. The protocol is described in ``docs/hub-protocol.md``.
"""
