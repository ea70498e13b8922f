"""Phones as a host sees them: they remember what they were shown."""

from hextraction.controller.table.lobby import SEATS


class Phones:
    """An audience that remembers what it was shown; a phone of every seat is there."""

    def __init__(self):
        self.here = dict.fromkeys(SEATS, True)
        self.away_s = dict.fromkeys(SEATS, 0.0)
        self.states, self.events, self.views, self.tables, self.replies, self.revoked = [], [], [], [], [], []
        self.diags = []

    def goes(self, seat, away_s):
        """Let all phones of a seat have been away for so long."""
        self.here[seat], self.away_s[seat] = False, away_s

    def publish_state(self, shown):
        self.states.append(shown)

    def publish_event(self, event):
        self.events.append(event)

    def publish_view(self, seat, view):
        self.views.append((seat, view))

    def publish_table(self, shown):
        self.tables.append(shown)

    def publish_diag(self, diag):
        self.diags.append(diag)

    def reply(self, seat, reply):
        self.replies.append((seat, reply))

    def revoke(self, seat):
        self.revoked.append(seat)
