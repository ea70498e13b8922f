"""Evaluation: how far what a tracker said is from what happened, in numbers that can be compared.

Rules of this room: pure scoring. Facts come in, numbers go out; no tracker, no simulator, no clock, no files.
"""
