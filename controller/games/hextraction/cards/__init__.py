"""The cards: tiles and what is printed on them, the files that they are written in, and the words for it."""
