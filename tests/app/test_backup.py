"""A board's games, settings, tiles and keys go into one file and come out of it on another machine."""

import gzip
import io
import json
import os
import shutil
import tarfile
import zlib

import pytest
from helpers.places import ROOT, TESTS
from hextraction.controller.app import main
from hextraction.controller.config import read_config
from hextraction.controller.play.journal import Journal

pytestmark = pytest.mark.slow

KEPT = TESTS / "upgrade" / "0.1.0"


def run(capsys, *words):
    """Run a command; return its status, output and errors."""
    status = main([str(word) for word in words])
    said = capsys.readouterr()
    return status, said.out, said.err


def games(path):
    """All games of a journal with their ends."""
    journal = Journal(path, reading=True)
    try:
        return journal.games()
    finally:
        journal.close()


@pytest.fixture
def homes(tmp_path, monkeypatch):
    """Two homes; who asks for one moves in."""

    def move(name):
        monkeypatch.setenv("HOME", str(tmp_path / name))
        return tmp_path / name / ".local" / "state" / "hextraction"

    return move


@pytest.fixture
def backed_up(capsys, homes, tmp_path):
    """A home with games, and its backup."""
    state, file = homes("old"), tmp_path / "kept.tar.gz"
    state.mkdir(parents=True)
    shutil.copy(KEPT / "games.db", state / "games.db")
    assert run(capsys, "backup", "--output", file)[0] == 0
    return state, file


@pytest.fixture
def board(tmp_path):
    """A board's folder: configuration, wiring, a secret, own tiles, a journal, and what phones made beside it."""
    folder = tmp_path / "board"
    folder.mkdir()
    (folder / "hextraction.toml").write_text(
        '[table]\nid = "mine"\njournal = "games.db"\nwiring = "wiring.toml"\n'
        '[broker]\nhost = "localhost"\npassword_file = "broker.secret"\n[game]\nown_tiles = "tiles"\n'
    )
    shutil.copy(ROOT / "wiring" / "bench-demo.toml", folder / "wiring.toml")
    (folder / "broker.secret").write_text("swordfish\n")
    shutil.copytree(KEPT / "tiles", folder / "tiles")
    shutil.copy(KEPT / "games.db", folder / "games.db")
    (folder / "games.seats").write_text("the phones' keys")
    (folder / "games.tiles").mkdir()
    (folder / "games.tiles" / "told.toml").write_text("# described on a phone\n")
    return folder


def test_all_journals_of_a_home_go_to_another(capsys, homes, tmp_path):
    """No name is needed; they lie where the new home looks for games."""
    old = homes("old")
    old.mkdir(parents=True)
    for name in ("games.db", "unfinished.db"):
        shutil.copy(KEPT / name, old / name)
    file = tmp_path / "kept.tar.gz"
    status, out, err = run(capsys, "backup", "--output", file)
    assert (status, err) == (0, "")
    assert "2 journals, no settings" in out

    new = homes("new")
    status, out, err = run(capsys, "restore", file)
    assert (status, err) == (0, "")
    assert out.split() == [str(new / "games.db"), str(new / "unfinished.db")]
    assert games(new / "games.db") == games(KEPT / "games.db")
    assert games(new / "unfinished.db") == games(KEPT / "unfinished.db")


def test_a_board_moves_with_all_that_belongs_to_it(capsys, homes, board, tmp_path):
    """Settings, wiring, secret, own tiles, keys and games: the configuration is read in its new folder as it was."""
    homes("old")
    file, new = tmp_path / "kept.tar.gz", tmp_path / "elsewhere" / "hextraction.toml"
    assert run(capsys, "backup", "--config", board / "hextraction.toml", "--output", file)[0] == 0
    assert file.stat().st_mode & 0o777 == 0o600
    homes("new")
    status, _out, err = run(capsys, "restore", file, "--config", new)
    assert (status, err) == (0, "")

    config = read_config(new)
    assert (config.table, config.broker.password) == ("mine", "swordfish")
    assert games(config.journal) == games(KEPT / "games.db")
    names = {str(path.relative_to(board)) for path in board.rglob("*") if path.is_file()}
    assert {
        str(path.relative_to(new.parent)) for path in new.parent.rglob("*") if path.is_file()
    } == names | {"games.db.lock"}
    assert (new.parent / "games.tiles" / "told.toml").read_text() == "# described on a phone\n"


def test_finished_games_move_as_they_were_told(capsys, homes, board, tmp_path, monkeypatch):
    """Another folder has their chronicles and the ladder without telling a game again, which it might not be able to."""
    homes("old")
    assert run(capsys, "history", "--journal", board / "games.db")[0] == 0
    told = {path.name: path.read_bytes() for path in (board / "games.history").iterdir()}
    file, new = tmp_path / "kept.tar.gz", tmp_path / "elsewhere" / "hextraction.toml"
    assert run(capsys, "backup", "--config", board / "hextraction.toml", "--output", file)[0] == 0
    homes("new")
    status, out, _err = run(capsys, "restore", file, "--config", new)

    assert status == 0
    assert len(told) > 1
    assert {path.name: path.read_bytes() for path in (new.parent / "games.history").iterdir()} == told
    assert out.splitlines().count(str(new.parent / "games.history")) == 1

    monkeypatch.setattr(
        "hextraction.controller.app.sharing.tell_again", lambda *_game: pytest.fail("told again")
    )
    before = run(capsys, "history", "--journal", board / "games.db")
    assert run(capsys, "history", "--journal", new.parent / "games.db") == before


def test_the_history_of_the_journal_that_is_replaced_does_not_stay(capsys, homes, board, tmp_path):
    """It tells of games that are no more; what was backed up without one gets its own at the next start."""
    state = homes("old")
    state.mkdir(parents=True)
    shutil.copy(KEPT / "unfinished.db", state / "games.db")
    file = tmp_path / "kept.tar.gz"
    assert run(capsys, "backup", "--output", file)[0] == 0
    shutil.copy(board / "games.db", state / "games.db")
    assert run(capsys, "history")[0] == 0
    assert (state / "games.history").is_dir()

    assert run(capsys, "restore", file, "--force")[0] == 0
    assert not (state / "games.history").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="want root, who alone gives files away")
def test_what_root_restores_belongs_to_the_table(capsys, homes, board, tmp_path):
    """The service goes on writing in the folders that root has put beside the journal."""
    homes("old")
    run(capsys, "history", "--journal", board / "games.db")
    file = tmp_path / "kept.tar.gz"
    assert run(capsys, "backup", "--journal", board / "games.db", "--output", file)[0] == 0
    state = homes("new")
    state.mkdir(parents=True)
    os.chown(state, 1234, 1235)
    assert run(capsys, "restore", file)[0] == 0

    owners = {(path.stat().st_uid, path.stat().st_gid) for path in state.rglob("*") if path.suffix != ".lock"}
    assert (state / "games.history").is_dir()
    assert owners == {(1234, 1235)}


def test_a_board_that_plays_is_copied_whole(capsys, homes, tmp_path):
    """What is only in SQLite's log so far is in the backup, and the table writes on meanwhile."""
    old = homes("old")
    old.mkdir(parents=True)
    shutil.copy(KEPT / "games.db", old / "games.db")
    table = Journal(old / "games.db", alone=True)
    ((first, _end), *_others) = table.games()
    table.finish(first, "Rosa wins after all.")
    assert (old / "games.db-wal").stat().st_size
    file = tmp_path / "kept.tar.gz"
    status, _out, err = run(capsys, "backup", "--journal", old / "games.db", "--output", file)
    assert (status, err) == (0, "")
    told = run(capsys, "restore", file, "--force")[2]
    assert "a table plays on it; end it first" in told
    table.close()

    new = homes("new")
    assert run(capsys, "restore", file)[0] == 0
    assert dict(games(new / "games.db"))[first] == "Rosa wins after all."


def test_nothing_is_overwritten_without_force(capsys, backed_up):
    """Neither a file by a backup nor a journal by what is restored; with it what spoke of the old one goes, too."""
    state, file = backed_up
    assert run(capsys, "backup", "--output", file)[0] == 2
    shutil.copy(KEPT / "unfinished.db", state / "games.db")
    (state / "games.db.last").write_text("999 demo-of-another-journal\n")
    status, _out, err = run(capsys, "restore", file)
    assert status == 2
    assert f"there already: {state / 'games.db'}; want --force" in err
    assert games(state / "games.db") == games(KEPT / "unfinished.db")

    assert run(capsys, "restore", file, "--force")[0] == 0
    assert games(state / "games.db") == games(KEPT / "games.db")
    assert not (state / "games.db.last").exists()


def test_a_backup_is_looked_at_beside_todays_games(capsys, backed_up, board, tmp_path):
    """Who is told that games are there already is told how to leave them alone, and does."""
    state, file = backed_up
    shutil.copy(KEPT / "unfinished.db", state / "games.db")
    assert "--journal FILE" in run(capsys, "restore", file)[2]

    for look in (tmp_path / "look" / "monday.db", tmp_path / "2026.07"):
        assert run(capsys, "restore", file, "--journal", look)[0] == 0
        assert games(look) == games(KEPT / "games.db")
    assert games(state / "games.db") == games(KEPT / "unfinished.db")

    shutil.copy(KEPT / "games.db", state / "more.db")
    run(capsys, "backup", "--output", tmp_path / "both.tar.gz")
    status, _out, err = run(capsys, "restore", tmp_path / "both.tar.gz", "--journal", tmp_path / "one.db")
    assert (status, "want a backup of one journal, found 2" in err) == (2, True)
    assert "--journal FILE" not in run(capsys, "restore", tmp_path / "both.tar.gz")[2]


def test_a_place_that_is_a_folder_or_a_file_that_is_not_there_is_told_so(capsys, backed_up, board, tmp_path):
    """What was meant stands beside it."""
    _state, file = backed_up
    status, _out, err = run(capsys, "restore", file, "--config", tmp_path)
    assert (status, f"such as {tmp_path / 'hextraction.toml'}, found a folder" in err) == (2, True)
    status, _out, err = run(capsys, "restore", tmp_path / "tuesday.tar.gz")
    assert (status, "tuesday.tar.gz: there is no such file" in err) == (2, True)


def test_settings_need_to_be_told_where_to_go(capsys, homes, board, tmp_path):
    """A board that was not the installed one lay in a folder that only its owner knows."""
    homes("old")
    file = tmp_path / "kept.tar.gz"
    run(capsys, "backup", "--config", board / "hextraction.toml", "--output", file)
    status, _out, err = run(capsys, "restore", file)
    assert (status, "want --config FILE" in err) == (2, True)


def test_a_file_outside_of_the_settings_is_named(capsys, homes, board, tmp_path):
    """It cannot be put back on a machine that has no such folder."""
    homes("old")
    (tmp_path / "wiring.toml").write_bytes((board / "wiring.toml").read_bytes())
    config = board / "hextraction.toml"
    config.write_text(config.read_text().replace('"wiring.toml"', '"../wiring.toml"'))
    status, _out, err = run(capsys, "backup", "--config", config, "--output", tmp_path / "kept.tar.gz")
    assert status == 0
    assert "wiring.toml is hidden or lies outside of the configuration's folder" in err


def test_what_is_hidden_is_named_and_left_out_or_refused_if_nothing_works_without(
    capsys, homes, board, tmp_path
):
    """A file whose name begins with a dot is never put back: whoever backs up hears that at once."""
    homes("old")
    config, file = board / "hextraction.toml", tmp_path / "kept.tar.gz"
    (board / "tiles" / ".draft.toml").write_text("# not yet\n")
    _status, _out, err = run(capsys, "backup", "--config", config, "--output", file)
    assert ".draft.toml is hidden" in err
    assert run(capsys, "restore", file, "--config", tmp_path / "new" / "board.toml")[0] == 0
    for name in ("hextraction.toml", "games.db"):
        hidden = shutil.copytree(board, tmp_path / f"hidden-{name}")
        (hidden / name).rename(hidden / f".{name}")
        config = hidden / (".hextraction.toml" if name == "hextraction.toml" else "hextraction.toml")
        config.write_text(config.read_text().replace('"games.db"', f'"{"." * (name == "games.db")}games.db"'))
        status, _out, err = run(capsys, "backup", "--config", config, "--output", tmp_path / "no.tar.gz")
        assert (status, f".{name}: want a file that is not hidden" in err) == (2, True)
    assert not (tmp_path / "no.tar.gz").exists()


def packed(path, **files):
    """A tar.gz with these files; ``up`` stands for a way out of the folder."""
    with tarfile.open(path, "w:gz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name.replace("__", "/").replace("up", ".."))
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return path


SAYS = json.dumps({"software": "x", "made": "", "journals": ["games.db"]}).encode()


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"readme": b"hello"}, "this is no backup of a board: 'readme' is in it"),
        ({"journals__up__up__evil": b"x"}, "is in it"),
        ({"board.json": b"{}"}, "this is no backup of a board"),
        ({"board.json": b'{"software": "\xff"}'}, "this is no backup of a board: 'utf-8' codec"),
        ({"board.json": SAYS.replace(b"games.db", b"../g.db")}, "want plain names"),
        ({"board.json": SAYS.replace(b"games.db", b"g\\u0000.db")}, "want plain names"),
        ({"board.json": SAYS, "journals__else.db": b""}, "else.db belongs to none of its journals"),
        ({"board.json": SAYS[:-1] + b', "format": 2}'}, "want format 1, found 2: use a newer version"),
        ({"board.json": SAYS, "journals__games.db": b"SQLite format 3\0 not really"}, "games.db"),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_what_is_no_backup_is_refused(capsys, homes, tmp_path, files, told):
    """One sentence, status 2, and nothing is written anywhere."""
    state = homes("new")
    status, out, err = run(capsys, "restore", packed(tmp_path / "odd.tar.gz", **files))
    assert (status, out) == (2, "")
    assert told in err
    assert not state.exists()
    assert not (tmp_path / "evil").exists()


def unpacked(packed):
    """Return what a gzip file holds, or None if it is damaged."""
    try:
        return gzip.decompress(packed)
    except (OSError, EOFError, zlib.error):
        return None


def test_a_backup_with_a_flipped_bit_replaces_nothing(capsys, backed_up):
    """Wherever it is: a head that cannot be read looks like the end, and what came after it would be missed."""
    state, file = backed_up
    whole, before = file.read_bytes(), (state / "games.db").read_bytes()
    for at in range(100, len(whole), len(whole) // 40):
        odd = whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :]
        if unpacked(odd) == unpacked(whole):
            continue  # a bit that means nothing, as at the end of the last block
        file.write_bytes(odd)
        status, _out, err = run(capsys, "restore", file, "--force")
        assert (status, "this is no backup of a board" in err) == (2, True), at
        assert (state / "games.db").read_bytes() == before


@pytest.mark.parametrize("cut", [False, True], ids=["damaged", "cut off"])
def test_an_archive_that_was_packed_damaged_replaces_nothing(capsys, homes, board, tmp_path, cut):
    """Gzip finds it well; but a head that cannot be read, or none where a file ends, is no end of the archive."""
    homes("old")
    file, config = tmp_path / "kept.tar.gz", board / "hextraction.toml"
    assert run(capsys, "backup", "--config", config, "--output", file)[0] == 0
    before = {path: path.read_bytes() for path in board.rglob("*") if path.is_file()}
    whole = gzip.decompress(file.read_bytes())
    with tarfile.open(fileobj=io.BytesIO(whole)) as archive:
        heads = [member.offset for member in archive]
    assert len(heads) > 3
    for head in heads:
        odd = whole[:head] if cut else whole[: head + 148] + b"9" + whole[head + 149 :]
        file.write_bytes(gzip.compress(odd, 1))
        status, _out, err = run(capsys, "restore", file, "--config", config, "--force")
        assert (status, "this is no backup of a board" in err) == (2, True), head
        assert {path: path.read_bytes() for path in before} == before


def brought(folder, **files):
    """Return a backup that somebody has packed by hand: its contents, and files by their names."""
    said = {
        "format": 1,
        "software": "x",
        "made": "x",
        "journals": ["games.db"],
        "config": files.pop("config", ""),
    }
    with tarfile.open(folder / "theirs.tar.gz", "w:gz") as archive:
        named = {
            "board.json": json.dumps(said).encode(),
            "journals/games.db": (KEPT / "games.db").read_bytes(),
        }
        for name, content in (named | files).items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return folder / "theirs.tar.gz"


@pytest.mark.parametrize(
    "name", ["journals/games.desktop", "journals/games", "settings/.profile", "settings/.x/y"]
)
def test_a_strangers_backup_brings_nothing_but_games_and_settings(capsys, homes, tmp_path, name):
    """Neither a program that a desktop starts nor what a shell reads comes along under the games' name."""
    homes("victim")
    file = brought(tmp_path, **{name: b"touch /tmp/owned\n"})
    status, _out, err = run(capsys, "restore", file)
    assert (status, "this is no backup of a board" in err) == (2, True)
    assert not (tmp_path / "victim").exists()


def test_a_strangers_configuration_does_not_choose_where_games_go(capsys, homes, tmp_path):
    """A place outside of its folder is named, and wants to be said by whoever restores."""
    homes("victim")
    aim = tmp_path / "victim" / "autostart" / "games.db"
    config = f'[table]\njournal = "{aim}"\n'.encode()
    file = brought(tmp_path, config="h.toml", **{"settings/h.toml": config})
    status, _out, err = run(capsys, "restore", file, "--config", tmp_path / "mine" / "h.toml")
    assert (status, f"{aim}, outside of their configuration's folder: want --journal FILE" in err) == (
        2,
        True,
    )
    assert not aim.exists()
    look = tmp_path / "look.db"
    assert run(capsys, "restore", file, "--config", tmp_path / "mine" / "h.toml", "--journal", look)[0] == 0
    assert games(look) == games(KEPT / "games.db")


def test_a_small_file_does_not_fill_the_disk(capsys, homes, tmp_path, monkeypatch):
    """Zeros pack well: unpacking ends at the most that a board has."""
    homes("victim")
    monkeypatch.setattr("hextraction.controller.app.backup.MOST_BYTES", 1_000_000)
    file = brought(tmp_path, **{"journals/games.seats": bytes(2_000_000)})
    status, _out, err = run(capsys, "restore", file)
    assert (status, "found more" in err) == (2, True)
    state = homes("old")
    state.mkdir(parents=True)
    (state / "games.db").write_bytes(bytes(2_000_000))
    status, _out, err = run(capsys, "backup", "--output", tmp_path / "kept.tar.gz")
    assert (status, "want at most" in err) == (2, True)


def test_a_damaged_journal_is_no_backup(capsys, homes, tmp_path):
    """Who backs up wants to know it then, and not when it is needed."""
    state = homes("old")
    state.mkdir(parents=True)
    shutil.copy(KEPT / "games.db", state / "games.db")
    with (state / "games.db").open("r+b") as file:
        file.seek(40_000)
        file.write(b"\xff" * 30_000)
    status, _out, err = run(capsys, "backup", "--output", tmp_path / "kept.tar.gz")
    assert status == 2
    assert "games.db" in err
    assert not (tmp_path / "kept.tar.gz").exists()
