"""What the effects on cards do, and in which order."""
