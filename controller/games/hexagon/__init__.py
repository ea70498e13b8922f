"""What games on a hexagon of 19 cells share: its cells, where it lies on a board, and pieces that hands move.

``cells`` is the hexagon itself, ``field`` its place on a board, ``pieces`` what a board that sees pieces says
against what was declared, ``events`` what happens there, ``sentences`` what scenarios say of it. None of it
knows a game.
"""
