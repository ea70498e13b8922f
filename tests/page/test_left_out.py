"""What a payload leaves out means nothing, on both sides: the page looks the same when all of it is sent."""

import random

import msgspec
import pytest
from helpers.page import samples as fake
from helpers.page.browser import NEEDS, expect
from hextraction.board.profile import load_board
from hextraction.controller.games.protocol import Seated
from hextraction.controller.games.registry import SHIPPED, game_type
from hextraction.controller.study.table import StudyTable
from msgspec.structs import replace

pytestmark = NEEDS

SEATS = (Seated("p1", "Ada"), Seated("p2", "Bo"), Seated("p3", "Robin"))
MOMENTS = 3
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
STANDS = """() => new Promise((done) => {
  let over = setTimeout(done, 1000);
  const begin = () => { clearTimeout(over); over = setTimeout(done, 1000); };
  new MutationObserver(begin).observe(document.querySelector("#headline"), { subtree: true, childList: true, characterData: true });
})"""
"""Wait until the headline has stood for a second: one about others, drawn before Ada's view came, stands for 0.9."""
LOOKS = """() => {
  for (const left of document.querySelectorAll("[data-deadline]")) left.remove(); // the seconds that are left
  return [...document.querySelectorAll("main, dialog")].map((one) => one.innerHTML);
}"""
MAY_DO = "#board .target, #tray .button, #tray .card"
"""What Ada may do now: only her own view tells it. A tray may be there before, for everybody's dice lie in it."""


def whole(value):
    """Return a payload as it is when nothing is left out of it."""
    if isinstance(value, msgspec.Struct):
        settings = type(value).__struct_config__
        given = {one.encode_name: getattr(value, one.name) for one in msgspec.structs.fields(value)}
        said = {name: whole(one) for name, one in given.items() if one is not msgspec.UNSET}
        return {settings.tag_field: settings.tag, **said} if settings.tag else said
    if isinstance(value, dict):
        return {key: whole(one) for key, one in value.items()}
    return [whole(one) for one in value] if isinstance(value, tuple | list) else value


def evening(kind):
    """Return some moments of a game by bots at which Ada has something to choose."""
    luck, made = random.Random(5), game_type(kind)
    game = made.on(load_board(made.usual_board), made.demo_rules(12))
    table = StudyTable(game, game.draw(SEATS, luck, (), 12), luck, ("weak",))
    found = []
    while not table.over and table.go_on():
        scene, view = game.scene(table.state), game.private(table.state, "p1")
        if not table.over and len(view.options) > 1:
            found.append((scene, view))
    return [found[len(found) * (2 * part + 1) // (2 * MOMENTS)] for part in range(MOMENTS)]


def where_they_differ(one, other):
    """Return the first place at which two looks of the page are not the same."""
    for at, (mine, theirs) in enumerate(zip(one, other, strict=True)):
        if mine != theirs:
            start = next((i for i, (a, b) in enumerate(zip(mine, theirs, strict=False)) if a != b), 0)
            return f"{at}: …{mine[max(0, start - 80) : start + 80]}… or …{theirs[max(0, start - 80) : start + 80]}…"
    return ""


@pytest.mark.parametrize("kind", SHIPPED)
def test_the_page_looks_the_same_when_nothing_is_left_out(visit, table, kind):
    """At several moments of a game by bots: board, hand, buttons, counters and sheets."""
    table.publish("table", replace(fake.table(), kind=kind))
    for seq, (scene, view) in enumerate(evening(kind), start=1):
        state = fake.State(game="g1", seq=seq, at_us=1_000_000 * seq, view=scene)
        private = fake.View(game="g1", seq=seq, view=view)
        seen = []
        for form in (lambda payload: payload, whole):
            table.views["p1"] = form(private)
            table.publish("state", form(state))
            page = visit("p1", reduced_motion="reduce")
            expect(page.locator(MAY_DO).first).to_be_attached()
            page.evaluate(STANDS)
            page.evaluate(DRAWN)
            seen.append(page.evaluate(LOOKS))
            page.close()
        assert where_they_differ(*seen) == ""
