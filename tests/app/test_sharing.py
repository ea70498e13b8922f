"""History beside a table: made at the start and after each game, off the loop, and served as files."""

import asyncio
import gzip
import json

import pytest
from helpers.simulated import begin, entries, play, table
from helpers.waiting import happens
from hextraction.controller.app.sharing import keep_history
from hextraction.controller.games.marked_names import plain
from hextraction.controller.phones.http import Request
from hextraction.controller.phones.page_files import Page
from hextraction.controller.play.journal import Journal


def asked(page, path, **headers):
    """Return the answer to a request for a file: its head and its body."""
    asset = page.find(path)
    request = Request(method="GET", path=path, query="", headers={"host": "h", **headers}, raw=b"")
    head, _, body = page.serve(request, asset).partition(b"\r\n\r\n")
    return head.decode(), body


@pytest.mark.slow
def test_phones_have_the_games_soon_after_a_start(tmp_path):
    """The archive is made beside the journal, the files are served packed, and the last game is told again."""
    path = tmp_path / "games.db"
    made = begin(9)
    assert play(made)
    kept, runtime = Journal(path), made.host.runtime
    kept.begin(runtime.referee.header)
    kept.append(runtime.game, [entry.what for entry in entries(made)])
    kept.finish(runtime.game, runtime.standing.outcome)
    again, page = table(9, journal=kept), Page({"index.html": b"<p>"})
    assert again.host.evening.events == ()

    async def until_shelved():
        keeping = asyncio.create_task(keep_history(again.host, page, path))
        await happens(lambda: page.find("/history/index.json") is not None)
        keeping.cancel()

    asyncio.run(until_shelved())
    kept.close()
    head, body = asked(page, "/history/index.json", **{"accept-encoding": "gzip"})
    assert "Content-Encoding: gzip" in head
    assert json.loads(gzip.decompress(body))["games"][0]["game"] == runtime.game
    head, body = asked(page, f"/history/{runtime.game}.json")
    assert "Content-Encoding: gzip" in head, "nothing is unpacked for anybody"
    assert json.loads(gzip.decompress(body))["summary"]["outcome"] == plain(runtime.standing.outcome)
    tag = next(line.partition(": ")[2] for line in head.splitlines() if line.startswith("ETag"))
    assert asked(page, f"/history/{runtime.game}.json", **{"if-none-match": tag})[0].startswith(
        "HTTP/1.1 304"
    )
    assert page.find("/history/../games.db") is None
    assert [event.text for event in again.host.evening.events] == [
        event.text for event in made.host.evening.events
    ]
