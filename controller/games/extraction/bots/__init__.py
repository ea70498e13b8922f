"""How bots of this game choose."""
