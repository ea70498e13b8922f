"""Bringing a real board up: doctor, check-board, calibrate, the drilling template, the hub, the hotspot."""
