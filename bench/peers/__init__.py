"""Other trackers, for comparison only."""
