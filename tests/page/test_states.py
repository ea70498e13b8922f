"""What holds in every state of the page: axe finds nothing in light and dark, thumbs hit, large letters and a phone on its side fit."""

import base64

import pytest
from helpers.page import samples as fake
from helpers.page.browser import NEEDS, expect, too_small, too_wide, violations
from helpers.page.states import STATES
from helpers.tiers import first_by_day
from msgspec.structs import replace

pytestmark = NEEDS

PHONE = {"width": 390, "height": 844}
ON_ITS_SIDE = {"width": 844, "height": 390}
SCREEN = {"width": 1920, "height": 1080}
DRESS = "(theme) => document.documentElement.dataset.theme = theme"
LARGER = "html { font-size: 200% }"
CUT = """() => [...document.querySelectorAll(
  "#headline, .question, .button, .seat-note, .hint, #text th, #text td, .row-name, summary, .card-title")]
  .filter((node) => node.checkVisibility() && node.clientWidth > 1 && node.scrollWidth > node.clientWidth + 1)
  .map((node) => node.outerHTML.slice(0, 120))"""
"""What is wider than its own box: a text of which something is not to be seen."""
OUT_OF_SIGHT = """(selector) => [...document.querySelectorAll(selector)]
  .map((node) => [node, node.getBoundingClientRect()])
  .filter(([node, box]) => {
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const top = document.elementFromPoint(x, y);
    return x < 0 || y < 0 || x > innerWidth || y > innerHeight || !(top && (node.contains(top) || top.contains(node)));
  }).map(([node]) => node.outerHTML.slice(0, 90))"""
"""What cannot be tapped without scrolling, or has something else over its middle."""


def come(visit, table, state, **more):
    """Open the page in a state."""
    state.show(table)
    hash_ = state.path if state.path.startswith("#") else ""
    big = state.path.startswith("tv")
    page = visit(
        state.seat, hash_=hash_, path="" if hash_ else state.path, newcomer=state.newcomer,
        viewport=SCREEN if big else PHONE, bypass_csp=True, reduced_motion="reduce", **more,
    )  # fmt: skip
    state.after(table)
    state.tap(page)
    expect(page.locator(state.there).first).to_be_visible()
    return page


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.name)
def test_a_state_is_sound(visit, table, state):
    """Nothing that axe finds, light or dark; on a phone targets fit a thumb, and nothing is cut at 200 % or on its side."""
    page = come(visit, table, state)
    found = []
    for theme in ("light", "dark"):
        page.evaluate(DRESS, theme)
        found += [(theme, *one) for one in violations(page)]
    assert found == []
    if state.path.startswith("tv"):
        return
    assert (too_small(page), too_wide(page)) == ([], 0)
    page.set_viewport_size(ON_ITS_SIDE)
    assert too_wide(page) == 0
    page.set_viewport_size(PHONE)
    page.add_style_tag(content=LARGER)
    assert (page.evaluate(CUT), too_wide(page)) == ([], 0)


def test_on_its_side_board_and_hand_are_seen_at_once(visit, table):
    """Every bright place and the first buttons of the tray are in sight without scrolling, and nothing lies over them."""
    table.views["p1"] = fake.view(options=(*fake.ROLLS, *fake.PLACES, *fake.PLAYS, fake.END))
    page = visit("p1", viewport=ON_ITS_SIDE, reduced_motion="reduce")
    expect(page.locator("#board .slot.target")).to_have_count(len(fake.PLACES))
    assert page.evaluate(OUT_OF_SIGHT, "#board .ramp.target, #board .slot.target .hit, #headline") == []
    assert page.evaluate(OUT_OF_SIGHT, "#tray > .buttons > .button, #tray .card") == []
    assert too_small(page, "#board .slot .hit") == []


def test_the_board_as_text_is_read_in_large_letters(visit):
    """With letters of 200 % each row is a card of its own, instead of columns of single letters."""
    page = visit(viewport=PHONE, bypass_csp=True)
    page.get_by_role("button", name="Text view").click()
    cell = page.locator("#text [data-slot=A1] td").first
    assert cell.bounding_box()["width"] < 250
    page.add_style_tag(content=LARGER)
    page.set_viewport_size({**PHONE, "width": 389})  # a container is asked anew for its size when it changes
    page.wait_for_function("() => document.querySelector('#text [data-slot=A1] td').offsetWidth > 300")


@pytest.mark.parametrize("seats", range(2, 7))
def test_you_know_which_seat_is_yours(visit, table, seats):
    """However long names are, *you* stands whole in one's own seat beside nothing that it covers, and a name can be read."""
    page = visit("p1", viewport=PHONE)
    scene = fake.state(41).view
    colours = ("red", "blue", "yellow", "green", "purple", "orange")
    for number, letters in enumerate((1, 2, 5, 9, 14, 24), start=42):
        name = ("Wilhelmina-Annegret-Kunz")[:letters]
        sat = tuple(
            fake.TableSeat(seat=f"p{i}", name=name, colour=colours[i - 1], kind="person", here=True)
            for i in range(1, seats + 1)
        )
        shown = tuple(fake.shown.SeatView(seat=one.seat, name=name, colour=one.colour) for one in sat)
        table.publish("table", fake.table(seats=sat))
        table.publish(
            "state",
            fake.State(
                game="g1",
                seq=number,
                at_us=number,
                view=replace(scene, seats=shown, headline=f"No. {number}"),
            ),
        )
        expect(page.locator("#headline")).to_have_text(f"No. {number}")
        expect(page.locator("#seats .seat-name")).to_have_text([name] * seats)
        you, chip, words = (
            page.locator(f"#seats [data-seat=p1]{part}").bounding_box()
            for part in (" .you", "", " .seat-name")
        )
        assert chip["x"] <= you["x"]
        assert you["x"] + you["width"] <= chip["x"] + chip["width"]
        assert you["y"] >= words["y"] + words["height"] - 1, "below the name"
        assert you["width"] >= 18
        assert words["width"] >= 24
        assert page.evaluate(CUT) == []
        assert too_wide(page) == 0
    assert page.locator("#seats .you").count() == 1


# --- what is drawn, measured from pixels ------------------------------------------------------------------------


CONTRAST = """async ([before, after]) => {
  const read = async (data) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
    canvas.drawImage(image, 0, 0);
    return canvas.getImageData(0, 0, image.width, image.height).data;
  };
  const light = (pixels, at) => [0.2126, 0.7152, 0.0722].reduce((sum, part, i) => {
    const value = pixels[at + i] / 255;
    return sum + part * (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  }, 0);
  const [a, b] = [await read(before), await read(after)];
  let changed = 0;
  let clear = 0;
  for (let at = 0; at < a.length; at += 4) {
    if (Math.abs(a[at] - b[at]) + Math.abs(a[at + 1] - b[at + 1]) + Math.abs(a[at + 2] - b[at + 2]) < 24) continue;
    changed += 1;
    const [x, y] = [light(a, at), light(b, at)].sort((p, q) => q - p);
    clear += (x + 0.05) / (y + 0.05) >= 3 ? 1 : 0;
  }
  return { changed, clear };
}"""
"""How many pixels a mark changes, and how many of them to at least 3 : 1, the contrast that marks must have."""


def clear_pixels(page, box, mark):
    """Return how many pixels within a box a mark makes clearly lighter or darker, and how many it changes at all."""
    picture = lambda: base64.b64encode(page.screenshot(clip=box, animations="disabled")).decode()  # noqa: E731
    hide = "([selector, how]) => document.querySelectorAll(selector).forEach((node) => node.style.visibility = how)"
    with_it = picture()
    page.evaluate(hide, [mark, "hidden"])
    without = picture()
    page.evaluate(hide, [mark, ""])
    found = page.evaluate(CONTRAST, [without, with_it])
    return found["clear"], found["changed"]


@pytest.mark.parametrize("theme", first_by_day(["dark", "light"], "measured from pixels"))
def test_marks_are_seen(visit, table, theme):
    """Measured from pixels: places to tap, touches, rings of owners and marks of seats in all ten colours, at 3 : 1."""
    table.publish("info", fake.info(electronics=False))
    table.views["p1"] = fake.view(options=fake.TOLD)
    page = visit("p1", viewport=PHONE, bypass_csp=True, reduced_motion="reduce", device_scale_factor=2)
    page.evaluate(DRESS, theme)
    expect(page.locator("#board .slot.tell")).to_have_count(2)
    page.add_style_tag(content="#board .tile-title { visibility: hidden }")
    board = page.locator("#board")
    box = {
        name: page.locator(f"#board [data-slot={name}] .hit").bounding_box()
        for name in ("B1", "B2", "A1", "C3")
    }
    faint = {}

    def look(what, where, mark, least):
        clear, changed = clear_pixels(page, where, mark)
        if clear < least or clear < 0.3 * changed:
            faint[what] = (clear, changed)

    look("where a ball may go", box["B1"], "[data-slot=B1] :is(.target-ring, .target-back)", 120)
    look("touches", box["C3"], "[data-slot=C3] :is(.touch-ring, .pip.on)", 150)
    mark = page.locator("#seats .mark").first
    paints = ("red", "orange", "yellow", "green", "teal", "blue", "purple", "pink", "white", "grey")
    board.evaluate("""(board) => {
      const ring = (cls) => `<polygon class="${cls}" points="20,0 10,17.3 -10,17.3 -20,0 -10,-17.3 10,-17.3"/>`;
      const part = new DOMParser().parseFromString(`<g xmlns="http://www.w3.org/2000/svg" id="probe">${ring("owner-back")}${ring("owner-ring")}</g>`, "image/svg+xml");
      board.querySelector("[data-slot=A1]").append(document.importNode(part.documentElement, true));
    }""")
    for paint in paints:
        page.evaluate(
            "(paint) => { for (const node of [document.querySelector('#probe'), document.querySelector('#seats .mark')]) node.dataset.paint = paint; }",
            paint,
        )
        look(f"owner {paint}", box["A1"], "#probe", 300)
        look(f"seat {paint}", mark.bounding_box(), "#seats .mark", 150)
    assert faint == {}
