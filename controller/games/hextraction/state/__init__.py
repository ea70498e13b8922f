"""What a game is at a moment: the state and its parts, what a ball has done, what people may say and be asked."""
