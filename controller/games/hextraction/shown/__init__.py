"""What everybody and what each player is shown, on phones and lamps, and how bots see it."""
