"""Cards, decks and opening lines of Hex'el, beside counts made in another way."""

from collections import Counter
from itertools import combinations, permutations, product

import pytest
from hextraction.controller.games.hexel.cards import (
    DECKS,
    deck_named,
    distinct_turns,
    least,
    lines,
    read_deck,
    same_turns,
    turned,
)
from hextraction.settings import SettingsError


def turns_of(face):
    """Return a face in all its turns, by cutting the string."""
    return {face[at:] + face[:at] for at in range(6)}


CLASSES = {frozenset(turns_of("".join(face))) for face in product("RBY", repeat=6) if len(set(face)) <= 2}
"""Every card with one symbol or two, counted by turning all 729 strings."""


def test_there_are_39_cards_and_the_smallest_deck_has_each_once():
    """No other deck has a card that is not among them."""
    assert len(CLASSES) == 39
    assert Counter(frozenset(turns_of(face)) for face in deck_named("d39").faces) == Counter(CLASSES)
    for name in DECKS:
        assert {frozenset(turns_of(face)) for face in deck_named(name).faces} <= CLASSES


def test_of_mirrored_cards_the_bracelets_have_one():
    """36 classes up to turning and mirroring, each once."""
    mirrored = {frozenset(turns_of(face) | turns_of(face[::-1])) for face in deck_named("d36").faces}
    assert len(mirrored) == len(deck_named("d36").faces) == 36


@pytest.mark.parametrize(("name", "each"), [("d46", 92), ("d45", 90), ("d39", 78), ("d36", 72)])
def test_a_deck_has_each_symbol_equally_often(name, each):
    """Symbols are counted over all cards; three cards bear one symbol only."""
    faces = deck_named(name).faces
    assert Counter("".join(faces)) == dict.fromkeys("RBY", each)
    assert sorted(face for face in faces if len(set(face)) == 1) == ["BBBBBB", "RRRRRR", "YYYYYY"]


def test_a_turned_card_is_the_same_card():
    """Six turns are none, and the distinct ones show each face that the card can show."""
    for face in deck_named("d39").faces:
        assert {turned(face, turns) for turns in distinct_turns(face)} == turns_of(face)
        assert turned(face, 6) == face
        assert least(turned(face, 2)) == least(face)
        assert turned(face, same_turns(face, 4)) == turned(face, 4)


def by_hand(three):
    """Whether three cards can be laid in a line at all, and without an opening, by trying everything."""
    at_all = False
    for upper, middle, lower in permutations(three):
        for a, b, c in product(turns_of(upper), turns_of(middle), turns_of(lower)):
            if a[3] != b[0] or b[3] != c[0]:
                continue
            at_all = True
            corners = [(a[3], a[2], b[1]), (a[3], a[4], b[5]), (b[3], b[2], c[1]), (b[3], b[4], c[5])]
            if all(len(set(corner)) > 1 for corner in corners):
                return True, True
    return at_all, False


def test_lines_are_those_that_trying_everything_finds():
    """For some triples of each deck; each way of a line is another one."""
    faces = deck_named("d46").faces
    for three in list(combinations(faces, 3))[::500]:
        found = list(lines(three))
        assert bool(found) == by_hand(three)[1]
        assert len({tuple(turned(three[which], turns) for which, turns in way) for way in found}) == len(
            found
        )


@pytest.mark.slow
def test_how_many_triples_can_be_laid():
    """Of the 15 180 triples of the usual deck 13 077 make a line, and 14 620 could but for openings."""
    triples = list(combinations(deck_named("d46").faces, 3))
    assert len(triples) == 15_180
    assert sum(next(lines(three), None) is not None for three in triples) == 13_077
    known = {tuple(sorted(map(least, three))): three for three in triples}
    tried = {kind: by_hand(three) for kind, three in known.items()}
    kinds = [tried[tuple(sorted(map(least, three)))] for three in triples]
    assert (sum(at_all for at_all, _sound in kinds), sum(sound for _all, sound in kinds)) == (14_620, 13_077)


def test_every_mistake_in_a_deck_is_told(tmp_path):
    """How many there are, what is on them, and that nothing could begin with them, each with file and line."""
    path = tmp_path / "mine.toml"
    path.write_text(
        '[deck]\nname = "d12"\ncards = 11\nfaces = ["RRRRRR", "RBYRBY", "RR", "rrrrrr", "YYYYYY"]\ncolour = 1\n'
    )
    with pytest.raises(SettingsError) as caught:
        read_deck(path)
    told = [str(problem) for problem in caught.value.problems]
    assert len(told) == 7
    for wanted in (
        "want 11 cards, as the line `cards` says, found 5",
        "want 12 cards, as the name 'd12' says, found 5",
        "card 2: want one symbol or two on a card, found three: RBYRBY",
        "card 3: want six of R, B and Y",
        "card 4: want six of R, B and Y",
        "want exactly 3 cards of a single symbol, found 4",
        "colour",
    ):
        assert any(wanted in one and f"{path}:" in one for one in told), wanted


def test_a_deck_that_offers_no_opening_line_is_refused(tmp_path):
    """Nine cards that never join in threes could not be played."""
    path = tmp_path / "mine.toml"
    faces = [*["YYYYYY"] * 3, *["RRRRRB"] * 6]
    path.write_text(f"[deck]\ncards = 9\nfaces = {faces}\n")
    with pytest.raises(SettingsError, match="opening line, found none"):
        read_deck(path)


def test_a_deck_of_ones_own_is_read(tmp_path):
    """It is called as its file unless it says another name."""
    path = tmp_path / "mine.toml"
    faces = list(deck_named("d39").faces)[:12]
    path.write_text(f"[deck]\ncards = 12\nfaces = {faces}\n".replace("'", '"'))
    deck = read_deck(path)
    assert (deck.name, list(deck.faces)) == ("mine", faces)
