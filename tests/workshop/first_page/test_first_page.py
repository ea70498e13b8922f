"""The first page: what people choose on their phone becomes the board's settings, and nobody else's page can choose."""

import asyncio
import re
from http import HTTPStatus
from urllib.parse import urlencode

import pytest
from helpers.places import ROOT
from hextraction.controller.app.command_line import main
from hextraction.controller.config import read_config
from hextraction.controller.phones.http import BadRequestError, read_head
from hextraction.controller.workshop.bring_up.hotspot import Hotspot, HotspotError
from hextraction.controller.workshop.first_page.answers import MOST_BODY, FirstPage
from hextraction.controller.workshop.first_page.choices import (
    BUILDS,
    Choices,
    WrongChoicesError,
    read_choices,
)
from hextraction.controller.workshop.first_page.command import FIRST_WIFI, Machine, serve
from hextraction.controller.workshop.first_page.form import Done, language_of

GOOD = {"build": "hub-lean", "name": "Kitchen Table", "code": "k7pm-wq2x"}
DONE = Done(address="http://192.0.2.7:8080/")


class Wifi:
    """NetworkManager, as far as the first page asks it."""

    def __init__(self, *, is_open=False, fails=False):
        self.opened = [FIRST_WIFI] if is_open else []
        self.kept = []
        self.fails = fails

    def is_open(self):
        return bool(self.opened)

    def up(self, wished):
        if self.fails:
            raise HotspotError("no Wi-Fi device is free")
        self.opened.append(wished)
        return wished

    def keep_for_boot(self, wished):
        if self.fails:
            raise HotspotError("no Wi-Fi device is free")
        self.kept.append(Hotspot(ssid=wished.ssid, password="abcdefghjkmn", always=True))
        return self.kept[-1]


def page(carry_out=lambda _choices: DONE, *, service=True):
    """A first page on a machine called ``den``."""
    return FirstPage(host="den", service=service, carry_out=carry_out)


def ask(first, method="GET", fields=None, *, path="/", host="den.local:8080", **headers):
    """Send a request, and return the whole answer as text."""
    body = urlencode(fields or {})
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", f"Content-Length: {len(body)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    request = read_head("\r\n".join([*lines, "", ""]).encode())
    return first.answer(request, body.encode()[: first.length(request)]).decode()


def key_of(text):
    """The key that a form brings."""
    return re.search(r'name="key" value="([^"]+)"', text)[1]


def test_every_shipped_wiring_can_be_chosen():
    """And nothing that is not there."""
    assert {name for name, build in BUILDS.items() if build.wired} == {
        path.stem for path in (ROOT / "wiring").glob("*.toml")
    }


def test_what_people_type_is_put_right():
    """Capitals and spaces in a name, small letters and dashes in a code."""
    assert read_choices(GOOD) == Choices(build="hub-lean", name="kitchen-table", code="K7PMWQ2X")


def test_every_mistake_is_told_beside_its_field():
    """All at once, and nothing is chosen."""
    first = page()
    with pytest.raises(WrongChoicesError) as error:
        read_choices({"build": "gold", "name": "Küche", "code": "short"})
    assert set(error.value.problems) == {"build", "name", "code"}

    sent = {"key": key_of(ask(first)), "build": "hub-lean", "name": "<Küche>", "code": "short"}
    again = ask(first, "POST", sent)
    assert again.count('class="wrong"') == 2
    assert 'value="hub-lean" required checked' in again
    assert "&lt;Küche&gt;" in again
    assert first.chosen is None


@pytest.mark.parametrize("build", BUILDS)
def test_the_settings_of_each_build_are_read_by_the_table(tmp_path, build):
    """With the wiring where there is one, and with the code and the name that were chosen."""
    machine = Machine(folder=tmp_path, port=8080, service=False)
    done = machine.carry_out(Choices(build=build, name="den", code="K7PMWQ2X"))

    config = read_config(tmp_path / "hextraction.toml")
    assert (config.table, config.page.code, config.page.port) == ("den", "K7PMWQ2X", 8080)
    assert (config.wiring is not None) is BUILDS[build].wired
    assert done.address.endswith(":8080/#j=K7PMWQ2X")
    if BUILDS[build].wired:
        assert main(["check", str(tmp_path / "hextraction.toml")]) == 0


def test_a_wiring_that_was_there_is_kept_beside_the_new_one(tmp_path):
    """Nothing that somebody wrote is lost, in whatever letters."""
    mine = "# für mich".encode("latin-1")
    (tmp_path / "wiring.toml").write_bytes(mine)
    Machine(folder=tmp_path, port=8080, service=False).carry_out(Choices(build="starter", name="den"))
    assert (tmp_path / "wiring.toml.before").read_bytes() == mine


def test_the_first_who_sends_the_form_decides():
    """Whoever comes later is told so."""
    first = page()
    sent = {**GOOD, "key": key_of(ask(first))}
    assert "Your board is set up" in ask(first, "POST", sent)
    assert first.chosen == Choices(build="hub-lean", name="kitchen-table", code="K7PMWQ2X")
    with pytest.raises(BadRequestError) as error:
        ask(first, "POST", sent)
    assert error.value.status is HTTPStatus.CONFLICT


@pytest.mark.parametrize(
    ("how", "status"),
    [
        ({"key": "guessed"}, HTTPStatus.FORBIDDEN),
        ({"host": "evil.example"}, HTTPStatus.MISDIRECTED_REQUEST),
        ({"origin": "http://evil.example"}, HTTPStatus.FORBIDDEN),
        ({"more": "x" * MOST_BODY}, HTTPStatus.REQUEST_ENTITY_TOO_LARGE),
        ({"many": 12}, HTTPStatus.BAD_REQUEST),
        ({"method": "PUT"}, HTTPStatus.METHOD_NOT_ALLOWED),
        ({"path": "/etc/passwd"}, HTTPStatus.NOT_FOUND),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_a_page_from_elsewhere_cannot_choose(how, status):
    """Without the key, by another name, from another origin, with far too much: refused, and nothing is chosen."""
    first = page()
    fields = {**GOOD, "key": how.get("key", key_of(ask(first))), "more": how.get("more", "")}
    fields |= {f"x{number}": "" for number in range(how.get("many", 0))}
    origin = {"origin": how["origin"]} if "origin" in how else {}
    with pytest.raises(BadRequestError) as error:
        ask(first, how.get("method", "POST"), fields, path=how.get("path", "/"),
            host=how.get("host", "den.local:8080"), **origin)  # fmt: skip
    assert error.value.status is status
    assert first.chosen is None


def test_it_speaks_german_to_whoever_asks_for_it():
    """And English to everybody else."""
    assert "Was hast du gebaut?" in ask(page(), accept_language="de-AT,de;q=0.9,en;q=0.5")
    assert "What did you build?" in ask(page(), accept_language="fr, en;q=0.5")
    assert language_of("") == "en"


def test_by_hand_nothing_is_asked_that_only_a_service_can_do():
    """No Wi-Fi, no check."""
    assert "wifi" in ask(page())
    by_hand = ask(page(service=False))
    assert 'name="wifi"' not in by_hand
    assert 'name="check"' not in by_hand


# --- on a Pi ---


@pytest.fixture
def service(tmp_path, monkeypatch):
    """Return a function that makes a machine that is set up as a service; the owner of files is written down."""
    monkeypatch.setattr("shutil.chown", lambda path, user, group: owners.append((path.name, user, group)))
    owners, called = [], []

    def make(wifi):
        machine = Machine(
            folder=tmp_path,
            port=8080,
            service=True,
            network=wifi,
            call=lambda words: called.append(words) or 0,
        )
        return machine, called, owners

    return make


def test_a_wi_fi_of_its_own_is_kept_for_later_starts(service):
    """Its name and password are told; the Wi-Fi of now stays, so that the phone hears it."""
    machine, _called, owners = service(Wifi())
    done = machine.carry_out(Choices(build="hub-lean", name="den", own_wifi=True))
    assert (done.ssid, done.password) == ("hextraction-den", "abcdefghjkmn")
    assert machine.network.opened == []
    assert ("hextraction.toml.new", "root", "hextraction") in owners
    assert machine.settings.stat().st_mode & 0o777 == 0o640


def test_the_first_wi_fi_whose_password_everybody_knows_does_not_stay(service):
    """Set up over it, the board gets one with a password of its own, whatever was chosen."""
    machine, _called, _owners = service(Wifi(is_open=True))
    assert machine.carry_out(Choices(build="none", name="den")).password == "abcdefghjkmn"


def test_a_wi_fi_that_cannot_be_leaves_the_board_to_be_set_up_again(service):
    """It is told, and no settings are written."""
    machine, _called, _owners = service(Wifi(fails=True))
    with pytest.raises(WrongChoicesError, match="cannot make a Wi-Fi: no Wi-Fi device is free"):
        machine.carry_out(Choices(build="none", name="den", own_wifi=True))
    assert not machine.settings.exists()


def test_a_board_without_any_network_opens_one(service, monkeypatch, capsys):
    """With the name and the password that the guide prints."""
    monkeypatch.setattr("hextraction.controller.workshop.first_page.command.own_address", lambda: "127.0.0.1")
    machine, _called, _owners = service(Wifi())
    machine.have_a_network(patience_s=0)
    assert machine.network.opened == [FIRST_WIFI]
    assert FIRST_WIFI.password in capsys.readouterr().out
    guide = (ROOT / "docs" / "install.md").read_text("utf-8")
    assert f"`{FIRST_WIFI.ssid}`" in guide
    assert f"`{FIRST_WIFI.password}`" in guide


def test_the_board_is_checked_first_if_that_was_wished(service):
    """As the table's user; afterwards, whatever was found, the table opens."""
    machine, called, _owners = service(Wifi())
    machine.go_on(Choices(build="hub-lean", name="den", check=True))
    assert called[0][:4] == ["runuser", "-u", "hextraction", "--"]
    assert called[0][5] == "check-board"
    assert called[1] == ["systemctl", "start", "--no-block", "hextraction.service"]

    called.clear()
    machine.go_on(Choices(build="hub-lean", name="den"))
    assert [words[0] for words in called] == ["systemctl"]


def test_a_board_that_is_set_up_is_not_asked_again(tmp_path, capsys):
    """Its settings may be somebody's work."""
    (tmp_path / "hextraction.toml").write_text("")
    assert main(["setup", "--folder", str(tmp_path)]) == 2
    assert "the board is set up" in capsys.readouterr().err


# --- by the wire ---


IDLE = 150
"""Lines on which nothing is said: some for each browser that opens one ahead, or one neighbour's."""


async def _over_the_wire(sent, first):
    """Serve, send some bytes on one line and nothing on many others; return what comes back and what was chosen."""
    port = asyncio.get_running_loop().create_future()
    serving = asyncio.create_task(serve(first, "127.0.0.1", 0, opened=port.set_result))
    idle = [await asyncio.open_connection("127.0.0.1", await port) for _ in range(IDLE)]
    reader, writer = await asyncio.open_connection("127.0.0.1", await port)
    writer.write(sent)
    async with asyncio.timeout(60):
        answer = await reader.read()
    for _reader, line in (*idle, (reader, writer)):
        line.close()
    if first.chosen is None:
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
        return answer, None
    return answer, await serving


def test_the_form_is_sent_and_the_door_closes():
    """Whoever says nothing on other lines keeps nobody waiting; the answer comes before the end."""
    first = page()
    body = urlencode({**GOOD, "key": key_of(ask(first))})
    head = f"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}\r\n\r\n"
    answer, chosen = asyncio.run(_over_the_wire((head + body).encode(), first))
    assert answer.startswith(b"HTTP/1.1 200")
    assert b"Your board is set up" in answer
    assert chosen == first.chosen


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"hello\r\n\r\n", b"400"),
        (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"y" * 40_000 + b"\r\n\r\n", b"431"),
        (b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", b"411"),
    ],
    ids=["no HTTP", "a long head", "no length"],
)
def test_nonsense_is_refused_and_the_page_goes_on(sent, status):
    """With a status and a sentence."""
    answer, chosen = asyncio.run(_over_the_wire(sent, page()))
    assert answer.split()[1] == status
    assert chosen is None
