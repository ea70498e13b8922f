"""The catalogue of words: no text is forgotten, and each sentence is said as it is translated."""

import json
import re
import subprocess

import msgspec
import pytest
from helpers.page.accents import in_accents, plain_in
from helpers.places import ROOT
from hextraction.controller.games.marked_names import marked, plain
from hextraction.controller.games.protocol import Said
from hextraction.testing.evenings import evening, seats_of
from hypothesis import given, settings
from hypothesis import strategies as st

from docs import words

EACH = [(domain, language) for domain in words.DOMAINS for language in words.LANGUAGES]
NAMED = [f"{domain.folder} {language}" for domain, language in EACH]
KINDS = ("hextraction", "hextris", "extraction", "hexel")
PART = re.compile(r"\{\w+\}")
NAME = re.compile("\u2068[^\u2069]*\u2069")
FORBIDDEN = {
    "en": re.compile(
        r"(?i)\b(?:attest\w*|phases?|void(?:ed|s)?|ow(?:e|ed|es|ing)|claims?|claimed|entry|entries|disput\w*|resolv\w*|anew"
        r"|commit\w*|believ\w*|provisional\w*|verdicts?|referee|runtime|payloads?|ply|plies|filibuster\w*|struck"
        r"|namesakes?|bottoms out|no way round|to mend|controller|nobody can say|any more)\b"
    ),
    "de": re.compile(
        r"\b(?:Abschluss\w*|ungültig\w*|Plättchen|Telefon\w*|Steuerung|Controller|Phase\w*|schulde\w*|Lesart\w*"
        r"|Trigger|Slots?|User|Session|Display|Screen|bezüglich|seitens|erfolgt)\b"
    ),
}
"""Words for the program's inside, and such as nobody says at a table."""
SETTLES = re.compile(r"(?i)\bsettl(?:e|es|ed|ing)\b")
"""A word of Extraction's rules, where one settles at a corner."""
READ = {"headline", "hands", "label", "one", "title", "note", "text", "summary", "outcome"}
STEPS = 300


def catalogue(kind, language="de"):
    """Return what a phone knows that plays a game: everything that it may load."""
    known = {}
    for domain in words.DOMAINS:
        if domain.folder == "words" or domain.folder.startswith(f"games/{kind}/"):
            known.update(json.loads(domain.file(language, "json").read_text()))
    return known


def said(texts, known):
    """Return what the page makes of these texts."""
    told = json.dumps({"catalogues": [known], "texts": texts})
    done = subprocess.run(
        ["node", ROOT / "tests" / "page" / "say.mjs"], input=told, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


@pytest.mark.slow
@pytest.mark.parametrize(("domain", "language"), EACH, ids=NAMED)
def test_every_text_of_the_program_has_its_translation(domain, language):
    """Whoever writes a new text runs `make words` and translates it in the file that is named."""
    texts = words.texts_of(domain, [])
    missing = words.gaps(domain, language, texts)
    assert not missing, f"run `make words`, then translate in {domain.file(language, 'po')}: {missing}"


@pytest.mark.parametrize(("domain", "language"), EACH, ids=NAMED)
def test_what_phones_load_is_what_was_translated(domain, language):
    """The JSON beside a gettext file is made of it by `make words`."""
    made = domain.file(language, "json").read_text(encoding="utf-8")
    assert made == words.compiled(domain, language)


def test_a_choice_inside_a_sentence_gives_both_sentences(tmp_path):
    """Singular and plural are two texts; errors for makers, names of fields and docstrings are none."""
    module = tmp_path / "module.py"
    module.write_text(
        '"""Not this text."""\n'
        "def told(count, name):\n"
        "    if not name:\n"
        '        raise ValueError(f"not {name} either")\n'
        "    return f\"{name.title()} has {count} tile{'' if count == 1 else 's'}.\" + FIELDS['not_this']\n"
    )
    assert list(words.python_texts(module)) == ["{title} has {n} tile.\0{title} has {n} tiles."]


@pytest.mark.slow
@pytest.mark.parametrize("language", words.LANGUAGES)
def test_every_text_of_the_page_has_its_translation(language):
    """The page's modules and its HTML are read by TypeScript's own parser."""
    shown = words.page_texts()
    assert len(shown) > 500
    for domain in words.DOMAINS:
        missing = words.gaps(domain, language, words.texts_of(domain, shown))
        assert not missing, f"run `make words`, then translate in {domain.file(language, 'po')}: {missing}"


def test_no_module_of_the_page_writes_past_the_language_of_the_phone():
    """Text goes into the page by `dom.js` alone, which says it in the phone's language."""
    page = ROOT / "controller" / "page"
    modules = [one for one in page.rglob("*.js") if "built" not in one.parts and ".min." not in one.name]
    past = re.compile(r"\.(textContent|innerText|innerHTML|placeholder|ariaLabel) = |insertAdjacent")
    assert [one.name for one in modules if past.search(one.read_text())] == ["dom.js"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("language", words.LANGUAGES)
def test_what_the_page_and_a_game_both_say_is_called_the_same(kind, language):
    """A phone has one word for a text: the catalogue that is loaded last would win."""
    known, others = {}, {}
    for domain in words.DOMAINS:
        if domain.folder == "words" or domain.folder.startswith(f"games/{kind}/"):
            loaded = json.loads(domain.file(language, "json").read_text())
            others |= {text: said for text, said in loaded.items() if known.get(text, said) != said}
            known |= loaded
    assert others == {}


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("language", words.LANGUAGES)
def test_no_sentence_is_taken_for_another(kind, language):
    """With unknown words for its parts each sentence of the catalogue becomes just its own translation."""
    known = catalogue(kind, language)
    filled = []
    for text, translation in each_form(known):
        parts = {part: f"Qu{chr(97 + at)}x" for at, part in enumerate(dict.fromkeys(PART.findall(text)))}
        filled.append(tuple(PART.sub(lambda part, p=parts: p[part[0]], one) for one in (text, translation)))
    found = said([text for text, _wanted in filled], known)
    odd = [(text, one, wanted) for (text, wanted), one in zip(filled, found, strict=True) if one != wanted]
    assert odd == []


def each_form(known):
    """Yield each text of a German catalogue and what it is called; what is counted with one of it and with five."""
    for text, called in known.items():
        if isinstance(called, str):
            yield text, called
        elif text:
            one, many = text.split("\0")
            yield one.replace("{n}", "1"), called["one"].replace("{n}", "1")
            yield many.replace("{n}", "5"), called["other"].replace("{n}", "5")


def read_in(value, key=""):
    """Yield what people read of a payload: the texts under keys for texts."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from read_in(inner, name)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from read_in(inner, key)
    elif isinstance(value, str) and key in READ:
        yield value


def told_in(played):
    """Return all that everybody reads of an evening: scenes, private views, and what happened."""
    seats = seats_of(played.game, played.states[0])
    texts = {}
    for state in played.states[:: max(1, len(played.states) // STEPS)]:
        views = [played.game.scene(state), *(played.game.private(state, seat) for seat in seats)]
        for view in views:
            texts.update(dict.fromkeys(read_in(msgspec.to_builtins(view))))
    for state, event in zip(played.states[:-1], played.events, strict=True):
        effects = played.game.step(state, event).effects
        texts.update({effect.text: None for effect in effects if isinstance(effect, Said)})
    return list(texts)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_whatever_a_table_says_is_said_to_the_end(kind):
    """In a language of accents no word of a whole game stays English, whatever was put into a sentence."""
    known = in_accents(catalogue(kind))
    told = [text for number in (0, 1) for text in told_in(evening(kind, number))]
    texts = [NAME.sub(marked("Ę"), text) for text in told]
    assert len(texts) > 100
    left = {text: one for text, one in zip(texts, said(texts, known), strict=True) if plain_in(one)}
    assert left == {}


def every_text(language):
    """Yield each text of all catalogues with its domain and its translations; parts that are put in are left out."""
    for domain in words.DOMAINS:
        for text, called in json.loads(domain.file(language, "json").read_text(encoding="utf-8")).items():
            if text:
                forms = called.values() if isinstance(called, dict) else [called]
                yield domain, PART.sub("", text.replace("\0", " ")), PART.sub("", " ".join(forms))


def test_no_sentence_has_a_word_of_the_programs_inside():
    """Whoever plays hears of balls and tiles; “settle” is said where Extraction's rules say so."""
    found = [
        text
        for domain, text, called in every_text("de")
        if FORBIDDEN["en"].search(text)
        or FORBIDDEN["de"].search(called)
        or (SETTLES.search(text) and domain.folder != "games/extraction/words")
    ]
    assert found == []


def glossary():
    """Return the rows of the glossary in the documents: English, German, what it is, where it is from."""
    page = (ROOT / "docs" / "languages.md").read_text(encoding="utf-8")
    table = page.split("## The words that players see")[1].split("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("| ")]
    return rows[1:]


def test_each_word_of_the_glossary_is_said_in_both_languages():
    """A row of which a catalogue knows nothing is about a word that players no longer see."""
    known = list(every_text("de"))
    texts = "\n".join(text for _domain, text, _called in known).casefold()
    called = "\n".join(one for _domain, _text, one in known).casefold()
    rows = glossary()
    assert len(rows) > 80
    assert {row[-1] for row in rows} == {"rules", "ours", "Hextris", "Extraction", "Hex'el"}
    said = [
        re.search(rf"\b{re.escape(row[0].casefold())}", texts)
        and re.search(rf"\b{re.escape(row[1].casefold())}", called)
        for row in rows
    ]
    assert [row for row, found in zip(rows, said, strict=True) if not found] == []


HOSTILE = (
    "Sam and Alex", "Red", "wood", "ramp L2", "{name}", "rolls from", "a: b", "1 tile", "Leave", "Ada rolls from ramp L2.",
    "All fine", "you", "x", "; ", "(a)", "a · b", "Bell at C1", "עדה", "سارة and Bo", "\ue000", "Teleport, out",
)  # fmt: skip
"""Names like sentences, parts of sentences and entries of the catalogue, and such as are written from right to left."""


def filled(text, part):
    """Return a sentence of the catalogue, and its translation, with something in each of its parts."""
    return [PART.sub(part, one) for one in text]


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_no_name_changes_a_sentence_or_is_changed_by_it(kind):
    """Whatever somebody is called, each sentence is said as for anybody else, with the name as it was given."""
    known = catalogue(kind)
    with_parts = [entry for entry in each_form(known) if PART.search(entry[0])]
    names = [HOSTILE[number % len(HOSTILE)] for number in range(len(with_parts))]
    sentences = [filled(entry, marked("Qux")) for entry in with_parts]
    ordinary = said([text for text, _wanted in sentences], known)
    hostile = said(
        [text.replace("Qux", name) for (text, _wanted), name in zip(sentences, names, strict=True)], known
    )
    odd = [
        (text, one, name)
        for (text, _wanted), one, name, usual in zip(sentences, hostile, names, ordinary, strict=True)
        if plain(one) != usual.replace("Qux", name)
    ]
    assert odd == []
    assert len(with_parts) > 40


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_stays_in_each_sentence_about_a_roll(name):
    """Also at the beginning of a sentence, and by itself; the words around it are German."""
    known = catalogue("hextraction")
    called = marked(name, "blue")
    texts = [f"{called} rolls from ramp L2.", f"{called}'s turn", called, f"Does {called} stay in?"]
    found = [plain(one) for one in said(texts, known)]
    assert found[0] == f"{name} lässt eine Kugel von Rampe L2 rollen."
    assert found[2] == name
    assert all(name in one for one in found)


@pytest.mark.slow
def test_who_is_called_as_the_seats_colour_is_translated():
    """Red in the red seat gave no name; a person in another seat who is called Red keeps it."""
    known = {"{name} rolls.": "{name} rollt.", "Leave": "Gehen", "Red": "Rot"}
    texts = [
        f"{marked(name, seat)} rolls." for name, seat in (("Red", "red"), ("Red", "blue"), ("Leave", "red"))
    ]
    assert said([*texts, "Leave"], known) == ["Rot rollt.", "Red rollt.", "Leave rollt.", "Gehen"]


@pytest.mark.slow
def test_marks_are_not_shown_unless_a_name_turns_its_neighbours_around():
    """Also in English, where nothing is looked up: only a name from right to left is isolated."""
    assert said([f"{marked('Ada')} rolls.", f"{marked('עדה')} 2."], {}) == [
        "Ada rolls.",
        "\u2068עדה\u2069 2.",
    ]


@pytest.mark.slow
def test_a_sentence_is_cut_where_its_parts_are_known():
    """“{who} {does}” may be cut anywhere; a list, several sentences and a sign at the end are read too."""
    known = {
        "{who} {does}.": "{who} {does}!",
        "takes back the roll": "nimmt den Wurf zurück",
        "{number} tiles": "{number} Kacheln",
        "and": "und",
        "a ball": "eine Kugel",
        "Leave": "Gehen",
    }
    texts = ["Ada Lovelace takes back the roll.", "3 tiles and a ball", "Leave…", "A ball: 2 tiles"]
    found = [
        "Ada Lovelace nimmt den Wurf zurück!",
        "3 Kacheln und eine Kugel",
        "Gehen…",
        "Eine Kugel: 2 Kacheln",
    ]
    assert said(texts, known) == found


@pytest.mark.slow
def test_what_is_counted_is_said_in_the_form_of_its_number():
    """By the language's own rule, whatever the English form was; Polish has three forms, and a name is no number."""
    forms = {"one": "{n} kula", "few": "{n} kule", "many": "{n} kul", "other": "{n} kuli"}
    known = {"": {"language": "pl"}, "{n} ball\0{n} balls": forms, "{name} has {what}.": "{name} ma {what}."}
    texts = ["1 ball", "2 balls", "5 balls", f"{marked('1 ball')} has 22 balls.", f"{marked('3')} balls"]
    assert said(texts, known) == ["1 kula", "2 kule", "5 kul", "1 ball ma 22 kule.", "3 balls"]


@pytest.mark.parametrize(
    ("language", "rule"),
    [("de", "n != 1"), ("pl", "n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2")],
)
def test_each_kind_of_number_has_one_form(language, rule):
    """The rule at the head of a gettext file divides numbers as the language does, which phones ask for it."""
    kinds = words.kinds_of_number(language, rule)
    assert sorted({kinds["one"], *kinds.values()}) == list(range(max(kinds.values()) + 1))
    with pytest.raises(ValueError, match="Plural-Forms"):
        words.kinds_of_number(language, "n > 3")


@given(
    name=st.lists(
        st.sampled_from([*HOSTILE, "{n}", "%s", "Ben wins", "\u2068", "\0", *catalogue("hextraction")]),
        min_size=1,
        max_size=3,
    )
    .map(" ".join)
    .filter(plain),
)
@settings(max_examples=25)
@pytest.mark.slow
def test_no_title_of_the_catalogues_own_words_is_ever_changed(name):
    """A player and a tile called so stay as they are in sentences of several shapes, and the rest is German."""
    given_name = plain(name)
    called = marked(name)
    texts = [
        f"{called} plays {called}.",
        f"{called} at C1 is triggered.",
        f"{called} rolls from ramp L2.",
        called,
    ]
    usual = [text.replace(called, marked("Qux")) for text in texts]
    found = said([*texts, *usual], catalogue("hextraction"))
    assert [plain(one) for one in found[:4]] == [one.replace("Qux", given_name) for one in found[4:]]
    assert found[6] == "Qux lässt eine Kugel von Rampe L2 rollen."


@pytest.mark.slow
def test_a_list_of_sentences_is_cut_at_its_marks():
    """What comes after a “;” begins anew, and is no part of the sentence before it."""
    known = {
        "Undone: {all}.": "Zurück: {all}.",
        "{title} at {slot} does nothing": "{title} ({slot}) tut nichts",
        "{title} at {slot}": "{title} ({slot})",
    }
    texts = ["Undone: Bell at C1 does nothing; Star at C2 does nothing."]
    assert said(texts, known) == ["Zurück: Bell (C1) tut nichts; Star (C2) tut nichts."]
