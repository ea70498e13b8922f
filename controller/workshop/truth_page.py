"""A page on which a phone tells what really happened in a roll: plain HTML, where every tap is a form.

What is tapped is a ball's way in the words of :mod:`.truth`, and only what may come next can be tapped. The
page has an address that nobody guesses, so that no other phone of the network tells another truth.
"""

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from html import escape
from http import HTTPStatus
from typing import Final
from urllib.parse import parse_qs

from hextraction.board.profile import Board
from hextraction.controller.phones.addresses import own_address, page_address
from hextraction.controller.phones.http import MOST_HEAD, BadRequestError, Request, answer, decline, read_head
from hextraction.controller.workshop.truth import WatchedRoll, WayError, ramp_words

__all__ = ["Telling", "serving"]

_WAIT_S: Final = 10.0
_MOST_BODY: Final = 1024
_SAFE: Final = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'"
}
_REST, _BACK, _FORGET, _SAVE, _END = "rests here", "undo tap", "forget ball", "save roll", "end"
_STYLE: Final = """
body{font:16px system-ui,sans-serif;margin:0 auto;padding:8px;max-width:600px}
button{font:inherit;min-height:44px;min-width:44px;border-radius:8px;border:1px solid}
button:disabled{opacity:.3;border-style:dotted}
.board{position:relative;width:100%;aspect-ratio:1/1.1}
.board button{position:absolute;transform:translate(-50%,-50%);padding:0 4px;background:#cde;color:#012}
.board .bare{background:none;color:inherit}
.board .lies{background:#fc6}
[role=alert]{color:#b00020;font-weight:bold}
@media (prefers-color-scheme:dark){body{background:#111;color:#eee}button{background:#333;color:#eee}
[role=alert]{color:#ff8a80}}
"""


class Telling:
    """What a phone has told of the roll under way.

    Args:
        blank: returns an empty account of the next roll.
        save: is given each account that is whole.
        heard: returns how many edges the sensors have reported in this roll.
    """

    def __init__(
        self, blank: Callable[[], WatchedRoll], save: Callable[[WatchedRoll], None], heard: Callable[[], int]
    ) -> None:
        self._blank = blank
        self._save = save
        self._heard = heard
        self._ways: list[str] = []
        self._words: list[str] = []
        self._wrong = ""
        self.step = 0
        self.saved = 0
        self.ended = False

    def tap(self, word: str, step: int) -> None:
        """Take a tap; one that was made on an older page (a second tap in haste) changes nothing."""
        if step != self.step or self.ended:
            return
        self.step += 1
        self._wrong = ""
        told = self._told()
        if word == _SAVE and not self._words:
            self._save(told)
            self.saved += 1
            self._ways.clear()
        elif word == _END:
            self.ended = True
        elif word == _BACK:
            del self._words[-1:]
        elif word == _FORGET and self._words:
            self._words.clear()
        elif word == _FORGET:
            del self._ways[-1:]
        elif word == _REST and self._words:
            self._over(told)
        elif word in told.next_words(self._words):
            self._words.append(word)
            if not told.next_words(self._words):
                self._over(told)
        else:
            self._wrong = f"{word}: cannot be tapped now"

    def _told(self) -> WatchedRoll:
        told = self._blank()
        for way in self._ways:
            told.take(way)
        return told

    def _over(self, told: WatchedRoll) -> None:
        """Add the ball's way; if it cannot be, say why, and take the last tap back."""
        way = " ".join(self._words)
        try:
            told.take(way)
        except WayError as error:
            self._wrong = str(error)
            del self._words[-1:]
            return
        self._ways.append(way)
        self._words.clear()

    def html(self) -> str:
        """Return the page as it is now."""
        if self.ended:
            return _page([f"<p>The end: {self.saved} rolls saved.</p>"])
        told = self._told()
        may = told.next_words(self._words)
        heads = [f"<p>{self.saved} rolls saved; in this one the sensors reported {self._heard()} edges.</p>"]
        heads += [f"<p role=alert>{escape(self._wrong)}</p>"] if self._wrong else []
        if self._words:
            heads.append(f"<p>This ball: <b>{escape(' → '.join(self._words))}</b> … where next?</p>")
        else:
            heads.append("<p>Roll. When all lies still, tap each ball's way: where it came from first.</p>")
        ways = "".join(f"<li>{escape(way.replace(' ', ' → '))}</li>" for way in self._ways)
        form = [
            f'<form method=post><input type=hidden name=step value="{self.step}"><div class=board>',
            *(_spot(told, word, at, may) for word, at in _spots(told.board)),
            "</div><p>",
            *(_button(word, may=word in may) for word in ("off", "fell", "stuck")),
            _button(_REST, may=bool(self._words)),
            "</p><p>",
            _button(_BACK, may=bool(self._words)),
            _button(_FORGET, may=bool(self._words or self._ways)),
            _button(_SAVE, may=not self._words),
            _button(_END, may=True),
            "</p></form>",
        ]
        return _page([*heads, f"<ol>{ways}</ol>", *form])


def _page(body: Sequence[str]) -> str:
    head = (
        "<!doctype html><html lang=en><meta charset=utf-8><title>What really happened</title>"
        f'<meta name=viewport content="width=device-width, initial-scale=1"><style>{_STYLE}</style>'
    )
    return "\n".join([head, "<main><h1>What really happened</h1>", *body, "</main></html>"])


def _button(word: str, *, may: bool, more: str = "") -> str:
    return (
        f'<button name=tap value="{escape(word)}"{more}{"" if may else " disabled"}>{escape(word)}</button> '
    )


def _spot(told: WatchedRoll, word: str, at: tuple[float, float], may: frozenset[str]) -> str:
    kind = "lies" if word in told.balls.values() else "tile" if word in told.tiled else "bare"
    label = f' aria-label="{word}, a ball lies there"' if kind == "lies" else ""
    more = f' class={kind} style="left:{at[0]:.1f}%;top:{at[1]:.1f}%"{label}'
    return _button(word, may=word in may, more=more)


def _spots(board: Board) -> Iterator[tuple[str, tuple[float, float]]]:
    """Yield every place of a board and where it is drawn, in per cent from left and top.

    Slots lie as on the board; ramps stand in a row above them, since two may lead to one slot, zones below.
    """
    across = [slot.x_mm for slot in board.slots]
    down = [slot.y_mm for slot in board.slots]
    left, wide = min(across), max(across) - min(across)
    top, high = min(down) - board.pitch_mm, max(down) - min(down) + 2 * board.pitch_mm
    for slot in board.slots:
        yield slot.name, (8 + 84 * (slot.x_mm - left) / wide, 5 + 90 * (slot.y_mm - top) / high)
    for number, word in enumerate(ramp_words(board)):
        yield word, (8 + 84 * (number + 0.5) / len(board.ramps), 5)
    for zone in board.zones:
        ends = [board.by_name[slot].x_mm for slot, _edge in zone.outlets]
        yield zone.name, (8 + 84 * (sum(ends) / len(ends) - left) / wide, 95)


@contextlib.asynccontextmanager
async def serving(telling: Telling, host: str, port: int, done: asyncio.Event) -> AsyncIterator[str]:
    """Serve the page while the block runs; yield its address, as ``http://192.168.1.20:8080/x7Rk2p``.

    Port 0 is any that is free. ``done`` is set when the phone ends it.

    Raises:
        OSError: the port cannot be had.
    """
    path = f"/{secrets.token_urlsafe(6)}"

    async def visit(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        late = (OSError, EOFError, TimeoutError, asyncio.LimitOverrunError)
        with contextlib.closing(writer), contextlib.suppress(*late):
            async with asyncio.timeout(_WAIT_S):
                writer.write(await _reply(telling, path, reader))
                await writer.drain()
        if telling.ended:
            done.set()

    server = await asyncio.start_server(visit, host, port, limit=MOST_HEAD)
    async with server:
        yield page_address(own_address(host), server.sockets[0].getsockname()[1]) + path[1:]


async def _reply(telling: Telling, path: str, reader: asyncio.StreamReader) -> bytes:
    try:
        request = read_head(await reader.readuntil(b"\r\n\r\n"))
        if request.path != path:
            return decline(HTTPStatus.NOT_FOUND, "There is no such page.")
        if request.method == "GET":
            body = telling.html().encode()
            return answer(HTTPStatus.OK, body, kind="text/html; charset=utf-8", headers=_SAFE)
        if request.method != "POST":
            return decline(HTTPStatus.METHOD_NOT_ALLOWED, "Only GET and POST.")
        _take(telling, await _form(request, reader))
    except BadRequestError as error:
        return decline(error.status, error.reason)
    return answer(HTTPStatus.SEE_OTHER, headers={"Location": path})


async def _form(request: Request, reader: asyncio.StreamReader) -> dict[str, list[str]]:
    body = await reader.readexactly(request.length(_MOST_BODY))
    try:
        return parse_qs(body.decode("ascii", "replace"), max_num_fields=4)
    except ValueError:
        raise BadRequestError(HTTPStatus.BAD_REQUEST, "A tap has one word and one step.") from None


def _take(telling: Telling, form: dict[str, list[str]]) -> None:
    tap, step = form.get("tap", [""])[0], form.get("step", [""])[0]
    if tap and step.isdecimal():
        telling.tap(tap, int(step))
