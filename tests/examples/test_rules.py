"""The rules of Light the ring, the example of a game of one's own."""

import msgspec
import pytest
from helpers.installed_example import example_is_installed
from hextraction.board.profile import Board, board_names, load_board
from hextraction.controller.games import registry
from hextraction.controller.games.protocol import (
    Acted,
    Paused,
    PowerSet,
    Refused,
    Said,
    Seated,
    TileSeen,
    Woke,
)
from hextraction.settings import Document

MINUTE = 60_000_000


@pytest.fixture(scope="module", autouse=True)
def _installed(tmp_path_factory):
    """Have the example among the games."""
    with example_is_installed(tmp_path_factory.mktemp("example")):
        yield


class Ring:
    """A running game: people act, tiles are laid, time passes."""

    def __init__(self, *names, tokens=None, board="standard-22", **more):
        kind = registry.game_type("ring")
        self.game = kind.on(load_board(board))
        seats = tuple(Seated(name.lower(), name) for name in names or ("Ada", "Bo"))
        self.setup = kind.setup_type(board=board, seats=seats, **more)
        self.state = self.game.start(self.setup)
        if tokens is not None:
            players = [
                msgspec.structs.replace(one, tokens=held)
                for one, held in zip(self.state.players, tokens, strict=True)
            ]
            self.state = msgspec.structs.replace(self.state, players=tuple(players))
        self.at_us = 0
        self.said = []

    def feed(self, event):
        step = self.game.step(self.state, event)
        self.state = step.state
        self.said = [effect.text for effect in step.effects if isinstance(effect, Said)]
        return next((effect.reason for effect in step.effects if isinstance(effect, Refused)), None)

    def act(self, seat, chance=0, **act):
        return self.feed(Acted(at_us=self.at_us, seat=seat, act=act, chance=chance))

    def sees(self, slot, *, present=True):
        return self.feed(TileSeen(at_us=self.at_us, slot=slot, present=present))

    def waits(self, us):
        self.at_us += us
        return self.feed(Woke(at_us=self.at_us))

    def lights(self, seat, slot, token, chance=0):
        """Let somebody light a slot: choose it, lay the tile, say the token."""
        assert self.act(seat, do="take", slot=slot) is None
        self.sees(slot)
        (prompt,) = self.view(seat).prompts
        answer = next(one for one in prompt.options if one.tile == token)
        assert self.act(seat, chance, **answer.act) is None

    def view(self, seat):
        return self.game.private(self.state, seat)

    def place(self, slot):
        return next(one for one in self.game.scene(self.state).places if one.place == f"slot.{slot}")

    def tokens(self, seat):
        return [piece.id for piece in self.view(seat).hand]

    def offered(self, seat, group):
        return [option for option in self.view(seat).options if option.group == group]

    @property
    def glows(self):
        return [option.slot for seat in ("ada", "bo") for option in self.offered(seat, "take")]

    @property
    def standing(self):
        return self.game.standing(self.state)


# --- before the first turn ---


@pytest.mark.parametrize("name", board_names())
def test_the_ring_is_the_six_slots_around_one(name):
    """On each board, clockwise, and all neighbours of the same slot."""
    board = load_board(name)
    places = [
        one.place.removeprefix("slot.") for one in Ring(board=name).game.scene(Ring(board=name).state).places
    ]
    middles = [slot for slot in board.slot_names if board.neighbours(slot) == tuple(places)]
    assert (len(places), len(middles)) == (6, 1)


def test_a_board_without_a_ring_cannot_host_the_game():
    """A single slot has no neighbours: that is a problem, told with the board's name."""
    lone = load_board().slots[0]
    board = Board("lone", "Lone slot", 50.0, 15.0, (lone,), (), ())
    alone = registry.game_type("ring").on(board)
    ring = Ring()
    assert [text for text, _clause in alone.problems(ring.setup)] == [
        "no slot of Lone slot has six neighbours"
    ]


def test_four_are_too_many():
    """Twelve tokens are not in the pack."""
    ring = Ring()
    four = msgspec.structs.replace(ring.setup, seats=tuple(Seated(str(n), str(n)) for n in range(4)))
    assert [text for text, _clause in ring.game.problems(four)] == [
        "it takes two or three players, there are 4"
    ]


@pytest.mark.slow
def test_everybody_holds_three_tokens_and_no_token_is_there_twice():
    """Whatever chance deals."""
    for chance in range(0, 2**64, 2**57 - 1):
        ring = Ring("Ada", "Bo", "Cy", chance=chance)
        held = [token for seat in ("ada", "bo", "cy") for token in ring.tokens(seat)]
        assert sorted(held) == list(range(1, 10))


def test_a_turn_may_be_made_shorter():
    """`turn_s` in the table's own section; nonsense is noted there."""
    kind = registry.game_type("ring")
    document = Document.from_text("[ring]\nturn_s = 30\n", "board.toml")
    house = kind.read_rules(document.root.table("ring"), None)
    document.finish()
    assert house.turn_us == 30_000_000


# --- a turn ---


def test_two_slots_glow_for_the_player_whose_turn_it_is():
    """Only they may take one; the lamps there blink."""
    ring = Ring()
    assert ring.glows == list(ring.state.ring[:2])
    assert ring.act("bo", do="take", slot=ring.glows[0]) == "It is Ada's turn."
    assert ring.act("ada", do="take", slot=ring.state.ring[3]) == "That is not possible now."
    lamps = ring.game.lamps(ring.game.scene(ring.state))
    assert [place for place, glow in lamps.items() if glow.blink] == [f"slot.{slot}" for slot in ring.glows]


def test_a_slot_is_taken_laid_and_lit():
    """The tile is awaited, then the token is asked for, then the slot shines in the player's colour."""
    ring = Ring(tokens=[(1, 5, 9), (2, 3, 4)])
    slot = ring.glows[0]
    ring.act("ada", do="take", slot=slot)
    assert ring.game.awaited(ring.state).lay.slot == slot
    ring.sees(slot)
    assert [option.label for option in ring.view("ada").prompts[0].options] == [
        "Token 1",
        "Token 5",
        "Token 9",
    ]
    assert ring.view("bo").prompts == ()
    ring.act("ada", **ring.view("ada").prompts[0].options[1].act)
    assert (ring.place(slot).owner, ring.place(slot).label, ring.tokens("ada")) == ("ada", "5", [1, 9])
    assert ring.standing.active == "bo"


def test_a_tile_laid_on_a_glowing_slot_is_a_choice():
    """Nobody has to tap first what hands do anyway."""
    ring = Ring()
    ring.sees(ring.glows[1])
    assert ring.view("ada").prompts


def test_a_light_takes_lower_ones_beside_it():
    """Those of others, with a lower token, on either side; a higher one stands."""
    ring = Ring(tokens=[(2, 6, 9), (4, 5, 8)])
    first, second, third, *_rest = ring.state.ring
    ring.lights("ada", first, 2)
    ring.lights("bo", second, 4)
    assert ring.place(first).owner == "bo"
    ring.lights("ada", third, 9)
    assert [ring.place(slot).owner for slot in (first, second, third)] == ["bo", "ada", "ada"]
    assert ring.said == [f"Ada lights {third} with token 9 and takes {second}."]


def test_chance_moves_the_glow():
    """With the answer comes a random number; where the next slots glow follows from it."""
    glows = set()
    for chance in range(6):
        ring = Ring(tokens=[(1, 2, 3), (4, 5, 6)])
        ring.lights("ada", ring.state.ring[0], 1, chance)
        glows.add(tuple(ring.glows))
    assert len(glows) == 5


def test_to_pass_costs_the_lowest_token_and_does_not_show_it():
    """Everybody sees that one is gone, nobody which."""
    ring = Ring(tokens=[(3, 5, 9), (1, 2, 4)])
    ring.act("ada", do="pass")
    assert (ring.tokens("ada"), ring.standing.active) == ([5, 9], "bo")
    assert ring.said == ["Ada lets it pass and gives up a token."]


def test_a_turn_that_takes_too_long_passes_by_itself():
    """Not before its minute is over."""
    ring = Ring(tokens=[(3, 5, 9), (1, 2, 4)])
    ring.waits(MINUTE - 1)
    assert ring.standing.active == "ada"
    ring.waits(1)
    assert (ring.standing.active, ring.tokens("ada")) == ("bo", [5, 9])


def test_a_question_that_nobody_answers_takes_the_lowest_token():
    """The question has a minute of its own."""
    ring = Ring(tokens=[(3, 5, 9), (1, 2, 4)])
    slot = ring.glows[0]
    ring.at_us = MINUTE - 1
    ring.sees(slot)
    ring.waits(MINUTE - 1)
    assert ring.place(slot).label == ""
    ring.waits(1)
    assert ring.place(slot).label == "3"


# --- tiles ---


def test_in_the_dark_people_tell_what_they_lay():
    """Switched off, the board sees no tiles; a word from anybody does."""
    ring = Ring()
    slot = ring.glows[0]
    ring.feed(PowerSet(at_us=0, on=False))
    ring.act("ada", do="take", slot=slot)
    assert not ring.game.awaited(ring.state).tiles_seen
    (laid,) = ring.offered("bo", "laid")
    assert laid.tells == "laid"
    ring.act("bo", **laid.act)
    assert ring.view("ada").prompts


def test_a_tile_that_does_not_fit_lets_choose_again():
    """Back to two glowing slots; no token is lost."""
    ring = Ring()
    ring.act("ada", do="take", slot=ring.glows[0])
    (back,) = ring.offered("ada", "back")
    ring.act("ada", **back.act)
    assert (len(ring.glows), len(ring.tokens("ada"))) == (2, 3)


def test_a_tile_that_does_not_belong_there_is_to_be_lifted():
    """Hands are asked to, and anybody may say that they have."""
    ring = Ring()
    ring.sees("A1")
    assert ring.game.awaited(ring.state).lift == ("A1",)
    assert ring.place("A1").wants == "lift"
    ring.act("bo", **ring.offered("bo", "lifted")[0].act)
    assert ring.game.awaited(ring.state).lift == ()


def test_a_lit_tile_that_is_lifted_is_to_be_laid_back():
    """The light stays whose it is."""
    ring = Ring(tokens=[(1, 2, 3), (4, 5, 6)])
    slot = ring.glows[0]
    ring.lights("ada", slot, 3)
    ring.sees(slot, present=False)
    assert (ring.place(slot).owner, ring.place(slot).wants) == ("ada", "put")
    assert ring.game.awaited(ring.state).lay.slot == slot
    ring.sees(slot)
    assert ring.game.awaited(ring.state).lay is None


def test_a_tile_laid_on_a_break_counts_when_the_break_is_over():
    """Nothing happens on a break, and nothing that was done is lost."""
    ring = Ring()
    slot = ring.glows[0]
    ring.act("ada", do="take", slot=slot)
    ring.feed(Paused(at_us=0, on=True))
    ring.sees(slot)
    assert ring.act("ada", do="pass").startswith("The game is paused")
    assert ring.view("ada").prompts == ()
    ring.feed(Paused(at_us=MINUTE, on=False))
    assert ring.view("ada").prompts


# --- the end ---


def test_when_the_ring_is_lit_most_lights_win():
    """Six turns of two players."""
    ring = Ring(tokens=[(7, 8, 9), (1, 2, 3)])
    for turn, slot in enumerate(ring.state.ring):
        seat = ("ada", "bo")[turn % 2]
        ring.lights(seat, slot, ring.tokens(seat)[0])
    assert (ring.standing.outcome, ring.state.winners) == ("Ada wins with 5 of the ring.", ("ada",))
    assert ring.act("bo", do="pass") == "The game is over."


def test_who_has_as_many_shares():
    """One light each, and then everybody passes."""
    ring = Ring(tokens=[(1, 2), (3, 4)])
    ring.lights("ada", ring.state.ring[0], 2, chance=2)
    ring.lights("bo", ring.glows[0], 4)
    ring.act("ada", do="pass")
    ring.act("bo", do="pass")
    assert ring.standing.outcome == "Ada and Bo share the ring with 1 each."


def test_if_everybody_passes_the_ring_stays_dark():
    """A game of nothing but passes ends, too, and nobody wins."""
    ring = Ring()
    for _turn in range(6):
        ring.waits(MINUTE)
    assert (ring.standing.outcome, ring.state.winners) == ("The ring stays dark.", ())


def test_of_three_two_play_on_when_one_leaves():
    """The seat is out, its lights stay; when another leaves, the last one has won."""
    ring = Ring("Ada", "Bo", "Cy")
    ring.act("ada", **ring.game.leaving)
    assert (ring.standing.active, ring.standing.over) == ("bo", False)
    assert [one.out for one in ring.game.scene(ring.state).seats] == [True, False, False]
    assert ring.act("ada", do="pass") == "You do not play in this game."
    ring.act("cy", **ring.game.leaving)
    assert ring.standing.outcome == "Bo wins: nobody else is left."


def test_an_act_that_is_none_is_refused_with_the_reason():
    """Whatever a phone may send."""
    ring = Ring()
    for act in ({}, {"do": "fly"}, {"do": ["take"]}, {"do": "take", "slot": 3}):
        assert ring.act("ada", **act).startswith("That cannot be done in this game")
    assert ring.act("nobody", do="pass") == "You do not play in this game."


def test_nothing_that_all_may_see_speaks_of_a_token_that_is_held():
    """Neither words nor numbers: the scene of every deal is the same."""
    deals = [Ring(chance=chance) for chance in range(0, 2000, 37)]
    assert len({tuple(ring.tokens("ada")) for ring in deals}) > 20
    assert len({msgspec.json.encode(ring.game.scene(ring.state)) for ring in deals}) == 1
