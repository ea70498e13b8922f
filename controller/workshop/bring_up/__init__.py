"""Bringing up a real board: doctor, check-board, calibrate, the drilling template, the hub, the hotspot."""
