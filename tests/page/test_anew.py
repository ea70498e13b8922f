"""The board entered anew on the phone, after the dark: the form, what it sends, and the question to the others."""

import msgspec
import pytest
from helpers.page import samples as fake
from helpers.page.browser import NEEDS, expect, wrong_with

pytestmark = NEEDS

START = {
    "do": "reenter",
    "tiles": {name: list(lies) for name, lies in fake.LAID.items() if name != "D2"},
    "balls": ["C3", "D2"],
    "active": "p1",
}
ANEW = fake.shown.Option(group="reenter", label="Enter the whole board again", act=START, clause="R-49")
AGREED = fake.shown.Prompt(
    id="q9", seat="p1", kind="reenter", text="Bo has entered the whole board again. It is Bo's turn. Agreed?", clause="R-49",
    options=(fake.answer("q9", "yes", "Agreed"), fake.answer("q9", "no", "No")),
)  # fmt: skip


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_board_is_entered_anew(visit, table, scheme):
    """The form starts from what the table believes; tiles, balls and the turn are changed and sent as one."""
    table.views["p1"] = fake.view(options=(fake.END, ANEW))
    page = visit("p1", bypass_csp=True, color_scheme=scheme, reduced_motion="reduce")
    page.get_by_text("More", exact=True).click()
    page.get_by_role("button", name="Enter the whole board again…").click()
    sheet = page.get_by_role("dialog")
    press = lambda name: sheet.get_by_role("button", name=name, exact=True).click()  # noqa: E731
    press("A2: Straight")
    board, buttons = (sheet.locator(part).bounding_box() for part in ("#anew-board", "#anew-place"))
    assert board["y"] + board["height"] <= buttons["y"]
    press("Turn it")
    assert wrong_with(page) == []
    press("B1: Splitter")
    press("Take it away")
    press("D2: open, 1 ball")
    press("Balls on D2: one less")
    sheet.get_by_label("Which tile?").fill("peac")
    press("Peace")
    sheet.locator('[data-place="L"]').press("Enter")
    press("Balls on L: one more")
    press("Bo")
    assert wrong_with(page) == []
    press("Ask the others")

    tiles = {name: lies for name, lies in START["tiles"].items() if name != "B1"}
    wanted = {
        "tiles": {**tiles, "A2": ["straight", 2], "D2": ["peace", 0]},
        "balls": ["C3", "L"],
        "active": "p2",
    }
    assert table.command()[1]["act"] == {"do": "reenter", **wanted}
    expect(sheet).to_be_hidden()


def test_what_lies_where_is_told_after_a_card(visit, table):
    """Without a dark spell the turn stays as it is: asked is where a tile has gone, who drew, and another board."""
    lies = {"do": "arrange", "tiles": START["tiles"], "balls": [], "gone": {}, "away": [], "draw": False}
    told = fake.shown.Option(group="arrange", label="Correct the board", act=lies, clause="R-14")
    table.views["p1"] = fake.view(options=(fake.END, told))
    page = visit("p1", bypass_csp=True)
    page.get_by_text("More", exact=True).click()
    page.get_by_role("button", name="Correct the board…").click()
    sheet = page.get_by_role("dialog")
    press = lambda name: sheet.get_by_role("button", name=name, exact=True).click()  # noqa: E731
    press("B1: Splitter")
    press("Take it away")
    sheet.get_by_role("group", name="Where is Splitter of B1?").get_by_role(
        "button", name="In the pool"
    ).click()
    sheet.get_by_role("group", name="Has everybody drawn up to three?").get_by_role(
        "button", name="Yes"
    ).click()
    assert wrong_with(page) == []
    press("Ask the others")

    tiles = {name: lies for name, lies in START["tiles"].items() if name != "B1"}
    wanted = {"tiles": tiles, "balls": [], "gone": {"B1": "pool"}, "away": [], "draw": True}
    assert table.command()[1]["act"] == {"do": "arrange", **wanted}


def test_the_others_are_asked_yes_or_no(visit, table):
    """A position that somebody else has entered closes the form, and is a question with two answers."""
    table.views["p1"] = fake.view(options=(fake.END, ANEW))
    page = visit("p1")
    page.get_by_text("More", exact=True).click()
    page.get_by_role("button", name="Enter the whole board again…").click()
    table.show("p1", fake.view(prompts=(AGREED,)))

    expect(page.get_by_role("dialog")).to_be_hidden()
    assert page.locator(".prompt > .buttons button").all_inner_texts() == ["Agreed", "No"]
    page.get_by_role("button", name="Agreed", exact=True).click()
    assert table.command()[1]["act"] == {"do": "answer", "prompt": "q9", "choice": "yes"}


def test_what_was_changed_is_kept_until_it_is_started_over(visit, table):
    """The form opens from under a question, too; closed and opened again it is as it was left."""
    asked = msgspec.structs.replace(AGREED, kind="interrupted", text="What did the ball do in the dark?")
    table.views["p1"] = fake.view(options=(ANEW,), prompts=(asked,))
    page = visit("p1")
    again = page.get_by_role("button", name="Enter the whole board again…")
    again.click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("button", name="B1: Splitter", exact=True).click()
    sheet.get_by_role("button", name="Take it away").click()
    sheet.get_by_role("button", name="Close without asking").click()
    again.click()
    expect(sheet.get_by_role("button", name="B1: open", exact=True)).to_be_visible()
    sheet.get_by_role("button", name="Start over").click()
    expect(sheet.get_by_role("button", name="B1: Splitter", exact=True)).to_be_visible()
    sheet.get_by_role("button", name="Ask the others").click()

    assert table.command()[1]["act"] == START
