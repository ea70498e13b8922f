"""Evaluation: compares what a tracker reported with what happened, in comparable numbers.

Rules of this room: pure scoring. Facts come in, numbers go out; no tracker, no simulator, no clock, no files.
"""
