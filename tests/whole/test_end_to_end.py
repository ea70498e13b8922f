"""The whole chain as people have it: the command line, a real Mosquitto, and the real page in a real Chromium."""

import json
import os
import re
import signal
import threading
from urllib.parse import urlsplit

import paho.mqtt.client as mqtt
import pytest
from helpers.end_to_end_table import SLOW_MS, phone
from helpers.page.browser import NEEDS, expect
from helpers.ports import free_port
from helpers.program import entries, process

pytestmark = NEEDS


@pytest.fixture
def journal(tmp_path):
    """Name a new journal."""
    return tmp_path / "games.db"


def demo(journal, *more, games, speed, seed=7):
    """Start the demo on a free port."""
    options = ["--games", games, "--speed", speed, "--seed", seed, "--port", 0]
    return process("demo", *options, *more, "--host", "127.0.0.1", "--journal", journal)


# --- a whole game, watched ----------------------------------------------------------------------------------------


def test_a_simulated_game_is_played_to_its_end_before_the_watchers_eyes(browser, journal):
    """Tiles appear, balls run with a trail, touches count, turns pass, somebody wins, and the status is 0."""
    wrong = []
    quick = ("--laid", 20, "--players", 2)  # a full board soon has a winner
    with demo(journal, *quick, games=1, speed=8) as table, phone(browser, table.url) as watcher:
        page = watcher.page
        page.on("pageerror", lambda error: wrong.append(str(error)))
        expect(page.locator("#board .slot")).to_have_count(22)
        expect(page.locator("#board .tile").first).to_be_visible()
        before = page.locator("#board .tile").count()
        watcher.until("seen.trail >= 2 && seen.touches >= 1 && seen.moved >= 1")
        watcher.until("new Set(seen.active).size >= 2")
        page.get_by_role("button", name="Text view").click()
        expect(page.locator("#text tbody tr")).to_have_count(22 + 6 + 2)
        written = page.locator("#text [data-slot] td:nth-child(2)").all_inner_texts()
        watcher.until("/ wins | win | is drawn/.test(document.querySelector('#headline').textContent)")
        ended = watcher.headline.inner_text()
        status = table.wait()

    assert status == 0
    assert wrong == []
    assert before >= 8
    assert sum(bool(re.search("[A-Za-z]", tile)) for tile in written) >= 8
    assert f": {ended} " in table.words
    assert str(journal) in table.words


# --- a person among the bots --------------------------------------------------------------------------------------


ROLL = re.compile("(let|roll) a ball")
"""What tells whoever has the turn how to roll."""


def play_some_tile(player):
    """Play the first tile of the hand that has a legal slot, in that slot; return the slot."""
    player.page.locator(".card").first.click()
    player.tray.locator(".acts .button").first.click()
    target = player.page.locator("#board .slot.target").first
    ballot = player.tray.get_by_role("button", name="ENABLE", exact=True)
    expect(target.or_(ballot).first).to_be_visible(timeout=SLOW_MS)
    if ballot.is_visible():
        ballot.click()
    target = player.page.locator("#board .slot.target").first
    name = target.get_attribute("data-slot")
    player.tap_slot(name)
    player.page.locator(".pick [data-group=place]").click()
    return name


def answer_until(player, label):
    """Answer whatever is asked, with the first answer, until a button is there."""
    wanted = player.tray.get_by_role("button", name=label, exact=True)
    asked = player.page.locator(".prompt [data-answer]").first
    while True:
        expect(wanted.or_(asked).first).to_be_visible(timeout=SLOW_MS)
        if wanted.is_visible():
            return
        what = asked.get_attribute("data-answer")
        asked.click()
        expect(player.page.locator(f".prompt [data-answer='{what}']")).to_have_count(0, timeout=SLOW_MS)


def test_a_person_takes_a_bots_seat_and_plays_a_turn(browser, journal):
    """By the address with the code: a hand, a tile into a slot, a roll by a tap on its ramp, the end of the turn."""
    with (
        demo(journal, games=0, speed=3) as table,
        phone(browser, f"{table.url}#j={table.code}") as ada,
    ):
        # It is red's seat, and not in the middle of a turn.
        ada.until("(seen.active.at(-1) ?? 'red') !== 'red'")
        ada.sit("Ada")
        expect(ada.cards).to_have_count(3)
        expect(ada.headline).to_contain_text("Your turn", timeout=120_000)
        slot = play_some_tile(ada)
        expect(ada.slot(slot).locator(".tile")).to_be_visible()
        ramp = ada.page.locator("#board .ramp.target").first
        expect(ramp).to_be_visible(timeout=SLOW_MS)
        name = ramp.get_attribute("data-ramp")
        ada.tap_ramp(name)
        ada.happened(f"rolls from ramp {name}")
        answer_until(ada, "End the turn")
        ada.press("End the turn")
        ada.happened("ends the turn")
        ada.until("seen.active.at(-1) !== seen.active.at(-2) && seen.active.length >= 2")
        status = table.stop()

    assert status == 0


# --- nobody sees another hand -------------------------------------------------------------------------------------


class Spy:
    """A client with a seat's own token that asks for everything and remembers what it is given."""

    def __init__(self, url, key):
        self.heard = []
        self.watches = threading.Event()
        self.answered = threading.Event()
        self.own = f"{key['prefix']}/player/{key['seat']}"
        where = urlsplit(url)
        self.client = mqtt.Client(
            mqtt.CallbackAPIVersion.VERSION2, "spy", transport="websockets", protocol=mqtt.MQTTv5
        )
        self.client.ws_set_options(path="/mqtt")
        self.client.username_pw_set(key["user"], key["password"])
        self.client.on_connect = self._connected
        self.client.on_message = self._message
        prefix = key["prefix"]
        self.filters = ["#", "+/#", f"{prefix}/#", f"{prefix}/player/+/view", f"{prefix}/player/red/view",
                        f"{prefix}/player/red/reply", f"{prefix}/player/blue/view", "$share/all/#",
                        f"{self.own}/view", f"{self.own}/reply", f"{prefix}/state"]  # fmt: skip
        self.client.connect(where.hostname, where.port)
        self.client.loop_start()

    def _connected(self, client, *_rest):
        for one in self.filters:
            client.subscribe(one, qos=1)

    def _message(self, _client, _data, message):
        self.heard.append((message.topic, message.payload.decode()))
        if message.topic.endswith("/state"):
            self.watches.set()
        if message.topic == f"{self.own}/reply" and b'"spy"' in message.payload:
            self.answered.set()

    def ask(self):
        """Ask for its own view: what was sent before its answer has come or never will."""
        self.client.publish(f"{self.own}/cmd", b'{"id":"spy","v":1,"hello":true}', qos=1)

    def close(self):
        """Leave."""
        self.client.disconnect()
        self.client.loop_stop()


def test_a_second_phone_never_gets_the_first_ones_hand(browser, journal):
    """Neither on its page, nor by asking the broker for everything with its own seat's token."""
    with (
        demo(journal, games=0, speed=6) as table,
        phone(browser, f"{table.url}#j={table.code}") as ada,
        phone(browser, f"{table.url}#j={table.code}") as bo,
    ):
        ada.sit("Ada")
        bo.sit("Bo")
        expect(ada.cards.first).to_be_visible()
        expect(bo.cards.first).to_be_visible()
        hers = ada.page.evaluate(
            "() => [...document.querySelectorAll('.card')].map((card) => card.dataset.tile)"
        )
        his = bo.page.evaluate(
            "() => [...document.querySelectorAll('.card')].map((card) => card.dataset.tile)"
        )
        spy = Spy(table.url, bo.key())
        assert spy.watches.wait(20)
        ada.page.reload()
        expect(ada.cards.first).to_be_visible()
        spy.ask()
        assert spy.answered.wait(20)
        spy.close()
        seats = {ada.key()["seat"], bo.key()["seat"]}
        other = f"/player/{ada.key()['seat']}/"

    assert len(seats) == 2
    assert not set(hers) & set(his)
    assert [topic for topic, _ in spy.heard if other in topic] == []
    assert {topic.rsplit("/", 1)[-1] for topic, _ in spy.heard} >= {"state", "view", "reply"}
    public = [json.loads(payload) for topic, payload in spy.heard if "/player/" not in topic]
    assert all(isinstance(hand, int) for one in public for hand in hands_in(one))


def hands_in(value):
    """Find whatever is called a hand in a payload: for the public it is a number."""
    if isinstance(value, dict):
        yield from (there for name, there in value.items() if name == "hand")
        for there in value.values():
            yield from hands_in(there)
    elif isinstance(value, list):
        for there in value:
            yield from hands_in(there)


# --- an ordinary board --------------------------------------------------------------------------------------------


def ordinary(folder, journal, depth):
    """Return how a table with an ordinary board is started: little time for objections, a port that stays."""
    config = folder / "table.toml"
    config.write_text(f'[page]\nhost = "127.0.0.1"\n[game]\ngrace_s = 1\ndepth = "{depth}"\n')
    return ["--no-electronics", "--config", config, "--port", free_port(), "--journal", journal]


@pytest.fixture
def options(tmp_path, journal):
    """Return how a table is started at which everything is told."""
    return ordinary(tmp_path, journal, "full")


def sit_down(table, ada, bo):
    """Seat two people and start; Ada goes first."""
    ada.sit("Ada")
    bo.sit("Bo")
    ada.page.get_by_role("button", name="Start").click()
    ada.page.wait_for_function(
        "() => /^Your turn|You wait/.test(document.querySelector('#headline').textContent)"
    )
    return (ada, bo) if ada.headline.inner_text().startswith("Your turn") else (bo, ada)


def test_two_people_play_on_an_ordinary_board(browser, options):
    """They name the tiles they play, tap what balls do on the drawing, one wins by it, and they play again."""
    with (
        process("run", *options) as table,
        phone(browser, f"{table.url}#j={table.code}") as ada,
        phone(browser, f"{table.url}#j={table.code}") as bo,
    ):
        first, second = sit_down(table, ada, bo)
        expect(first.page.locator("#seats")).to_contain_text("3 tiles")

        first.page.get_by_label("Which tile?").fill("dc")
        first.press("Play DC")
        first.tap_slot("B1")
        first.press("Lay DC at B1")
        first.press("It lies flat")
        expect(second.slot("B1").locator(".tile-title")).to_have_text("DC", timeout=SLOW_MS)

        first.waits_for(ROLL)
        first.tap_ramp("L2")
        second.waits_for("Tap each slot")
        first.tap_slot("B1")
        second.tap_slot("B2")
        expect(second.slot("B1")).to_have_attribute("data-touches", "1")
        first.happened("The ball falls through B2.")
        first.press("All balls have stopped")
        first.press("End the turn")

        second.waits_for(ROLL)
        second.page.get_by_label("Which tile?").fill("my own thing")
        second.waits_for("No known tile has that name")
        second.press("Play Unknown tile")
        second.tap_slot("B5")
        second.page.locator(".pick [data-group=place]").click()
        second.press("It lies flat")
        second.waits_for(ROLL)
        second.tap_ramp("L1")
        second.waits_for("Tap each slot")
        second.tap_slot("B5")
        second.tap_zone("L")
        expect(first.page.locator('[data-zone="L"] text')).to_contain_text(": 1")
        second.press("All balls have stopped")

        over = re.compile("You win|You were beaten by")
        for player in (first, second):
            expect(player.headline).to_have_text(over, timeout=SLOW_MS)
        assert sum(player.headline.inner_text() == "You win!" for player in (first, second)) == 1
        for player in (first, second):
            expect(player.page.get_by_role("button", name="Rematch")).to_be_visible()
        second.page.get_by_role("button", name="Rematch").click()
        expect(first.headline).to_contain_text("“Start”", timeout=SLOW_MS)
        first.page.get_by_role("button", name="Start", exact=True).click()
        for player in (first, second):
            expect(player.headline).to_contain_text("turn", timeout=SLOW_MS)
            expect(player.page.locator("#board .tile")).to_have_count(0)
        status = table.stop()

    assert status == 0


COUNT_TAPS = "addEventListener('click', () => { globalThis.taps = (globalThis.taps ?? 0) + 1; }, true)"


def test_a_usual_turn_where_people_tell_results_takes_four_taps(browser, tmp_path, journal, capsys):
    """Tile, slot, ramp, and where the ball ended: then it is the next player's turn, and nobody has waited."""
    with (
        process("run", *ordinary(tmp_path, journal, "light")) as table,
        phone(browser, f"{table.url}#j={table.code}") as ada,
        phone(browser, f"{table.url}#j={table.code}") as bo,
    ):
        first, second = sit_down(table, ada, bo)
        first.page.evaluate(COUNT_TAPS)
        began_ms = first.page.evaluate("performance.now()")

        first.press("Play DC")
        first.tap_slot("B1")
        first.waits_for(ROLL)
        first.tap_ramp("L2")
        first.waits_for("One phone is enough")
        first.tap_slot("B2")
        expect(second.headline).to_contain_text("Your turn", timeout=SLOW_MS)

        taps, ended_ms = first.page.evaluate("[taps, performance.now()]")
        with capsys.disabled():
            print(f"\na light turn: {taps} taps, {(ended_ms - began_ms) / 1000:.1f} s with a quick thumb")  # noqa: T201 - a figure that people ask for
        assert taps == 4
        first.happened("The ball falls through B2.")

        first.press("Undo my last tap")
        expect(first.headline).to_contain_text("Tap where the ball ended", timeout=SLOW_MS)
        assert table.stop() == 0


def test_a_turn_where_everything_is_told_waits_only_for_what_somebody_could_lose(browser, options, capsys):
    """A tile needs no *All fine* before the roll; the taps of all of it are printed, and the time that nobody needs."""
    with (
        process("run", *options) as table,
        phone(browser, f"{table.url}#j={table.code}") as ada,
        phone(browser, f"{table.url}#j={table.code}") as bo,
    ):
        first, second = sit_down(table, ada, bo)
        first.page.evaluate(COUNT_TAPS)
        first.press("Play DC")
        first.tap_slot("B1")
        first.press("Lay DC at B1")
        first.press("It lies flat")
        flat_ms = first.page.evaluate("performance.now()")
        first.tap_ramp("L2")
        first.waits_for("Tap each slot")
        rolled_ms = first.page.evaluate("performance.now()")
        first.tap_slot("B1")
        first.tap_slot("B2")
        first.press("All balls have stopped")
        still_ms = first.page.evaluate("performance.now()")
        first.press("End the turn")
        expect(second.headline).to_contain_text("Your turn", timeout=SLOW_MS)
        taps, ended_ms = first.page.evaluate("[taps, performance.now()]")
        assert table.stop() == 0
    waits = f"{(rolled_ms - flat_ms) / 1000:.1f} s before the roll, {(ended_ms - still_ms) / 1000:.1f} s for objections"
    with capsys.disabled():
        print(f"\na full turn: {taps} taps, {waits}")  # noqa: T201 - a figure that people ask for
    assert taps == 9


def test_a_turn_where_only_the_score_is_kept_takes_one_tap(browser, tmp_path, journal):
    """No goal, and the next one rolls; a goal wins once nobody has objected."""
    with (
        process("run", *ordinary(tmp_path, journal, "score")) as table,
        phone(browser, f"{table.url}#j={table.code}") as ada,
        phone(browser, f"{table.url}#j={table.code}") as bo,
    ):
        first, second = sit_down(table, ada, bo)
        first.press("No goal")
        expect(second.headline).to_contain_text("Your turn", timeout=SLOW_MS)
        second.press("Goal in the left end zone")
        expect(second.headline).to_have_text("You win!", timeout=SLOW_MS)
        assert table.stop() == 0


def test_a_vote_is_put_in_words_that_cannot_be_mistaken(browser, options):
    """Who is asked sees KEEP and DESTROY, and nobody else does; everybody sees what was said."""
    with (
        process("run", *options) as table,
        phone(browser, f"{table.url}#j={table.code}") as ada,
        phone(browser, f"{table.url}#j={table.code}") as bo,
    ):
        first, second = sit_down(table, ada, bo)
        first.page.get_by_label("Which tile?").fill("dc")
        first.press("Play DC")
        first.tap_slot("B1")
        first.press("Lay DC at B1")
        first.press("It lies flat")
        first.waits_for(ROLL)
        second.page.locator(".more summary").click()
        second.tray.get_by_role("button", name=re.compile("^Vote on")).click()
        second.waits_for("Does DC stay?")
        waits = second.page.locator(".vote .hint").inner_text()
        voters = (second, first) if waits == "Waiting for you." else (first, second)
        expect(voters[0].tray.get_by_role("button", name=re.compile("^KEEP"))).to_be_visible()
        expect(voters[1].tray.get_by_role("button", name=re.compile("^KEEP"))).to_have_count(0)
        cast = first.page.locator(".vote li")
        voters[0].tray.get_by_role("button", name=re.compile("^DESTROY")).click()
        expect(cast).to_have_count(1)
        expect(cast).to_contain_text("DESTROY")
        voters[1].tray.get_by_role("button", name=re.compile("^DESTROY")).click()
        expect(first.slot("B1").locator(".arrow.lift")).to_be_visible(timeout=SLOW_MS)
        first.press("The tile is out of B1")
        expect(second.slot("B1").locator(".arrow.lift")).to_have_count(0)
        status = table.stop()

    assert status == 0


def test_killed_in_the_middle_of_a_roll_it_goes_on_where_it_was(browser, options, journal):
    """After ``kill -9`` the phones come back by themselves with their keys, and the ball is where it was."""
    with (
        process("run", *options) as table,
        phone(browser, f"{table.url}#j={table.code}") as ada,
        phone(browser, f"{table.url}#j={table.code}") as bo,
    ):
        first, second = sit_down(table, ada, bo)
        first.tap_ramp("L2")
        first.waits_for("Tap each slot")
        first.tap_slot("B1")
        first.happened("The ball falls through B1.")
        keys = [first.key(), second.key()]
        told = entries(journal)
        table.stop(signal.SIGKILL)
        for player in (first, second):
            expect(player.page.locator("#link")).to_have_text("Reconnecting…", timeout=SLOW_MS)
        with process("run", *options) as again:
            for player in (first, second):
                expect(player.page.locator("#link")).to_have_text("Connected", timeout=SLOW_MS)
                expect(player.headline).to_contain_text(
                    "Tap each slot that the ball touches", timeout=SLOW_MS
                )
                player.waits_for("All balls have stopped")
            kept = [first.key(), second.key()]
            since = entries(journal)
            first.press("All balls have stopped")
            expect(first.page.get_by_label("Which tile?")).to_be_visible(timeout=SLOW_MS)
            status = again.stop()

    assert kept == keys
    assert since >= told
    assert status == 0


# --- the broker dies ----------------------------------------------------------------------------------------------


def test_the_game_goes_on_while_the_broker_is_away(browser, journal):
    """Its death costs the phones a moment and the game nothing."""
    with demo(journal, games=0, speed=5) as table, phone(browser, table.url) as watcher:
        watcher.until("seen.active.length >= 1")
        before = entries(journal)
        os.kill(table.broker, signal.SIGKILL)
        watcher.until("seen.links.includes('Reconnecting…')")
        watcher.until("seen.links.at(-1) === 'Connected'")
        back = entries(journal)
        mark = watcher.page.evaluate("() => seen.headlines.length")
        watcher.until(f"seen.headlines.length >= {mark} + 3")
        status = table.stop()

    assert back > before
    assert "the broker died" in table.words
    assert status == 0
