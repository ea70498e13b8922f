"""What Hex'el shows: lamps, places, words for small boards, secrets, and settings with all mistakes at once."""

import random

import msgspec
import pytest
from hextraction.board.profile import load_board
from hextraction.controller.config import read_config
from hextraction.controller.games import registry
from hextraction.controller.games.hexel import Hexel
from hextraction.controller.games.hexel.cards import DECKS, Deck, deck_named
from hextraction.controller.games.hexel.house import TELLS_DECK, TELLS_FIELD, HouseRules, Preparing
from hextraction.controller.games.hexel.scenario import LANGUAGE
from hextraction.controller.games.hexel.state import FIELDS, Setup
from hextraction.controller.games.protocol import Acted, Occasion, PowerSet, Seated, Senses, Told
from hextraction.settings import SettingsError
from msgspec.structs import replace

SEATS = (Seated("red", "Ann"), Seated("blue", "Bo"))
LINE = "line BBRRBR RBBRBB RRYRYY\nhand of Red RRRRRR BBBRBR\nhand of Blue BBBBBB\n"


def at(text, board="large-27"):
    """Return a game and its state in the middle, as a scenario sets it up."""
    (script,) = LANGUAGE.read(f"game hexel\nboard {board}\n{LINE}{text}", "x")
    table = LANGUAGE.table(script.case)
    return table.game, table.state


def does(game, state, seat, **act):
    """Let a seat act; it must be heard."""
    step = game.step(state, Acted(at_us=1, seat=seat, act=act))
    assert step.state != state
    return step.state


def card_of(state, face):
    """Return the number of a card."""
    return state.position.faces.index(face) + 1


def shining(game, state):
    """Return the lamps."""
    return game.lamps(game.scene(state))


def test_lamps_show_cards_dimly_and_the_last_one_brightly():
    """The opening line is dim; the eight slots outside of the hexagon have no light of ours."""
    game, state = at("")
    before = shining(game, state)
    assert len(before) == 19
    lit = {slot for slot, glow in before.items() if glow.colour != (0, 0, 0)}
    assert lit == {f"slot.{game.field.slots[cell]}" for cell in ("c2", "c3", "c4")}
    option = next(one for one in game.private(state, "red").options if one.group == "place")
    after = shining(game, does(game, state, "red", **option.act, turns=option.turns[0]))
    dim, bright = before[f"slot.{game.field.slots['c3']}"], after[f"slot.{option.slot}"]
    assert min(bright.colour) > 3 * max(dim.colour)


def test_no_lamp_tells_of_a_card_before_it_is_announced():
    """With other cards in the hand the lamps are the same; then exactly the cells of the shown card glow."""
    game, state = at("")
    other = replace(state, position=replace(state.position, hands=((3,), (5,))))
    assert shining(game, other) == shining(game, state)
    shown = does(game, state, "red", do="announce", card=card_of(state, "RRRRRR"))
    changed = {slot for slot, glow in shining(game, shown).items() if glow != shining(game, state)[slot]}
    assert changed == {f"slot.{game.field.slots[cell]}" for cell in ("b1", "c5")}


def test_a_hoxla_blinks_in_its_colour():
    """The three slots that meet, and no others; everybody is told who has won and with what."""
    game, state = at("b1 shows YYRYYR\nb2 shows YBBYYY\nhand of Red BYYBBB RYRYRY\nmover Red")
    option = next(
        one
        for one in game.private(state, "red").options
        if one.group == "place" and one.act["to"] == "a1" and one.act["card"] in state.position.hands[0][:1]
    )
    state = does(game, state, "red", **option.act, turns=option.turns[0])
    glows = shining(game, state)
    slots = {f"slot.{game.field.slots[cell]}" for cell in ("a1", "b1", "b2")}
    assert {slot for slot, glow in glows.items() if glow.blink} == slots
    assert {glows[slot].colour for slot in slots} == {(255, 190, 0)}
    assert game.scene(state).winners == ("red",)


@pytest.mark.parametrize("board", ["small-18", "standard-22"])
def test_on_a_board_without_a_hexagon_phones_show_it_and_lamps_are_dark(board):
    """Nineteen slots are drawn, no lamp is lit, no sensor is asked, and people are told why."""
    game, state = at("", board)
    assert len(game.drawn.slots) == 19
    assert shining(game, state) == {}
    assert "Play on the phones" in game.scene(state).detail.note
    assert not game.start(replace(state.setup, sees=True)).watch.sees


def test_a_switched_off_board_has_no_light():
    """The scene says so as well."""
    game, state = at("")
    state = game.step(state, PowerSet(at_us=1, on=False)).state
    assert shining(game, state) == {}
    assert not game.scene(state).power


def test_on_a_field_without_end_the_drawing_follows_the_last_card():
    """The middle of the board shows it; what is out of sight can be chosen all the same."""
    game, state = at("field open\ne1 shows BBBBBB\ne2 shows BBBBBB\nextra BBBBBB BBBBBB BBBBBB")
    state = replace(state, position=replace(state.position, round=1))
    scene = game.scene(state)
    middle = game.field.slots["c3"]
    assert next(one for one in scene.places if one.place == f"slot.{middle}").piece.name == "BBBBBB"
    assert scene.detail.slots["e2"] == middle
    assert {one.title for one in scene.places} > {"e2", "3,-1"}
    far = [
        one for one in game.private(state, "red").options if one.group == "place" and one.act["to"] == "b1"
    ]
    assert {one.slot for one in far} == {"b1"}
    assert far[0].act["to"] not in scene.detail.slots
    near = next(one for one in game.private(state, "red").options if one.act.get("to") == "3,-3")
    assert near.slot in game.field.cells


def test_a_hand_is_its_seats_own():
    """Nobody else, watchers and those who left included, gets a card or an option of it."""
    game, state = at("")
    cards = state.position.hands[0]
    for seat in ("blue", "white"):
        sent = msgspec.json.decode(msgspec.json.encode(game.private(state, seat)))
        assert not {piece["id"] for piece in sent["hand"]} & set(cards)
        assert not [one for one in sent["options"] if one.get("tile") in cards]
    assert [piece.name for piece in game.private(state, "red").hand] == ["RRRRRR", "RBRBBB"]
    three = game.start(
        Setup(
            board="large-27",
            seats=(*SEATS, Seated("green", "Cy")),
            deck=deck_named("d46"),
            stocks=(9, 9, 9),
        )
    )
    left = does(game, three, "green", do="leave")
    assert game.private(left, "green").options == ()


def test_hints_can_be_switched_off():
    """Then a phone says whose turn it is and no more."""
    game, state = at("")
    assert "The best place matches 2 edges" in game.private(state, "red").headline
    quiet = replace(state, setup=replace(state.setup, hint=False))
    assert game.private(quiet, "red").headline == "Your turn: tap a card of your hand"


# --- before a game ---


def say(preparing, seat="red", state=None, *, playing=False, **words):
    """Say a word to the table; return why not."""
    return preparing.words[words["do"]](Told(seat, words, ("red", "blue"), playing=playing, state=state))


def test_a_table_chooses_deck_field_and_chips_on_a_phone():
    """Every deck and field has its sentence; what is chosen is played."""
    preparing = Preparing("fx-19", HouseRules(lot=False), "A board.")
    occasion = Occasion(SEATS, Senses(tiles=True), random.Random(1), 5)
    assert (set(TELLS_DECK), set(TELLS_FIELD)) == (set(DECKS), set(FIELDS))
    assert [say(preparing, do="deck", deck="d36"), say(preparing, do="field", field="open")] == ["", ""]
    assert say(preparing, do="stock", stock=12) == ""
    made, shown = preparing.set_up(occasion), preparing.shown(occasion)
    assert (made.deck.name, made.field, made.stocks, made.dealer) == ("d36", "open", (12, 12), 0)
    assert (shown.deck, shown.field, shown.stock) == ("d36", "open", 12)
    assert preparing.shown(None) is None


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ({"do": "deck", "deck": "d47"}, "You can choose d46"),
        ({"do": "field", "field": "round"}, "You can choose slots19, open"),
        ({"do": "stock", "stock": -1}, "You can hand out 0 to 1000 chips"),
        ({"do": "stock", "stock": True}, "You can hand out 0 to 1000 chips"),
        ({"do": "stocks", "keep": True}, "There is no game"),
    ],
)
def test_what_cannot_be_chosen_is_refused_in_words(words, why):
    """And nothing at all is chosen while a game is on."""
    preparing = Preparing("fx-19", HouseRules(), "A board.")
    assert why in say(preparing, **words)
    assert "before the game" in say(preparing, playing=True, **words)


def test_stocks_may_be_kept_for_the_next_game():
    """Who was not there begins with what everybody gets; the table may begin anew."""
    game, state = at("stock of Red 36\nstock of Blue 24")
    preparing = Preparing("fx-19", HouseRules(), "A board.")
    occasion = Occasion((*SEATS, Seated("green", "Cy")), Senses(), random.Random(1), 5)
    assert say(preparing, state=state, do="stocks", keep=True) == ""
    assert preparing.set_up(occasion).stocks == (36, 24, 30)
    assert preparing.shown(occasion).kept == {"red": 36, "blue": 24}
    assert say(preparing, do="stocks", keep=False) == ""
    assert preparing.set_up(occasion).stocks == (30, 30, 30)
    assert game.problems(preparing.set_up(occasion)) == []


def test_an_own_deck_can_be_chosen_back():
    """It stands among the decks under its own name."""
    own = Deck(name="mine", faces=deck_named("d36").faces)
    preparing = Preparing("fx-19", HouseRules(deck=own), "A board.")
    occasion = Occasion(SEATS, Senses(), random.Random(1), 5)
    assert "36 cards" in preparing.shown(occasion).decks["mine"]
    assert say(preparing, do="deck", deck="d39") == say(preparing, do="deck", deck="mine") == ""
    assert preparing.set_up(occasion).deck == own


def test_the_house_rules_are_read(tmp_path):
    """All of them have a place in the configuration, and the defaults are those of the documents."""
    path = tmp_path / "table.toml"
    deck = "".join(f'"{face}", ' for face in deck_named("d36").faces)
    (tmp_path / "mine.toml").write_text(f"[deck]\ncards = 36\nfaces = [{deck}]\n")
    path.write_text(
        '[table]\ngame = "hexel"\n[games]\nhexel = true\n[hexel]\ndeck_file = "mine.toml"\nfield = "open"\n'
        'stock = 12\ndealer = "seat"\nhint = false\n'
    )
    rules = read_config(path).rules
    assert (rules.deck.name, rules.field, rules.stock, rules.lot, rules.hint) == (
        "mine",
        "open",
        12,
        False,
        False,
    )
    assert HouseRules().deck == deck_named("d46")


def test_all_mistakes_in_the_house_rules_are_told_at_once(tmp_path):
    """Each with its line, those of a deck's file as well."""
    path = tmp_path / "table.toml"
    (tmp_path / "mine.toml").write_text('[deck]\ncards = 9\nfaces = ["RRRRRR"]\n')
    path.write_text(
        '[hexel]\ndeck = "d47"\ndeck_file = "mine.toml"\nfield = "round"\nstock = -1\ndealer = "me"\nhint = 3\nx = 1\n'
    )
    with pytest.raises(SettingsError) as caught:
        read_config(path)
    told = [str(problem) for problem in caught.value.problems]
    assert [one for one in told if "want either" in one]
    assert [one for one in told if "mine.toml:3: " in one and "found 1" in one]
    assert {f"{path}:{line}:" for line in (2, 3, 4, 5, 6, 7, 8)} <= {one.split(" ")[0] for one in told}


def test_a_table_has_to_allow_the_game(tmp_path):
    """Without a word of the configuration it is neither offered nor first, and the mistake says why."""
    path = tmp_path / "table.toml"
    path.write_text('[table]\ngame = "hexel"\n')
    with pytest.raises(SettingsError, match=r"table.toml:2: .*`hexel = true` under \[games\].*CC BY-NC-ND"):
        read_config(path)
    path.write_text("[games]\nhexel = false\n")
    assert "hexel" not in read_config(path).games
    path.write_text("[games]\nhexel = true\n")
    assert set(read_config(path).games) == set(registry.kinds())


def test_a_set_up_that_cannot_be_played_is_refused():
    """Players, chips, cards, field and order, each in a sentence."""
    game = Hexel(load_board("fx-19"))
    deck = Deck(name="bad", faces=("YYYYYY",) * 3 + ("RRRRRB",) * 6)
    wanted = Setup(
        board="fx-19", seats=(SEATS[0],) * 7, deck=deck, stocks=(1,), field="round", order=(1, 1, 2)
    )
    told = [text for text, _section in game.problems(wanted)]
    assert len(told) == 6
    for words in (
        "one to six",
        "found 'round'",
        "chips for 7",
        "too few",
        "each card from 1 to 9",
        "no three",
    ):
        assert any(words in one for one in told), words
