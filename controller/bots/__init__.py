"""Players that are programs. They see only what a person would see, and choose among the same options."""
