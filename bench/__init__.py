"""Benchmarks: how fast and how right we are, beside peers in the same run. ``make bench``."""
