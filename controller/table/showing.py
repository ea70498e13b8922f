"""Showing: sends lamps and phones what is new in a game, each only what it may see.

A view that cannot be made is our bug: it is logged once per state, and the previous view stays.
"""

import logging
from collections.abc import Callable, Container, Iterable, Mapping
from typing import Final, Literal

from hextraction.controller.games.marked_names import plain
from hextraction.controller.games.protocol import Said
from hextraction.controller.games.scene import Glow, PrivateView, Prompt, Scene, by_hand, without_hands
from hextraction.controller.payloads.messages import Event, Reply, State, View
from hextraction.controller.play.performer import Performer
from hextraction.controller.play.runtime import Runtime
from hextraction.controller.table.audience import Audience
from hextraction.controller.table.evening import Remembered, told
from hextraction.controller.table.proxies import seen_by
from hextraction.controller.table.words import Answer
from msgspec.structs import replace

__all__ = ["SHOW_EVERY_US", "Showing", "reply"]

_log = logging.getLogger(__name__)
SHOW_EVERY_US: Final = 100_000
"""Phones are shown a change at most this often."""
Away = Callable[[], frozenset[str]]


def reply(command: str, said: Answer, refused: Literal["refused", "invalid", "stale"] = "refused") -> Reply:
    """Return what the phone that sent the command with this id gets; ``refused`` is the code of a no."""
    return Reply(
        id=command,
        ok=said.ok,
        code="ok" if said.ok else refused,
        reason=said.reason,
        clause=said.clause,
        address=said.address,
        picture=said.picture,
    )


class Showing:
    """What was shown last, and to whom. ``audience`` is None while nobody is connected.

    ``guests`` tells for which players without a phone that of a seat plays, so that it sees their views, too.
    With ``own_hands`` the table's own hands lay and lift what the game waits for: nobody is asked to.
    """

    def __init__(
        self,
        performer: Performer,
        remembered: Remembered,
        guests: Callable[[str], Iterable[str]] = lambda _seat: (),
        *,
        own_hands: bool = False,
    ) -> None:
        self._guests = guests
        self.audience: Audience | None = None
        self.remembered = remembered
        self._performer = performer
        self._own_hands = own_hands
        self._scene: Scene | None = None
        self._glows: Mapping[str, Glow] = {}
        self._shown_us = -SHOW_EVERY_US
        self._made: dict[str, tuple[object, PrivateView | None]] = {}
        self._shown: dict[str, tuple[PrivateView, ...]] = {}
        self._heard: list[Event] = []

    def forget(self) -> None:
        """Forget what was shown of the last game: another kind of game follows."""
        self._scene, self._glows = None, {}
        self._made.clear()
        self._shown.clear()
        self._heard.clear()

    def anew(self, seat: str | None = None) -> None:
        """Forget what a seat, or every seat, was shown, so that it is sent again."""
        if seat is None:
            self._shown.clear()
        else:
            self._shown.pop(seat, None)

    def tell(self, said: Said, *, game: str, seq: int, at_us: int) -> None:
        """Queue what happened for the next refresh of the phones."""
        _log.info("%s", plain(said.text), extra={"kind": said.kind, "at_us": at_us, "seq": seq})
        event = told(said, game=game, seq=seq, at_us=at_us)
        self.remembered.heard(event)
        if self.audience is not None:
            self._heard.append(event)

    def due_us(self, runtime: Runtime, every_us: int = SHOW_EVERY_US) -> int | None:
        """Return when to show a change: at once, but at most this often; None if there is none."""
        return self._shown_us + every_us if runtime.changed else None

    def refresh(
        self, runtime: Runtime, seats: Iterable[str], away: Away, now_us: int, *, blink: bool
    ) -> None:
        """Light the board; if something has changed, show it to everybody and to each of these seats.

        ``away`` tells the seats for which others may answer.
        """
        if runtime.changed or self._scene is None:
            self._look(runtime)
        changed, runtime.changed = runtime.changed, False
        if self._scene is None:
            return
        self._performer.show(self._glows, blink=blink)
        if changed:
            self._shown_us = now_us
        if self.audience is None or not changed:
            return
        referee = runtime.referee
        self.audience.publish_state(
            State(game=runtime.game, seq=referee.seq, at_us=referee.at_us, view=self._scene)
        )
        for event in self._heard:
            self.audience.publish_event(event)
        self._heard.clear()
        for seat in seats:
            self.show_seat(runtime, seat, away)

    def _look(self, runtime: Runtime) -> None:
        made = _scene(runtime)
        if made is not None:
            self._scene, self._glows = made
            if self._lays_by_itself(runtime):
                self._scene = without_hands(self._scene)

    def _lays_by_itself(self, runtime: Runtime) -> bool:
        """Whether own hands lay and lift now, and the board sees it: in the dark people say what lies."""
        referee = runtime.referee
        blind = referee.blind or any(name.startswith("tile.") for name in referee.broken | referee.lost)
        return self._own_hands and not blind and referee.game.awaited(referee.state).tiles_seen

    def show_seat(self, runtime: Runtime, seat: str, away: Away) -> None:
        """Show one seat its view, and those of its guests, if any has changed."""
        playing = {player.seat for player in runtime.standing.players}
        if self.audience is None or seat not in playing:
            return
        seats = (seat, *(guest for guest in self._guests(seat) if guest in playing))
        views = tuple(view for one in seats if (view := self._shown_to(runtime, one, away)) is not None)
        if views and views[0].seat == seat and self._shown.get(seat) != views:
            self._shown[seat] = views
            seq = runtime.referee.seq
            whole = View(game=runtime.game, seq=seq, view=views[0], guests=views[1:])
            self.audience.publish_view(seat, whole)

    def _shown_to(self, runtime: Runtime, seat: str, away: Away) -> PrivateView | None:
        """Return a seat's view as its phone may see it now."""
        view = self.private(runtime, seat)
        if view is not None and (view.others or any(option.speaks_for for option in view.options)):
            view = seen_by(view, away())
        if view is not None and self._lays_by_itself(runtime):
            view = replace(view, options=tuple(one for one in view.options if not by_hand(one)))
        return view

    def private(self, runtime: Runtime, seat: str) -> PrivateView | None:
        """Return a seat's whole view; it depends only on the state, so it is made once per state."""
        state = runtime.referee.state
        known = self._made.get(seat)
        if known is None or known[0] is not state:
            known = self._made[seat] = (state, _private(runtime, seat))
        return known[1]

    def asked(self, runtime: Runtime, but: Container[str]) -> list[Prompt]:
        """Return what players are asked, ``but`` those seats."""
        seats = (player.seat for player in runtime.standing.players if player.seat not in but)
        views = (self.private(runtime, seat) for seat in seats)
        return [prompt for view in views if view is not None for prompt in view.prompts]


def _scene(runtime: Runtime) -> tuple[Scene, Mapping[str, Glow]] | None:
    try:
        scene = runtime.scene()
        return scene, runtime.referee.game.lamps(scene)
    except Exception:  # noqa: BLE001 - logged whole
        runtime.failures += 1
        _log.exception("the scene cannot be made")
        return None


def _private(runtime: Runtime, seat: str) -> PrivateView | None:
    try:
        return runtime.referee.game.private(runtime.referee.state, seat)
    except Exception:  # noqa: BLE001 - logged whole
        runtime.failures += 1
        _log.exception("the view of seat %s cannot be made", seat)
        return None
