"""Telling people of their sensors' health: the table's payload, the diagnosis, and the log."""

import logging
from collections.abc import Iterable
from dataclasses import replace

from hextraction.controller.health import Condition, Doubted, Health, State
from hextraction.controller.host import Host
from hextraction.controller.messages_health import SensorTrouble
from hextraction.hal.ports import Inputs

__all__ = ["doubted_at", "tell_health", "troubles"]

_log = logging.getLogger(__name__)


def doubted_at(host: Host) -> Doubted:
    """Return what the game's tracker and the people at the table hold of the sensors."""
    runtime = host.runtime
    if runtime is None:
        return Doubted(broken=host.desk.broken)
    tracker = runtime.referee.tracker
    return Doubted(suspects=tracker.doubted, ignored=tracker.ignored, broken=host.desk.broken)


def troubles(conditions: Iterable[Condition]) -> tuple[SensorTrouble, ...]:
    """Return those that are not well, as phones see them."""
    return tuple(
        SensorTrouble(sensor=each.sensor, state=each.state.value, why=each.why, does=each.state.does)
        for each in conditions
        if each.state is not State.OK
    )


def tell_health(
    host: Host,
    health: Health,
    now_us: int,
    inputs: Inputs | None = None,
    more: tuple[SensorTrouble, ...] = (),
) -> None:
    """Tell operators everything, and the table what has changed since it was told last.

    A sensor of ``inputs`` that has no level does not answer. ``more`` is what is not well and no sensor.
    """
    answering = {} if inputs is None else inputs.levels()
    lost = () if inputs is None else tuple(name for name in inputs.names if name not in answering)
    doubted = replace(doubted_at(host), lost=lost)
    conditions = health.conditions(now_us, doubted)
    host.diagnose(health.report(now_us, doubted))
    _log_haste(host)
    shown = (*troubles(conditions), *more)
    known: tuple[SensorTrouble, ...] = host.lobby.more.get("health", ())
    if [(one.sensor, one.state) for one in shown] == [(one.sensor, one.state) for one in known]:
        return
    _log_changes({one.sensor: one.state for one in known}, conditions)
    host.lobby.more["health"] = shown
    host.show_table()


def _log_haste(host: Host) -> None:
    """Log it when the tracker had to keep fewer accounts of a roll because too many pulses waited."""
    narrowed = 0 if host.runtime is None else host.runtime.referee.tracker.narrowed
    if narrowed > host.narrowed:
        _log.warning(
            "the tracker fell behind: of %d pulses it kept fewer accounts, and is less sure of that roll",
            narrowed - host.narrowed,
        )
    host.narrowed = narrowed


def _log_changes(before: dict[str, str], conditions: Iterable[Condition]) -> None:
    for each in conditions:
        if each.state is State.OK and each.sensor in before:
            _log.info("sensor %s is well again", each.sensor)
        elif each.state is not State.OK and before.get(each.sensor) != each.state.value:
            _log.warning("sensor %s is %s: %s. %s", each.sensor, each.state.value, each.why, each.state.does)
