"""What happens in a turn: setting up, yields, building, trades and attacks; ``rules`` has it by event."""
