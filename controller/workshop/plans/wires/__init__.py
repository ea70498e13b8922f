"""The wires of a build: its cables, every package with its pins, and the drawing of both."""
