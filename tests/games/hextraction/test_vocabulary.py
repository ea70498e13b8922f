"""The vocabulary of effects: what a word is stands in its own file, and nothing else asks for its name."""

import ast
import copy
import pickle

import pytest
from hextraction.controller.games.hextraction.cards.checklist import CHECKLIST
from hextraction.controller.games.hextraction.cards.vocabulary import VOCABULARY

from docs import house

TOLD_APART = {word for word in VOCABULARY.words() if "_" in word} - CHECKLIST.keys()
"""Words that mean nothing but the effect, wherever they stand."""
KEYWORDS = {"Keyword", "Trigger"}


def named_in(code):
    """Return the lines of a module that name a particular word, each with the word."""
    tree = ast.parse(code)
    own = {
        one.value.value
        for one in ast.walk(tree)
        if isinstance(one, ast.keyword) and one.arg == "word" and isinstance(one.value, ast.Constant)
    }
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node.value in TOLD_APART - own:
            found.append((node.lineno, node.value))
        elif isinstance(node, ast.Call | ast.Compare) and asks_for_a_name(node):
            texts = [one.value for one in ast.walk(node) if isinstance(one, ast.Constant)]
            found += [(node.lineno, text) for text in texts if text in VOCABULARY.words() and text not in own]
        elif isinstance(node, ast.Attribute) and called(node.value) in KEYWORDS and node.attr.isupper():
            found.append((node.lineno, node.attr))
    return sorted(set(found))


def asks_for_a_name(node):
    """Whether a call looks a word up, or a comparison is about what a word is called."""
    if isinstance(node, ast.Call):
        return called(node.func) in {"named", "deed_named"}
    return any(isinstance(one, ast.Attribute) and one.attr == "word" for one in ast.walk(node))


def called(node):
    """Return the last name of an expression."""
    return getattr(node, "id", getattr(node, "attr", ""))


@pytest.mark.slow
@pytest.mark.mutants
def test_no_module_names_a_particular_word():
    """The rules ask a word what it does, and never for its name: a new one needs its own file alone."""
    named = {
        name: found
        for name, path in house.modules().items()
        if ".hextraction.cards." not in name and (found := named_in(path.read_text("utf-8")))
    }
    assert named == {}


@pytest.mark.parametrize(
    "planted",
    [
        'if effect.deed.word == "chime": pass',
        'if effect.deed.word in {"lose", "win"}: pass',
        'FIRST = deed_named("seek")',
        'FIRST = VOCABULARY.named("kick")',
        'LIMITS = {"only_rim", "not_top_row"}',
        "if Keyword.VIRTUAL in tile.keywords: pass",
        'VOCABULARY.enrol(Deed(word="mine", meaning="It differs.")); OTHER = "skip_turn"',
    ],
)
def test_a_module_that_names_one_is_found(planted):
    """Each way of asking for a particular word is seen."""
    assert named_in(planted)


def test_a_file_may_name_its_own_words():
    """It is there that they are made."""
    assert not named_in('VOCABULARY.enrol(Deed(word="skip_turn", meaning="Wait.")); ALSO = "skip_turn"')


def test_a_word_stays_one_object():
    """A copied catalogue, and one that was sent to another process, has the same words."""
    for deed in VOCABULARY:
        assert pickle.loads(pickle.dumps(deed)) is deed  # noqa: S301 - our own bytes
        assert copy.deepcopy(deed) is deed
