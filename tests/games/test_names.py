"""Names that people write: nothing in them is unseen, and what looks alike is alike."""

import sys
import unicodedata

import pytest
from hextraction.controller.games.names import clean, looks
from hypothesis import given
from hypothesis import strategies as st


@given(st.text(max_size=60))
def test_any_text_makes_a_name_that_can_be_shown(text):
    """At most 24 letters, no control letters, no double spaces; cleaning it again changes nothing."""
    name = clean(text, 24)

    assert len(name) <= 24
    assert name == " ".join(name.split())
    assert all(letter.isprintable() for letter in name)
    assert clean(name, 24) == name


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("  Anna \n Lena ", "Anna Lena"),
        ("\u202egnat", "gnat"),
        ("A\u0300\u0301\u0302\u0303\u0304", "À\u0301\u0302"),
        ("x" * 40, "x" * 24),
        ("\u0000\u200b", ""),
        ("नमस्ते", "नमस्ते"),
        ("<img onerror=1>", "<img onerror=1>"),
        ("Jo\u3164\u3164", "Jo"),
        ("Jo\u2800Ann", "Jo Ann"),
        ("J\ufe00o\U000e0100", "Jo"),
        ("\uff2a\uff4f", "Jo"),
        ("\U0001f3b2", "\U0001f3b2"),
    ],
)
def test_names_are_cleaned(typed, shown):
    """What is unseen goes, piles of accents are cut, scripts that need marks keep them."""
    assert clean(typed, 24) == shown


@pytest.mark.slow
def test_no_letter_of_unicode_that_may_be_ignored_is_kept():
    """One by one: no format sign, filler, joiner or variation selector makes a name or changes one."""
    unseen = [
        chr(code)
        for code in range(sys.maxunicode + 1)
        if unicodedata.category(chr(code)) in {"Cc", "Cf"}
        or "VARIATION SELECTOR" in (name := unicodedata.name(chr(code), ""))
        or "HANGUL FILLER" in name
        or "GRAPHEME JOINER" in name
    ]
    assert len(unseen) > 400
    kept = [
        f"U+{ord(letter):04X}"
        for letter in unseen
        if not letter.isspace() and clean(f"Jo{letter}", 24) != "Jo"
    ]

    assert kept == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna", "\u0410nn\u0430"),
        ("Ida", "lda"),
        ("Ida", "1da"),
        ("Otto", "0tt0"),
        ("Nora", "\u039dora"),
        ("Jo-Ann", "Jo\u2010Ann"),
        ("ROSA", "rosa"),
        ("Jo Ann", "JoAnn"),
        ("Ada", "\u13aa\u13a0\u13aa"),
        ("Ada", "\uab7a\uab70\uab7a"),
        ("Anna", "\ua4ee\ua4e0\ua4e0\ua4ee"),
        ("Bo", "\u0299\u1d0f"),
    ],
)
def test_what_looks_alike_is_alike(one, other):
    """Lookalikes of Cyrillic, Greek, Cherokee and Lisu, small capitals, digits that are read as letters, dashes."""
    assert looks(one) == looks(other)


@pytest.mark.parametrize(("one", "other"), [("Anna", "Anne"), ("Zoe", "Zoë"), ("Ben", "Бен"), ("Tom", "Tim")])
def test_what_can_be_told_apart_is_not_alike(one, other):
    """Nobody is refused without need."""
    assert looks(one) != looks(other)
