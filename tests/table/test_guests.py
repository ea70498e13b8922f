"""Players without a phone: somebody's phone plays for them, and for nobody else."""

import asyncio

from helpers.audience import Phones
from helpers.simulated import entries, now_us, table
from helpers.waiting import happens
from hextraction.controller.payloads.messages import Command
from hextraction.controller.table.from_phones import FromPhones
from hextraction.controller.table.lobby import SEATS, Lobby, NotGranted, SeatTaken

HERE = dict.fromkeys(SEATS, False)


def seated():
    """Return a table in its lobby with Anna and Ben, and their phones; all other phones are away."""
    made = table(9)
    for name, seat in (("Anna", "red"), ("Ben", "blue")):
        assert isinstance(made.host.lobby.join(name, seat, {}), SeatTaken)
    phones = made.host.audience = Phones()
    for seat in SEATS[2:]:
        phones.goes(seat, 1000.0)
    return made, phones


def says(made, phone, **words):
    """Let a phone ask for something; return the answer."""
    game = made.host.runtime.game if made.host.runtime is not None else ""
    command = Command(**{"id": f"c{len(made.host.audience.replies)}", "game": game, **words})
    made.host.command(phone, command, now_us(made))
    return made.host.audience.replies[-1][1]


def with_mia():
    """Return such a table to which Anna has brought Mia, who sits at green, and a game has begun."""
    made, phones = seated()
    assert says(made, "red", table={"do": "guest", "name": "Mia"}).ok
    assert says(made, "red", table={"do": "start"}).ok
    made.show()
    return made, phones


def shown(phones, seat):
    """Return the newest view that a phone was shown."""
    return next(view for to, view in reversed(phones.views) if to == seat)


def test_whoever_comes_without_a_phone_sits_like_all_others_and_is_seen_by_the_phone_that_brought_them():
    """Mia has a seat, a name and a hand; Anna's phone sees Mia's view beside its own, and Ben's does not."""
    made, phones = with_mia()
    mia = next(seat for seat in phones.tables[-1].seats if seat.seat == "green")
    assert (mia.name, mia.kind, mia.by, mia.here) == ("Mia", "person", "red", True)
    assert "green" in phones.revoked
    assert [view.seat for view in shown(phones, "red").guests] == ["green"]
    assert shown(phones, "blue").guests == ()
    assert {player.seat for player in made.host.runtime.standing.players} >= {"red", "blue", "green"}


def test_what_is_done_for_a_player_without_a_phone_stands_in_the_journal_as_theirs():
    """Anna's phone leaves the game for Mia: the act is green's, and told as Mia's own."""
    made, _phones = with_mia()
    assert says(made, "red", seat="green", act={"do": "concede"}).ok
    assert [entry.what.seat for entry in entries(made) if type(entry.what).__name__ == "Acted"] == ["green"]


def test_a_phone_decides_for_nobody_whom_it_has_not_brought():
    """Neither for a guest of somebody else, nor for whoever has a phone, a bot, or a seat that is none."""
    made, phones = with_mia()
    before = len(entries(made))
    for phone, seat in (
        ("blue", "green"),
        ("red", "blue"),
        ("green", "red"),
        ("red", "violet"),
        ("blue", "x"),
    ):
        for words in ({"act": {"do": "concede"}}, {"table": {"do": "leave"}}, {"table": {"do": "phone"}}):
            reply = says(made, phone, seat=seat, **words)
            assert (reply.code, "does not play for" in reply.reason) == ("refused", True)
    assert len(entries(made)) == before
    assert {seat.seat for seat in phones.tables[-1].seats if seat.kind == "person"} == {
        "red",
        "blue",
        "green",
    }


def test_while_a_guest_has_a_phone_of_their_own_the_other_one_neither_sees_nor_decides():
    """When it goes dark nobody looks into their hand; when it stays away, all comes back to who brought them."""
    made, phones = with_mia()
    phones.here["green"], phones.away_s["green"] = True, 0.0
    made.host.seats_changed(now_us(made))
    made.host.refresh(now_us(made))
    assert shown(phones, "red").guests == ()
    assert next(seat.by for seat in phones.tables[-1].seats if seat.seat == "green") == ""
    assert says(made, "red", seat="green", act={"do": "concede"}).code == "refused"
    for away_s, seen in ((0.1, []), (299.0, []), (300.0, ["green"])):
        phones.goes("green", away_s)
        made.host.seats_changed(now_us(made))
        made.host.refresh(now_us(made))
        assert [view.seat for view in shown(phones, "red").guests] == seen
        assert says(made, "red", seat="green", act={"do": "concede"}).ok is (away_s >= 300)


def test_a_guest_whose_own_phone_went_dark_before_the_game_is_seen_by_nobody_when_it_begins():
    """Nor does the table say meanwhile that the phone that had brought them plays for them."""
    made, phones = seated()
    assert says(made, "red", table={"do": "guest", "name": "Mia"}).ok
    phones.here["green"], phones.away_s["green"] = True, 0.0
    made.host.seats_changed(now_us(made))
    phones.goes("green", 0.0)
    made.host.seats_changed(now_us(made))
    assert next(seat.by for seat in phones.tables[-1].seats if seat.seat == "green") == ""
    assert says(made, "red", table={"do": "start"}).ok
    made.show()
    assert shown(phones, "red").guests == ()


def test_a_guest_whose_own_phone_stays_away_is_played_by_who_brought_them_though_nothing_else_happens():
    """The table looks again as soon as that phone has been away for long enough."""
    made, phones = with_mia()
    made.host.lobby.grace_s = 0.05
    theirs = FromPhones(made.host, lambda: now_us(made), list)

    def is_seen():
        made.host.refresh(now_us(made))
        return [view.seat for view in shown(phones, "red").guests] == ["green"]

    async def goes_dark():
        phones.here["green"], phones.away_s["green"] = True, 0.0
        theirs.changed()
        phones.goes("green", 0.01)
        theirs.changed()
        assert not is_seen()
        phones.away_s["green"] = 0.06
        await happens(is_seen)
        theirs.close()

    asyncio.run(goes_dark())


def test_whoever_leaves_takes_along_whom_they_have_brought_unless_those_have_a_phone_by_then():
    """Nobody could play for them; the seats are free for others."""
    for has_a_phone in (False, True):
        made, phones = seated()
        assert says(made, "red", table={"do": "guest", "name": "Mia"}).ok
        phones.here["green"] = has_a_phone
        assert says(made, "red", table={"do": "leave"}).ok
        left = {chair.seat: chair.kind for chair in made.host.lobby.chairs}
        assert (left["red"], left["green"]) == ("open", "person" if has_a_phone else "open")
        assert made.host.lobby.guests == {}


def test_a_guest_leaves_alone():
    """Anna lets Mia go and plays on."""
    made, phones = with_mia()
    assert says(made, "red", seat="green", table={"do": "leave"}).ok
    assert {chair.seat: chair.kind for chair in made.host.lobby.chairs}["red"] == "person"
    assert "green" in phones.revoked


def test_others_answer_for_a_guest_only_once_the_phone_that_plays_for_them_is_away():
    """A guest is there as long as that phone is, and nobody takes their seat meanwhile."""
    lobby = Lobby(bots=False)
    lobby.join("Anna", None, {})
    assert not isinstance(lobby.hear("red", {"do": "guest", "name": "Mia"}), NotGranted)
    assert lobby.reached({**HERE, "red": True})["blue"]
    assert lobby.unreached_s({"red": 0.0, "blue": 900.0})["blue"] == 0.0
    assert isinstance(lobby.join("Mallory", "blue", {"red": 0.0, "blue": 900.0}), NotGranted)
    assert lobby.join("Mia", "blue", {"red": 900.0, "blue": 900.0}) == SeatTaken(seat="blue", again=True)


def test_a_phone_has_one_vote_on_who_has_to_leave_however_many_it_plays():
    """Anna with two guests is one of two who are needed."""
    lobby = Lobby(bots=False)
    for name in ("Anna", "Ben", "Cleo"):
        lobby.join(name, None, {})
    for name in ("Mia", "Tom"):
        lobby.hear("red", {"do": "guest", "name": name})
    for voter in ("red", "yellow", "violet"):
        lobby.hear(voter, {"do": "remove", "seat": "blue"})
    assert "1 of 2 votes" in lobby.say
    assert {chair.seat for chair in lobby.players} >= {"blue"}


def test_a_guest_needs_a_name_and_a_free_seat_and_brings_nobody():
    """Each refusal is a sentence."""
    lobby = Lobby(bots=False)
    for name in ("Anna", "Ben", "Cleo", "Dan"):
        lobby.join(name, None, {})
    assert lobby.hear("red", {"do": "guest"}) == NotGranted(
        reason="A name needs at least one letter that can be seen."
    )
    lobby.hear("red", {"do": "guest", "name": "Mia"})
    assert lobby.hear("violet", {"do": "guest", "name": "Tom"}) == NotGranted(
        reason="Whoever has brought you can add somebody."
    )
    lobby.hear("red", {"do": "guest", "name": "Tom"})
    assert lobby.hear("red", {"do": "guest", "name": "Zoe"}) == NotGranted(reason="Every seat is taken.")


def test_a_seat_that_somebody_takes_for_themselves_is_nobodys_guest():
    """Who sits down where a guest has been is not played by the phone that had brought that guest."""
    lobby = Lobby(bots=False)
    lobby.join("Anna", None, {})
    lobby.hear("red", {"do": "guest", "name": "Mia"})
    lobby.hear("blue", {"do": "leave"})
    lobby.join("Ben", "blue", {})
    assert lobby.guests_of("red", {}) == ()
