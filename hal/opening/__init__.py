"""Opens all devices of a build, whatever backends its wiring names, and closes them, coils first."""
