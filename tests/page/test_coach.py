"""What to do next: one sentence for every state of a turn, spoken to the player who reads it, that names only what is there."""

import json
import re

import msgspec
import pytest
from helpers.page import samples as fake
from helpers.page.browser import NEEDS, expect
from helpers.places import TESTS
from helpers.tiers import nightly
from hextraction.controller.games.hextraction.cards.tilebook import load_catalogue
from hextraction.controller.games.hextraction.scenario.language import speaking
from hextraction.controller.games.hextraction.scenario.position import lay_table
from hextraction.controller.payloads.messages import State, View
from hextraction.testing.evenings import evening, seats_of
from msgspec.structs import replace

pytestmark = NEEDS

SAY = """async ([cases, board]) => {
  const { game } = await import("./scene/games.js");
  const { atOnce, liveOptions } = await import("./scene/targets.js");
  const { rememberPieces } = await import("./scene/seen.js");
  const { createTray } = await import("./tray/tray.js");
  const named = await import("./games/hextraction/coach.js").then((coach) => coach.named);
  const nothing = { group: null, slot: null, ramp: null, zone: null, tile: null, turn: 0, prompt: 0, sure: null, own: null, pass: null, list: false, preview: null, shownTurns: 0, more: false };
  const idle = { act() {}, choose() {} };
  const words = (one) => (one.getAttribute("aria-label") ?? one.textContent).trim();
  const both = (node, way) => [...node.querySelectorAll(way)].flatMap((one) => [words(one), one.textContent.trim()]);
  /** What a player can have chosen after two taps on what is there. */
  function reachable(store) {
    const found = new Map([["", { ...nothing }]]);
    let last = [...found.values()];
    for (const most of [12, 3]) {
      const next = [];
      for (const ui of last) {
        const add = (change) => next.push({ ...ui, ...change });
        const live = liveOptions(store, ui);
        const tray = document.createElement("div");
        createTray(tray, { act() {}, choose: add })(store, live, ui);
        for (const one of tray.querySelectorAll("button")) one.click();
        for (const kind of ["slot", "zone", "ramp"]) {
          const places = [...live[`${kind}s`]].filter(([, list]) => !atOnce(list) && (kind !== "ramp" || list.length > 1 || live.prompt));
          for (const [name] of places.slice(0, most)) add({ slot: null, zone: null, ramp: null, turn: 0, [kind]: name });
        }
      }
      last = next.slice(0, 40);
      for (const ui of last) found.set(JSON.stringify(ui), ui);
    }
    return [...found.values()];
  }

  return cases.map(({ state, view, seat, electronics }, number) => {
    const store = { state, view, seat, table: { phase: "playing", seats: [], kind: state.view.kind }, info: { ...board, electronics } };
    rememberPieces(store);
    return reachable(store).map((ui) => {
      const live = liveOptions(store, ui);
      const tray = document.createElement("div");
      createTray(tray, idle)(store, live, ui);
      const [name, sentence] = state.view.kind === "hextraction" ? named(store, live, ui) : ["", game().coach?.(store, live, ui) ?? ""];
      return {
        number, name, sentence, change: Object.fromEntries(Object.entries(ui).filter(([key, value]) => value !== nothing[key])),
        buttons: both(tray, "button"), folds: both(tray, "summary"), cards: tray.querySelectorAll(".card").length,
        asked: tray.querySelectorAll(".prompt .buttons button, .others button, .sure-box button, .pick button").length,
        slots: live.slots.size, zones: live.zones.size, ramps: live.ramps.size,
        groups: live.options.map((one) => one.group),
        awaited: (state.view.places ?? []).filter((one) => one.wants === "release").length,
      };
    });
  }).flat();
}"""
"""What the page says in each state, before and after something was chosen, and what it has to tap: its own tray and board."""


def seen_by(scene, private, seat):
    """Return a state as a phone gets it."""
    case = {
        "seat": seat,
        "electronics": scene.power,
        "state": State(game="g", seq=1, at_us=0, view=scene),
        "view": View(game="g", seq=1, view=private),
    }
    return json.loads(msgspec.json.encode(case))


def kind_of(scene, private, seat):
    """Return what tells states apart for whoever is to do something next."""
    return (
        getattr(scene.detail, "phase", ""),
        frozenset(
            (one.group, one.tells.split(" ")[0], bool(one.tile), bool(one.slot)) for one in private.options
        ),
        tuple((one.kind, len(one.options) > 6) for one in private.prompts),
        bool(getattr(scene.detail, "vote", None)),
        (scene.acting or scene.active) == seat,
        any(place.wants == "release" for place in scene.places),
        bool(private.hand),
        any(piece.name for piece in private.hand),
        scene.power,
    )


def states_in(game, states, found):
    """Keep one state of each kind that a game comes to."""
    for state in states:
        scene = game.scene(state)
        if scene.outcome is not None:
            continue
        for seat in seats_of(game, state):
            private = game.private(state, seat)
            found.setdefault(kind_of(scene, private, seat), (scene, private, seat))


EACH = 8
"""So many scenarios are passed over for each one that is played: all of them took minutes, and found no more."""


def told_states(each=EACH):
    """Return a state of each kind that one scenario of the rules in so many comes to."""
    found = {}
    language = speaking(load_catalogue(TESTS / "scenarios" / "tiles.toml"))
    for path in sorted((TESTS / "scenarios").glob("*.scenario")):
        for script in language.read_file(path)[::each]:
            events = language.played(script)[0].events
            laid = lay_table(script.case)
            state, states = laid.state, [laid.state]
            for event in events:
                state = laid.game.step(state, event).state
                states.append(state)
            states_in(laid.game, states, found)
    return [seen_by(*one) for one in found.values()]


def played_states(kind, numbers):
    """Return a state of each kind that evenings of bots come to."""
    found = {}
    for number in numbers:
        one = evening(kind, number)
        states_in(one.game, one.states, found)
    return [seen_by(*one) for one in found.values()]


# --- what a sentence may name ---

QUOTED = re.compile(r"“([^”]+)”")
NAMED = {
    r"bright ramp|the ramp on the board": lambda seen: seen["ramps"] > 0,
    r"its ramp": lambda seen: seen["ramps"] > 0,
    r"bright cell|bright slot": lambda seen: seen["slots"] > 0,
    r"Tap each slot|Tap the slot where": lambda seen: seen["slots"] > 0,
    r"place on the board": lambda seen: seen["slots"] + seen["zones"] + seen["ramps"] > 0,
    r"a tile in your hand|that card|another one": lambda seen: seen["cards"] > 0,
    r"size below": lambda seen: "hand" in seen["groups"],
    r"your (?:bright )?pieces on the board": lambda seen: "pick" in seen["groups"],
    r"[Cc]onfirm it below|answer below|see below|choose below|Choose it below": lambda seen: (
        seen["asked"] > 0 or bool(seen["buttons"])
    ),
    r"to roll": lambda seen: seen["ramps"] > 0,
    r"to play": lambda seen: "play" in seen["groups"],
    r"until nothing rolls any longer": lambda seen: "All balls have stopped" in seen["buttons"],
    r"below what is wrong": lambda seen: "More" in seen["folds"],
    r"tap a card": lambda seen: seen["cards"] > 0,
    r"or cancel": lambda seen: "Cancel" in seen["buttons"],
    r"↺ and ↻": lambda seen: "↺" in seen["buttons"],
    r"\u2212 and \+": lambda seen: "\u2212" in seen["buttons"],
    r"Your ball (is on|comes from)|Let a ball go on": lambda seen: seen["awaited"] > 0,
}
"""What a sentence speaks of, and how one sees that it is there."""
MOVES = "A ball is moving though nobody is rolling: wait"
"""What the table says to everybody then is all that there is to say."""
ACTS = ("ballot", "agree", "roll", "place", "play", "break_loop", "end", "lifted", "seated", "laid")
"""Groups of which one is what the game waits for: whoever has one is not told to wait."""


ISOLATES = re.compile("[\u2066-\u2069]")


def untrue(seen):
    """Return what a sentence names that is not there."""
    sentence = ISOLATES.sub("", seen["sentence"])  # they are taken out as it is put on the page
    buttons = {*seen["buttons"], *seen["folds"]}
    found = [quoted for quoted in QUOTED.findall(sentence) if quoted not in buttons]
    bare = QUOTED.sub("", sentence)
    found += [words for words, there in NAMED.items() if re.search(words, bare) and not there(seen)]
    if re.search(r"[Yy]ou (?:wait|watch)\.", sentence):
        found += [group for group in ACTS if group in seen["groups"]]
    return found


def said_in(visit, table, kind, states):
    """Return what the page says and shows in each of these states."""
    table.bundle = False
    table.publish("table", replace(fake.table(phase="lobby"), kind=kind))
    page = visit("p1")
    expect(page.locator("#howto, #board .slot").first).to_be_attached()
    page.wait_for_function(
        "async (kind) => (await import('./scene/games.js')).gameIsKnown() && (await import('./scene/games.js')).gameKind() === kind",
        arg=kind,
    )
    board = json.loads(msgspec.json.encode(fake.info()))
    at_once = 40  # meanwhile the page answers nobody
    return [
        one | {"state": states[number]}
        for start in range(0, len(states), at_once)
        for one in page.evaluate(SAY, [states[start : start + at_once], board])
        for number in [start + one.pop("number")]
    ]


def untrue_in(seen):
    """Return each untrue sentence once, with what it names and in which state."""
    found = {}
    for one in seen:
        if one["sentence"] and (wrong := untrue(one)):
            found.setdefault(
                (one["name"], one["sentence"]), (wrong, one["change"], sorted(set(one["groups"])))
            )
    return found


def hextraction_states():
    """Return all states that told and played games bring about."""
    return [*told_states(), *played_states("hextraction", (0,))]


def sound(seen):
    """Fail if whoever has to act is told nothing, or something that is not there."""
    silent = [one for one in seen if not one["sentence"]]
    assert [one["groups"] for one in silent if {*ACTS} & {*one["groups"]}] == [], (
        "whoever has to act is told so"
    )
    assert {one["state"]["state"]["view"]["headline"] for one in silent} <= {MOVES}
    assert not [one for one in seen if re.search("undefined|null|You's", one["sentence"])]
    assert untrue_in(seen) == {}


def test_a_state_of_the_rules_has_a_sentence_that_names_what_is_there(visit, table):
    """A few of them: whatever the phase, what is owed, what is asked and what is chosen."""
    states = told_states(EACH * 15)
    assert len(states) > 20
    sound(said_in(visit, table, "hextraction", states[:: max(1, len(states) // 40)]))


@nightly("four hundred states", meanwhile="test_a_state_of_the_rules_has_a_sentence_that_names_what_is_there")
def test_every_state_of_the_rules_has_a_sentence_that_names_what_is_there(visit, table):
    """With electronics, and without; and every sentence that the page knows is met."""
    states = hextraction_states()
    assert len(states) > 400
    seen = said_in(visit, table, "hextraction", states)
    sound(seen)
    assert {
        "roll",
        "places",
        "place",
        "lift",
        "lay",
        "tell",
        "object",
        "release",
        "letGoHere",
        "othersTurn",
    } <= {one["name"] for one in seen}


@pytest.mark.parametrize("kind", ["hextris", "hexel", "extraction"])
def test_what_the_other_games_say_is_there(visit, table, kind):
    """Their sentences name only what is bright, and buttons that there are."""
    seen = said_in(visit, table, kind, played_states(kind, (0,)))
    assert len(seen) > 10
    assert untrue_in(seen) == {}


def test_the_next_sentence_is_the_next_thing_to_do(visit, table):
    """A tile is chosen, then its place, then how it lies: the headline follows each tap."""
    table.views["p1"] = fake.view(options=(*fake.PLAYS, fake.END))
    page = visit("p1")
    headline = page.locator("#headline")
    expect(headline).to_have_text("Your turn: tap a tile in your hand to play.")
    page.locator(".card").first.click()
    expect(headline).to_contain_text("Tap “Play")


def test_a_tile_that_an_effect_lays_unseen_is_asked_for_by_its_name(visit, table):
    """Also of a hand in which the board knows other tiles: those are not meant."""
    table.publish("state", fake.state(phase="placing", rolling=False))
    table.views["p1"] = fake.view(options=fake.NAMES)
    page = visit("p1")
    headline = page.locator("#headline")
    expect(headline).to_have_text("Which tile do you play? Tap “Play a tile…” and choose it.")
    page.get_by_role("button", name="Play a tile…").click()
    expect(headline).to_have_text("Which tile do you play? Choose it below.")
