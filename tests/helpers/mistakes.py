"""Mistakes of ours, put where they can happen: rules and trackers that raise, journals that others spoil."""

import sqlite3
from contextlib import closing

from helpers.simulated import BOARD, TILES
from hextraction.controller.games.hextraction import Hextraction


class FailingRules(Hextraction):
    """Rules that raise on events of a kind, so often."""

    def __init__(self, kind, *, times=99, board=BOARD, tiles=TILES):
        super().__init__(board, tiles)
        self.failing, self.left = kind, times

    def step(self, state, event):
        """Raise, or do what the rules do."""
        if type(event) is self.failing and self.left:
            self.left -= 1
            raise ArithmeticError("a bug of ours")
        return super().step(state, event)


class FailingTracker:
    """A tracker that raises, so often, when it is told something with this word; else it is the real one."""

    def __init__(self, tracker, word, *, times=99):
        self.tracker, self.word, self.left = tracker, word, times

    def __getattr__(self, name):
        """Return what the real tracker has, unless it is time to fail."""
        if name == self.word and self.left:
            self.left -= 1
            raise ArithmeticError("a bug of ours")
        return getattr(self.tracker, name)


def in_journal(path, statement):
    """Let another program do something to the journal in a file."""
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(statement)
