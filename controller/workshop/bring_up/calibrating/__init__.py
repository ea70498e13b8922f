"""Calibrating: what recorded rolls tell of sensors, and better values written into the wiring file."""
