"""Installs the board as a service: ``python3 -m systemd.install``, or ``make install``."""
