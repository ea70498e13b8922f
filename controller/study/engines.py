"""Where the games of a study are played: here, in a pool of processes, or on the machines of a dask cluster.

Each engine yields the results in the order of the games, whoever played them, so that the same study gives
the same report. Closing the generator early cancels the games that have not begun.
"""

import signal
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import ExitStack
from multiprocessing import get_context
from typing import Any, Final

from hextraction.controller.study.game import play_game, play_games
from hextraction.controller.study.settings import GameResult, StudySettings
from hextraction.controller.version import how_to_install

__all__ = ["MissingEngineError", "chunks", "play_here", "play_on_dask", "play_on_processes"]

_GAMES_A_CHUNK: Final = 8
"""Games per chunk: some seconds of work, so that the cost of handing a chunk over is negligible."""


class MissingEngineError(Exception):
    """The requested engine is not installed or cannot be reached; the message says what to do."""


def chunks(games: int, workers: int) -> list[range]:
    """Split a study into chunks, small enough that every worker gets one.

    >>> chunks(5, 2)
    [range(0, 3), range(3, 5)]
    """
    size = max(1, min(_GAMES_A_CHUNK, -(-games // workers)))
    return [range(start, min(start + size, games)) for start in range(0, games, size)]


def play_here(settings: StudySettings) -> Generator[GameResult, None, None]:
    """Play in this process, one game after the other."""
    for number in range(settings.games):
        yield play_game(settings, number)


def play_on_processes(settings: StudySettings, jobs: int) -> Generator[GameResult, None, None]:
    """Play in a pool of processes on this machine."""
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_leave_ctrl_c_to_the_parent)
    try:
        futures = [pool.submit(play_games, settings, numbers) for numbers in chunks(settings.games, jobs)]
        yield from _in_order(futures)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _in_order(futures: Sequence[Future[list[GameResult]]]) -> Generator[GameResult, None, None]:
    for future in futures:
        yield from future.result()


def _leave_ctrl_c_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def play_on_dask(
    settings: StudySettings, *, scheduler: str | None = None, client: Callable[..., Any] | None = None
) -> Generator[GameResult, None, None]:
    """Play on a dask cluster: the one at ``scheduler``, or a temporary one on this machine.

    ``client`` makes the client, for tests; by default it is dask's own.

    Raises:
        MissingEngineError: dask is not installed, or no scheduler answers.
    """
    with ExitStack() as stack:
        cluster = stack.enter_context(_client(scheduler, client))
        # Not scheduler_info(): some releases tell of five workers at most.
        threads = max(1, sum(cluster.nthreads().values()))
        pieces = chunks(settings.games, threads)
        futures = cluster.map(play_games, [settings] * len(pieces), pieces, pure=False)
        try:
            for future in futures:
                yield from future.result()
        finally:
            cluster.cancel(futures)


def _client(scheduler: str | None, client: Callable[..., Any] | None) -> Any:
    if client is not None:
        return client()
    try:
        import distributed  # noqa: PLC0415 - large, and only some want it
    except ImportError:
        raise MissingEngineError(f"--engine dask needs dask: {how_to_install('dask')}") from None
    try:
        made: Any = distributed.Client
        return made(scheduler, timeout="10s") if scheduler is not None else made(dashboard_address=None)
    except OSError as error:
        raise MissingEngineError(f"--scheduler: no dask scheduler answers at {scheduler}: {error}") from None
