"""What a game is at a moment: its state, what balls have done, what people may say and be asked."""
