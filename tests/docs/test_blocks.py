"""Every block of code on every page says its language, and is run, or read by the program that it is meant for.

``pytest tests/docs/test_blocks.py -k counted -s`` tells how many blocks there are of each language, and what is done
with them. Shell blocks are commands, and followed in ``test_commands.py``.
"""

import ast
import json
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter

import jinja2
import msgspec
import pytest
import yaml
from helpers.pages import PAGES, Block, blocks
from helpers.places import ROOT
from hextraction.board.facts import Fact, RollSettled
from hextraction.controller.app.command_line import main
from hextraction.controller.config import read_config
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles, read_tiles
from hextraction.controller.payloads.house import News, happenings
from hextraction.controller.tracking.trace import read_trace
from hextraction.hal.wiring.file import wiring_from_text

BLOCKS = [block for page in PAGES for block in blocks(page)]
BESIDE = ROOT / "wiring" / "bench-demo.toml"
"""The wiring that a few more sensors on a page are added to: none of its buttons is connected yet."""
PAGE_ROOM = ROOT / "controller" / "page" / "games"
TYPED = re.compile(r"^(\$ |sudo |hextraction [a-z]|make [a-z]|python -m |pip install )", re.MULTILINE)
TILE_HEAD = '[[tile]]\nname = "own"\ntitle = "Own"\nchannels = [[1, 2, 3, 4, 5, 6]]\n\n'
OFFERED = '\n[[tile.effect]]\nwhen = "{when}"\ndeed = "{deed}"\ntext = "Look."\n'


def configuration(block, folder):
    """Read it as a table's configuration; the files that it names are there."""
    for name in ("broker.secret", "webhook.secret"):
        (folder / name).write_text("secret\n")
    (folder / "tiles").mkdir()
    shutil.copy(ROOT / "wiring" / "hub-lean.toml", folder / "wiring.toml")
    path = folder / "hextraction.toml"
    path.write_text(block.text, "utf-8")
    read_config(path)


def wiring(block, _folder):
    """Read it as a wiring, or as what is added to one."""
    whole = "[board]" in block.text
    wiring_from_text(block.text if whole else f"{BESIDE.read_text('utf-8')}\n{block.text}", block.place)


def tile(block, folder):
    """Read it as a tile of one's own, or as what a tile does."""
    effect = "[[tile]]" not in block.text
    text = f"{head_of(block.text)}{block.text}{other_half(block.text)}" if effect else block.text
    path = folder / "own.toml"
    path.write_text(text, "utf-8")
    assert len(read_tiles([path], load_tiles())) == 1


def head_of(effect):
    """Return the tile that an effect needs: with a hole, or with a trigger."""
    more = "hole = true\n" if '"hole_costs_tile"' in effect else ""
    return TILE_HEAD + more + ('trigger = "whole"\n\n' if 'when = "trigger"' in effect else "")


def other_half(effect):
    """Return the effect that another one goes with: what is picked belongs to what is picked from."""
    if 'deed = "pick"' in effect:
        return OFFERED.format(when="picked", deed="nothing")
    return OFFERED.format(when="on_play", deed="pick") if 'when = "picked"' in effect else ""


TOML = {
    "project": lambda block, _folder: tomllib.loads(block.text),
    "sensor": wiring,
    "tile": tile,
    "table": configuration,
}
"""Who reads a TOML block, by the key that it is recognised by."""


def toml(block, folder):
    """Let the reader have it that it is meant for."""
    keys = tomllib.loads(block.text)
    (reader,) = [TOML[key] for key in TOML if key in keys]
    reader(block, folder)
    return "read"


def python(block, folder):
    """Run it; a file of a package is compiled here, and the whole package played in test_your_own_game.py."""
    if re.match(r"# [\w/]+\.py\n", block.text):
        ast.parse(block.text)
        return "a package, played in test_your_own_game.py"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", block.text],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return "run"


def scenario(block, folder):
    """Play it by the command that the pages speak of, with the tiles of the page."""
    own = [one.text for one in blocks(block.page) if "[[tile]]" in one.text]
    (folder / "tiles.toml").write_text("\n".join(own), "utf-8")
    path = folder / "page.scenario"
    path.write_text(block.text, "utf-8")
    assert main(["scenario", str(path)]) == 0
    return "run"


def told_as_json(block, folder):
    """Read it as what the tracker tells or a house hears, or count the plies of a position."""
    if "event_type" in json.loads(block.text):
        msgspec.json.decode(block.text, type=News)
        return "read"
    if "fact" in json.loads(block.text):
        msgspec.json.decode(block.text, type=Fact | RollSettled)
        return "read"
    path = folder / "position.json"
    path.write_text(block.text, "utf-8")
    assert main(["perft", "hextris", "--position", str(path), "--depth", "1"]) == 0
    return "run"


def trace(block, _folder):
    """Read it as a trace of sensors; test_trace.py tracks it as well."""
    read_trace(block.text.splitlines(), {})
    return "read"


def home_assistant(block, _folder):
    """Its topics are ours, and its templates can be read."""
    channels = json.loads((ROOT / "docs" / "mqtt" / "asyncapi.json").read_text("utf-8"))["channels"].values()
    ours = {channel["address"].rpartition("/")[2] for channel in channels}
    written = yaml.safe_load(block.text)
    if "scrape_configs" in written:
        return prometheus(written)
    if "automation" in written:
        return automation(written)
    for sensor in written["mqtt"]["sensor"]:
        for key, value in sensor.items():
            if key.endswith("_topic"):
                assert value.startswith("hextraction/"), value
                assert value.rpartition("/")[2] in ours, value
            elif key.endswith("_template"):
                jinja2.Environment(autoescape=True).parse(value)
    return "read"


def automation(written):
    """It waits for our event's entity, and for a happening that a house is told."""
    for one in written["automation"]:
        assert [trigger["entity_id"] for trigger in one["triggers"]] == ["event.hextraction_den_happened"]
        (wanted,) = re.findall(r"event_type == '(\w+)'", one["conditions"])
        assert wanted in happenings()
        assert one["actions"]
    return "read"


def prometheus(written):
    """Every job that it scrapes has a name, and targets with a port."""
    for job in written["scrape_configs"]:
        assert job["job_name"]
        for static in job["static_configs"]:
            assert all(re.fullmatch(r"[\w.-]+:\d+", target) for target in static["targets"])
    return "read"


def script(block, folder):
    """Its grammar is right, and what it imports from the page is there."""
    path = folder / "page.mjs"
    path.write_text(block.text, "utf-8")
    subprocess.run(["node", "--check", path], check=True, capture_output=True)
    for names, file in re.findall(r'import \{ (.+?) \} from "(.+?)"', block.text):
        source = (PAGE_ROOM / file).read_text("utf-8")
        for name in names.split(", "):
            assert re.search(rf"^export (const|function|class) {name}\b", source, re.MULTILINE), name
    return "read"


def told(block, _folder):
    """A drawing, or what a program once printed: nobody is told there to type anything."""
    assert not TYPED.search(block.text), TYPED.search(block.text)[0]
    return "shown only"


def shell(_block, _folder):
    """Commands have a file of tests to themselves."""
    return "commands, in test_commands.py"


FOLLOWED = {
    "console": shell,
    "js": script,
    "json": told_as_json,
    "jsonl": trace,
    "python": python,
    "scenario": scenario,
    "sh": shell,
    "text": told,
    "toml": toml,
    "yaml": home_assistant,
}
STARTS = {"js", "python"}
"""Languages whose blocks start a program of their own."""


@pytest.mark.parametrize(
    "block",
    [
        pytest.param(block, id=block.place, marks=pytest.mark.slow if block.language in STARTS else ())
        for block in BLOCKS
    ],
)
def test_a_block_is_what_it_says(block, tmp_path):
    """It has a language, and whoever it is meant for can run or read it."""
    assert block.language in FOLLOWED, f"{block.place} has no language that anybody follows"
    FOLLOWED[block.language](block, tmp_path)


@pytest.mark.slow
def test_blocks_are_counted(tmp_path):
    """Most are run or read; what is only shown is told as such."""
    counted = Counter()
    for number, block in enumerate(BLOCKS):
        folder = tmp_path / str(number)
        folder.mkdir()
        counted[block.language, FOLLOWED[block.language](block, folder)] += 1
    for (language, what), count in sorted(counted.items()):
        print(f"{count:4} {language:9} {what}")  # noqa: T201 - who asks how many shall be told
    assert counted["toml", "read"] > 60
    assert counted["scenario", "run"] > 5
    assert counted["python", "run"] >= 2


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("toml", '[table]\nbored = "standard-22"\n'),
        ("toml", '[[sensor]]\nname = "ramp.L1"\npin = 99\n'),
        ("toml", '[[tile.effect]]\nwhen = "on_play"\ndeed = "fly"\ntext = "It flies."\n'),
        ("python", "from hextraction.api import no_such_name\n"),
        ("scenario", "SCENARIO 2.0.1: x\nEXPECT phase never\n"),
        ("json", '{"fact":"BallFlew","at_us":1}'),
        ("js", 'import { never } from "../elements/dom.js";\n'),
        ("text", "$ make demo\n"),
        ("yaml", "scrape_configs:\n  - job_name: den\n    static_configs: [{targets: [den]}]\n"),
        ("yaml", "mqtt:\n  sensor:\n    - state_topic: hextraction/den/never\n"),
    ],
)
def test_a_wrong_block_is_noticed(language, text, tmp_path):
    """Each language has a mistake that its reader finds."""
    with pytest.raises(Exception, match=r".*"):
        FOLLOWED[language](Block(ROOT / "README.md", 1, language, text), tmp_path)
