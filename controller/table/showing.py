"""Showing: sends lamps and phones what is new in a game, each only what it may see.

A view that cannot be made is our bug: it is logged once per state, and the previous view stays.
"""

import logging
from collections.abc import Iterable

from hextraction.controller.games.hextraction import State as GameState
from hextraction.controller.games.protocol import PrivateView, PublicView, Said
from hextraction.controller.phones.payloads.messages import Event, State, View
from hextraction.controller.play.performer import Performer
from hextraction.controller.play.runtime import Runtime
from hextraction.controller.table.audience import Audience

__all__ = ["Showing"]

_log = logging.getLogger(__name__)


class Showing:
    """What was shown last, and to whom. ``audience`` is None while nobody is connected."""

    def __init__(self, performer: Performer) -> None:
        self.audience: Audience | None = None
        self._performer = performer
        self._view: PublicView | None = None
        self._made: dict[str, tuple[GameState, PrivateView | None]] = {}
        self._shown: dict[str, PrivateView] = {}
        self._heard: list[Event] = []

    def anew(self, seat: str | None = None) -> None:
        """Forget what a seat, or every seat, was shown, so that it is sent again."""
        if seat is None:
            self._shown.clear()
        else:
            self._shown.pop(seat, None)

    def tell(self, said: Said, *, game: str, seq: int, at_us: int) -> None:
        """Queue what happened for the next refresh of the phones."""
        _log.info("%s", said.text, extra={"kind": said.kind, "at_us": at_us, "seq": seq})
        if self.audience is not None:
            event = Event(
                game=game,
                seq=seq,
                at_us=at_us,
                kind=said.kind,
                text=said.text,
                seat=said.seat,
                slot=said.slot,
                ball=said.ball,
                clause=said.clause,
            )
            self._heard.append(event)

    def refresh(self, runtime: Runtime, seats: Iterable[str], *, blink: bool) -> None:
        """Light the board; if something has changed, show it to everybody and to each of these seats."""
        if runtime.changed or self._view is None:
            self._view = _public(runtime) or self._view
        changed, runtime.changed = runtime.changed, False
        if self._view is None:
            return
        self._performer.show(self._view, blink=blink)
        if self.audience is None or not changed:
            return
        referee = runtime.referee
        self.audience.publish_state(
            State(game=runtime.game, seq=referee.seq, at_us=referee.at_us, view=self._view)
        )
        for event in self._heard:
            self.audience.publish_event(event)
        self._heard.clear()
        for seat in seats:
            self.show_seat(runtime, seat)

    def show_seat(self, runtime: Runtime, seat: str) -> None:
        """Show one seat its view, if it has changed."""
        if self.audience is None or seat not in {player.seat for player in runtime.referee.state.players}:
            return
        view = self.private(runtime, seat)
        if view is not None and self._shown.get(seat) != view:
            self._shown[seat] = view
            self.audience.publish_view(seat, View(game=runtime.game, seq=runtime.referee.seq, view=view))

    def private(self, runtime: Runtime, seat: str) -> PrivateView | None:
        """Return a seat's view; it depends only on the state, so it is made once per state."""
        state = runtime.referee.state
        known = self._made.get(seat)
        if known is None or known[0] is not state:
            known = self._made[seat] = (state, _private(runtime, seat))
        return known[1]


def _public(runtime: Runtime) -> PublicView | None:
    try:
        return runtime.public()
    except Exception:  # noqa: BLE001 - logged whole
        runtime.failures += 1
        _log.exception("the public view cannot be made")
        return None


def _private(runtime: Runtime, seat: str) -> PrivateView | None:
    try:
        return runtime.referee.game.private(runtime.referee.state, seat)
    except Exception:  # noqa: BLE001 - logged whole
        runtime.failures += 1
        _log.exception("the view of seat %s cannot be made", seat)
        return None
