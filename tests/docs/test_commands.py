"""Every command that a page tells people to type is one that its program reads; those that need no board really run.

``pytest tests/docs/test_commands.py -k counted -s`` tells how many commands there are of each program, and what
is done with them.
"""

import contextlib
import functools
import importlib.util
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest
from helpers.installed_example import lay_out_example
from helpers.pages import PAGES, Typed, blocks, typed
from helpers.places import ROOT, TESTS
from helpers.program import START
from helpers.tiers import nightly
from hextraction.controller.app.command_line import command_parser

MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
NOT_OURS = {
    "apt": "Debian's",
    "apt-get": "Debian's",
    "cd": "the shell's",
    "cp": "the shell's",
    "e2fsck": "looks at a card's file system, on the maker's own machine",
    "exit": "the shell's",
    "git": "fetches and renews a checkout",
    "journalctl": "systemd's, on a board",
    "jq": "a reader of JSON on the maker's own machine",
    "losetup": "opens a card's image, on the maker's own machine",
    "mkdir": "the shell's",
    "mount": "opens a card's image, on the maker's own machine",
    "mosquitto": "a broker at the maker's house",
    "mosquitto_ctrl": "Mosquitto's, at the club",
    "mosquitto_pub": "Mosquitto's, at the maker's house",
    "mosquitto_sub": "Mosquitto's, at the maker's house",
    "parted": "gives a card's image more room, on the maker's own machine",
    "podman": "builds images, on the maker's own machine",
    "reboot": "a board's",
    "resize2fs": "gives a card's image more room, on the maker's own machine",
    "ssh": "logs in at a board",
    "systemctl": "systemd's, on a board",
    "truncate": "gives a card's image more room, on the maker's own machine",
    "umount": "closes a card's image, on the maker's own machine",
}
"""Programs of others that pages speak of, and what they are for."""
PROGRAMS = ("hextraction", "make", "python", "python3", "pip", "pytest", *NOT_OURS)
TYPED = [one for page in PAGES for one in typed(page, PROGRAMS)]
BEFORE = re.compile(r"\w+=.*|sudo")
LEFT_OUT = re.compile("are required|expected one argument")
PLACEHOLDER = re.compile(r"[A-Z][A-Z-]*…?|.*…")


def program_of(words):
    """Return what a command runs without sudo and settings before it, by the program's bare name."""
    left = list(words)
    while left and BEFORE.fullmatch(left[0]):
        left.pop(0)
    if left and left[0].endswith(("/.venv/bin/pip", "bin/hextraction", "bin/python")):
        left[0] = left[0].rpartition("/")[2]
    return ["hextraction", *left[1:]] if left[:1] == ["$(command -v hextraction)"] else left


def read_ours(words, *, in_sentence):
    """Let the program's own parser read it; in a sentence what must be given may be left out."""
    parser, commands = command_parser()
    if not words or PLACEHOLDER.fullmatch(words[0]):
        assert in_sentence, "want a command"
        return
    said, status = io.StringIO(), 0
    try:
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
            parser.parse_args(words)
    except SystemExit as ended:
        status = ended.code
    if in_sentence and LEFT_OUT.search(said.getvalue()):
        known = commands.parsers[words[0]].format_help()
        assert not [word for word in words[1:] if word.startswith("--") and word not in known]
    else:
        assert not status, said.getvalue()


def read_make(words, *, in_sentence):
    """The target is there, and what is handed on is something that the program behind it knows."""
    target, *settings = words
    assert re.search(rf"^{re.escape(target)}:", MAKEFILE, re.MULTILINE), f"make has no target {target}"
    recipe = MAKEFILE.split(f"\n{target}:")[1].split("\n\n")[0]
    for setting in settings:
        name, _, value = setting.partition("=")
        assert f"$({name})" in recipe or f"$({name})" in MAKEFILE.split("\n\n")[0] or name == "ARCH", setting
        if name == "BUILD" and not PLACEHOLDER.fullmatch(value):
            assert (ROOT / "wiring" / f"{value}.toml").exists(), setting
        if name == "ARGS" and target == "demo":
            read_ours(["demo", *shlex.split(value)], in_sentence=in_sentence)
        elif name == "ARGS":
            behind = re.search(r"-m ([\w.]+) \$\(ARGS\)|python (tests/\w+\.py) \$\(ARGS\)", recipe)
            text = (
                source(behind[1])
                if behind and behind[1]
                else (ROOT / behind[2]).read_text()
                if behind
                else ""
            )
            options = [word for word in shlex.split(value) if word.startswith("--")]
            assert not behind or not [one for one in options if f'"{one}"' not in text], setting


def source(module):
    """Return the text of a module, or of all files of a package."""
    found = importlib.util.find_spec(module)
    assert found is not None, f"there is no module {module}"
    if found.submodule_search_locations is None:
        return Path(found.origin).read_text("utf-8")
    return "".join(path.read_text("utf-8") for path in Path(found.submodule_search_locations[0]).glob("*.py"))


def read_python(words, **_how):
    """The module or the file is there, and a module knows each of its options."""
    if words[0] != "-m":
        assert (ROOT / words[0]).is_file(), words
        return
    if words[1] in sys.stdlib_module_names:
        return
    text = source(words[1])
    if words[1] != "pytest":
        assert [word for word in words[2:] if word.startswith("--") and f'"{word}"' not in text] == []


def read_pip(words, **_how):
    """It installs what lies there, or our package with an extra that we have."""
    assert words[0] == "install", words
    for what in words[1:]:
        extra = re.fullmatch(r"(?:hextraction|\.)\[(\w+)\]", what)
        assert what in {"-e", ".", "hextraction"} or (ROOT / what).exists() or extra[1] in EXTRAS, what


def read_pytest(words, **_how):
    """Folders and files of tests are there, options are pytest's or ours."""
    ours = (TESTS / "conftest.py").read_text("utf-8")
    for word in words:
        assert (ROOT / word).exists() or word in {"-m", "firmware"} or f'"{word}"' in ours, word


READERS = {
    "hextraction": read_ours,
    "make": read_make,
    "python": read_python,
    "python3": read_python,
    "pip": read_pip,
    "pytest": read_pytest,
}


@functools.cache
def read(one):
    """Let whoever it is meant for read a command; return its program, and how it was followed."""
    words = program_of(one.words)
    if not words or words[0].startswith("-"):
        return "sudo", "not ours"
    if words[0] in NOT_OURS:
        return words[0], "not ours"
    assert words[0] in READERS, f"{one.place}: nobody knows the program {words[0]}"
    READERS[words[0]](words[1:], in_sentence=one.in_sentence)
    return words[0], "read"


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_the_commands_of_a_page_can_be_read(page):
    """By the program that they are for: ours by its own parser, `make` by its targets, others are on a list."""
    for one in typed(page, PROGRAMS):
        try:
            read(one)
        except AssertionError as wrong:
            pytest.fail(f"{one.place}: {shlex.join(one.words)}: {wrong}")


def test_commands_are_counted():
    """There are hundreds; most of them are ours."""
    counted = Counter((*read(one), "in a sentence" if one.in_sentence else "in a block") for one in TYPED)
    for (program, how, where), count in sorted(counted.items()):
        print(f"{count:4} {program:14} {how:9} {where}")  # noqa: T201 - who asks how many shall be told
    print(f"{len(RUN):4} of these run")  # noqa: T201
    assert counted["hextraction", "read", "in a block"] > 60
    assert counted["hextraction", "read", "in a sentence"] > 100
    assert len(RUN) > 30


@pytest.mark.parametrize(
    "line",
    [
        "hextraction demmo",
        "hextraction demo --sped 5",
        "hextraction study --games many",
        "make demmo",
        'make demo ARGS="--sped 5"',
        "make install BUILD=hub-leen",
        'make bench ARGS="--onely weight"',
        "python -m bench.never",
        "python -m bench.run --never",
        "pip install hextraction[never]",
        "pytest tests/never",
        "rm -rf /",
    ],
)
def test_a_wrong_command_is_noticed(line):
    """A command, an option, a value, a target, a build, a module, an extra or a program that is not there."""
    with pytest.raises(AssertionError):
        read(Typed("nowhere", tuple(shlex.split(line)), in_sentence=False))


# --- what really runs -----------------------------------------------------------------------------------------

SHORT = {"--games": "2", "--rolls": "1", "--scale": "0.02", "--depth": "2"}
"""Numbers that only make a command longer, and what is enough here."""
ADDED = {
    "demo": ("--games", "1", "--speed", "0", "--port", "0"),
    "evaluate": ("--scale", "0.02"),
    "run": ("--no-electronics", "--exit-when-ready", "--port", "0"),
    "check-board": ("--pace", "0", "--no-page"),
}
"""What makes a command end by itself, and open no port that others have."""
STANDS_FOR = {
    ("perft", "FILE"): "position.json",
    ("restore", "FILE"): "monday.tar.gz",
    ("scenario", "FILE…"): "tests/scenarios/turns.scenario",
}
"""What a reader puts in the place of a word in capitals."""
STAYS = {
    "calibrate": "needs values of a real hub, or a folder with the board's own wiring; tests/workshop does so",
    "host": "needs a table that runs; tests/app asks one",
    "hotspot": "needs NetworkManager; tests/workshop has one of its own",
    "hub": "needs a Pico; tests/hal has an emulated one",
    "rollback": "needs an upgrade before; tests/systemd makes one",
    "setup": "waits until somebody sends its form; tests/workshop/first_page sends it",
}
"""Commands that do not run here, and who runs them."""


def stays(words):
    """Say why a command cannot run here, or nothing."""
    named = " ".join(words)
    if words[0] in STAYS:
        return STAYS[words[0]]
    if "/etc/hextraction" in named:
        return "a board's own files"
    if words[0] == "install" and "--dry-run" not in words:
        return "changes the machine; `make install-check` and `make release-check` do so"
    if "--starter" in words or (words[0] == "check-board" and "--simulated" not in words):
        return "needs a Pico or a board"
    if {"nim", "ring"} & set(words):
        return "needs the package of the page: test_your_own_game.py and tests/examples have it"
    if words[0] == "routes" and "--from" in words:
        return "needs a printed tile's model; tests/workshop has some"
    if words[0] == "dataset" and "--recipe" in words:
        return "takes hours; bench makes it"
    return ""


def shortened(words):
    """Return a command that does the same in a few seconds, on files that are there."""
    command, *left = [STANDS_FOR.get((words[0], word), word) for word in words]
    for number, word in enumerate(left[:-1]):
        if word in SHORT:
            left[number + 1] = SHORT[word]
    if command == "evaluate" and left and not left[0].startswith("--"):
        return [command, *left]  # a set of its own is what takes long
    added = list(ADDED.get(command, ()))
    while added:
        option, *value = added[: 1 if added[1:2] == [] or added[1].startswith("--") else 2]
        del added[: 1 + len(value)]
        if option in left:
            left[left.index(option) + 1 : left.index(option) + 1 + len(value)] = value
        else:
            left += [option, *value]
    return [command, *left]


def runs():
    """Return the commands in blocks that run here, each once, with the page's folder."""
    found = {}
    for one in TYPED:
        program, *words = program_of(one.words) or [""]
        if program == "make" and words[0] == "demo":
            program, words = "hextraction", ["demo", *shlex.split(" ".join(words[1:]).partition("=")[2])]
        if one.in_sentence or program != "hextraction" or stays(words):
            continue
        folder = (ROOT / one.place.rpartition(":")[0]).parent
        found[folder if "examples" in folder.parts else ROOT, *shortened(words)] = one.place
    return [(folder, words, place) for (folder, *words), place in found.items()]


RUN = runs()
PREPARED = (
    "demo --games 1 --speed 0 --seed 7 --port 0",
    "record rolls.jsonl --rolls 1",
    "dataset labelled.jsonl --rolls 1",
    "dataset FOLDER --rolls 1",
    "backup --output monday.tar.gz",
)
"""What a reader of the page has by then: a game, a trace, labelled rolls, a backup."""
MADE = {"backup": ["monday.tar.gz"], "dataset": ["labelled.jsonl"], "record": ["rolls.jsonl"]}
"""What a command makes, and will not write over."""
CLUB = '[table]\nid = "club"\n[page]\ncode = "K7PMWQ2X"\n'


def hextraction(words, folder, *, home=None, finds=()):
    """Run it in a folder that is its home, too; return how it ended, and what it said."""
    done = subprocess.run(
        [sys.executable, "-c", START, *words],
        cwd=folder,
        env={
            "HOME": str(home or folder),
            "LANG": "C.UTF-8",
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
            "PYTHONPATH": os.pathsep.join(map(str, finds)),
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    """A folder as a reader of the pages has it after a while."""
    folder = tmp_path_factory.mktemp("reader")
    for line in PREPARED:
        status, said = hextraction(shlex.split(line), folder)
        assert status == 0, f"{line}: {said}"
    games = hextraction(["export"], folder)[1]
    (folder / "game.jsonl").write_text(hextraction(["export", games.split()[0]], folder)[1])
    for name in ("club.toml", "house.toml", "table.toml"):
        (folder / name).write_text(CLUB)
    (folder / "position.json").write_text(
        '{"players": 2, "mover": 0, "pieces": {}, "hands": [[5,5,5],[5,5,5]], "home": [0,0]}'
    )
    for name in ("wiring", "examples", "bench/foreign", "tests/scenarios"):
        shutil.copytree(ROOT / name, folder / name)
    (folder / "docs" / "images").mkdir(parents=True)
    (folder / "my-tiles").mkdir()
    for name, language in (("tiles.toml", "toml"), ("my-bell.scenario", "scenario")):
        (own,) = [one.text for one in blocks(ROOT / "docs" / "your-own-tile.md") if one.language == language]
        (folder / "my-tiles" / name).write_text(own)
    return folder


@pytest.mark.slow
@pytest.mark.broker
@nightly("each starts the program", meanwhile="test_the_commands_of_a_page_can_be_read")
@pytest.mark.parametrize(
    ("home", "words", "place"), RUN, ids=[f"{where}: {shlex.join(words)}" for _, words, where in RUN]
)
def test_a_command_that_needs_no_board_runs(home, words, place, prepared, tmp_path):
    """Where a reader of the page is, it ends well."""
    folder, other = tmp_path / "here" / home.relative_to(ROOT), tmp_path / "another machine"
    shutil.copytree(prepared, tmp_path / "here")
    other.mkdir()
    for name in MADE.get(words[0], ()):
        (folder / name).unlink()
    many = [sorted(map(str, folder.glob(word))) if "*" in word else [word] for word in words]
    if home != ROOT:
        lay_out_example(other, home)
    status, said = hextraction(
        [word for some in many for word in some],
        folder,
        home=other if words[0] == "restore" else None,
        finds=[other, home] if home != ROOT else [],
    )
    assert status == 0, f"{place}: {shlex.join(words)}: {said}"
