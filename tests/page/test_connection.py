"""Joining, the connection, and what everybody needs: the page in a real Chromium, a real broker, a fake table."""

from itertools import pairwise

import pytest
from helpers.page import samples as fake
from helpers.page.browser import (
    DESKTOP,
    KNOWS_THE_GAME,
    NEEDS,
    PHONE,
    expect,
    open_table,
    too_small,
    too_wide,
    violations,
    wrong_with,
)
from hextraction.controller.payloads.messages import GameChoice, Glance, Reply, Status
from hextraction.controller.phones.qr import qr_svg
from msgspec.structs import replace

pytestmark = NEEDS


def test_joining_keeps_the_key_and_says_here(visit, table):
    """The code comes from the address and leaves it; the seat's key is kept; presence and hello are sent."""
    table.publish("table", fake.table("lobby"))
    page = visit(hash_="#j=HEX")
    page.get_by_label("Your name").fill("Ada")
    page.get_by_role("button", name="Take a seat").click()

    assert table.asked_to_join() == {"code": "HEX", "name": "Ada"}
    assert table.here.get(timeout=60) == ("p1", True)
    assert table.commands.get(timeout=60)[1]["hello"] is True
    assert "HEX" not in page.url
    assert page.evaluate("() => JSON.parse(localStorage['hextraction.seat']).password") == "key-1"


def test_a_phone_whose_answer_is_lost_asks_again_as_the_same_phone(visit, table):
    """The gate can tell that it is no second player; the word is the one that its presence is told with."""
    table.publish("table", fake.table("lobby"))
    table.lost_joins = 1
    page = visit(hash_="#j=HEX")
    page.get_by_label("Your name").fill("Ada")
    page.get_by_role("button", name="Take a seat").click()
    expect(page.locator("#toast")).to_contain_text("does not reach the board")
    page.get_by_role("button", name="Take a seat").click()

    first, second = (table.joins.get(timeout=60) for _ in range(2))
    assert first == second
    assert len(first["phone"]) >= 16
    assert table.here.get(timeout=60) == ("p1", True)
    quiet(visit)


def test_nothing_can_be_typed_before_it_can_be_sent(browser, table):
    """While the page is still on its way there is no form whose button would do nothing, and lose the code."""
    table.publish("table", fake.table("lobby"))
    page, held = browser.new_page(), []
    page.add_init_script(KNOWS_THE_GAME)

    def hold(route):
        held.append(route)

    page.route("**/app.js", hold)
    page.goto(f"{table.url}#j=HEX")
    expect(page.locator("#lobby")).to_be_visible()
    while not held:
        page.wait_for_timeout(20)
    expect(page.get_by_role("button", name="Take a seat")).to_be_hidden()
    held[0].continue_()
    page.get_by_label("Your name").fill("Ada")
    page.get_by_role("button", name="Take a seat").click()

    assert table.asked_to_join() == {"code": "HEX", "name": "Ada"}
    page.close()


def test_a_wrong_code_says_so(browser, table):
    """The gate's reason is shown."""
    page = browser.new_page()
    page.add_init_script(KNOWS_THE_GAME)
    page.goto(table.url)
    open_table(page)
    page.get_by_label("Your name").fill("Ada")
    page.get_by_label("Code shown at the table").fill("NO")
    page.get_by_role("button", name="Take a seat").click()

    expect(page.locator("#toast")).to_have_text("That is not the code shown at the table.")
    page.close()


def test_a_complaint_is_gone_once_the_thing_is_done(browser, table):
    """A wrong code is complained of; whoever sits down with the right one reads no more of it."""
    table.publish("table", fake.table("lobby"))
    page = browser.new_page()
    page.add_init_script(KNOWS_THE_GAME)
    page.goto(table.url)
    page.get_by_label("Your name").fill("Ada")
    page.get_by_label("Code shown at the table").fill("NO")
    page.get_by_role("button", name="Take a seat").click()
    expect(page.locator("#toast")).to_be_visible()
    page.get_by_label("Code shown at the table").fill("HEX")
    page.get_by_role("button", name="Take a seat").click()
    expect(page.locator("#join")).to_be_hidden()
    assert page.locator("#toast").is_hidden(), "at once, not some seconds later"
    page.close()


def test_seats_that_may_be_taken_are_not_called_taken(visit, table):
    """A demonstration's bots give their seats to whoever comes: what is said above the seats is what they offer."""
    bots = tuple(replace(one, kind="bot", here=False) for one in fake.table().seats)
    table.publish("table", fake.table("lobby", seats=bots))
    page = visit()
    expect(page.get_by_role("button", name="Sit here")).to_have_count(3)
    expect(page.locator("#watching")).to_have_text("You are watching. Sit down to play.")


@pytest.mark.parametrize("width", [360, 390])
def test_no_word_of_the_lobby_is_broken(visit, table, width):
    """“Game” stands on one line beside the longest title."""
    games = tuple(
        GameChoice(kind=kind, title=title)
        for kind, title in (("hextraction", "Hextraction"), ("x", "A game with quite a long title"))
    )
    table.publish("table", fake.table("lobby", games=games))
    page = visit("p1", viewport={"width": width, "height": 740})
    label = page.locator(".choose-game")
    expect(label).to_be_visible()
    lines = "(node) => { const range = document.createRange(); range.selectNodeContents(node.firstChild); return new Set([...range.getClientRects()].map((one) => one.top)).size; }"
    assert label.evaluate(lines) == 1
    assert too_wide(page) == 0


def test_the_lobby_starts_a_game_and_fills_seats(visit, table):
    """A seated player adds a bot and starts."""
    seats = (*fake.table().seats[:1], fake.TableSeat(seat="p2", name="Blue", colour="blue", kind="open"))
    table.publish("table", fake.table("lobby", seats=seats, can_start=True))
    page = visit("p1")
    page.get_by_role("button", name="Add a bot").click()
    assert table.command()[1]["table"] == {"do": "bot", "seat": "p2"}

    page.get_by_role("button", name="Start").click()
    assert table.command()[1]["table"] == {"do": "start"}


def test_one_more_phone_gets_a_square_an_address_and_a_code(visit, table):
    """The one-time code stays in sight until it is closed, and the address can be copied."""
    table.publish("table", fake.table("lobby"))
    address = "http://10.0.0.5:8080/#j=ABCDEFGH"
    table.refuse = Reply(
        id="", ok=True, code="ok", reason="ABCDEFGH", address=address, picture=qr_svg(address).decode()
    )
    page = visit("p1", bypass_csp=True)
    page.get_by_role("button", name="Use another phone").click()
    sheet = page.get_by_role("dialog")
    expect(sheet).to_contain_text("ABCDEFGH")
    expect(sheet.get_by_role("img", name="QR code of the address")).to_be_visible()
    expect(sheet.get_by_role("textbox", name="Address")).to_have_value(address)
    sheet.get_by_role("button", name="Copy the address").click()
    expect(sheet.get_by_role("button", name="Copied")).to_be_visible()
    assert wrong_with(page) == []
    sheet.get_by_role("button", name="Close the code").click()
    expect(sheet).to_be_hidden()


def test_leaving_the_page_tells_the_table(visit, table):
    """When the phone goes, its last will says so."""
    page = visit("p1")
    assert table.here.get(timeout=60) == ("p1", True)
    page.close()

    assert table.here.get(timeout=60) == ("p1", False)


# --- the connection ---------------------------------------------------------------------------------------------


def test_the_page_comes_back_after_the_broker(visit, table):
    """While the broker is away the page says so; afterwards it shows what is new."""
    table.views["p1"] = fake.view(options=(fake.END,))
    page = visit("p1")
    table.stop_broker()
    expect(page.locator("#link")).to_have_text("Reconnecting…")
    table.start_broker_again()
    expect(page.locator("#link")).to_have_text("Connected")
    table.publish("state", fake.state(50, balls=()))

    expect(page.locator("#board .ball")).to_have_count(0)
    page.get_by_role("button", name="End the turn").click()
    assert table.command()[1]["act"] == {"do": "end"}
    visit.wrong[:] = [line for line in visit.wrong if "WebSocket" not in line]  # the browser's own lines


LONG, MIDDLE = 100, 500
"""A message's kind, length, topic and properties are in these first bytes."""


def in_pieces(size):
    """Return what hands each of the broker's messages to a page in so many bytes at a time.

    The middle of a long one comes in larger pieces, as each costs the browser a round trip.
    """

    def between(phone):
        broker = phone.connect_to_server()

        def hand_on(data):
            body = max(LONG, len(data) - LONG)
            middle = range(LONG, body, max(size, MIDDLE))
            starts = [*range(0, min(LONG, len(data)), size), *middle, *range(body, len(data), size)]
            for start, end in pairwise([*starts, len(data)]):
                phone.send(data[start:end])

        broker.on_message(hand_on)

    return between


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_messages_that_come_in_pieces_are_shown_at_once(browser, table, size):
    """Frames of a websocket may end anywhere in a message; a small one is not held back by a large one before it."""
    page = browser.new_page()
    page.route_web_socket("**/mqtt", in_pieces(size))
    page.goto(table.url)
    expect(page.locator("#board .slot")).not_to_have_count(0)
    for state, words in (("offline", "Program stopped"), ("online", "Connected")) * 2:
        table.publish("state", fake.state(50, balls=()))
        table.publish("status", Status(state=state, boot="b1"))
        expect(page.locator("#link")).to_have_text(words)
    page.close()


def test_a_controller_that_is_away_is_named(visit, table):
    """A status that is not online is said plainly; another start is greeted again."""
    page = visit("p1")
    assert table.commands.get(timeout=60)[1]["hello"] is True
    table.publish("status", Status(state="offline", boot="b1"))
    expect(page.locator("#link")).to_have_text("Program stopped")
    table.publish("status", Status(state="online", boot="b2"))
    expect(page.locator("#link")).to_have_text("Connected")

    assert table.commands.get(timeout=60)[1]["hello"] is True


def quiet(visit):
    """Leave out the browser's own lines about connections that failed."""
    visit.wrong[:] = [
        line for line in visit.wrong if "WebSocket" not in line and "Failed to load" not in line
    ]


def test_while_taps_do_nothing_a_banner_says_why_and_what_to_do(visit, table):
    """It has the table's own reason and one button; the board is dimmed, and nothing on it can be tapped."""
    table.views["p1"] = fake.view(options=(fake.END,))
    page = visit("p1")
    expect(page.locator("#trouble")).to_be_hidden()
    table.closed = "Phones cannot join now: the table's message broker does not run."
    table.stop_broker()
    trouble = page.locator("#trouble")
    expect(trouble).to_contain_text("Not connected: taps do nothing now.")
    expect(trouble).to_contain_text("Phones cannot join now: the table's message broker does not run.")
    assert trouble.get_by_role("button").count() == 1
    assert float(page.locator("#board").evaluate("node => getComputedStyle(node).opacity")) < 0.5
    assert page.locator("#board").evaluate("node => getComputedStyle(node).pointerEvents") == "none"
    assert page.locator("#tray").evaluate("node => node.inert") is True
    assert trouble.bounding_box()["width"] == page.viewport_size["width"]

    trouble.get_by_role("button", name="Try now").click()
    expect(trouble).to_contain_text("Phones cannot join now: the table's message broker does not run.")
    table.start_broker_again()
    table.closed = ""
    expect(page.locator("#link")).to_have_text("Connected")
    expect(trouble).to_be_hidden()
    page.get_by_role("button", name="End the turn").click()
    assert table.command()[1]["act"] == {"do": "end"}
    quiet(visit)


def test_a_dead_network_is_noticed_within_three_seconds(visit, table):
    """Nothing comes any more, and no connection says that it is closed: the page's own ping finds out."""
    page = visit("p1")
    table.deaf = True
    # The page's own clock says how long it took: a busy machine delays the test, not the measurement.
    took_ms = page.evaluate(
        """() => new Promise((done) => {
          const from = performance.now();
          const look = () => document.getElementById("trouble").hidden ? requestAnimationFrame(look) : done(performance.now() - from);
          look();
        })"""
    )
    assert took_ms < 4500, "three seconds, and what a busy machine adds to its timers"
    table.deaf = False
    expect(page.locator("#link")).to_have_text("Connected")
    quiet(visit)


def test_a_dead_key_leads_to_the_join_form(visit, table):
    """The table was started anew and knows the seat no more: the phone asks for the name again, and that is all."""
    table.publish("table", fake.table("lobby"))
    table.worth["p1"] = "forgotten"
    page = visit("p1", hash_="#j=HEX")
    expect(page.locator("#join")).to_be_visible()
    expect(page.locator("#join-again")).to_be_visible()
    assert page.evaluate("() => localStorage['hextraction.seat']") is None
    page.get_by_label("Your name").fill("Ada")
    page.get_by_role("button", name="Take a seat").click()

    assert table.asked_to_join() == {"code": "HEX", "name": "Ada"}
    expect(page.locator("#join")).to_be_hidden()


def test_another_window_that_has_joined_anew_shares_its_key(visit, table):
    """A window that slept meanwhile finds its own seat forgotten: it takes up the new one, and does not throw it away."""
    table.publish("table", fake.table("lobby"))
    page = visit("p1")
    assert table.here.get(timeout=60) == ("p1", True)
    page.evaluate("""() => {
        const key = JSON.parse(localStorage['hextraction.seat']);
        localStorage['hextraction.seat'] = JSON.stringify({ ...key, seat: 'p2', user: 'p2', password: 'key-2' });
    }""")
    table.worth["p1"] = "forgotten"
    table.stop_broker()
    table.start_broker_again()

    assert ("p2", True) in (table.here.get(timeout=60) for _said in range(3))
    expect(page.locator("#join")).to_be_hidden()
    assert page.evaluate("() => JSON.parse(localStorage['hextraction.seat']).user") == "p2"
    quiet(visit)


def test_a_code_in_the_address_leaves_a_good_key_alone(visit, table):
    """Whoever scans the code once more is still in the seat that the phone has."""
    table.publish("table", fake.table("lobby"))
    page = visit("p1", hash_="#j=HEX")
    expect(page.locator("#join")).to_be_hidden()
    assert table.here.get(timeout=60) == ("p1", True)
    assert table.joins.empty()


def test_a_taken_seat_is_taken_back_with_one_button(visit, table):
    """Somebody else has it: the banner says so, and gives it back."""
    table.publish("table", fake.table("lobby"))
    page = visit("p1")
    table.worth["p1"] = "taken"
    table.stop_broker()
    table.start_broker_again()
    expect(page.locator("#trouble")).to_contain_text("Somebody else has your seat now.")
    page.get_by_role("button", name="Take the seat back").click()

    expect(page.locator("#link")).to_have_text("Connected")
    expect(page.locator("#trouble")).to_be_hidden()
    quiet(visit)


def test_a_tap_just_before_a_short_break_is_not_lost(visit, table):
    """Nobody heard the command: once the connection is back it is said again, under the same id, and answered."""
    table.views["p1"] = fake.view(options=(fake.END,))
    page = visit("p1")
    expect(page.get_by_role("button", name="End the turn")).to_be_visible()
    table.silent = True
    page.get_by_role("button", name="End the turn").click()
    first = table.command()[1]
    table.stop_broker()
    table.start_broker_again()
    table.silent = False
    second = table.command()[1]
    assert (second["id"], second["act"]) == (first["id"], first["act"])
    expect(page.locator("#tray")).not_to_have_attribute("aria-busy", "true")
    quiet(visit)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_while_an_answer_is_awaited_the_buttons_can_still_be_read(visit, table, scheme):
    """The table is silent: buttons say that they wait, but a slow network makes no text too faint."""
    table.views["p1"] = fake.view(options=(fake.END,))
    page = visit("p1", bypass_csp=True, reduced_motion="reduce", color_scheme=scheme)
    expect(page.get_by_role("button", name="End the turn")).to_be_visible()
    table.silent = True
    page.get_by_role("button", name="End the turn").click()

    expect(page.locator("#tray")).to_have_attribute("aria-busy", "true")
    assert violations(page) == []
    quiet(visit)


def test_it_works_where_the_browser_trusts_nothing(visit, table):
    """On plain http on a name that is no secure context everything still works."""
    table.views["p1"] = fake.view(options=(fake.END,))
    page = visit("p1", host="raspberrypi.local")
    assert page.evaluate("() => isSecureContext") is False
    page.get_by_role("button", name="End the turn").click()

    assert table.command()[1]["act"] == {"do": "end"}


# --- for everybody ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_axe_finds_nothing_serious(visit, table, scheme, size):
    """No serious or critical finding in any of the page's shapes, and no sideways scrolling."""
    table.views["p1"] = fake.view(options=(*fake.ROLLS, *fake.PLAYS, fake.END, fake.CONCEDE))
    page = visit("p1", viewport=size, color_scheme=scheme, bypass_csp=True, reduced_motion="reduce")
    expect(page.locator(".card")).to_have_count(3)
    table.publish(
        "event", fake.event(41, "A ball touches Bell.", slot="B2", seat="p1", clause="3.Touch"), retain=False
    )
    expect(page.locator("#log li")).to_have_count(1)
    drawn = violations(page)
    page.locator("#text-toggle").click()

    assert drawn + violations(page) == []
    assert too_wide(page) == 0


def test_targets_are_large_enough_for_a_thumb(visit, table):
    """Every button, card, slot and ramp head on a phone is at least 44 by 44."""
    table.views["p1"] = fake.view(options=(*fake.ROLLS, *fake.PLAYS, fake.END, fake.CONCEDE))
    page = visit("p1")
    expect(page.locator(".card")).to_have_count(3)

    assert too_small(page, "button, summary, input, #board .slot .hit, #board .ramp .hit") == []


def test_the_board_that_came_with_the_page_is_drawn_before_any_connection(browser, table):
    """Without a socket and without the rest of the page one sees the tiles, and whose turn it is; then all goes on."""
    table.glance = Glance(info=fake.info(), table=fake.table(), state=fake.state())
    page = browser.new_page(viewport=PHONE)
    page.add_init_script(KNOWS_THE_GAME)
    held = []

    def hold(route):
        held.append(route)

    page.route("**/app.js", hold)
    page.goto(table.url)
    expect(page.locator("#board .slot .groove").first).to_be_attached()
    expect(page.locator("#headline")).to_have_text("Ada rolls on L2.")
    expect(page.locator(".seat.active")).to_contain_text("Ada")
    expect(page.locator("#link")).to_have_text("Connecting…")
    held[0].continue_()
    expect(page.locator("#link")).to_have_text("Connected")
    page.locator("#board [data-slot=B2] .hit").click()
    expect(page.locator(".inspect")).to_contain_text("Bell")
    table.publish("state", fake.state(41, headline="Bo rolls."))
    expect(page.locator("#headline")).to_have_text("Bo rolls.")
    page.close()


def test_a_page_that_comes_in_part_says_so(browser, table):
    """When the rest of the page cannot be fetched, the headline says what to do."""
    page = browser.new_page(viewport=PHONE)
    page.route("**/app.js", lambda route: route.abort())
    page.goto(table.url)
    expect(page.locator("#headline")).to_have_text("Part of the page is missing. Load it again.")
    page.close()


def test_the_connection_does_not_wait_for_the_rest_of_the_game(browser, table):
    """Over a slow network both are on their way at once; what the table says meanwhile is not lost."""
    table.glance = Glance(info=fake.info(), table=fake.table(), state=fake.state())
    page = browser.new_page(viewport=PHONE)
    page.add_init_script(KNOWS_THE_GAME)
    held = []
    page.route("**/rest.js", lambda route: held.append(route))  # noqa: PLW0108 - Playwright looks for a function
    with page.expect_websocket(timeout=60_000):
        page.goto(table.url)
    table.publish("state", fake.state(41, headline="Bo rolls."))
    held[0].continue_()
    expect(page.locator("#link")).to_have_text("Connected")
    expect(page.locator("#headline")).to_have_text("Bo rolls.")
    page.close()
