"""A phone tells what really happened in a roll, tap by tap, and only what can be."""

import asyncio
import itertools
import re
from urllib.parse import urlsplit

import pytest
from hextraction.board.profile import board_names, load_board
from hextraction.controller.evaluation.verdict import verdict_of
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles
from hextraction.controller.tracking.trace import HeaderReader
from hextraction.controller.workshop.trials.labelled import read_labelled
from hextraction.controller.workshop.truth import TruthRecorder, WatchedRoll, ramp_words
from hextraction.controller.workshop.truth_page import Telling, serving
from hextraction.hal.ports import Edge

HEADER = (
    '{"trace":1,"board":"standard-22","instruments":"rich",'
    '"tiles":{"B1":["dic",0],"B2":["dic",0],"B3":["asterisk",0]},"balls":{"4":"B3"}}'
)
EDGES = (Edge("ramp.L2", True, 5_000_000), Edge("ramp.L2", False, 5_030_000))


class Table:
    """A board with three tiles and a ball, whose rolls a phone tells."""

    def __init__(self):
        problems = []
        self.recorder = TruthRecorder(head := HeaderReader(1, HEADER, load_tiles(), problems), head.sensors)
        self.rolls = []
        self.telling = Telling(self.recorder.told, self.save, lambda: len(EDGES))
        assert problems == []

    def save(self, told):
        """Keep a labelled roll."""
        (roll,) = read_labelled(self.recorder.roll(EDGES, told), load_tiles())
        self.rolls.append(roll)

    def tap(self, *words):
        """Tap what the page offers; what it does not offer cannot be tapped."""
        for word in words:
            assert word in offered(self.telling.html())
            self.telling.tap(word, self.telling.step)
        return self.telling.html()


def offered(page):
    """Return the words of all buttons that can be tapped."""
    found = re.findall(r'<button name=tap value="([^"]+)"([^>]*)>', page)
    return {word for word, more in found if "disabled" not in more}


def test_a_roll_is_told_by_taps():
    """Two balls: one comes to rest where another lay, which is pushed over the edge of an open slot."""
    table = Table()
    page = table.tap("L2", "B1", "B2", "B3", "rests here", "B3", "B4", "fell")
    assert "L2 → B1 → B2 → B3" in page
    assert "B3 → B4 → fell" in page
    assert "2 edges" in page

    page = table.tap("save roll")

    (roll,) = table.rolls
    assert verdict_of(roll.truth.facts, roll.ground).balls == (("B3", 1),)
    assert "1 rolls saved" in page
    assert "→" not in page
    assert table.recorder.told().balls == {5: "B3"}


def test_only_what_may_come_next_can_be_tapped():
    """First ramps and balls at rest, then neighbours and ends; after an end the next ball."""
    table = Table()
    assert {"L1", "L2", "B3", "save roll", "end"} <= offered(table.telling.html())
    assert not {"B1", "off", "fell", "rests here", "undo tap"} & offered(table.telling.html())

    assert {"B1", "stuck", "undo tap"} <= offered(table.tap("L2"))
    assert {"B2", "off", "fell", "rests here"} <= offered(table.tap("B1"))
    assert not {"B4", "stuck", "L1", "save roll"} & offered(table.telling.html())
    assert "B1" not in offered(table.tap("off"))


def test_taps_are_taken_back():
    """First tap by tap, then ball by ball."""
    table = Table()
    assert "L2</b>" in table.tap("L2", "B1", "undo tap")
    assert "L2</b>" not in table.tap("forget ball")
    page = table.tap("L2", "B1", "off", "R1", "stuck", "forget ball")
    assert "L2 → B1 → off" in page
    assert "R1 → stuck" not in page


def test_a_way_that_cannot_be_is_said():
    """No ball rests where there is no tile; the tap before may be another."""
    page = Table().tap("B3", "B4", "rests here")
    assert "role=alert" in page
    assert "where no tile lies" in page
    assert "B3</b>" in page


def test_a_tap_twice_in_haste_counts_once():
    """Who taps on a page that is older than the last tap changes nothing."""
    table = Table()
    table.tap("L2", "B1", "off")
    step = table.telling.step
    for _tap in range(2):
        table.telling.tap("save roll", step)
    assert len(table.rolls) == 1


async def said(port, request):
    """Send a request and return the answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request.encode())
    answer = await reader.read()
    writer.close()
    return answer.decode()


def posted(path, body):
    """Return a form as a browser sends it."""
    head = f"POST {path} HTTP/1.1\r\nHost: pi\r\nContent-Length: {len(body)}\r\n\r\n"
    return head + body


@pytest.mark.parametrize(
    ("request_of", "status"),
    [
        (lambda _path: "GET / HTTP/1.1\r\nHost: pi\r\n\r\n", "404"),
        (lambda path: f"PUT {path} HTTP/1.1\r\nHost: pi\r\n\r\n", "405"),
        (lambda path: posted(path, "x" * 2000), "413"),
        (lambda path: posted(path, "tap=B1&step=none"), "303"),
        (lambda path: posted(path, "&".join(["tap=B1"] * 9)), "400"),
        (lambda _path: "nonsense\r\n\r\n", "400"),
    ],
)
def test_who_does_not_know_the_address_gets_nothing(request_of, status):
    """And nonsense changes nothing."""

    async def visit():
        table, done = Table(), asyncio.Event()
        async with serving(table.telling, "127.0.0.1", 0, done) as address:
            port, path = urlsplit(address).port, urlsplit(address).path[1:]
            return table, await said(port, request_of(f"/{path}"))

    table, answer = asyncio.run(visit())
    assert answer.startswith(f"HTTP/1.1 {status} ")
    assert table.telling.step == 0


def test_a_browser_taps_and_sees_the_page_again():
    """The last tap ends the recording."""

    async def visit():
        table, done = Table(), asyncio.Event()
        async with serving(table.telling, "127.0.0.1", 0, done) as address:
            port, path = urlsplit(address).port, urlsplit(address).path[1:]
            first = await said(port, f"GET /{path} HTTP/1.1\r\nHost: pi\r\n\r\n")
            answers = [
                await said(port, posted(f"/{path}", f"step={step}&tap={word}"))
                for step, word in enumerate(("L2", "stuck", "save+roll", "end"))
            ]
            await done.wait()
            return first, answers, path, table

    first, answers, path, table = asyncio.run(visit())
    assert "Content-Security-Policy: default-src 'none'" in first
    assert "L2" in offered(first)
    assert all(answer.startswith("HTTP/1.1 303") and f"Location: /{path}\r\n" in answer for answer in answers)
    assert [len(roll.truth.facts) for roll in table.rolls] == [2]
    assert "1 rolls saved" in table.telling.html()


@pytest.mark.parametrize("name", board_names())
def test_each_place_of_a_board_can_be_tapped_by_a_thumb(name):
    """On a phone of 390 pixels no button lies over another: each is 44 wide and high."""
    board = load_board(name)
    telling = Telling(lambda: WatchedRoll(board=board, tiled=frozenset(), balls={}, next_number=1), str, int)
    found = re.findall(r'value="([^"]+)" class=\w+ style="left:([\d.]+)%;top:([\d.]+)%"', telling.html())
    wide_px, high_px = 374, 374 * 1.1
    at = {word: (float(left) * wide_px / 100, float(top) * high_px / 100) for word, left, top in found}
    places = (*board.slot_names, *ramp_words(board), *(zone.name for zone in board.zones))
    assert at.keys() == set(places)
    for one, two in itertools.combinations(places, 2):
        assert max(abs(at[one][axis] - at[two][axis]) for axis in (0, 1)) >= 44, (one, two)
