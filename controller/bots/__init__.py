"""Players that are programs. They see what a person would be shown, and choose among the same options."""
