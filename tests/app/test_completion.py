"""The Tab key: what shells offer after ``hextraction``, by the scripts that are shipped."""

import shutil
import subprocess

import pytest
from hextraction.controller.app import main
from hextraction.controller.app.completion import script
from hextraction.systemd.places import COMPLETIONS

from docs.completions import SHELLS, completions

WORDS = {
    ("chec",): {"check", "check-board"},
    ("hub", "f"): {"flash"},
    ("check-board", "--sens"): {"--sensors"},
    ("check-board", "--sensors", ""): {"starter", "basic", "lean", "rich"},
    ("boards", "stan"): {"standard-22"},
    ("demo", "--game", "hext"): {"hextraction", "hextris"},
    ("completion", ""): set(SHELLS),
}
ASKED_IN_BASH = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
$(complete -p hextraction | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
printf '%s\\n' "${COMPREPLY[@]}"
"""


def needs(shell):
    """Leave a test out where a shell is not installed."""
    return pytest.mark.skipif(shutil.which(shell) is None, reason=f"{shell} is not installed")


def said(*command):
    """Return the lines that a program prints; it has to end well."""
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


@pytest.fixture
def scripts(tmp_path):
    """The scripts as the command prints them, by shell."""
    for shell in SHELLS:
        (tmp_path / shell).write_text(script(shell), "utf-8")
    return {shell: str(tmp_path / shell) for shell in SHELLS}


@pytest.mark.parametrize("shell", SHELLS)
def test_the_command_prints_the_script_of_a_shell(shell, capsys):
    """Nothing before it and nothing after it: it is read as it is printed."""
    assert main(["completion", shell]) == 0
    assert capsys.readouterr().out == script(shell)


def test_the_scripts_know_the_commands_of_today():
    """`make docs` would write them as they are."""
    assert {path: path.read_text("utf-8") for path in completions()} == completions()


@pytest.mark.parametrize("words", WORDS, ids=" ".join)
def test_bash_offers_what_can_follow(scripts, words):
    """Commands, commands inside of commands, options, what an option takes, and names."""
    found = said("bash", "-c", ASKED_IN_BASH, "bash", scripts["bash"], "hextraction", *words)

    assert {line.strip() for line in found} == WORDS[words]


@needs("fish")
@pytest.mark.parametrize("words", WORDS, ids=" ".join)
def test_fish_offers_what_can_follow(scripts, words, tmp_path, monkeypatch):
    """The same as bash, and a sentence beside each."""
    monkeypatch.setenv("HOME", str(tmp_path))
    line = " ".join(("hextraction", *words))
    found = said("fish", "--no-config", "-c", f"source {scripts['fish']}; complete -C '{line}'")

    assert {one.partition("\t")[0] for one in found} == WORDS[words]


@needs("zsh")
def test_zsh_reads_its_script(scripts):
    """It is no mistake to zsh, and begins as a file of its completion system does."""
    assert said("zsh", "-n", scripts["zsh"]) == []
    assert script("zsh").startswith("#compdef hextraction\n")


def test_the_installer_puts_each_where_its_shell_looks():
    """One place for each shell that there is a script for."""
    assert set(COMPLETIONS) == set(SHELLS)
