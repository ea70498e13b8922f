"""What to do next: one sentence for every state of a turn, spoken to the player who reads it."""

import json

import msgspec
import pytest
from helpers.page import samples as fake
from helpers.page.browser import NEEDS, expect
from helpers.simulated import begin, play
from hextraction.controller.phones.payloads.messages import State, View

pytestmark = NEEDS

SAY = """async (cases) => {
  const { named, SENTENCES } = await import("./games/hextraction/coach.js");
  const { liveOptions } = await import("./targets.js");
  const { rememberPieces } = await import("./seen.js");
  const nothing = { group: null, slot: null, ramp: null, zone: null, tile: null, turn: 0, prompt: 0, sure: null, own: null, pass: null };
  const said = cases.flatMap(({ state, view, seat }) => {
    const store = { state, view, seat, table: { phase: "playing", seats: [] }, info: { sensors: [] } };
    const options = view.view.options;
    rememberPieces(store);
    const chosen = [{}, ...options.filter((one) => one.slot || one.tile !== undefined).slice(0, 4).map((one) => ({ tile: one.tile ?? null, slot: one.slot ?? null }))];
    return chosen.map((change) => {
      const ui = { ...nothing, ...change };
      const live = liveOptions(store, ui);
      return named(store, live, ui);
    });
  });
  return { said, names: Object.keys(SENTENCES) };
}"""


def states_of(seeds):
    """Return a state of each kind that games of bots come to, as phones get it: by phase, options and questions."""
    found = {}
    for seed in seeds:
        made = begin(seed)

        def look(runtime, found=found):
            referee = runtime.referee
            scene = runtime.scene()
            for player in runtime.standing.players:
                view = referee.game.private(referee.state, player.seat)
                groups = frozenset(option.group for option in view.options)
                key = (scene.detail.phase, groups, len(view.prompts), bool(scene.detail.vote))
                if key not in found and scene.outcome is None:
                    found[key] = {
                        "seat": player.seat,
                        "state": State(game="g", seq=1, at_us=0, view=scene),
                        "view": View(game="g", seq=1, view=view),
                    }
            return False

        play(made, steps=6_000, until=look)
    return [json.loads(msgspec.json.encode(one)) for one in found.values()]


@pytest.fixture(scope="module")
def states():
    """States of four games."""
    return states_of((7, 11, 23, 31))


def test_every_state_of_a_game_has_its_sentence(visit, table, states):
    """Whatever the phase, what is owed and what is chosen: no player is left with somebody else's headline."""
    table.bundle = False
    page = visit("p1")
    expect(page.locator("#board .slot").first).to_be_attached()
    told = page.evaluate(SAY, states)
    assert len(states) > 40
    assert [sentence for name, sentence in told["said"] if not name or not sentence] == []
    assert {"roll", "place", "turn", "end", "othersTurn"} <= {name for name, _sentence in told["said"]}
    assert not [one for _name, one in told["said"] if "undefined" in one or "null" in one or "You's" in one]


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
