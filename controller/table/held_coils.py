"""Coils held until a person confirms: what the table is shown, what it answers, and what is journalled.

After an emergency stop no coil is armed until somebody at the table has confirmed, on a phone or by the
button *yes*, that all hands are clear. Nobody has to: the game goes on, and balls are released by hand. A
gate that was requested meanwhile opens afterwards, if its ball is still awaited. And a gate that opened
without letting a ball go is told, with what to look for.
"""

from typing import Final

from hextraction.controller.games.protocol import Said
from hextraction.controller.payloads.health import CoilsView, SensorTrouble
from hextraction.controller.play.runtime import Runtime
from hextraction.controller.table.host import Host
from hextraction.controller.table.words import Answer, Asked
from hextraction.hal.coil_watch import METER, SUPPLY
from hextraction.hal.ports import Supply, SupplyState

__all__ = ["HeldCoils", "coils_view"]

_STOPPED: Final = "The emergency stop is pressed, or the coils have no power."
_ASKS: Final = "The emergency stop was released. Is everybody's hand clear of the board?"
_BY_HAND: Final = "Let balls go by hand."
_NO_BALL: Final = (
    "The gate of ramp {ramp} opened, but no ball came. Is one waiting there, and is "
    "its way clear? Then let it go by hand. If this happens again, look for 'no ball "
    "came' in docs/build.md."
)
_SETTLE_US: Final = 500_000
"""Time for the supply to come up and a hub to arm before a waiting gate is opened."""
_GIVE_UP_US: Final = 3_000_000
_NO_BALL_US: Final = 800_000
"""How long a ball may take from its gate to the ramp's beam; on a flat board it needs a third of that."""


def coils_view(state: SupplyState, alarm: str = "") -> CoilsView | None:
    """Return what people are told about the supply; ``alarm`` is what was noticed since its fault."""
    if state.fault:
        told = ". ".join(text for text in (state.fault, alarm) if text)
        return CoilsView(
            state="off", say=f"Coils stay off until the board is started again: {told}. {_BY_HAND}"
        )
    if not state.waits:
        return None
    if state.good is False:
        return CoilsView(state="stopped", say=f"{_STOPPED} {_BY_HAND}")
    return CoilsView(state="asks", say=_ASKS, says=("clear",))


class HeldCoils:
    """Tracks one supply for one table. Call everything from the table's own thread.

    ``coils`` are the names of the board's coils. Call :meth:`settle` several times a second.
    """

    def __init__(self, host: Host, supply: Supply, coils: tuple[str, ...] = ()) -> None:
        self._host, self._supply = host, supply
        self._devices = frozenset((*coils, METER, SUPPLY))
        self._state = supply.state
        self._runtime: Runtime | None = None
        self._told_held = False
        self._by = ""
        self._freed_us: int | None = 0
        """When coils were let go; None: at the next :meth:`settle`."""
        self._gone: dict[str, str] = {}
        self._told_gone: dict[str, str] = {}
        self._opened = host.performer.opened
        self._expected_us: int | None = None
        host.words.add(("coils",), self._hear)
        self._show()

    @property
    def view(self) -> CoilsView | None:
        """What people are told now; None while coils may fire."""
        return coils_view(self._state, self._alarm)

    @property
    def troubles(self) -> tuple[SensorTrouble, ...]:
        """Faulty coils and a faulty meter, as phones see them."""
        return tuple(
            SensorTrouble(sensor=name, state="lost", why=why, does=_does(name))
            for name, why in sorted(self._gone.items())
            if name != SUPPLY
        )

    @property
    def _held(self) -> bool:
        return self._state.waits or bool(self._state.fault)

    @property
    def _alarm(self) -> str:
        alarm = self._gone.get(SUPPLY, "")
        return "" if alarm == self._state.fault else alarm

    # --- inputs ---

    def changed(self, _state: SupplyState | None = None) -> None:
        """Note that the supply has changed."""
        state = self._supply.state
        if self._held and not (state.waits or state.fault):
            self._freed_us = None
        self._state = state
        self._show()

    def lost(self, device: str, reason: str) -> None:
        """Note that a device stopped answering or misbehaves; only coils and their supply matter here."""
        if device in self._devices:
            self._gone[device] = reason
            self._show()

    def found(self, device: str) -> None:
        """Note that a device works again."""
        self._gone.pop(device, None)

    def pressed(self, button: str, at_us: int) -> bool:
        """Handle a button of the table; return whether it answered the question about hands."""
        asked = button == "button.yes" and self._asks
        if asked:
            self._confirm("", at_us)
        return asked

    def _hear(self, asked: Asked) -> Answer:
        if not self._asks or asked.words.get("say") != "clear":
            return Answer.no("Nobody asks that now.")
        return Answer() if self._confirm(asked.seat, asked.at_us) else Answer.no(_STOPPED)

    @property
    def _asks(self) -> bool:
        view = self.view
        return view is not None and view.state == "asks"

    def _confirm(self, seat: str, at_us: int) -> bool:
        self._by = seat
        good = self._supply.confirm()
        self.changed()
        self.settle(at_us)
        return good

    # --- consequences ---

    def settle(self, at_us: int) -> None:
        """Bring the running game up to date, and open a gate that had to wait."""
        self._freed_us = at_us if self._freed_us is None else self._freed_us
        runtime = self._host.playing
        if runtime is None:
            self._host.performer.held_gate = None
            return
        if runtime is not self._runtime:
            self._take_up(runtime)
        if self._held is not self._told_held:
            self._journal(runtime, at_us)
        if self._told_gone != self._gone:
            self._tell(runtime)
        self._reopen(runtime, at_us)
        self._miss_ball(runtime, at_us)

    def _take_up(self, runtime: Runtime) -> None:
        """Keep coils held in a game that was interrupted while they were held."""
        self._runtime, self._told_held = runtime, runtime.referee.coils_held
        if self._told_held and not self._held:
            self._supply.hold()
            self.changed()

    def _journal(self, runtime: Runtime, at_us: int) -> None:
        held, self._told_held = self._held, self._held
        view = self.view
        why = "" if view is None else view.say
        runtime.hold_coils(at_us, held=held, why=why, seat="" if held else self._by)
        who = self._name(self._by) if self._by else "The button at the table"
        text = why if held else f"{who} says that all hands are clear. Gates open again."
        runtime.say(Said(kind="coils", text=text))

    def _name(self, seat: str) -> str:
        return next((chair.called for chair in self._host.lobby.players if chair.seat == seat), seat)

    def _tell(self, runtime: Runtime) -> None:
        """Report new faults of coils and meter; a stop that disabled them all has been reported already."""
        new = {name: why for name, why in self._gone.items() if self._told_gone.get(name) != why}
        self._told_gone = dict(self._gone)
        if self._held and SUPPLY not in new:
            return
        for why in dict.fromkeys(new.values()):
            names = [name for name, each in new.items() if each == why]
            runtime.say(Said(kind="coils", text=f"{_spelled(names)}: {why}. {_does(names[0])}"))

    def _reopen(self, runtime: Runtime, at_us: int) -> None:
        """Open the gate that was requested while coils were held, if its ball is still awaited."""
        performer, freed_us = self._host.performer, self._freed_us
        if performer.held_gate is None or self._held or freed_us is None:
            return
        awaited = runtime.referee.game.awaited(runtime.referee.state).release
        if awaited is None or awaited[1] != performer.held_gate or at_us > freed_us + _GIVE_UP_US:
            performer.held_gate = None
        elif at_us >= freed_us + _SETTLE_US and not self._host.lobby.paused:
            performer.open_held()

    def _miss_ball(self, runtime: Runtime, at_us: int) -> None:
        """Say that no ball came from a gate that opened, once, while it is still awaited."""
        opened = self._host.performer.opened
        if opened != self._opened:
            self._opened, self._expected_us = opened, at_us + _NO_BALL_US
        if self._expected_us is None or at_us < self._expected_us:
            return
        self._expected_us = None
        ramp = opened[1]
        awaited = runtime.referee.game.awaited(runtime.referee.state).release
        if awaited is not None and awaited[1] == ramp:
            runtime.say(Said(kind="coils", text=_NO_BALL.format(ramp=ramp)))

    def _show(self) -> None:
        self._host.performer.coils_wait = self._held
        self._host.notify(coils=self.view)


def _does(device: str) -> str:
    if device == METER:
        return "The coils still work, but nothing measures their current."
    return _BY_HAND


def _spelled(names: list[str]) -> str:
    if len(names) > 1:
        return f"{len(names)} coils"
    kind, dot, place = names[0].partition(".")
    return f"{kind.capitalize()} {place}" if dot else f"The {names[0]}"
