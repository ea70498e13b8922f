"""The tiles on the board seen from several sides."""

from hextraction.board.profile import load_board
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles
from hextraction.controller.games.hextraction.cards.tiles import When
from hextraction.controller.games.hextraction.state.move import Rules
from hextraction.controller.games.hextraction.state.state import Copy, Laid

TILES = load_tiles()


def lying(*names):
    """Return tiles of these kinds, one in each slot from the first on, and their copies."""
    slots = load_board("fx-19").slot_names
    copies = {number: Copy(id=number, name=name) for number, name in enumerate(names, 1)}
    laid = tuple(Laid(copy=number, slots=(slot,)) for number, slot in zip(copies, slots, strict=False))
    return laid, copies


def rules():
    """Return the rules of the usual board."""
    return Rules(load_board("fx-19"), TILES)


def test_installed_by_place():
    """A tile is found by each slot that it covers, and by its number."""
    wide = Laid(copy=7, slots=("A1", "A2"))
    seen = rules().installed((wide,), {7: Copy(id=7, name="ban-a")})

    assert seen.layout == {"A1": 7, "A2": 7}
    assert {7: wide} == seen.by_copy


def test_installed_effects():
    """The effects of all kinds of tiles are found by their sort, with tile and number, in order of laying."""
    laid, copies = lying(*TILES)
    found = rules().installed(laid, copies).effects

    for when in When:
        plain = [
            (one, index, effect)
            for one in laid
            for index, effect in enumerate(TILES[copies[one.copy].name].effects)
            if effect.when is when
        ]
        assert plain == found.get(when, [])


def test_installed_anew():
    """Another tile on the board, or another guise of one, is seen at once; the same board is not read again."""
    game = rules()
    laid, copies = lying("ban-a", "ban-b")
    seen = game.installed(laid, copies)

    assert seen is game.installed(laid, copies)
    assert list(game.installed(laid[:1], copies).by_copy) == [1]
    assert list(game.installed(laid, copies).by_copy) == [1, 2]
    guised = {**copies, 1: Copy(id=1, name="ban-a", guise="ban-c")}
    ramps = [effect.ramps for _laid, _index, effect in game.installed(laid, guised).effects[When.ONGOING]]
    assert ramps == [("c",), ("b",)]


def shape(index):
    """Return everything that an index says."""
    effects = {when: found for when, found in index.effects.items() if found}
    return index.layout, list(index.layout), index.by_copy, index.opened, effects


def test_installed_step_by_step():
    """The index of one tile more or fewer, or of other tiles, says what one made from nothing says."""
    laid, copies = lying(*list(TILES)[:19])
    wide = Laid(copy=1, slots=("A1", "A2"))
    turned = (*laid[:3], Laid(copy=4, slots=laid[3].slots, turns=2), *laid[4:])
    boards = [(), laid[:1], laid[:2], laid, laid[:-1], laid[1:-1], laid[1:5] + laid[6:-1], turned, laid[:7]]
    boards += [laid[2:7], (*laid[2:7], wide), laid[2:7], laid[:2], laid[3:5], ()]

    game = rules()
    for board in boards:
        assert shape(game.installed(board, copies)) == shape(rules().installed(board, copies))
        more = {**copies, 99: Copy(id=99, name="ban-a")}
        assert shape(game.installed(board, more)) == shape(rules().installed(board, more))
        guised = {**copies, 2: Copy(id=2, name=copies[2].name, guise="ban-a")}
        assert shape(game.installed(board, guised)) == shape(rules().installed(board, guised))


def test_installed_trial():
    """What is tried apart does not change what is known of the real board."""
    game = rules()
    laid, copies = lying("ban-a", "ban-b")
    seen = game.installed(laid, copies)

    assert list(game.apart().installed(laid[:1], copies).by_copy) == [1]
    assert game.last_installed is seen
