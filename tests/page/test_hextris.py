"""Hextris's own parts of the page: a swap in one gesture, sizes by their shapes, groups, and what was done last."""

import pytest
from helpers.page import samples as fake
from helpers.page.browser import DESKTOP, NEEDS, PHONE, expect, wrong_with
from hextraction.controller.games.hextris.scenario import LANGUAGE
from hextraction.controller.games.protocol import Acted
from msgspec.structs import replace

pytestmark = NEEDS

SEATS = (("p1", "Ada"), ("p2", "Bo"))


@pytest.fixture
def pieces(table):
    """Return the fake table in the middle of a game; it is Ada's turn."""
    (script,) = LANGUAGE.read("game hextris\nfixture F7\n", "x")
    made = LANGUAGE.table(script.case)
    players = tuple(
        replace(one, seat=seat, name=name)
        for one, (seat, name) in zip(made.state.players, SEATS, strict=True)
    )
    table.game, table.now = made.game, replace(made.state, players=players)
    table.publish("table", replace(fake.table(seats=fake.table().seats[:2]), kind="hextris"))
    show(table, table.now)
    return table


def show(table, state):
    """Show a state to everybody, and to each seat what it may do."""
    table.seq = getattr(table, "seq", 39) + 1
    table.publish(
        "state", fake.State(game="g1", seq=table.seq, at_us=41_000_000, view=table.game.scene(state))
    )
    for seat, _name in SEATS:
        seen = table.game.private(state, seat)
        table.show(seat, fake.view(seat, options=seen.options, hand=(), headline=seen.headline))


def plies(table, kind):
    """Return what Ada may do of a kind."""
    return [one for one in table.game.private(table.now, "p1").options if one.group == kind]


def slot_of(table, cell):
    """Return where a cell is on this board."""
    return table.game.scene(table.now).detail.slots[cell]


def middle(page, slot):
    """Return where a slot's middle is on the screen."""
    box = page.locator(f'#board [data-slot="{slot}"] .hit').bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page, start, end):
    """Draw from one slot to another with the pointer, once the page knows that it is our turn."""
    expect(page.locator("body")).to_have_class("our-turn")
    page.mouse.move(*middle(page, start))
    page.mouse.down()
    page.mouse.move(*middle(page, end), steps=6)
    page.mouse.up()


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("kind", ["swap", "slide"])
def test_a_piece_is_drawn_to_where_it_goes_in_one_gesture(visit, pieces, size, kind):
    """One drag is one command, and nothing was picked before."""
    page = visit("p1", viewport=size, reduced_motion="reduce")
    wanted = plies(pieces, kind)[0].act
    drag(page, slot_of(pieces, wanted["at"]), slot_of(pieces, wanted["to"]))
    assert pieces.command()[1]["act"] == wanted
    expect(page.locator("#board .drag-line")).to_have_count(0)


def test_a_finger_draws_a_piece_and_does_not_scroll(visit, pieces):
    """On a touch screen the same gesture is a ply, and the page stays where it is."""
    page = visit("p1", viewport=PHONE, has_touch=True, reduced_motion="reduce")
    expect(page.locator("body")).to_have_class("our-turn")
    wanted = plies(pieces, "swap")[0].act
    slots = [slot_of(pieces, wanted[end]) for end in ("at", "to")]
    (x, y), (right, down) = [middle(page, slot) for slot in slots]
    touch = page.context.new_cdp_session(page)
    for part in range(8):
        point = {"x": x + (right - x) * part / 7, "y": y + (down - y) * part / 7}
        kind = "touchMove" if part else "touchStart"
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert pieces.command()[1]["act"] == wanted
    assert page.evaluate("() => scrollY") == 0


def test_a_swap_may_be_drawn_from_either_piece(visit, pieces):
    """From the other's piece onto one's own it is the same swap."""
    page = visit("p1", reduced_motion="reduce")
    wanted = plies(pieces, "swap")[0].act
    drag(page, slot_of(pieces, wanted["to"]), slot_of(pieces, wanted["at"]))
    assert pieces.command()[1]["act"] == wanted


def test_keys_and_taps_still_swap_in_two_steps(visit, pieces):
    """Who draws nothing picks a piece, and then its place."""
    page = visit("p1", reduced_motion="reduce")
    wanted = plies(pieces, "swap")[0].act
    ours = {one.act["at"] for one in plies(pieces, "pick")}
    mine, other = sorted((wanted["at"], wanted["to"]), key=lambda cell: cell not in ours)
    page.locator(f'#board [data-slot="{slot_of(pieces, mine)}"] .hit').press("Enter")
    assert pieces.command()[1]["act"] == {"do": "pick", "at": mine}
    show(pieces, replace(pieces.now, picked=mine))
    other = page.locator(f'#board [data-slot="{slot_of(pieces, other)}"]')
    expect(other).to_have_class("slot target")
    other.locator(".hit").press("Enter")
    assert pieces.command()[1]["act"] == wanted


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_sizes_and_groups_are_seen_at_a_glance(visit, pieces, scheme, size):
    """Each size has a shape of its own, a group its number; the strip of seats has hands and groups in words, too."""
    page = visit("p1", viewport=size, color_scheme=scheme, bypass_csp=True, reduced_motion="reduce")
    expect(page.locator("#board .pyramid").first).to_be_visible()
    shapes = page.locator("#board .pyramid").evaluate_all(
        "(all) => all.map((one) => one.firstElementChild.tagName)"
    )
    assert set(shapes) == {"circle", "path", "polygon"}
    groups = page.locator("#board .group-size").all_text_contents()
    assert groups == ["5"] or all(int(one) < 5 for one in groups)
    ada = page.locator("#seats .seat").first
    for words in ("0 groups", "4 small", "5 medium", "3 large"):
        expect(ada.get_by_role("img", name=words)).to_be_visible()
    assert wrong_with(page) == []


def test_the_last_move_is_marked(visit, pieces):
    """After a slide the piece has a ring, and a line comes from where it was; after a swap both have a ring."""
    page = visit("p1", reduced_motion="reduce")
    expect(page.locator("#board .last-move")).to_have_count(0)
    for kind, rings in (("slide", 1), ("swap", 2)):
        done = Acted(at_us=42_000_000, seat="p1", act=plies(pieces, kind)[0].act)
        show(pieces, pieces.game.step(pieces.now, done).state)
        expect(page.locator("#board .last-move")).to_have_count(rings)
        expect(page.locator("#board .last-way")).to_have_count(2 - rings)
