"""Rolls as pictures: the board, the balls' ways over it, and the sensors' timeline."""
