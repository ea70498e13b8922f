"""Command-line options of each command. The commands are not imported, so that ``--help`` is fast."""
