"""What each command can be told. No imports of the commands themselves, so that ``--help`` is quick."""
