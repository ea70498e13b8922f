"""Phones as a host sees them: they remember what they were shown."""

import msgspec
from hextraction.controller.payloads.sizes import MOST_PACKET, fitted
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


def on_the_wire(payload):
    """Return what a phone reads of a payload: as it is sent, and decoded again."""
    return msgspec.json.decode(fitted(payload, MOST_PACKET), type=type(payload))


class PhonesOnTheWire(Phones):
    """Phones that come and go: each knows what it was sent last, the retained state and a view that is not.

    ``state`` is what the broker retains for whoever comes; ``own`` is what each phone that is there was sent.
    """

    def __init__(self):
        super().__init__()
        self.state, self.own = None, {}

    def publish_state(self, shown):
        self.state = on_the_wire(shown)

    def publish_event(self, event):
        """What happened is told once, and nobody is compared by it."""

    def publish_view(self, seat, view):
        if self.here[seat]:
            self.own[seat] = on_the_wire(view)

    def goes(self, seat, away_s=0.0):
        super().goes(seat, away_s)
        self.own.pop(seat, None)

    def comes(self, seat):
        """Let a phone be there again; it knows nothing but what the broker retains."""
        self.here[seat], self.away_s[seat] = True, 0.0
