"""The composition root and the command line: the only room that imports the simulator or picks a backend."""

from hextraction.controller.app.command_line import main

__all__ = ["main"]
