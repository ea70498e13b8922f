"""The configuration is read once; every mistake is told at once, with its line and what was expected."""

import re

import pytest
from hextraction.controller.config import ControllerConfig, read_config
from hextraction.settings import SettingsError

GOOD = """
[table]
id = "kitchen"
board = "standard-22"
wiring = "wiring.toml"
journal = "games.db"

[page]
port = 8088
names = ["board.local"]

[broker]
host = "broker.local"
user = "board"
password_file = "secret"
tls = true

[house]
host = "house.local"

[game]
grace_s = 2.5
joint_wins = false

[lights]
brightness = 0.25
budget_ma = 900

[log]
level = "debug"
format = "json"
"""

MISTAKES = """
[table]
id = "Küche"
board = "standard-23"
wiring = "nowhere.toml"
colour = "red"

[page]
port = 70000
names = "board.local"
show_code = "yes"

[broker]
port = 0
tls = 1

[game]
grace_s = -1
attest_s = "soon"
loop_s = 1000
joint_winns = true

[lights]
brightness = 2
budget_ma = 10

[log]
level = "loud"
form = "json"

[ligths]
brightness = 1
"""


def written(folder, text):
    """Write a configuration and the files that the good one names."""
    (folder / "wiring.toml").write_text("")
    (folder / "secret").write_text("hush\n")
    path = folder / "board.toml"
    path.write_text(text, encoding="utf-8")
    return path


def problems(folder, text):
    """Return what is wrong with a configuration, as (line, text)."""
    path = written(folder, text)
    with pytest.raises(SettingsError) as caught:
        read_config(path)
    told = [
        re.fullmatch(rf"{re.escape(str(path))}:(\d+): (.+)", line) for line in str(caught.value).splitlines()
    ]
    assert all(told), str(caught.value)
    return [(int(match[1]), match[2]) for match in told]


def test_every_key_is_read(tmp_path):
    """What the file says is what the controller gets; names of files are looked for beside it."""
    config = read_config(written(tmp_path, GOOD))
    assert (config.table, config.board, config.wiring) == ("kitchen", "standard-22", tmp_path / "wiring.toml")
    assert config.journal == tmp_path / "games.db"
    assert (config.page.port, config.page.names, config.page.host) == (8088, ("board.local",), "0.0.0.0")
    broker = config.broker
    assert (config.house.host, config.house.port, config.house.user) == ("house.local", 1883, "")
    assert (broker.host, broker.user, broker.password, broker.tls, broker.port) == ("broker.local", "board", "hush", True, 1883)  # fmt: skip
    assert (config.rules.config.grace_us, config.rules.config.joint_wins, config.rules.config.loop_us) == (
        2_500_000,
        False,
        20_000_000,
    )
    assert (config.lights.brightness, config.lights.budget_ma) == (0.25, 900)
    assert (config.log.level, config.log.format) == ("debug", "json")


def test_an_empty_file_is_a_table_without_electronics(tmp_path):
    """Nothing has to be said: the defaults host an ordinary board."""
    config = read_config(written(tmp_path, ""))
    assert config == ControllerConfig()
    assert (config.wiring, config.broker.host) == (None, "")


def test_all_mistakes_are_told_at_once_each_with_its_line(tmp_path):
    """Eighteen planted mistakes make eighteen problems, each on the line where it was made."""
    told = problems(tmp_path, MISTAKES)
    lines = MISTAKES.splitlines()
    planted = {
        lines.index(line) + 1
        for line in lines
        if line and not line.startswith("[") and line != "brightness = 1"
    }
    assert planted <= {line for line, _what in told}
    assert len(told) >= 18
    said = dict(told)
    assert "want a number 0..65535" in said[9] or "0..65535" in said[9]
    assert "brightness" in said[lines.index("brightness = 2") + 1]


def test_a_mistake_is_answered_with_what_the_key_is_for(tmp_path):
    """Whoever mistyped a number need not look the key up."""
    ((_line, what),) = problems(tmp_path, "[game]\ngrace_s = 900\n")

    assert what == (
        "game.grace_s: want a number 0..120, found 900; "
        "grace_s is how long anybody may object before what a roll did is final (R-20)"
    )


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [("joint_winns = true", "joint_wins"), ("gracE_s = 1", "grace_s")],
)
def test_an_unknown_key_gets_a_hint(tmp_path, wrong, hint):
    """A key that is none is answered with the one that was probably meant."""
    ((line, what),) = problems(tmp_path, f"[game]\n{wrong}\n")
    assert line == 2
    assert "did you mean" in what
    assert hint in what


def test_an_unknown_table_is_told(tmp_path):
    """A misspelt table is not silently ignored."""
    ((line, what),) = problems(tmp_path, "[lamps]\nbrightness = 1\n")
    assert line == 1
    assert "lamps" in what


def test_a_syntax_error_is_told_with_its_line(tmp_path):
    """What is not TOML is one problem, at the line of the error."""
    ((line, what),) = problems(tmp_path, "[table]\nid = \n")
    assert line == 2
    assert "not TOML" in what


def test_a_password_file_that_is_missing_or_no_text_is_told(tmp_path):
    """The password is never in the file itself; the file that holds it must be readable."""
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    missing = problems(tmp_path, '[broker]\nhost = "b"\npassword_file = "none"\n')
    broken = problems(tmp_path, '[broker]\nhost = "b"\npassword_file = "bytes"\n')
    assert [line for line, _what in missing + broken] == [3, 3]


def test_a_broker_needs_a_host(tmp_path):
    """A table for a broker of one's own says where it is."""
    assert any("host" in what for _line, what in problems(tmp_path, "[broker]\nport = 1883\n"))


def test_a_file_that_is_not_there_is_told(tmp_path):
    """The error names the file."""
    with pytest.raises(SettingsError, match=r"nothing\.toml"):
        read_config(tmp_path / "nothing.toml")


SECRETS = {
    "hush": "hush",
    "hush\n": "hush",
    "hush\r\n": "hush",
    "\ufeffhush\n": "hush",
    " hush \n": " hush ",
    "\thush\u00a0": "\thush\u00a0",
    'h#sh "x" = [y]\n': 'h#sh "x" = [y]',
    "hush\n\n": "hush",
    "hush\nmore": None,
    "hush\rmore": None,
    "hush\n\nmore\n": None,
    "\nhush": None,
    "hu\0sh": None,
    "h" * 2000: None,
    "\n": None,
    "": None,
}


@pytest.mark.parametrize(("text", "password"), SECRETS.items(), ids=map(repr, range(len(SECRETS))))
@pytest.mark.parametrize("table", ["broker", "house"])
def test_a_password_is_the_one_line_of_its_file(tmp_path, table, text, password):
    """Spaces are part of it, the end of the line is not; what is no single line is a mistake of the file's."""
    (tmp_path / "pass").write_bytes(text.encode())
    config = f'[{table}]\nhost = "h"\nuser = "u"\npassword_file = "pass"\n'
    if password is not None:
        assert getattr(read_config(written(tmp_path, config)), table).password == password
        return
    [(line, told)] = problems(tmp_path, config)
    assert (line, told.startswith(f"{table}.password_file: want ")) == (4, True)


def test_a_brokers_names_are_one_line(tmp_path):
    """Nothing that somebody else's program reads as another line gets into a host or a user."""
    config = '[house]\nhost = "h\\nport 1"\nuser = "u\\nallow_anonymous true"\n[broker]\nhost = "h\\u0000"\n'
    assert [line for line, _ in problems(tmp_path, config)] == [2, 3, 5]


def test_a_webhook_wants_an_address_and_a_secret(tmp_path):
    """What is not signed anybody could post; what nobody tells cannot be asked for."""
    (tmp_path / "secret").write_text("hush\n")
    good = '[webhook]\nurl = "https://lights.example/hook"\nsecret_file = "secret"\non = ["win"]\n'
    bad = '[webhook]\nurl = "ftp://lights.example"\non = ["won"]\n'
    path = tmp_path / "table.toml"
    path.write_text(good)
    read = read_config(path).webhook
    path.write_text(bad)
    with pytest.raises(SettingsError) as caught:
        read_config(path)

    assert (read.url, read.secret, read.on) == ("https://lights.example/hook", "hush", ("win",))
    assert read_config_text(tmp_path, "").webhook.url == ""
    assert re.findall(r"webhook\.(\w+)", str(caught.value)) == ["url", "on"]
    assert "the key 'secret_file' is missing; secret_file is a file with the secret alone" in str(
        caught.value
    )


def test_home_assistant_finds_a_board_only_if_it_shall(tmp_path):
    """Off unless somebody says so."""
    assert not read_config_text(tmp_path, '[house]\nhost = "h"\n').house.discovery
    assert read_config_text(tmp_path, '[house]\nhost = "h"\ndiscovery = true\n').house.discovery


def read_config_text(folder, text):
    """Return what a configuration with this text means."""
    path = folder / "other.toml"
    path.write_text(text)
    return read_config(path)
