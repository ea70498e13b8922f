"""Opening all devices of a build, whatever backends its wiring names, and closing them, coils first."""
