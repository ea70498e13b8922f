"""The join poster: a fixed code of the configuration, as SVG and as PDF, and what is wrong said in words."""

import re
from xml.etree import ElementTree as ET

import pytest
import segno
from hextraction.controller.app import main
from hextraction.controller.app.poster import Poster, draw_pdf, draw_svg
from hextraction.controller.config import read_config
from hextraction.settings import SettingsError

HERE = Poster("http://hex.club.example/", "K7PMWQ2X")


def drawn_squares(text):
    """Return the rectangles of an SVG's path, as left, top, width, height."""
    d = max(re.findall(r' d="([^"]+)"', text), key=len)
    return [
        tuple(map(float, part)) for part in re.findall(r"M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)h-[\d.]+z", d)
    ]


def test_the_poster_has_the_address_the_code_and_a_qr_code_of_both():
    """Read back from the drawing: the dark squares are those of the QR code that phones understand."""
    text = draw_svg(HERE)
    root = ET.fromstring(text)  # noqa: S314 - our own
    words = [node.text for node in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"hex.club.example", "K7PM WQ2X", "Join with your phone"} <= set(words)
    assert root.get("width") == "210mm"

    matrix = segno.make("http://hex.club.example/#j=K7PMWQ2X", error="q").matrix
    side = 130 / len(matrix)
    dark = {
        (round((y - 62) / side), round((x - 40) / side) + step)
        for x, y, wide, _high in drawn_squares(text)
        for step in range(round(wide / side))
    }
    assert dark == {(y, x) for y, row in enumerate(matrix) for x, bit in enumerate(row) if bit}


def test_no_line_of_the_poster_leaves_the_sheet():
    """A long address is set smaller: half a letter's height a letter is more than DejaVu Sans takes, bold."""
    long = Poster("http://hextraction.some-very-long-name.club.example:8080/", "K7PMWQ2X")
    for poster in (HERE, long):
        assert all(high * 0.7 * len(words) <= 210 for _foot, high, words in poster.lines)


@pytest.mark.slow
def test_the_poster_as_pdf_is_one_page_of_a4(tmp_path):
    """595 by 842 points, and the same bytes for the same poster."""
    pytest.importorskip("matplotlib")
    for name in ("a.pdf", "b.pdf"):
        draw_pdf(HERE, tmp_path / name)
    whole = (tmp_path / "a.pdf").read_bytes()
    assert whole.startswith(b"%PDF-")
    box = re.search(rb"/MediaBox \[ ?0 0 ([\d.]+) ([\d.]+) ?\]", whole)
    assert [round(float(side)) for side in box.groups()] == [595, 842]
    assert (tmp_path / "b.pdf").read_bytes() == whole


def test_a_table_without_a_fixed_code_gets_no_poster(tmp_path, capsys):
    """It would be wrong at the next start; the message has a code to copy."""
    config = tmp_path / "hextraction.toml"
    config.write_text("[page]\nport = 8081\n")
    assert main(["poster", "--config", str(config), "--output", str(tmp_path / "p.svg")]) == 2
    told = capsys.readouterr().err
    assert re.search(r'code = "[A-HJKMNP-Z2-9]{8}"', told)
    assert not (tmp_path / "p.svg").exists()


def test_the_poster_is_drawn_from_the_configuration(tmp_path, capsys):
    """The first name that leads here is the address, unless one is named."""
    config = tmp_path / "hextraction.toml"
    config.write_text('[page]\ncode = "K7PMWQ2X"\nnames = ["hex.club.example"]\n')
    output = tmp_path / "p.svg"
    assert main(["poster", "--config", str(config), "--output", str(output)]) == 0
    assert "join at http://hex.club.example/ with the code K7PMWQ2X" in capsys.readouterr().out
    assert output.read_text() == draw_svg(HERE)
    named = [
        "poster",
        "--config",
        str(config),
        "--output",
        str(output),
        "--force",
        "--address",
        "http://10.0.0.5:8080/",
    ]
    assert main(named) == 0
    assert "10.0.0.5:8080" in output.read_text()


@pytest.mark.parametrize(
    ("lines", "address"),
    [
        ('names = ["pi.lan"]', "http://pi.lan:8080/"),
        ('names = ["pi.fritz.box", "hex.club.example"]\nport = 80', "http://pi.fritz.box/"),
        ('host = "10.42.0.1"', "http://10.42.0.1:8080/"),
        ('host = "fd00::7"\nport = 8081', "http://[fd00::7]:8081/"),
    ],
)
def test_the_poster_has_an_address_that_a_browser_can_open(tmp_path, capsys, lines, address):
    """With its port, unless a proxy has that of every page; IPv6 in brackets; one address if it listens there alone."""
    config = tmp_path / "hextraction.toml"
    config.write_text(f'[page]\ncode = "K7PMWQ2X"\n{lines}\n')
    assert main(["poster", "--config", str(config), "--output", str(tmp_path / "p.svg")]) == 0
    assert f"join at {address} with the code" in capsys.readouterr().out


def test_wrong_options_of_the_poster_are_told_all_at_once(capsys):
    """A format that there is none of, and an address that no phone can open."""
    assert main(["poster", "--config", "x.toml", "--output", "p.png", "--address", "hex.club"]) == 2
    told = capsys.readouterr().err
    assert "ends in .svg or .pdf, found p.png" in told
    assert "want http://" in told


@pytest.mark.parametrize("code", ["HELLO", "k7pmwq2x", "K7PMWQ2O", "K7PM WQ2X"])
def test_a_code_that_is_no_join_code_is_a_mistake_of_the_configuration(tmp_path, code):
    """Eight letters that nobody mistakes for others."""
    config = tmp_path / "hextraction.toml"
    config.write_text(f'[page]\ncode = "{code}"\n')
    with pytest.raises(SettingsError, match="eight of A to Z and 2 to 9"):
        read_config(config)


def test_a_fixed_code_opens_the_table(tmp_path):
    """The book of badges takes it in the place of one of its own."""
    from hextraction.controller.payloads.messages import Topics  # noqa: PLC0415 - only here
    from hextraction.controller.phones.rights import CODE_LETTERS, SeatBook  # noqa: PLC0415

    book = SeatBook(Topics("den"), ["red"], code="K7PMWQ2X")
    assert book.fits("k7pm-wq2x")
    config = tmp_path / "hextraction.toml"
    config.write_text(f'[page]\ncode = "{CODE_LETTERS[:8]}"\n')
    assert read_config(config).page.code == CODE_LETTERS[:8]
