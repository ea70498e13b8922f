"""Trials of the tracker: make, follow, judge and draw labelled rolls."""

from typing import Final

__all__ = ["ROLL_FILES"]

ROLL_FILES: Final = ("*.jsonl", "*.jsonl.xz")
"""What files of labelled rolls are called; ``.xz`` is packed."""
