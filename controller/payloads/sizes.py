"""How large a message may be, in one place: who makes, passes on or stores one takes its figure from here.

A file of its own because broker, link, inbox and payloads must agree: where the outer of two limits is the
smaller one, the broker hangs up on whoever keeps to the inner.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import msgspec
from hextraction.controller.games.scene import Option, PlaceView, PrivateView, Prompt
from hextraction.controller.payloads.health import SensorTrouble
from hextraction.controller.payloads.messages import Diag, Event, Info, Reply, State, Table, View
from msgspec.structs import replace

__all__ = ["MOST_COMMAND", "MOST_CORRELATION", "MOST_PACKET", "fitted", "packet_of"]

MOST_PACKET: Final = 65_536
"""Bytes of one MQTT packet, all included, at a broker of our own. Another one's limit is asked for."""
MOST_COMMAND: Final = 4_096
"""Bytes of a payload that a phone may send."""
MOST_CORRELATION: Final = 256
"""Bytes of correlation data that a phone gets back with an answer."""
_WRAPPING: Final = 32
"""More than all of a PUBLISH besides topic, payload and correlation data: lengths, number, expiry."""


def packet_of(topic: str, payload: bytes, correlation: bytes | None = None) -> int:
    """Return how many bytes the packet of a message has at most."""
    return _WRAPPING + len(topic.encode()) + len(payload) + len(correlation or b"")


# --- what may be left out of a payload that is too large, the least first ---

_LONGEST: Final = (2_000, 200)
_OF_A_GROUP: Final = (200, 60, 20)
_TROUBLES: Final = (60, 12, 3)


def fitted(payload: msgspec.Struct, most: int) -> bytes | None:
    """Return a payload as JSON of at most ``most`` bytes, with less in it where it must; None: impossible."""
    now: msgspec.Struct = payload
    for cut in (_whole, *_CUTS.get(type(payload), ())):
        now = cut(now)
        body = msgspec.json.encode(now)
        if len(body) <= most:
            return body
    return None


def _whole(payload: Any) -> Any:
    return payload


def _few_troubles(most: int) -> Callable[[Table], Table]:
    def cut(table: Table) -> Table:
        more = len(table.health) - most
        rest = (
            SensorTrouble(sensor="…", state=table.health[-1].state, why=f"and {more} more")
            if more > 0
            else None
        )
        return replace(
            table, health=(*table.health[:most], *([rest] if rest else ())), broken=table.broken[:most]
        )

    return cut


def _no_last_roll(state: State) -> State:
    return replace(state, view=replace(state.view, last_roll=None))


def _titles_only(state: State) -> State:
    """Leave out what is written on pieces: whoever knows the kind finds it there."""

    def bare(place: PlaceView) -> PlaceView:
        piece = place.piece
        if piece is None:
            return place
        long = {"summary": "", "disabled": ()}
        return replace(
            place, piece=replace(piece, **{name: long[name] for name in long if hasattr(piece, name)})
        )

    return replace(state, view=replace(state.view, places=tuple(bare(place) for place in state.view.places)))


def _no_state_detail(state: State) -> State:
    return replace(state, view=replace(state.view, detail=None))


def _few_options(most: int) -> Callable[[View], View]:
    """Return what keeps so many options of each group: only kinds of tiles to name are ever so many."""

    def few(options: Iterable[Option]) -> tuple[Option, ...]:
        seen: Counter[str] = Counter()
        kept = []
        for option in options:
            seen[option.group] += 1
            if seen[option.group] <= most:
                kept.append(option)
        return tuple(kept)

    def asked(prompt: Prompt) -> Prompt:
        kept = few(prompt.options)
        usual = () if prompt.default is None else prompt.options[prompt.default : prompt.default + 1]
        default = kept.index(usual[0]) if usual and usual[0] in kept else None
        return replace(prompt, options=kept, default=default)

    def less(own: PrivateView) -> PrivateView:
        prompts, others = (tuple(map(asked, some)) for some in (own.prompts, own.others))
        return replace(own, options=few(own.options), prompts=prompts, others=others)

    def cut(view: View) -> View:
        return replace(view, view=less(view.view), guests=tuple(map(less, view.guests)))

    return cut


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _short_event(most: int) -> Callable[[Event], Event]:
    return lambda event: replace(event, text=_short(event.text, most))


def _short_reply(most: int) -> Callable[[Reply], Reply]:
    return lambda reply: replace(reply, reason=_short(reply.reason, most), picture="")


def _few_values(diag: Diag) -> Diag:
    """Leave out the largest value, and say so."""
    sizes = {
        name: len(msgspec.json.encode(value)) for name, value in diag.values.items() if value != _LEFT_OUT
    }
    largest = max(sizes, key=sizes.__getitem__, default="")
    return replace(
        diag, values={name: _LEFT_OUT if name == largest else value for name, value in diag.values.items()}
    )


_LEFT_OUT: Final = "too much to be shown"

_CUTS: Final[Mapping[type[msgspec.Struct], tuple[Callable[[Any], Any], ...]]] = {
    Table: (*(_few_troubles(most) for most in _TROUBLES), lambda table: replace(table, detail=None)),
    State: (_no_last_roll, _titles_only, _no_state_detail),
    View: tuple(_few_options(most) for most in _OF_A_GROUP),
    Event: tuple(_short_event(most) for most in _LONGEST),
    Reply: tuple(_short_reply(most) for most in _LONGEST),
    Diag: (_few_values,) * 8,
    Info: (lambda info: replace(info, sensors=()),),
}
