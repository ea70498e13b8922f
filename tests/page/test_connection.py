"""Joining, the connection, and what everybody needs: the page in a real Chromium, a real broker, a fake table."""

import pytest
from helpers.page import samples as fake
from helpers.page.browser import DESKTOP, NEEDS, PHONE, expect, grave, too_small, too_wide
from hextraction.controller.phones.payloads.messages import Status

pytestmark = NEEDS


def test_joining_keeps_the_key_and_says_here(visit, table):
    """The code comes from the address and leaves it; the seat's key is kept; presence and hello are sent."""
    table.publish("table", fake.table("lobby"))
    page = visit(hash_="#j=HEX")
    page.get_by_label("Your name").fill("Ada")
    page.get_by_role("button", name="Take a seat").click()

    assert table.joins.get(timeout=60) == {"code": "HEX", "name": "Ada"}
    assert table.here.get(timeout=60) == ("p1", True)
    assert table.commands.get(timeout=60)[1]["hello"] is True
    assert "HEX" not in page.url
    assert page.evaluate("() => JSON.parse(localStorage['hextraction.seat']).password") == "key-1"


def test_a_wrong_code_says_so(browser, table):
    """The gate's reason is shown."""
    page = browser.new_page()
    page.goto(table.url)
    expect(page.locator("#lobby")).not_to_have_attribute("open", "")
    page.get_by_text("Table", exact=True).click()
    page.get_by_label("Your name").fill("Ada")
    page.get_by_label("Code shown at the table").fill("NO")
    page.get_by_role("button", name="Take a seat").click()

    expect(page.locator("#toast")).to_have_text("That is not the code shown at the table.")
    page.close()


def test_the_lobby_starts_a_game_and_fills_seats(visit, table):
    """A seated player adds a bot and starts."""
    seats = (*fake.table().seats[:1], fake.TableSeat(seat="p2", name="Blue", colour="blue", kind="open"))
    table.publish("table", fake.table("lobby", seats=seats, can_start=True))
    page = visit("p1")
    page.get_by_role("button", name="Add a bot").click()
    assert table.command()[1]["table"] == {"do": "bot", "seat": "p2"}

    page.get_by_role("button", name="Start").click()
    assert table.command()[1]["table"] == {"do": "start"}


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
    table.publish("state", fake.state(50, headline="On we go."))

    expect(page.locator("#headline")).to_have_text("On we go.")
    page.get_by_role("button", name="End the turn").click()
    assert table.command()[1]["act"] == {"do": "end"}
    visit.wrong[:] = [line for line in visit.wrong if "WebSocket" not in line]  # the browser's own lines


def test_a_controller_that_is_away_is_named(visit, table):
    """A status that is not online is said plainly; another start is greeted again."""
    page = visit("p1")
    assert table.commands.get(timeout=60)[1]["hello"] is True
    table.publish("status", Status(state="offline", boot="b1"))
    expect(page.locator("#link")).to_have_text("Controller offline")
    table.publish("status", Status(state="online", boot="b2"))
    expect(page.locator("#link")).to_have_text("Connected")

    assert table.commands.get(timeout=60)[1]["hello"] is True


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
    drawn = grave(page)
    page.locator("#text-toggle").click()

    assert drawn + grave(page) == []
    assert too_wide(page) == 0


def test_targets_are_large_enough_for_a_thumb(visit, table):
    """Every button, card, slot and ramp head on a phone is at least 44 by 44."""
    table.views["p1"] = fake.view(options=(*fake.ROLLS, *fake.PLAYS, fake.END, fake.CONCEDE))
    page = visit("p1")
    expect(page.locator(".card")).to_have_count(3)

    assert too_small(page, "button, summary, input, #board .slot .hit, #board .ramp .hit") == []
