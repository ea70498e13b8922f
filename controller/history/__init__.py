"""What was played here: games told again, statistics of players and tiles, and the ladder.

Made from the journal when a game is over, in a thread beside the table or by `hextraction history`.
Only what everybody could see at the table goes in: no hand, no pool, no private view.
"""
