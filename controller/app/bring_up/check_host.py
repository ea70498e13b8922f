"""The phone page beside a walk through a board: seats say its words, everybody sees where it stands."""

import contextlib
import secrets
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Any

from hextraction.board.profile import Board
from hextraction.board.tilebook import load_tiles
from hextraction.controller.app.decks import hidden_setup
from hextraction.controller.app.table import board_info
from hextraction.controller.games.hextraction import Config, Setup
from hextraction.controller.play.journal import Header, Journal
from hextraction.controller.play.performer import Performer
from hextraction.controller.play.runtime import Runtime
from hextraction.controller.table.host import Host, Plan
from hextraction.controller.table.lobby import Chair, Lobby, Refusal

__all__ = ["checking_host", "open_check_page"]


def checking_host(board: Board, say: Callable[[str], None]) -> Host:
    """Return a table at which no game can start, but words of the walk are passed on to ``say``."""
    lobby = Lobby(bots=False)
    lobby.say = "The board is being checked."
    plan = Plan(setup=_setup(board), header=_header, chance=lambda: secrets.randbits(64))
    host = Host(
        board=board,
        tiles=load_tiles(),
        journal=Journal(":memory:"),
        performer=Performer(None, None, None),
        lobby=lobby,
        plan=plan,
    )

    def hear(_seat: str, words: Mapping[str, Any], _runtime: Runtime | None, _at_us: int) -> Refusal | None:
        view = lobby.more.get(words["do"])
        if view is None or words.get("say") not in view.says:
            return Refusal(reason="That cannot be said at this step.")
        say(words["say"])
        return None

    host.desk.words.update({"check": hear, "coils": hear, "start": _not_now, "rematch": _not_now})
    return host


def _setup(board: Board) -> Callable[[Sequence[Chair], int], Setup]:
    def setup(chairs: Sequence[Chair], at_us: int) -> Setup:
        return hidden_setup(board.name, chairs, tiles_in_box=100, config=Config(), chance=0, at_us=at_us)

    return setup


def _header(setup: Setup) -> Header:
    return Header(game="check", boot="", wall="", software="", setup=setup, sensors=())


def _not_now(_seat: str, _words: Mapping[str, Any], _runtime: Runtime | None, _at_us: int) -> Refusal | None:
    return Refusal(reason="The board is being checked. Games come afterwards.")


@contextlib.asynccontextmanager
async def open_check_page(
    host: Host, *, port: int, simulated: bool, sensors: tuple[str, ...]
) -> AsyncIterator[str]:
    """Serve the page for as long as the block runs; gives the welcome with address, code and QR code."""
    from hextraction.controller.app.page import GateSettings, open_page, welcome  # noqa: PLC0415 - big

    info = board_info(host.board, electronics=True, simulated=simulated, sensors=sensors)
    async with open_page(
        host,
        board_id="check",
        info=info,
        gate=GateSettings(host="0.0.0.0", port=port, show_code=True),  # noqa: S104 - phones must reach it
        broker=None,
        keep=None,
    ) as companion:
        yield welcome(companion)
