"""Parts to print for a board, drawn by build123d from ``board/design.toml``.

* ``table`` knows which parts there are and how many a board wants: no drawing, no build123d.
* Every other module draws; it imports build123d, which only the extra ``parts`` installs. ``python -m
  hardware.printed`` says so where it is missing.
* x is to the right, y **uphill** (board profiles count downhill), z up from the underside of a tile's
  body. Parts of a slot or zone are drawn where they stand around the middle of their slot, cups around that
  of their edge.
* What is drawn here is judged by ``tests/hardware/test_printed.py`` from the files alone, with other tools.
"""
