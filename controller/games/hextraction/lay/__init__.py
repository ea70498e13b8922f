"""Where a tile may lie, what may go to make room for it, and which ramps are open."""
