"""What is kept of seats from one start to the next: never more than was given, whatever the disk does."""

import asyncio
import json

import pytest
from hextraction.controller.payloads.messages import Glance, Topics
from hextraction.controller.phones.badges import Badges
from hextraction.controller.phones.rights import SeatBook
from hextraction.controller.table.lobby import Lobby


def badges_of(keep, lobby=None):
    """Return the badges of a table that keeps them there, as the last run left them."""
    made = Badges(
        SeatBook(Topics("den"), ("red", "blue", "green")),
        Lobby() if lobby is None else lobby,
        keep=keep,
        address=lambda _code: "",
        show_code=False,
        glance=Glance,
        on_free=lambda _seat: None,
        on_table=lambda: None,
    )
    made.load()
    return made


def at_a_table(visit):
    """Run a visit where a loop runs, as the badges need one."""

    async def run():
        visit()

    asyncio.run(run())


def full(keep):
    """Let no file be written beside this one, as on a full disk."""
    (keep.with_suffix(".new") / "in the way").mkdir(parents=True)


def test_a_seat_given_back_on_a_full_disk_stays_given_back(tmp_path):
    """The file is written in the room that it has; the other seats' phones are known after the restart."""
    keep = tmp_path / "games.seats"

    def visit():
        table = badges_of(keep)
        gone, stays = table.book.issue("red"), table.book.issue("blue")
        table.revoke("green")
        full(keep)
        table.revoke("red")
        again = badges_of(keep)
        assert not again.book.is_valid(gone.user, gone.token)
        assert again.book.is_valid(stays.user, stays.token)
        assert "cannot be saved" in table.unkept

    at_a_table(visit)


def test_a_seat_that_was_put_aside_and_given_up_stays_given_up(tmp_path):
    """The phone that had it before somebody else took it may not take it back after a restart."""
    keep = tmp_path / "games.seats"

    def visit():
        table = badges_of(keep)
        first = table.book.issue("red")
        table.book.set_aside("red")
        table.revoke("blue")
        assert badges_of(keep).book.is_aside(first.user, first.token)
        table.revoke("red")
        assert badges_of(keep).book.is_aside(first.user, first.token) is None

    at_a_table(visit)


ROW = ["red.0011aabb", "t" * 32, "red"]
BROKEN = {
    "deep": "[" * 200_000,
    "deep in a value": '{"watch": "' + "w" * 32 + '", "badges": ' + "[" * 200_000,
    "half a letter": json.dumps({"watch": "w" * 32, "badges": [["red.0011aabb", "\ud800", "red"]]}),
    "half a letter's token": json.dumps({"watch": "\udfff" * 32}),
    "no token": json.dumps({"watch": "w" * 32, "badges": [["red.1", "", "red"]]}),
    "no text": b"\xff\xfe",
    "far too large": json.dumps({"watch": "w" * 32, "badges": [ROW] * 5_000}),
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_a_file_that_is_no_seat_book_is_moved_aside(tmp_path, caplog, text):
    """One line says so, phones join again, and the file is there for whoever wants to look."""
    keep = tmp_path / "games.seats"
    keep.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))

    def visit():
        table = badges_of(keep)
        assert table.book.badges == ()
        table.book.issue("red")
        table.revoke("blue")
        assert len(badges_of(keep).book.badges) == 1

    at_a_table(visit)
    assert "phones have to join again" in caplog.text
    assert keep.with_name("games.seats.broken").exists()


def test_no_file_gives_a_seat_more_phones_or_another_name_than_it_may_have(tmp_path):
    """What the broker is told stays small, and nobody gets the controller's own name."""
    keep = tmp_path / "games.seats"
    rows = [[f"red.{number:08x}", "t" * 32, "red"] for number in range(200)]
    foreign = [
        ["controller", "t" * 32, "red"],
        ["blue.00000001", "t" * 32, "red"],
        ["white.1", "t" * 32, "white"],
    ]
    keep.write_text(json.dumps({"watch": "w" * 32, "badges": rows + foreign, "aside": rows + foreign}))

    def visit():
        users = [badge.user for badge in badges_of(keep).book.badges]
        assert users == [f"red.{number:08x}" for number in (197, 198, 199)]

    at_a_table(visit)


def test_after_a_restart_it_is_known_which_guest_has_a_phone_of_their_own(tmp_path):
    """So whoever has brought them does not look into their hand before that phone is back."""
    keep = tmp_path / "games.seats"

    def visit():
        lobby, again = Lobby(), Lobby()
        table = badges_of(keep, lobby)
        lobby.guests = {"blue": "red", "green": "red"}
        table.book.issue("blue")
        table.revoke("red")
        badges_of(keep, again)
        assert again.guests == {"blue": "red", "green": "red"}
        assert again.with_own_phone == {"blue"}

    at_a_table(visit)
