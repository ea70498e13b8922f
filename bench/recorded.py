"""Simulated games, recorded once and played again as fast as it goes: the stream all our measurements feed.

A recording is what came in from outside, in its order: clean sensor edges, what players did, and (as
``Woke``) the moments at which time passed for a game that waited for it. What tracker and rules make of it
is made again each time, and comes out the same.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
from hextraction.board.profile import STANDARD, load_board
from hextraction.controller.app.simulation import Simulation, SimulationSettings
from hextraction.controller.games.hextraction import Hextraction
from hextraction.controller.games.protocol import Acted, Woke
from hextraction.controller.play.journal import EdgeEntry, Header, Journal, decode, encode, read_header
from hextraction.controller.play.runtime import Runtime
from hextraction.controller.table.lobby import SEATS, Lobby
from hextraction.hal.ports import Edge

__all__ = ["Came", "Game", "load_games", "record_games", "renamed"]

Came = EdgeEntry | Acted | Woke


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """One recorded game, and what came in from outside; ``seq`` is how many journal entries that made."""

    header: Header
    inputs: tuple[Came, ...]
    seq: int

    @property
    def edges(self) -> int:
        """How many of the inputs are sensor edges."""
        return sum(isinstance(what, EdgeEntry) for what in self.inputs)


def record_games(folder: Path, *, edges: int) -> list[Game]:
    """Let bots play on the rich board until there are so many edges; keep one file a game."""
    games: list[Game] = []
    while sum(game.edges for game in games) < edges:
        game = _record(seed=len(games), edges=edges - sum(game.edges for game in games))
        lines = [str(game.seq), msgspec.json.encode(game.header).decode(), *map(encode, game.inputs)]
        (folder / f"game-{len(games)}.jsonl").write_text("\n".join(lines))
        games.append(game)
    return games


def load_games(folder: Path) -> list[Game]:
    """Read recordings back."""
    games = []
    for path in sorted(folder.glob("game-*.jsonl")):
        seq, header, *lines = path.read_text().splitlines()
        inputs: Any = tuple(map(decode, lines))
        games.append(Game(header=read_header(header, str(path)), inputs=inputs, seq=int(seq)))
    return games


def renamed(game: Game, name: str) -> Game:
    """Return the same game under another name, so that one journal can hold it many times."""
    return replace(game, header=msgspec.structs.replace(game.header, game=name))


def _record(*, seed: int, edges: int) -> Game:
    lobby = Lobby(SEATS[:3], bots_fill=True, wanted=3)
    settings = SimulationSettings(seed=seed, speed=0, patient=True)  # nobody but the sensors tells
    game = Hextraction.on(load_board(STANDARD), Hextraction.demo_rules(12))
    simulation = Simulation(game, Journal(":memory:"), lobby, settings)
    lobby.fill()
    simulation.begin()
    runtime = simulation.host.runtime
    if runtime is None:
        raise RuntimeError("the simulated game did not start")
    tape = _Tape(runtime)
    while not runtime.over and tape.edges < edges:
        simulation.step()
    simulation.close()
    return Game(header=runtime.referee.header, inputs=tuple(tape.inputs), seq=runtime.referee.seq)


class _Tape:
    """Writes down what a runtime is told from outside; what it tells itself meanwhile is not written."""

    def __init__(self, runtime: Runtime) -> None:
        self.inputs: list[Came] = []
        self.edges = 0
        self._runtime = runtime
        self._inside = False
        for name in ("edge", "act", "advance"):
            setattr(runtime, name, self._taped(getattr(runtime, name)))

    def _taped(self, method: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def called(what: Edge | Acted | int) -> Any:
            if self._inside:
                return method(what)
            self._note(what)
            self._inside = True
            try:
                return method(what)
            finally:
                self._inside = False

        return called

    def _note(self, what: Edge | Acted | int) -> None:
        if isinstance(what, Edge):
            self.edges += 1
            self.inputs.append(EdgeEntry(at_us=what.at_us, sensor=what.sensor, active=what.active))
        elif isinstance(what, Acted):
            self.inputs.append(what)
        elif (wake_at_us := self._runtime.wake_at_us) is not None and wake_at_us <= what:
            self.inputs.append(Woke(at_us=what))
