"""What a phone shows of coils that do not fire: the emergency stop, the question after it, and faults."""

from helpers.page import samples as fake
from helpers.page.browser import NEEDS, expect, wrong_with
from hextraction.controller.payloads.health import CoilsView, SensorTrouble
from msgspec.structs import replace

pytestmark = NEEDS

ASKS = CoilsView(
    state="asks",
    say="The emergency stop was released. Is everybody's hand clear of the board?",
    says=("clear",),
)


def test_after_an_emergency_stop_any_seat_may_say_that_hands_are_clear(visit, table):
    """The stop is told, its release asks, one button answers; who only watches sees the question alone."""
    table.publish("table", fake.table(coils=CoilsView(state="stopped", say="The emergency stop is pressed.")))
    table.views["p1"] = fake.view(options=(fake.END,))
    page, watcher = visit("p1", bypass_csp=True), visit()
    panel = page.get_by_role("region", name="Coils")
    expect(panel).to_contain_text("The emergency stop is pressed.")
    expect(panel.get_by_role("button")).to_have_count(0)
    table.publish("table", fake.table(coils=ASKS))
    expect(panel).to_contain_text("Is everybody's hand clear of the board?")
    assert wrong_with(page) == []
    expect(watcher.get_by_role("region", name="Coils")).to_contain_text("Take a seat to answer.")
    panel.get_by_role("button", name="All hands are clear").click()
    assert table.command()[1]["table"] == {"do": "coils", "say": "clear"}
    table.publish("table", fake.table())
    expect(panel).to_be_hidden()


def test_a_coil_that_is_not_well_is_listed_with_the_sensors(visit, table):
    """With what was seen and what the table does; nobody can declare it well."""
    why = "it drew 0 mA of 1000: the coil is open or unplugged"
    gate = SensorTrouble(sensor="gate.L1", state="lost", why=why, does="Let balls go by hand.")
    meter = SensorTrouble(
        sensor="current meter", state="lost", why="it does not answer", does="Coils work on."
    )
    table.publish("info", replace(fake.info(), sensors=("drain.C3",)))
    table.publish("table", fake.table(health=(gate, meter)))
    table.views["p1"] = fake.view(options=(fake.END,))
    page = visit("p1", bypass_csp=True)
    page.get_by_text("More", exact=True).click()
    page.get_by_role("button", name="A sensor is wrong…").click()
    sheet = page.locator("#sensors")
    expect(sheet).to_contain_text("Not working now:")
    expect(sheet.locator("li")).to_have_count(2)
    expect(sheet.locator("li").first).to_contain_text(f"{why}. Let balls go by hand.")
    expect(sheet.locator("li").last).to_contain_text("current meter")
    expect(sheet.locator("li button")).to_have_count(0)
    assert wrong_with(page) == []
