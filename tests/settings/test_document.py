"""Reading TOML that people write: types, ranges, hints, and every mistake at once with its line."""

import os
from pathlib import Path

import pytest
from hextraction.settings import Document, Problem, SettingsError
from hypothesis import given
from hypothesis import strategies as st


def document(text):
    """Parse a text that is called mine.toml."""
    return Document.from_text(text, "mine.toml")


def complaints(doc):
    """Finish a document and return what it complains about."""
    with pytest.raises(SettingsError) as refusal:
        doc.finish()
    return str(refusal.value).splitlines()


READERS = {
    "integer": lambda section: section.integer("key", 1, 9),
    "number": lambda section: section.number("key", 1, 9.5),
    "boolean": lambda section: section.boolean("key"),
    "text": lambda section: section.text("key", pattern=r"[a-z]+", like="small letters"),
    "choice": lambda section: section.choice("key", ["lean", "rich"]),
    "texts": lambda section: section.texts("key"),
    "integers": lambda section: section.integers("key", 1, 6),
    "table": lambda section: section.table("key", required=True).keys,
    "tables": lambda section: len(section.tables("key")),
    "raw": lambda section: section.raw("key"),
}


@pytest.mark.parametrize(
    ("reader", "written", "value"),
    [
        ("integer", "1", 1),
        ("integer", "9", 9),
        ("number", "1", 1.0),
        ("number", "9.5", 9.5),
        ("boolean", "true", True),
        ("boolean", "false", False),
        ("text", '"abc"', "abc"),
        ("choice", '"rich"', "rich"),
        ("texts", "[]", ()),
        ("texts", '["a", "b"]', ("a", "b")),
        ("integers", "[1, 6]", (1, 6)),
        ("table", "{a = 1}", ("a",)),
        ("tables", "[{}, {}]", 2),
        ("raw", '[1, "x"]', [1, "x"]),
    ],
)
def test_what_fits_is_read(reader, written, value):
    """A value of the right type and range is returned, both ends of a range included."""
    read = READERS[reader](document(f"key = {written}").root)
    assert read == value
    assert type(read) is type(value)


@pytest.mark.parametrize(
    ("reader", "written", "complaint"),
    [
        ("integer", "0", "want a whole number 1..9, found 0"),
        ("integer", "10", "want a whole number 1..9, found 10"),
        ("integer", "2.0", "want a whole number 1..9, found 2.0"),
        ("integer", "true", "want a whole number 1..9, found true"),
        ("integer", '"2"', "want a whole number 1..9, found '2'"),
        ("number", "0.9", "want a number 1..9.5, found 0.9"),
        ("number", "nan", "want a number 1..9.5, found nan"),
        ("number", "inf", "want a number 1..9.5, found inf"),
        ("number", "false", "want a number 1..9.5, found false"),
        ("boolean", "1", "want true or false, found 1"),
        ("boolean", '"true"', "want true or false, found 'true'"),
        ("text", '"Abc"', "want small letters, found 'Abc'"),
        ("text", '"abc\\n"', "want small letters, found 'abc\\n'"),
        ("text", "7", "want small letters, found 7"),
        ("choice", '"ritch"', "want one of lean, rich, found 'ritch'; did you mean 'rich'?"),
        ("choice", '"xyzzy"', "want one of lean, rich, found 'xyzzy'"),
        ("choice", "[]", "want one of lean, rich, found []"),
        ("texts", '["a", 1]', "want a list of texts, found ['a', 1]"),
        ("texts", '"a"', "want a list of texts, found 'a'"),
        ("integers", "[1, 7]", "want a list of whole numbers 1..6, found [1, 7]"),
        ("integers", "[true]", "want a list of whole numbers 1..6, found [True]"),
        ("integers", "3", "want a list of whole numbers 1..6, found 3"),
        ("table", "4", "want a table, found 4"),
        ("tables", "4", "want tables, each written as [[key]]"),
        ("tables", "[{}, 4]", "want tables, each written as [[key]]"),
        ("text", '"' + "x1" * 60 + '"', "want small letters, found '" + "x1" * 28 + "..."),
    ],
)
def test_what_does_not_fit_is_told_with_what_was_wanted(reader, written, complaint):
    """The complaint names file, line, key, what was wanted and what was found."""
    doc = document(f"\nkey = {written}")
    READERS[reader](doc.root)
    assert complaints(doc) == [f"mine.toml:2: key: {complaint}"]


@pytest.mark.parametrize(
    "reader", ["integer", "number", "boolean", "text", "choice", "texts", "integers", "table"]
)
def test_a_key_that_must_be_there_is_told_missing_once(reader):
    """A required key that is absent is one problem, not two."""
    doc = document("\n[other]\n")
    doc.root.table("other")
    READERS[reader](doc.root)
    assert complaints(doc) == ["mine.toml:1: the key 'key' is missing"]


def test_absent_keys_take_their_defaults():
    """Reading what is not there gives the default and no complaint."""
    doc = document("")
    root = doc.root
    read = (
        root.integer("a", 1, 9, 3), root.number("b", 1, 9, 2.5), root.boolean("c", default=True), root.text("d", "x"),
        root.choice("e", ["p", "q"], "other"), root.texts("f", ["t"]), root.integers("g", 1, 6, [2]), root.raw("h"),
        root.table("i").keys, root.tables("j"), root.raw("k", 8),
    )  # fmt: skip
    doc.finish()
    assert read == (3, 2.5, True, "x", "other", ("t",), (2,), None, (), (), 8)


def test_a_default_that_is_no_choice_cannot_be_written():
    """An empty default means nothing chosen; whoever writes it has made a mistake."""
    doc = document('key = ""')
    assert doc.root.choice("key", ["p", "q"], "") == ""
    assert complaints(doc) == ["mine.toml:1: key: want one of p, q, found ''"]


def test_a_wrong_value_becomes_its_default():
    """Reading goes on with something harmless, so that later mistakes are found as well."""
    root = document("a = 99\nb = 99\nc = 5").root
    assert root.integer("a", 1, 9, 4) == 4
    assert root.integer("b", 1, 9) == 1
    assert root.texts("c") == ()


def test_all_mistakes_are_told_at_once_in_the_order_of_the_file():
    """Reading order does not matter, the file's does."""
    doc = document('pins = 3\n[[lamp]]\ncolour = "rd"\n\n[[lamp]]\ncolour = "green"\nglow = 2\n[motor]\n')
    doc.root.table("motor").integer("speed", 0, 9)
    for lamp in doc.root.tables("lamp"):
        lamp.choice("colour", ["red", "green"])
        lamp.boolean("glow", default=False)
    doc.root.texts("pins")
    assert complaints(doc) == [
        "mine.toml:1: pins: want a list of texts, found 3",
        "mine.toml:3: lamp[1].colour: want one of red, green, found 'rd'; did you mean 'red'?",
        "mine.toml:7: lamp[2].glow: want true or false, found 2",
        "mine.toml:8: motor: the key 'speed' is missing",
    ]


def test_an_unknown_key_is_told_with_the_nearest_known_one():
    """A slip of the pen is answered with the word that was probably meant."""
    doc = document("[motor]\nspede = 1\n")
    doc.root.table("motor").integer("speed", 0, 9, 1)
    assert complaints(doc) == ["mine.toml:2: motor.spede: unknown key; did you mean 'speed'?"]


def test_an_unknown_key_with_no_near_one_is_told_with_all_known_ones():
    """A foreign key is answered with what is known in that table."""
    doc = document("xyzzy = 1\n")
    doc.root.integer("speed", 0, 9, 1)
    doc.root.integer("gears", 0, 9, 1)
    assert complaints(doc) == ["mine.toml:1: xyzzy: unknown key; known here: gears, speed"]


def test_a_table_in_which_nothing_is_known_says_so():
    """Where no key was expected at all, the hint is none."""
    assert complaints(document("xyzzy = 1")) == ["mine.toml:1: xyzzy: unknown key; known here: none"]


def test_leftovers_are_told_only_once():
    """Checking for unknown keys early does not tell them again at the end."""
    doc = document("xyzzy = 1")
    doc.check_leftovers()
    assert len(complaints(doc)) == 1


def test_looking_is_not_reading():
    """Whether a key is there, which keys there are and where a table begins can be asked without reading it."""
    doc = document("\n[motor]\nspeed = 1\n")
    motor = doc.root.table("motor")
    assert "speed" in motor
    assert "gears" not in motor
    assert (motor.keys, motor.line) == (("speed",), 2)
    assert len(complaints(doc)) == 1


def test_a_complaint_of_the_caller_stands_at_its_key_or_table():
    """What only the caller can check is reported in the same way."""
    doc = document("\n[motor]\nspeed = 1\n")
    motor = doc.root.table("motor")
    motor.raw("speed")
    motor.complain("speed", "too fast for this gear")
    motor.complain(None, "no such motor")
    doc.root.complain(None, "a strange file")
    assert complaints(doc) == [
        "mine.toml:1: a strange file",
        "mine.toml:2: motor: no such motor",
        "mine.toml:3: motor.speed: too fast for this gear",
    ]


def test_a_key_inside_an_inline_table_has_its_own_line():
    """Tables written inline over several lines of an array are told apart."""
    doc = document("lamp = [\n {pin = 1},\n {pin = 99},\n]\n")
    for lamp in doc.root.tables("lamp"):
        lamp.integer("pin", 0, 40)
    assert complaints(doc) == ["mine.toml:3: lamp[2].pin: want a whole number 0..40, found 99"]


def test_a_path_that_is_not_in_the_file_has_the_line_of_what_is_around_it():
    """Complaints about absent keys stand at the nearest table."""
    doc = document("\n[a]\n")
    assert doc.line_of(("a", "b", 3, "c")) == 2
    assert doc.line_of(("x",)) == 1


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ("a = 1\nb = \n", 2, "Invalid value"),
        ("a = 1\na = 2\n", 2, "Cannot overwrite a value"),
        ("a = 1\n\nb", 3, "Expected '='"),
        ("a = [1,\n", 2, "Invalid value (at end of document)"),
    ],
)
def test_what_is_not_toml_is_one_problem_on_its_line(text, where, what):
    """A syntax error is told like any other mistake, at the line where reading stopped."""
    with pytest.raises(SettingsError) as refusal:
        document(text)
    (problem,) = refusal.value.problems
    assert (problem.source, problem.line) == ("mine.toml", where)
    assert problem.message.startswith("this is not TOML: ")
    assert what in problem.message
    assert "line" not in problem.message


def test_a_number_too_long_to_be_one_is_refused():
    """Python refuses to read it and does not say where; the file is named at least."""
    with pytest.raises(SettingsError, match=r"mine\.toml:1: this is not TOML: Exceeds the limit"):
        document("\na = " + "9" * 5000 + "\n")


def test_a_text_nested_without_end_is_refused():
    """Brackets by the thousand end in a problem, not in a crash."""
    with pytest.raises(SettingsError, match=r"mine\.toml:1: this is nested too deeply"):
        document("a = " + "[" * 5000 + "]" * 5000)


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (r'journal = "a\u0000b"', "mine.toml:2: table.journal: want text without the character"),
        (r'paths = [["x", "\U00000000"]]', "mine.toml:2: table.paths[1][2]: want text without"),
        (r'"\u0000" = 1', "mine.toml:1: table: want text without"),
    ],
)
def test_a_null_character_is_told_with_its_place(written, told):
    """No file can be called so: whoever opened it would get an exception instead of a sentence."""
    with pytest.raises(SettingsError) as refusal:
        document(f"[table]\n{written}").finish()
    assert told in str(refusal.value)


def test_a_null_character_that_is_only_spelled_is_text():
    """Between single quotes, and with its backslash doubled, it is six characters."""
    found = document(r"one = '\u0000'" + "\n" + r'two = "\\u0000"').root
    assert found.text("one") == found.text("two") == r"\u0000"


@pytest.mark.parametrize("parted", ["{} = 1", "[{}]", "[[{}]]", "a = {{ {} = 1 }}"])
def test_a_dotted_key_without_end_is_refused_before_it_costs_anything(parted):
    """Twenty thousand parts would keep a processor busy for minutes; fifty are read."""
    with pytest.raises(SettingsError, match=r"mine\.toml:3: a dotted key of more than 50 parts"):
        document("a.b = 'c.d'\n# a.b\n" + parted.format(" . ".join(["a"] * 20_000)))
    assert document(parted.format(".".join(["k"] * 50)).replace("a =", "b =")).problems == ()
    assert document(f"text = '{'.'.join('t' * 300)}' # {'.' * 300}").problems == ()


def test_a_file_is_read_with_its_path_as_the_name(tmp_path):
    """Problems of a file carry the path it was read from; a byte-order mark does no harm."""
    path = tmp_path / "own.toml"
    path.write_bytes(b"\xef\xbb\xbfkey = 1\n")
    doc = Document.from_path(path)
    assert complaints(doc) == [f"{path}:1: key: unknown key; known here: none"]


def test_a_file_that_cannot_be_read_is_one_problem(tmp_path):
    """Missing files, folders and bytes that are no text are told like other mistakes."""
    (tmp_path / "latin.toml").write_bytes(b'name = "caf\xe9"\n')
    for name, what in [
        ("missing.toml", "cannot read this file: No such file or directory"),
        (".", "cannot read this file: Is a directory"),
        ("latin.toml", "this is not UTF-8 text (byte 11)"),
    ]:
        with pytest.raises(SettingsError) as refusal:
            Document.from_path(tmp_path / name)
        assert refusal.value.problems == (Problem(str(tmp_path / name), 1, what),)


@pytest.mark.slow
def test_what_would_be_read_for_ever_is_not_begun(tmp_path):
    """A device, a pipe that nobody writes to, and a film taken for a wiring file are one problem each."""
    (tmp_path / "film.toml").write_bytes(b"#" * 50_000_000)
    os.mkfifo(tmp_path / "pipe.toml")
    for path, what in [
        (Path("/dev/zero"), "this is a device or a pipe; want a plain file"),
        (tmp_path / "pipe.toml", "this is a device or a pipe; want a plain file"),
        (tmp_path / "film.toml", "this file has 50 MB; want at most 1 MB"),
    ]:
        with pytest.raises(SettingsError) as refusal:
            Document.from_path(path)
        assert refusal.value.problems == (Problem(str(path), 1, what),)


def test_an_error_without_a_system_message_is_told_by_its_kind(tmp_path, monkeypatch):
    """Some errors of the file system say nothing but what they are."""

    def refuse(*_args, **_kwargs):
        raise PermissionError

    (tmp_path / "any.toml").write_text("")
    monkeypatch.setattr(type(tmp_path), "read_text", refuse)
    with pytest.raises(SettingsError, match="cannot read this file: PermissionError"):
        Document.from_path(tmp_path / "any.toml")


def test_a_document_without_mistakes_finishes_silently():
    """No news is good news."""
    doc = document("key = 1")
    assert doc.root.integer("key", 0, 9) == 1
    doc.finish()
    assert doc.problems == ()


@pytest.mark.slow
@given(
    wrong=st.lists(st.booleans(), min_size=1, max_size=20),
    gaps=st.lists(st.integers(0, 2), min_size=20, max_size=20),
)
def test_exactly_the_wrong_keys_are_told_and_on_their_lines(wrong, gaps):
    """However many keys are wrong and wherever they stand, each is told once, on its own line."""
    text, expected = "", []
    for number, (is_wrong, gap) in enumerate(zip(wrong, gaps, strict=False)):
        text += "\n" * gap
        if is_wrong:
            expected.append((text.count("\n") + 1, f"key{number}: want a whole number 0..9, found 10"))
        text += f"key{number} = {10 if is_wrong else 5}\n"
    doc = document(text)
    for number in range(len(wrong)):
        doc.root.integer(f"key{number}", 0, 9)
    assert [(problem.line, problem.message) for problem in doc.problems] == expected


def test_a_key_gives_no_orders_to_a_terminal():
    """A stranger's file with an escape in a key is told as TOML spells it."""
    (told,) = complaints(document('"\\u001b[2Jmine" = 1'))
    assert told.startswith("mine.toml:1: '\\x1b[2Jmine': unknown key")
