"""What a phone lets one hear and feel: sounds made in the browser, one switch, nothing that anybody did not want."""

import pytest
from helpers.page import samples as fake
from helpers.page.browser import NEEDS, expect, wrong_with
from msgspec.structs import replace

pytestmark = NEEDS

SPIES = """() => {
  globalThis.heard = [];
  globalThis.felt = [];
  globalThis.opened = 0;
  const note = (what) => function (at) {
    const { frequency } = this;
    heard.push({ hz: frequency ? Math.round(frequency.value) : 0, loop: Boolean(this.loop), at });
    return what.call(this, at);
  };
  OscillatorNode.prototype.start = note(AudioScheduledSourceNode.prototype.start);
  AudioBufferSourceNode.prototype.start = note(AudioBufferSourceNode.prototype.start);
  const Real = AudioContext;
  globalThis.AudioContext = class extends Real {
    constructor() {
      super();
      opened += 1;
    }
  };
  Object.defineProperty(navigator, "vibrate", { value: (pattern) => felt.push(pattern) });
}"""
"""Notes every sound that begins, how many audio contexts were opened, and every buzz; then does as the browser does."""
ON = "localStorage.setItem('hextraction.sounds', 'on')"
OFF = "localStorage.setItem('hextraction.sounds', 'off')"
RENDERED = """async ([name, rolling]) => {
  const { SOUNDS, openMouth, sound, startRolling } = await import("/shell/sounds.js");
  const rate = 44100;
  const audio = new OfflineAudioContext(1, 2 * rate, rate);
  const mouth = openMouth(audio);
  if (rolling) startRolling(mouth);
  for (const one of name === "all" ? Object.keys(SOUNDS) : name ? [name] : []) sound(mouth, one, 0, 1);
  const made = (await audio.startRendering()).getChannelData(0);
  let last = 0;
  let square = 0;
  let peak = 0;
  made.forEach((value, i) => {
    square += value * value;
    peak = Math.max(peak, Math.abs(value));
    if (Math.abs(value) > 0.001) last = i;
  });
  return { rms: Math.sqrt(square / (last + 1)), peak, seconds: last / rate };
}"""
LASTS = {
    "touch": 0.2,
    "bell": 0.7,
    "fall": 0.7,
    "goal": 1.0,
    "dice": 0.5,
    "knock": 0.2,
    "turn": 0.8,
    "win": 1.2,
    "over": 1.0,
}
"""Seconds after which each sound is over."""


@pytest.fixture
def listening(visit, table):
    """Return a way to open a phone with spies at its ears; ``choice`` is what its owner has chosen before."""

    def opened(choice="", seat="p1", *, touched=True, **more):
        page = visit(seat, **more)
        page.add_init_script(f"({SPIES})(); {choice}")
        page.reload()
        expect(page.locator("#link")).to_have_attribute("data-state", "connected")
        expect(page.locator("#board [data-slot]").first).to_be_visible()
        if touched:
            page.locator("#headline").click()
        return page

    return opened


def rest(table, seq=41, **more):
    """Show everybody a table at rest."""
    table.publish("state", fake.state(seq, **{"rolling": False, "balls": (), **more}))


def tells(table, *kinds):
    """Have the table tell these kinds of events, one after the other."""
    for seq, kind in enumerate(kinds, start=50):
        table.publish("event", replace(fake.event(seq, f"{kind} {seq}"), kind=kind), retain=False)
    return f"{kinds[-1]} {49 + len(kinds)}"


@pytest.fixture
def modules(table):
    """Have the table serve the page's modules themselves."""
    table.bundle = False


@pytest.mark.parametrize("name", LASTS)
def test_each_sound_is_heard_is_short_and_does_not_distort(visit, modules, name):
    """Chromium renders it: louder than silence, never beyond what a loudspeaker can do, over after its time."""
    made = visit().evaluate(RENDERED, [name, False])
    assert made["rms"] > 0.01
    assert 0.05 < made["peak"] < 1.0
    assert made["seconds"] < LASTS[name]


def test_a_rolling_ball_is_heard_and_everything_at_once_does_not_distort(visit, modules):
    """The noise of a roll lasts as long as it may; with all sounds in the same moment the limit still holds."""
    page = visit()
    rolling = page.evaluate(RENDERED, ["", True])
    assert rolling["rms"] > 0.01
    assert rolling["peak"] < 1.0
    assert rolling["seconds"] > 1.9
    assert page.evaluate(RENDERED, ["all", True])["peak"] < 1.0


def test_touch_by_touch_it_sounds_higher(visit, modules):
    """Each touch of a roll is higher than the one before, up to two octaves; then it stays there."""
    pitches = visit().evaluate(
        "async () => { const { higher } = await import('/shell/sounds.js'); return Array.from({ length: 14 }, (_, i) => higher(i + 1)); }"
    )
    assert pitches[0] == 1
    assert pitches[:11] == sorted(set(pitches[:11]))
    assert pitches[10:] == [4, 4, 4, 4]


def test_whoever_has_not_chosen_hears_nothing_and_is_asked_once_with_a_sample(listening, table):
    """The question lies below what is played with; the sample decides nothing, the answer is remembered."""
    rest(table)
    page = listening(bypass_csp=True)
    shown = tells(table, "touch", "fell", "win")
    expect(page.locator("#log")).to_contain_text(shown)
    assert page.evaluate("() => [heard.length, opened]") == [0, 0]

    question = page.locator("#sounds-ask")
    expect(question).to_contain_text("Sound on?")
    below = question.bounding_box()["y"]
    assert below > page.locator("#board").bounding_box()["y"]
    assert wrong_with(page) == []
    page.get_by_role("button", name="Hear it").click()
    assert page.evaluate("() => heard.length") > 4
    expect(question).to_be_visible()
    page.get_by_role("button", name="Sound on", exact=True).click()
    expect(question).to_be_hidden()
    expect(page.get_by_role("button", name="Sounds", exact=True)).to_have_attribute("aria-pressed", "true")
    page.reload()
    expect(page.get_by_role("button", name="Sounds", exact=True)).to_have_attribute("aria-pressed", "true")
    expect(question).to_be_hidden()


def test_whoever_only_watches_is_not_asked_and_hears_nothing(listening, table):
    """A room full of people does not want it; the switch is there all the same."""
    rest(table)
    page = listening(seat=None)
    expect(page.locator("#log")).to_contain_text(tells(table, "touch", "win"))
    expect(page.locator("#sounds-ask")).to_be_hidden()
    assert page.evaluate("() => heard.length") == 0
    page.get_by_role("button", name="Sounds", exact=True).click()
    assert page.evaluate("() => heard.length") > 0


def test_a_roll_is_heard_from_its_first_move_to_its_last(listening, table):
    """One noise that goes on while balls move, a sound for each touch, then what became of the ball."""
    rest(table)
    page = listening(ON)
    rest(table, 42, balls=(fake.shown.BallView(ball=1, place="slot.B2", trail=("B2",), moving=True),))
    page.wait_for_function("() => heard.filter((one) => one.loop).length === 1")
    begun = page.evaluate("() => heard.length")
    expect(page.locator("#log")).to_contain_text(tells(table, "touch", "touch"))
    touched = page.evaluate(f"() => heard.slice({begun}).filter((one) => one.hz).map((one) => one.hz)")
    assert touched[2] > touched[0]
    expect(page.locator("#log")).to_contain_text(tells(table, "fell"))
    assert page.evaluate("() => heard.at(-2).hz") == 440
    assert page.evaluate("() => felt") == [[14], [14], [90]]


def test_nothing_sounds_before_the_page_was_touched(listening, table):
    """Browsers forbid it; with the first tap the page is heard."""
    rest(table)
    page = listening(ON, touched=False)
    expect(page.locator("#log")).to_contain_text(tells(table, "touch"))
    assert page.evaluate("() => opened") == 0
    page.locator("#headline").click()
    assert page.evaluate("() => opened") == 1


@pytest.mark.parametrize(("choice", "buzzes", "sounds"), [(ON, 1, True), (OFF, 0, False), ("", 1, False)])
def test_ones_turn_calls(listening, table, choice, buzzes, sounds):
    """By a buzz, unless its owner wants silence; and by two notes where sounds are on."""
    rest(table)
    page = listening(choice)
    table.show("p1", fake.view(options=(fake.END,)))
    rest(table, 43, active="p1", acting="p1")
    expect(page.get_by_role("button", name="End the turn")).to_be_visible()
    assert len(page.evaluate("() => felt")) == buzzes
    assert bool(page.evaluate("() => heard.length")) is sounds


def test_who_wants_no_motion_feels_only_the_own_turn(listening, table):
    """A trembling phone is motion; to be called is not."""
    rest(table)
    page = listening(ON, reduced_motion="reduce")
    expect(page.locator("#log")).to_contain_text(tells(table, "touch", "trigger"))
    assert page.evaluate("() => heard.length") > 3
    assert page.evaluate("() => felt") == []


def test_the_big_screen_is_silent_until_somebody_presses_s(visit, table):
    """What this browser has chosen for a phone does not hold for a room; there the key is remembered apart."""
    rest(table)
    page = visit(path="tv", viewport={"width": 1280, "height": 720})
    page.add_init_script(f"({SPIES})(); {ON}")
    page.reload()
    expect(page.locator("#board [data-slot]").first).to_be_visible()
    page.keyboard.press("a")
    expect(page.locator("#log")).to_contain_text(tells(table, "touch"))
    assert page.evaluate("() => heard.length") == 0
    page.keyboard.press("s")
    assert page.evaluate("() => heard.length") > 0
    assert page.evaluate("() => localStorage.getItem('hextraction.sounds.tv')") == "on"
