"""Every key, header and array element of a TOML text is known by its line."""

import re
import tomllib

import pytest
from hextraction.settings.lines import key_lines
from hypothesis import given, settings
from hypothesis import strategies as st


def lines_of(text):
    """Return the line of each key, and check that the text is TOML at all."""
    tomllib.loads(text)
    return key_lines(text)


@pytest.mark.parametrize(
    ("text", "path", "line"),
    [
        ("\n# note\nkey = 1", ("key",), 3),
        ("a.b.c = 1", ("a", "b", "c"), 1),
        ("\na.b.c = 1", ("a", "b"), 2),
        ("\na . b = 1", ("a", "b"), 2),
        ('\n"a.b" = 1', ("a.b",), 2),
        ('\n"say \\"a\\" = [" = 1', ('say "a" = [',), 2),
        ("\n'a \" b' = 1", ('a " b',), 2),
        ('\n"" = 1', ("",), 2),
        ("\n1.2 = 3", ("1", "2"), 2),
        ("[t]\n\nkey = 1", ("t", "key"), 3),
        ("x = 1\n[t]", ("t",), 2),
        ("x = 1\n[ 'a b' . \"c]d\" ]\ne = 1", ("a b", "c]d", "e"), 3),
        ("[a.b]\n[a]\nc = 1", ("a",), 2),
        ("[a.b]\n[a]\nc = 1", ("a", "b"), 1),
        ("[[t]]\nk = 1\n[[t]]\nk = 2", ("t", 1), 3),
        ("[[t]]\nk = 1\n[[t]]\nk = 2", ("t", 1, "k"), 4),
        ("[[t]]\nk = 1\n[[t]]\nk = 2", ("t",), 1),
        ("[[t]]\n[[t.u]]\n[[t.u]]\n[[t]]\n[[t.u]]\nk = 1", ("t", 1, "u", 0, "k"), 6),
        ("[[t]]\n[[t.u]]\n[[t.u]]\nk = 1", ("t", 0, "u", 1, "k"), 4),
        ("[[t]]\n[t.u]\nk = 1\n[[t]]\n[t.u]\nk = 1", ("t", 1, "u", "k"), 6),
        ("[[a.b]]\n[[a.b]]\nk = 1", ("a", "b", 1, "k"), 3),
        ("[[a.b]]\n[[a.b]]\nk = 1", ("a",), 1),
        ("list = [\n 1,\n # note ]\n 2 ]\nkey = 1", ("list", 1), 4),
        ("list = [\n 1,\n # note ]\n 2 ]\nkey = 1", ("key",), 5),
        ("list = [[1, 2],\n [3,\n  4,\n ],\n]", ("list", 1, 1), 3),
        ("list = []\nkey = [ ]", ("key",), 2),
        ("list = [\n{a = 1},\n{a = 2, b.c = [\n5]}]\nkey = 1", ("list", 1, "a"), 3),
        ("list = [\n{a = 1},\n{a = 2, b.c = [\n5]}]\nkey = 1", ("list", 1, "b", "c", 0), 4),
        ("t = {}\nu = {a = {b = 1}}", ("u", "a", "b"), 2),
        ('text = """\nfake = 1\n"""\nkey = 1', ("key",), 4),
        ("text = '''\n[fake]\n'''\nkey = 1", ("key",), 4),
        ('text = """a\\"""" # "\nkey = 1', ("key",), 2),
        ('text = """ends in two """""\nkey = 1', ("key",), 2),
        ("text = '''ends in two '''''\nkey = 1 # it's", ("key",), 2),
        ("text = \"\"\"\"\"\"\nother = ''''''\nkey = 1", ("key",), 3),
        ('text = """x \\\n   y"""\nkey = 1', ("key",), 3),
        ('text = "[ # {"\nkey = 1', ("key",), 2),
        ("text = '\\'\nkey = 1", ("key",), 2),
        ('list = [ "]", \']\', """\n]""",\n"x" ]\nkey = 1', ("list", 3), 3),
        ('list = ["""ends in one """", "]", "b"]\nkey = 1', ("list", 2), 1),
        ("list = ['''ends in one '''', ']', 'b']\nkey = 1", ("list", 2), 1),
        ("day = 1979-05-27 07:32:00.5\nkey = 1", ("key",), 2),
        ("n = -1.5e+3\nkey = +inf", ("key",), 2),
        ("a = 1\r\nb = [\r\n2]\r\nkey = 3\r\n", ("key",), 4),
        ("a = 1 # note\r\nkey = 3", ("key",), 2),
    ],
)
def test_each_shape_of_toml(text, path, line):
    """Whatever comes before it, a key's line is the line it is written on."""
    assert lines_of(text)[path] == line


@pytest.mark.parametrize("fake", [("fake",), ("text", "fake"), ("t", "fake")])
def test_what_looks_like_a_key_in_text_or_a_comment_is_none(fake):
    """Only keys are found."""
    text = 'text = """\nfake = 1\n[t]\nfake = 1\n"""\n# fake = 1\n'
    assert fake not in lines_of(text)


def test_an_empty_text_has_only_its_root():
    """The document itself begins on line 1."""
    assert lines_of("") == {(): 1}


NAMES = st.text("abz09-_", min_size=1, max_size=4) | st.sampled_from(
    ["a.b", "[x]", "= 1", 'q"q', "it's", "# no", ""]
)
TEXTS = st.text("ab \"'\\#[]{}=,.\n\t", max_size=12)
SCALARS = st.one_of(st.integers(-99, 99), st.booleans(), st.floats(-9, 9), TEXTS)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=2),
    max_leaves=5,
)
TABLES = st.dictionaries(NAMES, VALUES, max_size=4)
DOCUMENTS = st.tuples(
    TABLES,
    st.lists(
        st.tuples(st.booleans(), st.lists(NAMES, min_size=1, max_size=2, unique=True), TABLES), max_size=4
    ),
)


class Writer:
    """Writes TOML in all sorts of spellings and remembers on which line it put each key."""

    def __init__(self, draw):
        self.draw = draw
        self.text = ""
        self.lines = {}

    @property
    def line(self):
        return self.text.count("\n") + 1

    def any_of(self, *spellings):
        return self.draw(st.sampled_from(spellings))

    def key(self, name):
        bare = [name] if re.fullmatch(r"[A-Za-z0-9_-]+", name) else []
        literal = [f"'{name}'"] if "'" not in name else []
        quoted = '"' + name.replace('"', '\\"') + '"'
        return self.any_of(quoted, *bare, *literal)

    def string(self, value):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t")
        spellings = ['"' + escaped.replace("\n", "\\n") + '"', '"""\n' + escaped + '"""']
        if "'" not in value:
            spellings.append("'''\n" + value + "'''")
        return self.any_of(*spellings)

    def gap(self):
        self.text += self.any_of("", "", " ", "\n", " # ], } it's \"\n", "\n\n")

    def value(self, path, value, *, inline=False):
        """Write a value; inside an inline table nothing of ours may break the line."""
        if isinstance(value, dict):
            self.text += "{ "
            for index, (name, inner) in enumerate(value.items()):
                self.text += ", " if index else ""
                self.pair(path, name, inner, inline=True)
            self.text += " }"
        elif isinstance(value, list):
            self.text += "["
            for index, inner in enumerate(value):
                self.gap()
                self.lines[(*path, index)] = self.line
                self.value((*path, index), inner, inline=inline)
                self.gap()
                self.text += ","
            self.gap()
            self.text += "]"
        else:
            self.text += self.string(value) if isinstance(value, str) else str(value).lower()

    def pair(self, path, name, value, *, inline=False):
        self.lines[(*path, name)] = self.line
        self.text += f"{self.key(name)} = "
        self.value((*path, name), value, inline=inline)

    def table(self, path, pairs):
        for name, value in pairs.items():
            self.pair(path, name, value)
            self.text += self.any_of("\n", " # a = 1\n", "\n\n", "\n# [no]\n")


@st.composite
def written(draw):
    """A TOML text with the line of every key and element that was written into it."""
    root, tables = draw(DOCUMENTS)
    writer = Writer(draw)
    writer.table((), root)
    used = {(name,) for name in root}
    counts = {}
    for is_array, names, pairs in tables:
        header = tuple(names)
        others = used - {header} if is_array and header in counts else used
        if any(header[: len(old)] == old or old[: len(header)] == header for old in others):
            continue
        used.add(header)
        spelled = ".".join(writer.key(name) for name in header)
        path = header
        if is_array:
            counts[header] = counts.get(header, -1) + 1
            path = (*header, counts[header])
        writer.lines[path] = writer.line
        writer.text += f"[[{spelled}]]\n" if is_array else f"[{spelled}]\n"
        writer.table(path, pairs)
    return writer.text, writer.lines


def paths_in(value, path=()):
    """Return the path of every key and element of a parsed document."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return {path}.union(*(paths_in(each, (*path, key)) for key, each in inner))


@pytest.mark.slow
@settings(max_examples=60)
@given(text_and_lines=written())
def test_every_key_is_on_the_line_it_was_written_on(text_and_lines):
    """For any TOML that a person could write, exactly the keys that are there are found, each on its line."""
    text, lines = text_and_lines
    found = lines_of(text)
    assert {path: found.get(path) for path in lines} == lines
    assert set(found) == paths_in(tomllib.loads(text))
