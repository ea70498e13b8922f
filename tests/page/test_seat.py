"""What a seat sees and does on its phone, in a real Chromium: hand, board, choices, questions."""

import re

from helpers.page import samples as fake
from helpers.page.browser import KNOWS_THE_GAME, NEEDS, PHONE, expect, wrong_with
from hextraction.controller.games.hextraction.state.state import Depth
from hextraction.controller.games.scene import Option
from hextraction.controller.payloads.messages import Reply
from msgspec.structs import replace

pytestmark = NEEDS


def slot(page, name):
    """Return a slot on the drawing."""
    return page.locator(f'#board [data-slot="{name}"]')


def test_a_hand_is_shown_to_its_own_seat_only(visit, table):
    """The hand appears on the phone of its seat, never on another seat's or a watcher's."""
    table.views["p1"] = fake.view("p1")
    table.views["p2"] = fake.view("p2", hand=(fake.tile(9, "bend", title="Secret Bend"),))
    mine, other, watcher = visit("p1"), visit("p2"), visit()

    expect(mine.locator(".card-title")).to_have_text(
        ["Powder Keg", "Three Curves", "Somebody's Own Contraption"]
    )
    expect(other.locator(".card-title")).to_have_text(["Secret Bend"])
    assert watcher.locator(".card").count() == 0
    assert "Secret" not in mine.content() + watcher.content()


def test_a_tap_on_a_ramp_sends_its_act(visit, table):
    """The option's act goes out as it came in, with an id and the game it was shown in."""
    table.views["p1"] = fake.view(options=fake.ROLLS)
    page = visit("p1")
    page.locator('#board [data-ramp="L2"]').click()
    seat, sent = table.command()

    assert (seat, sent["act"], sent["game"], sent["v"]) == ("p1", {"do": "roll", "ramp": "L2"}, "g1", 1)
    assert re.fullmatch(r"[0-9a-f]{24}", sent["id"])
    assert set(sent) == {"id", "v", "act", "game"}


def test_a_ramp_with_two_meanings_asks_which(visit, table):
    """Where one ramp can be asked for or attested, a tap offers both."""
    left = fake.shown.Option(
        group="attest",
        label="The ball left ramp L1",
        act={"do": "attest", "place": "L1"},
        ramp="L1",
        tells="released L1",
    )
    table.views["p1"] = fake.view(options=(fake.ROLLS[0], left))
    page = visit("p1")
    page.locator('#board [data-ramp="L1"]').click()
    page.locator(".pick").get_by_role("button", name="The ball left ramp L1").click()

    assert table.command()[1]["act"] == {"do": "attest", "place": "L1"}


def test_laying_a_tile_sends_the_chosen_turns(visit, table):
    """A marked slot is tapped, the preview turned through the legal turns, and confirmed."""
    table.views["p1"] = fake.view(options=fake.PLACES)
    page = visit("p1")
    slot(page, "B5").click()
    page.get_by_role("button", name="Turn right").click()
    page.get_by_role("button", name="Turn right").click()
    page.get_by_role("button", name="Put it on B5", exact=True).click()

    assert table.command()[1]["act"] == {"do": "place", "slot": "B5", "turns": 3}


def test_playing_a_tile_begins_in_the_hand(visit, table):
    """A card opens; its button sends the act."""
    table.views["p1"] = fake.view(options=fake.PLAYS)
    page = visit("p1")
    page.locator('[data-tile="102"]').click()
    page.get_by_role("button", name="Play Three Curves").click()

    assert table.command()[1]["act"] == {"do": "play", "tile": 102}


def test_a_chosen_tile_is_played_onto_the_slot_that_is_tapped(visit, table):
    """One taps the tile and then where it shall lie: it is played, and shown there as soon as it may lie there."""
    table.views["p1"] = fake.view(options=fake.PLAYS)
    page = visit("p1")
    page.locator('[data-tile="102"]').click()
    slot(page, "B5").locator(".hit").click()
    assert table.command()[1]["act"] == {"do": "play", "tile": 102}
    table.show("p1", fake.view(options=fake.PLACES))
    page.get_by_role("button", name="Put it on B5", exact=True).click()
    assert table.command()[1]["act"]["slot"] == "B5"


def test_a_slot_that_is_tapped_first_asks_for_its_tile_which_then_lies_there(visit, table):
    """Slot and tile are two taps in either order; where the tile may not lie there, other slots are bright."""
    table.publish("state", fake.state(depth=Depth.LIGHT))
    table.views["p1"] = fake.view(options=fake.NAMES)
    page = visit("p1")
    slot(page, "B5").locator(".hit").click()
    expect(page.locator("#headline")).to_have_text("Which tile do you lay at B5? Choose it below.")
    page.get_by_role("button", name="Play DC").click()
    assert table.command()[1]["act"] == {"do": "play", "name": "dc"}
    table.show("p1", fake.view(options=fake.PLACES))
    assert table.command()[1]["act"] == {"do": "place", "slot": "B5", "turns": 0}

    table.show("p1", fake.view(options=fake.NAMES))
    slot(page, "C4").locator(".hit").click()
    page.get_by_role("button", name="Play DC").click()
    assert table.command()[1]["act"] == {"do": "play", "name": "dc"}
    table.show("p1", fake.view(options=fake.PLACES))
    expect(page.locator("#board .slot.target")).to_have_count(3)
    expect(page.locator("#board .slot.picked")).to_have_count(0)


def test_with_a_tile_chosen_a_tile_on_the_board_is_still_read(visit, table):
    """Only an open slot is somewhere to lay it."""
    table.views["p1"] = fake.view(options=fake.PLAYS)
    page = visit("p1")
    page.locator('[data-tile="102"]').click()
    slot(page, "C2").locator(".hit").click()
    expect(page.locator("#tray")).to_contain_text("C2")
    page.get_by_role("button", name="Close", exact=True).click()
    page.get_by_role("button", name="Play Three Curves").click()
    assert table.command()[1]["act"] == {"do": "play", "tile": 102}


def test_calling_a_vote_is_tapped_on_the_board(visit, table):
    """After the group's button the tiles that may be voted on are marked; one tap and a confirmation send it."""
    table.views["p1"] = fake.view(options=(*fake.VOTES, fake.END))
    page = visit("p1")
    expect(page.locator("#board .slot.target")).to_have_count(0)
    page.get_by_text("More", exact=True).click()
    page.get_by_role("button", name="Call a vote…").click()
    expect(page.locator("#board .slot.target")).to_have_count(2)
    slot(page, "C2").click()
    page.get_by_role("button", name="Vote on C2", exact=True).click()

    assert table.command()[1]["act"] == {"do": "vote", "slot": "C2"}


def test_what_a_ball_does_is_told_by_one_tap_each(visit, table):
    """Quick taps on slots and an end zone go out in their order, none is lost, and none asks again."""
    table.views["p1"] = fake.view(options=fake.TOLD)
    page = visit("p1")
    expect(page.locator("#board .slot.tell")).to_have_count(2)
    slot(page, "B1").locator(".hit").dispatch_event("click")
    slot(page, "B2").locator(".hit").dispatch_event("click")
    page.locator('#board [data-zone="L"]').dispatch_event("click")

    acts = [table.command()[1]["act"] for _ in range(3)]
    assert [(act["saw"], act["place"]) for act in acts] == [
        ("touched", "B1"),
        ("touched", "B2"),
        ("zone", "L"),
    ]
    assert page.locator(".pick").count() == 0


def test_a_tap_while_an_answer_is_awaited_is_not_lost(visit, table):
    """It waits for its turn, also behind one that is refused; the tray is busy until all are answered."""
    later = fake.said("undo", "Take that back", "0.0")
    table.views["p1"] = fake.view(options=(fake.END, later))
    table.refuse = Reply(id="", ok=False, code="stale", reason="That is over.")
    page = visit("p1")
    tray = page.locator("#tray")
    press = (
        "(tray) => [...tray.querySelectorAll('.buttons > button')].slice(0, 2).forEach((one) => one.click())"
    )
    tray.get_by_role("button", name="Take that back").wait_for()
    table.silent = True
    tray.evaluate(press)
    expect(tray).to_have_attribute("aria-busy", "true")
    first = table.command()[1]
    assert first["act"] == {"do": "end"}
    assert table.commands.empty(), "one at a time"
    table.silent = False
    table.answer("p1", first)

    assert table.command()[1]["act"] == {"do": "undo"}
    expect(page.locator("#tray:not([aria-busy])")).to_be_attached()
    expect(page.locator("#toast")).to_contain_text("That is over.")


def test_without_electronics_a_tap_on_a_ramp_is_the_roll(visit, table):
    """The roller is not asked to announce the ramp first; nobody else begins the roll by a stray tap."""
    table.publish("info", fake.info(electronics=False))
    rolls = (*fake.ROLLS, *fake.RELEASES)
    table.views["p1"] = fake.view(options=rolls)
    table.views["p2"] = fake.view("p2", options=fake.RELEASES)
    mine, other = visit("p1"), visit("p2")
    expect(mine.locator("#board .ramp.target")).to_have_count(len(fake.RELEASES))
    expect(other.locator("#board .ramp.target")).to_have_count(0)
    mine.locator('#board [data-ramp="L2"]').click()
    assert table.command()[1]["act"] == {"do": "attest", "saw": "released", "place": "L2"}

    other.get_by_text("More", exact=True).click()
    other.get_by_role("button", name="Somebody else rolled…").click()
    expect(other.locator("#board .ramp.target")).to_have_count(len(fake.RELEASES))


def test_a_tile_among_many_is_chosen_by_its_picture(visit, table):
    """All are there to tap, drawn: what this table has played, then the basic set; letters and looks leave fewer."""
    apple = Option(group="play", label="Play Apple", act={"do": "play", "name": "apple"})
    table.views["p1"] = fake.view(
        hand=(fake.TileView(id=1, name="", title="a tile"),), options=(apple, *fake.NAMES)
    )
    basic = ["DC", "DIC", "J", "Peace", "X", "Z"]
    page = visit("p1")
    page.get_by_role("button", name="Play a tile…").click()
    names = page.locator(".chooser .tile-name")
    expect(names).to_have_text([*basic, "Unknown tile", "Apple", "Piñata"])
    expect(page.locator(".chooser .pictured .tile-picture .groove").first).to_be_visible()
    assert page.locator(".chooser .pictured").count() == 8
    field = page.get_by_label("Which tile?")
    field.fill("pinata")
    expect(names).to_have_text(["Piñata"])
    page.get_by_role("button", name="Play Piñata").click()
    assert table.command()[1]["act"] == {"do": "play", "name": "pinata"}

    page.get_by_role("button", name="Play a tile…").click()
    table.publish("state", fake.state(42, played=("pinata", "peace"), chime=3))
    expect(page.locator("#facts")).to_contain_text("Chime 3")
    expect(names).to_have_text([*basic, "Unknown tile", "Apple", "Piñata"])  # nothing moves while one looks
    page.get_by_role("button", name="Never mind").click()
    page.get_by_role("button", name="Play a tile…").click()
    at_hand = ["Piñata", "Peace", "DC", "DIC", "J", "X", "Z", "Unknown tile", "Apple"]
    expect(names).to_have_text(at_hand)
    page.get_by_role("button", name="Straight", exact=True).click()
    expect(names).to_have_text(["DIC", "Unknown tile", "Apple"])
    page.get_by_role("button", name="Hole", exact=True).click()
    expect(names).to_have_text(["Apple", "Unknown tile"])
    page.get_by_role("button", name="Straight", exact=True).click()
    page.get_by_role("button", name="Hole", exact=True).click()
    expect(names).to_have_text(at_hand)
    field.fill("zzz")
    page.get_by_role("button", name="Play Unknown tile").click()
    assert table.command()[1]["act"] == {"do": "play", "name": "unknown"}
    assert page.locator(".card").count() == 0


def test_taking_a_tap_back_is_above_whatever_is_long_and_beside_a_places_question(visit, table):
    """An opened choice of tiles stands below all buttons; at a tapped place the way back stays in sight."""
    undo = Option(group="undo", label="Undo my last tap", act={"do": "undo"})
    end = Option(group="end", label="End turn", act={"do": "end"})
    told = [
        Option(group="attest", label=label, slot="C1", act={"do": "attest", "saw": saw, "place": "C1"}, tells=f"{saw} C1")
        for label, saw in (("It stopped on C1", "rests"), ("It fell through C1", "fell"))
    ]  # fmt: skip
    table.views["p1"] = fake.view(hand=(), options=(*fake.NAMES, *told, end, undo))
    page = visit("p1")
    page.get_by_role("button", name="Play a tile…").click()
    back = page.get_by_role("button", name="Undo my last tap")
    found = page.locator(".chooser").bounding_box()["y"]
    for above in (back, page.get_by_role("button", name="End turn")):
        assert above.bounding_box()["y"] < found

    page.get_by_role("button", name="Never mind").click()
    slot(page, "C1").click()
    expect(page.get_by_role("button", name="It fell through C1")).to_be_visible()
    expect(page.get_by_role("button", name="End turn")).to_have_count(0)
    back.click()
    assert table.command()[1]["act"] == {"do": "undo"}


def test_ballots_are_words_that_cannot_be_mistaken(visit, table):
    """KEEP or DESTROY for oneself and for somebody else, ENABLE or DISABLE for a Forbidden effect."""
    table.views["p1"] = fake.view(options=fake.BALLOTS)
    page = visit("p1")

    expect(page.locator("#tray [data-group=ballot]")).to_have_text(
        ["KEEP", "DESTROY", "KEEP for Bo", "DESTROY for Bo", "ENABLE", "DISABLE"]
    )


def test_who_comes_with_a_code_finds_the_form_first(browser, table):
    """While a game is on, too: the form is open, above the board, and asks for the name only."""
    page = browser.new_page(viewport=PHONE)
    page.add_init_script(KNOWS_THE_GAME)
    page.goto(f"{table.url}#j=ABC123")
    expect(page.locator("#link")).to_have_text("Connected")

    expect(page.get_by_label("Your name")).to_be_visible()
    expect(page.get_by_label("Code shown at the table")).to_be_hidden()
    assert page.locator("#join").bounding_box()["y"] < page.locator("#board").bounding_box()["y"]
    page.close()


def test_conceding_takes_two_taps(visit, table):
    """The first tap only asks."""
    table.views["p1"] = fake.view(options=(fake.CONCEDE,))
    page = visit("p1")
    page.get_by_text("More", exact=True).click()
    page.get_by_role("button", name="Concede").click()
    assert table.commands.qsize() == 1  # the hello

    page.get_by_role("button", name="Really? Concede").click()
    assert table.command()[1]["act"] == {"do": "concede"}


def test_a_question_shows_its_exact_answers(visit, table):
    """One question at a time, with its answers, its time, what silence means, and the rule on demand."""
    table.views["p1"] = fake.view(options=(fake.END,), prompts=(fake.KEEP,))
    page = visit("p1")

    expect(page.locator(".question")).to_have_text("Does Powder Keg on C2 stay?")
    assert page.locator(".prompt .buttons button").all_inner_texts() == ["KEEP", "DESTROY"]
    expect(page.locator(".prompt .countdown")).to_have_text(re.compile(r"^1[0-2] s$"))
    expect(page).to_have_title("● Your turn · Hextraction")
    page.get_by_text("Why?").click()
    expect(page.get_by_text("Rule 0.5.4")).to_be_visible()
    page.get_by_role("button", name="DESTROY").click()
    assert table.command()[1]["act"] == {"do": "answer", "prompt": "v1", "choice": 1}


def test_a_button_stays_under_the_finger(visit, table):
    """Snapshots that change nothing about the choices leave their buttons alone."""
    table.views["p1"] = fake.view(options=(fake.END,))
    page = visit("p1")
    end = page.get_by_role("button", name="End the turn").element_handle()
    table.publish("state", fake.state(41, balls=()))
    table.show("p1", fake.view(options=(fake.END,)))

    expect(page.locator("#board .ball")).to_have_count(0)
    assert end.evaluate("node => node.isConnected")


def test_a_refusal_says_why(visit, table):
    """The reason and the clause of a refused command are shown."""
    table.views["p1"] = fake.view(options=(fake.END,))
    table.refuse = Reply(id="", ok=False, code="refused", reason="A roll is still owed.", clause="2.0.2")
    page = visit("p1")
    page.get_by_role("button", name="End the turn").click()

    expect(page.locator("#toast")).to_have_text("A roll is still owed. (2.0.2)")


def test_a_vote_is_in_words(visit, table):
    """Everybody sees the ballots as KEEP and DESTROY, never as yea and nay, and in the order of the seats."""
    page = visit()
    vote = fake.detail.VoteView(
        kind="destroy", title="Bell", slot="B2", ballots={"p3": False, "p2": True}, awaited="p1"
    )
    table.publish("state", fake.state(41, vote=vote))

    expect(page.locator(".vote h2")).to_have_text("Does Bell stay?")
    expect(page.locator(".vote li")).to_have_text(["Bo: KEEP", "Robin: DESTROY"])
    expect(page.locator(".vote")).to_contain_text("Waiting for Ada.")


def test_a_question_leaves_the_taps_that_answer_it(visit, table):
    """While it is asked whether the balls can settle, the board still hears where they go, and that all lies still."""
    settle = replace(
        fake.KEEP, id="s1", kind="loop", text="The balls still move. Will they stop by themselves?", slot=None,
        options=(fake.answer("s1", "yes", "It can settle"), fake.answer("s1", "no", "It is caught")),
    )  # fmt: skip
    table.publish("info", fake.info(electronics=False))
    table.views["p1"] = fake.view(options=fake.TOLD, prompts=(settle,))
    page = visit("p1", bypass_csp=True)
    expect(page.locator(".prompt")).to_contain_text("Will they stop by themselves?")
    expect(page.locator("#board .slot.tell")).to_have_count(2)
    slot(page, "B1").locator(".hit").click()
    assert table.command()[1]["act"]["saw"] == "touched"
    page.get_by_role("button", name="All balls have stopped").click()
    assert table.command()[1]["act"] == {"do": "attest", "saw": "still"}
    assert wrong_with(page) == []


def result(zone=""):
    """Return what is tapped where only the score is kept: no goal, or one in an end zone."""
    saw = {"saw": "zone", "place": zone} if zone else {"saw": "nothing"}
    return Option(
        group="attest",
        label="Goal in the left end zone" if zone else "No goal",
        act={"do": "attest", **saw},
        tells=f"zone {zone}" if zone else "nothing",
    )


def test_a_double_tap_on_a_result_does_not_play_the_turn_of_the_next_player(visit, table):
    """The next result stands where the last one stood: it takes a tap 0.8 seconds later, and is quiet for whoever waits."""
    table.views["p1"] = fake.view(options=(result(), result("L")), hand=())
    page = visit("p1")
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)
    none = page.get_by_role("button", name="No goal")
    expect(none).to_have_class(re.compile("primary"))
    none.dblclick()
    assert table.command()[1]["act"] == result().act

    table.publish("state", fake.state(41, active="p2", turn=8))
    for _ in range(200):  # the news comes through a real broker; what draws it stands still until then
        if "plain" in (none.get_attribute("class") or ""):
            break
        page.clock.run_for(20)
    assert "plain" in (none.get_attribute("class") or "")
    none.click()
    page.clock.run_for(900)
    page.locator("#tray").get_by_role("button", name="Goal in the left end zone").click()
    none.click()
    sent = [table.command()[1]["act"] for _ in range(2)]
    assert sent == [result("L").act, result().act]


def test_a_phone_that_plays_for_two_speaks_for_whoever_is_to_act_and_says_whom(visit, table):
    """Bo, who has no phone, is to act: the headline begins with the name, and what is tapped is said for Bo."""
    shown, own = fake.table(), fake.view()
    brought = tuple(replace(one, by="p1") if one.seat == "p2" else one for one in shown.seats)
    guest = replace(own.view, seat="p2", options=(fake.END,))
    table.publish("table", replace(shown, seats=brought))
    table.publish("state", fake.state(active="p2", acting="p2"))
    table.views["p1"] = replace(own, guests=(guest,))
    page = visit("p1")
    expect(page.locator("#headline .whose")).to_have_text("Bo:")
    page.get_by_role("button", name=fake.END.label).click()
    assert table.command()[1]["seat"] == "p2"
