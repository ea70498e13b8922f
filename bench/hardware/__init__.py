"""The physics of the board, calculated: what ``docs/hardware-tests.md`` claims and the tests hold."""
