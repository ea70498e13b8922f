"""Trials of the tracker: make, follow, judge and draw labelled rolls."""
