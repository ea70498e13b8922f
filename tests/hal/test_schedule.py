"""Calling back from a thread of its own."""

import logging
import threading

import pytest
from hextraction.hal.clock import MonotonicClock
from hextraction.hal.mock import ManualClock
from hextraction.hal.schedule import ThreadScheduler


def test_callbacks_come_in_order_of_time_not_of_asking() -> None:
    """The earlier time is called first, and every call comes from the scheduler's own thread."""
    clock, done, called = MonotonicClock(), threading.Event(), []
    scheduler = ThreadScheduler(clock, "under test")
    now_us = clock.now_us()
    scheduler.call_at(now_us + 40_000, lambda: (called.append("late"), done.set()))
    scheduler.call_at(now_us + 20_000, lambda: called.append(threading.current_thread().name))
    assert done.wait(10)
    scheduler.close()
    assert called == ["under test", "late"]
    assert clock.now_us() >= now_us + 40_000


def test_a_callback_that_raises_is_logged_and_the_next_still_comes(caplog: pytest.LogCaptureFixture) -> None:
    """One mistake does not stop the coils' clock."""
    done = threading.Event()
    scheduler = ThreadScheduler(MonotonicClock(), "under test")
    with caplog.at_level(logging.ERROR):
        scheduler.call_at(0, lambda: 1 / 0)
        scheduler.call_at(0, done.set)
        assert done.wait(10)
    scheduler.close()
    assert "under test" in caplog.text
    assert "ZeroDivisionError" in caplog.text


def test_a_callback_that_hangs_shows() -> None:
    """How late the thread is grows with the clock while it is busy with one thing, and is 0 again afterwards."""
    clock, running, go_on, done = ManualClock(), threading.Event(), threading.Event(), threading.Event()
    scheduler = ThreadScheduler(clock, "under test")
    assert scheduler.late_us == 0
    scheduler.call_at(0, lambda: (running.set(), go_on.wait(10)))
    assert running.wait(10)
    clock.advance(4_000_000)
    assert scheduler.late_us == 4_000_000
    scheduler.call_at(0, done.set)
    go_on.set()
    assert done.wait(10)
    scheduler.close()
    assert scheduler.late_us == 0


def test_close_forgets_what_has_not_been_called() -> None:
    """Nothing comes after closing, and closing twice or from within a callback does no harm."""
    called: list[str] = []
    closed = threading.Event()
    scheduler = ThreadScheduler(ManualClock(), "under test")
    scheduler.call_at(1, lambda: called.append("never"))
    scheduler.call_at(0, lambda: (scheduler.close(), closed.set()))
    assert closed.wait(10)
    scheduler.close()
    scheduler.call_at(0, lambda: called.append("never"))
    assert called == []


def test_the_real_clock_counts_from_the_machines_start() -> None:
    """It never falls, agrees with the kernel's up-time and knows the boot it belongs to."""
    clock = MonotonicClock()
    first = clock.now_us()
    assert clock.now_us() >= first > 0
    assert clock.boot_id == MonotonicClock().boot_id
