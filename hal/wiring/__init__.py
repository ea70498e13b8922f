"""Reads and checks the wiring file: which sensor, lamp and coil is on which pin. Opens nothing."""
