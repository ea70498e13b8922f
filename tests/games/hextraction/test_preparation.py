"""What people say before a game: the next set-up, opening hands, tiles of their own."""

import os
import random

import msgspec
import pytest
from helpers.tabletop import Table as Playing
from helpers.tabletop import play_a_bit, setup
from hextraction.board.profile import STANDARD, load_board
from hextraction.controller.games.hextraction import Hextraction, Share
from hextraction.controller.games.hextraction.cards.own_tiles import MOST_TILES
from hextraction.controller.games.hextraction.setup.house import HouseRules
from hextraction.controller.games.hextraction.state.state import Depth
from hextraction.controller.games.marked_names import marked
from hextraction.controller.games.marked_names import plain as bare
from hextraction.controller.games.protocol import Acted, Occasion, Seated, Senses
from hextraction.controller.payloads.sizes import MOST_PACKET
from hextraction.controller.play.journal import Journal
from hextraction.controller.play.performer import Performer
from hextraction.controller.table.host import Host, Plan
from hextraction.controller.table.lobby import Lobby
from hextraction.controller.table.words import Asked
from msgspec.structs import replace

MINE = {
    "title": "My Thing",
    "channels": [[1, 3], [4, 6]],
    "hole": True,
    "trigger": "area",
    "effects": [{"when": "trigger", "deed": "attested", "text": "Everybody stands up."}],
}


class Table:
    """A table at which red and blue sit with a box of sixty unseen tiles, before a game."""

    def __init__(self, folder=None):
        self.lobby = Lobby(bots=False)
        for seat in ("red", "blue"):
            self.lobby.join(seat.capitalize(), seat, {})
        self.game = Hextraction.on(load_board(STANDARD), HouseRules(tiles_in_box=60))
        self.host = Host(
            game=self.game,
            journal=Journal(":memory:"),
            performer=Performer(None, None, None),
            lobby=self.lobby,
            plan=Plan(header=None, luck=Luck(), answer_for_after_s=20.0, keep=folder),
        )

    @property
    def tiles(self):
        """The kinds of tiles that are known."""
        return self.game.rules.tiles

    @property
    def shown(self):
        """What the lobby shows of the next game."""
        return self.lobby.table({}).detail

    def tell(self, seat="red", **words):
        """Ask the table for something; return why it was refused, or None."""
        return self.host.words.hear(Asked(seat=seat, words=words, at_us=0)).reason or None

    def made(self):
        """Return the set-up that a game would start from."""
        return self.host.preparation.set_up(self.occasion())

    def occasion(self):
        """Return what the table knows now."""
        seats = tuple(Seated(chair.seat, chair.name) for chair in self.lobby.players)
        return Occasion(seats, Senses(), Luck(), 0)


class Luck(random.Random):
    """Always the same number."""

    def getrandbits(self, _k):
        return 1


def plain():
    """Return the set-up of a table that was told nothing."""
    return Table().made()


# --- set-up ---------------------------------------------------------------------------------------------------


def test_a_quick_start_changes_nothing():
    """Who tells nothing plays with the plan's own set-up, and no remark is shown."""
    table = Table()

    assert table.made() == plain()
    assert table.shown.setup is None


def test_what_was_told_is_in_the_next_game():
    """First player, owner of the board, balls, tiles by owner and Virtual tiles reach the set-up."""
    table = Table()
    told = {
        "first": "blue",
        "board_owner": "red",
        "balls": {"red": 4},
        "tiles": {"blue": 12},
        "box": 40,
        "virtual": [{"name": "dc", "seat": "red", "count": 20}],
    }
    assert table.tell(do="setup", set=told) is None
    setup = table.made()

    assert (setup.first, setup.board_owner) == ("blue", "red")
    assert [seat.balls for seat in setup.seats] == [4, 0]
    assert setup.pool == (Share(name="", count=40), Share(name="", owner="blue", count=12))
    assert setup.virtual == (Share(name="dc", owner="red", count=20),)


def test_a_shortfall_is_shown_with_its_clause_and_goes_when_it_is_mended():
    """Ten tiles fill no board (1.0.4); forty do."""
    table = Table()
    table.tell(do="setup", set={"box": 10})
    against = [one for one in table.shown.setup.remarks if one.stops]
    assert [one.clause for one in against] == ["1.0.4"]
    assert "18 too few" in against[0].text

    table.tell(do="setup", set={"box": 40})
    assert [one for one in table.shown.setup.remarks if one.stops] == []


@pytest.mark.parametrize(
    "told",
    [
        {"first": "green"},
        {"balls": {"green": 1}},
        {"box": -1},
        {"box": True},
        {"colour": "red"},
        "all of it",
        {"virtual": [{"name": "dc", "seat": "red", "count": 21}]},
        {"virtual": [{"name": "", "seat": "red", "count": 1}]},
        {"virtual": [{"name": "d" * 61, "seat": "red", "count": 1}]},
    ],
)
def test_a_set_up_that_cannot_be_is_refused_and_changes_nothing(told):
    """An empty seat, a number below zero, an unknown word: each is refused with a reason."""
    table = Table()

    assert table.tell(do="setup", set=told)
    assert table.made() == plain()


def test_nothing_is_set_up_while_a_game_is_on():
    """Set-up and opening hands belong before a game."""
    table = Table()
    table.lobby.began("g1")

    assert table.tell(do="setup", set={"first": "blue"})
    assert table.tell(do="hand", tiles=["", "", ""])


# --- opening hands --------------------------------------------------------------------------------------------


def test_an_opening_hand_reaches_its_owner_and_nobody_else():
    """It is in the set-up; of it the table shows only that red has picked (1.2.1)."""
    table = Table()
    table.tell(do="setup", set={})
    assert table.tell(do="hand", tiles=["dc", "peace", ""]) is None

    assert table.made().seats[0].hand == ("dc", "peace", "")
    shown = table.shown
    assert shown.setup.picked == ("red",)
    assert b"peace" not in msgspec.json.encode(shown)
    table.tell(do="hand", tiles=[])
    assert table.made().seats[0].hand == ()


@pytest.mark.parametrize(
    "tiles", [["dc"], ["dc", "dc", ""], ["no such tile", "", ""], [{}, "", ""], "dc", None]
)
def test_a_hand_is_three_different_known_tiles(tiles):
    """One tile, two of a kind or an unknown one is no opening hand (1.0.6)."""
    table = Table()

    assert table.tell(do="hand", tiles=tiles)
    assert table.made().seats[0].hand == ()


# --- tiles of people's own ------------------------------------------------------------------------------------


def nested(deep):
    """Return a list in a list, and so on, so deep."""
    return [nested(deep - 1)] if deep else 1


def test_a_described_tile_is_known_shown_and_kept(tmp_path):
    """It can be named at once, everybody gets its card, and the next start reads it from its file."""
    table = Table(tmp_path / "tiles")
    assert table.tell(do="tile", tile=MINE) is None

    tile = table.tiles["own-my-thing"]
    assert (bare(tile.title), tile.channels, tile.hole) == ("My Thing", ((1, 3), (4, 6)), True)
    assert [card.title for card in table.shown.tiles] == [marked("My Thing")]
    again = Table(tmp_path / "tiles")
    assert again.tiles["own-my-thing"] == tile


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"channels": [[1, 7]]}, "edges 1..6"),
        ({"channels": [[1, 3], [3, 4]]}, "each edge once"),
        ({"trigger": "none"}, "trigger"),
        ({"effects": [{"when": "trigger", "deed": "fly", "text": "x"}]}, "deed"),
        ({"effects": [{"when": "trigger", "deed": "attested", "text": " "}]}, "text"),
        ({"title": "\u202e\n"}, "needs a name"),
        ({"channels": {"a": 1}}, "text, numbers, and lists"),
        ({"effects": [{}] * 9}, "at most 4"),
        ({"channels": nested(900)}, "text, numbers, and lists"),
    ],
)
def test_what_can_be_no_tile_is_refused_with_everything_that_is_wrong(tmp_path, change, says):
    """The catalogue's own reader judges it; nothing is kept."""
    table = Table(tmp_path / "tiles")

    assert says in table.tell(do="tile", tile={**MINE, **change})
    assert not (tmp_path / "tiles").exists()
    assert "own-my-thing" not in table.tiles


def test_no_description_takes_the_name_of_another_tile(tmp_path):
    """What a journal has played must mean the same for ever."""
    table = Table(tmp_path)
    assert table.tell(do="tile", tile=MINE) is None

    assert "another name" in table.tell(do="tile", tile={**MINE, "channels": [[1, 2]]})
    assert table.tiles["own-my-thing"].channels == ((1, 3), (4, 6))


@pytest.mark.parametrize(
    "title", ["Hammer", "H\N{CYRILLIC SMALL LETTER A}mmer", "Ham\N{ZERO WIDTH JOINER}mer", "My Thlng"]
)
def test_no_described_tile_looks_like_another(tmp_path, title):
    """A card is known by its title, whatever its letters are."""
    table = Table(tmp_path)
    assert table.tell(do="tile", tile=MINE) is None

    assert "another name" in table.tell(do="tile", tile={**MINE, "title": title})
    assert len(list(tmp_path.iterdir())) == 1


def test_a_name_cannot_break_out_of_its_file(tmp_path):
    """Quotes, brackets and line ends stay text."""
    table = Table(tmp_path)
    title = 'A "B"\n[[tile]]\nname = "dc" \\ \x7f'

    assert table.tell(do="tile", tile={**MINE, "title": title}) is None
    assert [path.name for path in tmp_path.iterdir()] == ["own-a-b-tile-name-dc.toml"]
    assert table.tiles["own-a-b-tile-name-dc"].title.startswith('\u2068A "B" [[tile]] name = "dc" \\')


def test_a_long_name_of_an_own_tile_is_cut_to_forty_letters(tmp_path):
    """It must stand on a card."""
    table = Table(tmp_path)

    assert table.tell(do="tile", tile={**MINE, "title": "A" * 60}) is None
    assert table.tiles[f"own-{'a' * 40}"].title == marked("A" * 40)


def largest(number, letter="\N{DEVANAGARI LETTER KA}"):
    """Return a tile with as many words as it may have."""
    text = f"{number} {letter * 300}"
    return {
        **MINE,
        "title": f"{number} {letter * 34} x",
        "effects": [{"when": "trigger", "deed": "attested", "text": text}],
    }


def shown_bytes(table):
    """Return how large the lobby is as everybody is sent it."""
    return len(msgspec.json.encode(table.lobby.table({})))


@pytest.mark.slow
@pytest.mark.mutants
@pytest.mark.parametrize(
    "tile", [largest, lambda number: {**MINE, "title": f"T{number}"}], ids=["long", "short"]
)
def test_one_seat_fills_no_lobby(tmp_path, tile):
    """What everybody is sent stays below half of what the broker takes, however many tiles somebody describes."""
    table = Table(tmp_path)
    table.tell(do="setup", set={"virtual": [{"name": "x" * 60, "seat": "red"}] * 40})
    refused = [table.tell(do="tile", tile=tile(number)) for number in range(90)]

    assert refused[-1].startswith("This table has no room for more tiles")
    assert shown_bytes(table) < MOST_PACKET * 0.75
    assert len(table.shown.tiles) == refused.count(None) == len(list(tmp_path.iterdir())) > 15
    again = Table(tmp_path)
    assert again.shown.tiles == table.shown.tiles


@pytest.mark.slow
@pytest.mark.mutants
def test_a_game_with_all_tiles_that_people_may_describe_stays_below_what_the_broker_takes(tmp_path):
    """Whoever plays an unseen tile may name any of them; whatever happens, nobody's view grows beyond a packet."""
    lobby = Table(tmp_path)
    for number in range(MOST_TILES):
        lobby.tell(do="tile", tile={**MINE, "title": f"{number} {'é' * 34} x"})
    assert len(lobby.shown.tiles) == MOST_TILES
    chance = random.Random(5)
    table = Playing(replace(setup(board=STANDARD, players=6), pool=(Share(name="", count=60),)))
    for tile in lobby.host.preparation.own.values():
        table.game.rules.learn(tile)
    largest = 0
    for _step in range(60):
        play_a_bit(table, chance)
        shown = [table.view(), *(table.view(seat) for seat in table.seats)]
        largest = max(largest, *(len(msgspec.json.encode(one)) for one in shown))

    assert 15_000 < largest < MOST_PACKET * 0.75


def test_a_tile_with_too_many_words_is_refused(tmp_path):
    """All of them lie on the board before everybody's eyes, so a tile has not four times three hundred letters."""
    effects = [{"when": "trigger", "deed": "attested", "text": "x" * 300}] * 4
    table = Table(tmp_path)

    assert "1024 bytes" in table.tell(do="tile", tile={**MINE, "effects": effects})
    assert not list(tmp_path.iterdir())


def test_a_tile_has_exactly_as_many_words_as_it_may(tmp_path):
    """The last byte still finds room, and one more does not."""
    table = Table(tmp_path)
    texts = ["x" * 300, "x" * 300, "x" * 300, "x" * (1_024 - 900 - len("T"))]
    effects = [{"when": "trigger", "deed": "attested", "text": text} for text in texts]
    longer = [*effects[:3], {**effects[3], "text": f"{texts[3]}x"}]
    mine = {"title": "T", "trigger": "whole"}

    assert "1024 bytes" in table.tell(do="tile", tile={**mine, "effects": longer})
    assert table.tell(do="tile", tile={**mine, "effects": effects}) is None
    assert [bare(effect.text) for effect in table.tiles["own-t"].effects] == texts


def test_a_text_of_an_own_tile_is_cut_to_three_hundred_letters(tmp_path):
    """So many stand on a card, none fewer."""
    table = Table(tmp_path)

    assert table.tell(do="tile", tile={**MINE, "summary": f"{'x' * 299}yz"}) is None
    assert table.tiles["own-my-thing"].summary == marked(f"{'x' * 299}y")


def test_tiles_kept_by_an_earlier_version_are_known_but_not_all_shown(tmp_path, caplog):
    """A table with more of them than it may show starts, plays on with them, and says so; no file is touched."""
    for number in range(50):
        words = "".join(
            f'[[tile.effect]]\nwhen = "on_play"\ndeed = "attested"\ntext = "{"x" * 300}"\n' for _ in range(4)
        )
        (tmp_path / f"own-t{number}.toml").write_text(
            f'[[tile]]\nname = "own-t{number}"\ntitle = "T{number}"\n{words}'
        )
    table = Table(tmp_path)

    assert {f"own-t{number}" for number in range(50)} <= set(table.tiles)
    assert 0 < len(table.shown.tiles) < 50
    assert shown_bytes(table) < MOST_PACKET / 2
    assert "too many" in caplog.text
    assert len(list(tmp_path.iterdir())) == 50


def test_what_is_no_tile_beside_the_kept_ones_is_left_out(tmp_path, caplog):
    """A pipe, a heap, a broken file, a lost one: the others are there, and the log names those that are not."""
    table = Table(tmp_path)
    table.tell(do="tile", tile=MINE)
    os.mkfifo(tmp_path / "own-pipe.toml")
    (tmp_path / "own-heap.toml").write_text("#" * 1_000_000)
    (tmp_path / "own-broken.toml").write_text("[[tile]]\nname = 7")
    (tmp_path / "own-lost.toml").symlink_to(tmp_path / "nowhere")
    again = Table(tmp_path)

    assert [card.name for card in again.shown.tiles] == ["own-my-thing"]
    assert all(name in caplog.text for name in ("own-pipe", "own-heap", "own-broken", "own-lost"))


def test_no_set_up_has_remarks_without_end():
    """Twenty are shown, and how many more there are."""
    table = Table()
    table.tell(do="setup", set={"virtual": [{"name": f"x{number}", "seat": "red"} for number in range(40)]})

    assert len(table.shown.setup.remarks) <= 21
    assert table.tell(do="setup", set={"virtual": [{"name": "x"}] * 41})


def test_an_ordinary_board_is_followed_lightly_unless_somebody_wants_more():
    """A family at a plain board has not come to count touches: the lobby offers few taps first, also without any settings."""
    assert (
        Hextraction.on(load_board(STANDARD), None).preparation(None).shown(Table().occasion()).depth
        == Depth.LIGHT
    )


def test_the_table_remembers_what_it_has_played_for_its_next_games_and_evenings(tmp_path):
    """What one phone has looked for once is at hand on all of them, the last one first."""
    table = Table(tmp_path)
    state = table.game.start(replace(table.made(), first="red"))
    assert table.game.scene(state).detail.played is msgspec.UNSET
    for number, (seat, act) in enumerate(
        [
            ("red", {"do": "play", "name": "xc"}),
            ("red", {"do": "place", "slot": "B1"}),
            ("red", {"do": "roll", "ramp": "L1"}),
            ("red", {"do": "attest", "saw": "fell", "place": "A1"}),
            ("blue", {"do": "play", "name": "dc"}),
        ]
    ):
        state = table.game.step(state, Acted(at_us=number, seat=seat, act=act)).state
    assert table.game.scene(state).detail.played == ("dc", "xc")

    assert table.host.preparation.set_up(table.occasion()._replace(state=state)).played == ("dc", "xc")
    assert Table(tmp_path).made().played == ("dc", "xc")


def test_what_cannot_be_read_of_earlier_evenings_is_forgotten(tmp_path):
    """A file that is none of ours costs nobody the evening."""
    (tmp_path / "played.txt").write_bytes(b"\xff\xfe")
    assert not Table(tmp_path).made().played
