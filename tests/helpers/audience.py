"""Phones as a host sees them: they remember what they were shown."""

from hextraction.controller.table.lobby import SEATS


class Phones:
    """An audience that remembers what it was shown; a phone of every seat is there."""

    def __init__(self):
        self.here = dict.fromkeys(SEATS, True)
        self.states, self.events, self.views, self.tables, self.replies, self.revoked = [], [], [], [], [], []
        self.diags = []

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
