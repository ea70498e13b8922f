"""What a table decides before the first turn: house rules, decks and what lies on the board."""
