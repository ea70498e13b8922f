"""A turn: playing and seating a tile, what is destroyed and triggered, and whose turn comes next."""
