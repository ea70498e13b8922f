"""What the commands share about ending: every signal that can be heard puts the outputs away first."""

import asyncio
import signal

import pytest
from hextraction.controller.app.process import (
    as_called,
    ending_signals,
    go_on_in_spite_of_pause,
    stop_on_signals,
)

UNHEARD = {"SIGKILL", "SIGSTOP"}
GO_ON = {"SIGCHLD", "SIGCONT", "SIGURG", "SIGWINCH", "SIGTSTP", "SIGTTIN", "SIGTTOU", "SIGPIPE", "SIGXFSZ"}
FAULTS = {"SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL"}


def test_every_signal_that_ends_a_process_and_can_be_heard_is_heard() -> None:
    """All that this system has, those of real time included; what is left out does not end us, or cannot be heard."""
    named = {each for each in signal.valid_signals() if isinstance(each, signal.Signals)}
    assert {each.name for each in named - ending_signals()} == UNHEARD | GO_ON | FAULTS
    assert set(signal.valid_signals()) - named <= ending_signals()


@pytest.mark.parametrize(
    ("number", "told"), [(signal.SIGTERM, []), (signal.SIGUSR1, ["SIGUSR1"]), (40, ["signal 40"])]
)
def test_a_signal_that_nobody_asks_to_stop_with_is_told(number, told) -> None:
    """The program stops either way; a service that was not asked to stop is to start again."""
    heard = []

    async def stopped() -> None:
        done = asyncio.Event()
        stop_on_signals(done, heard.append)
        signal.raise_signal(number)
        await asyncio.wait_for(done.wait(), 5)

    asyncio.run(stopped())
    assert heard == told


def test_a_program_with_coils_does_not_stand_still(capfd) -> None:
    """At Ctrl-Z it would keep a coil as it is for as long as somebody likes: it goes on, and says so."""

    async def paused() -> None:
        go_on_in_spite_of_pause()
        signal.raise_signal(signal.SIGTSTP)
        await asyncio.sleep(0)

    asyncio.run(paused())
    assert "Ctrl-C ends it" in capfd.readouterr().err


def test_a_program_is_called_again_as_it_was_called(tmp_path, monkeypatch) -> None:
    """By the path that was typed; by its bare name if the shell finds that one, or if Python was given a text."""
    ours, others = tmp_path / "ours" / "hextraction", tmp_path / "others" / "hextraction"
    for program in (ours, others):
        program.parent.mkdir()
        program.touch(0o755)
    monkeypatch.setenv("PATH", str(ours.parent))
    assert as_called(str(ours)) == "hextraction"
    assert as_called(str(others)) == str(others)
    assert as_called("-c") == "hextraction"
