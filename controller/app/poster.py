"""``hextraction poster``: a page to hang beside the table, with QR code, address and code to join by.

What stands where is told once, in millimetres of an A4 sheet; one function draws it as SVG, one as PDF.
"""

import argparse
import itertools
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import segno
from hextraction.controller.config import PageConfig, read_config
from hextraction.controller.phones.addresses import own_address, page_address
from hextraction.controller.phones.rights import new_code
from hextraction.controller.version import how_to_install
from hextraction.controller.workshop.drawing import INK, path, svg, text

__all__ = ["Poster", "draw_pdf", "draw_svg", "run"]

_WIDE_MM: Final = 210.0
_HIGH_MM: Final = 297.0
_QR_MM: Final = 130.0
_QR_TOP_MM: Final = 62.0
_POINTS_PER_MM: Final = 72 / 25.4
_TITLE: Final = "Hextraction"
_INVITES: Final = "Join with your phone"
_OR: Final = "or open"
_CODE: Final = "and type the code"
_IN_THE_HOUSE: Final = re.compile(r"^[^.]+$|\.(local|lan|home|home\.arpa|internal|fritz\.box)$")
"""Names that only a router or the machine itself has given."""
_WATCH: Final = "Everybody may watch without a code."


@dataclass(frozen=True, slots=True)
class Poster:
    """What a poster says: the page's address (``http://…/``) and the join code."""

    address: str
    code: str

    @property
    def lines(self) -> tuple[tuple[float, float, str], ...]:
        """Every line of text: how far down its foot is and how high its letters are, both in mm."""
        shown = self.address.removeprefix("http://").rstrip("/")
        return (
            (32.0, 17.0, _TITLE),
            (50.0, 11.0, _INVITES),
            (212.0, 8.0, _OR),
            (226.0, min(13.0, 290.0 / len(shown)), shown),
            (243.0, 8.0, _CODE),
            (265.0, 22.0, f"{self.code[:4]} {self.code[4:]}"),
            (282.0, 7.0, _WATCH),
        )

    def squares(self) -> Iterator[tuple[float, float, float, float]]:
        """Yield the dark parts of the QR code: left, top, width, height in mm."""
        rows = segno.make(f"{self.address}#j={self.code}", error="q").matrix
        side = _QR_MM / len(rows)
        left = (_WIDE_MM - _QR_MM) / 2
        for down, row in enumerate(rows):
            across = 0
            for dark, run in itertools.groupby(row):
                wide = len(list(run))
                if dark:
                    yield left + across * side, _QR_TOP_MM + down * side, wide * side, side
                across += wide


def draw_svg(poster: Poster) -> str:
    """Draw the poster as SVG, in millimetres."""
    parts = [
        text((_WIDE_MM / 2, foot), words, size=high, anchor="middle", bold=True)
        for foot, high, words in poster.lines
    ]
    d = "".join(
        f"M{x:.3f} {y:.3f}h{wide:.3f}v{high:.3f}h-{wide:.3f}z" for x, y, wide, high in poster.squares()
    )
    parts.append(path(d, fill=INK))
    size = (f"{_WIDE_MM:g}mm", f"{_HIGH_MM:g}mm")
    return svg((0, 0, _WIDE_MM, _HIGH_MM), parts, size=size, title=_INVITES, paper="#ffffff")


def draw_pdf(poster: Poster, output: Path) -> None:
    """Write the poster as PDF.

    Raises:
        ImportError: matplotlib is not installed.
    """
    from matplotlib.figure import Figure  # noqa: PLC0415 - large, and only for this
    from matplotlib.patches import Rectangle  # noqa: PLC0415

    figure = Figure(figsize=(_WIDE_MM / 25.4, _HIGH_MM / 25.4))
    for foot, high, words in poster.lines:
        figure.text(
            0.5,
            1 - foot / _HIGH_MM,
            words,
            ha="center",
            va="baseline",
            size=high * _POINTS_PER_MM,
            weight="bold",
            color=INK,
        )
    for x, y, wide, high in poster.squares():
        corner = (x / _WIDE_MM, 1 - (y + high) / _HIGH_MM)
        square = Rectangle(corner, wide / _WIDE_MM, high / _HIGH_MM, color=INK, linewidth=0)
        square.set_transform(figure.transFigure)
        figure.add_artist(square)
    figure.savefig(output, format="pdf", metadata={"CreationDate": None})


def run(options: argparse.Namespace) -> int:
    """Draw the poster of a table; return the exit status."""
    config = read_config(options.config)
    if not config.page.code:
        print(
            f"hextraction poster: {options.config}: [page] has no code, so each start makes a new one and a "
            f'poster would be wrong from then on.\n  Write into it, say:  code = "{new_code()}"',
            file=sys.stderr,
        )
        return 2
    poster = Poster(options.address or _address(config.page), config.page.code)
    output: Path = options.output
    if output.suffix.lower() == ".pdf":
        try:
            draw_pdf(poster, output)
        except ImportError:
            install = how_to_install("poster")
            needs = f"a PDF needs matplotlib: {install}; or name a file that ends in .svg"
            print(f"hextraction poster: {needs}", file=sys.stderr)
            return 2
    else:
        output.write_text(draw_svg(poster), encoding="utf-8")
    print(f"{output}: join at {poster.address} with the code {poster.code}")
    return 0


def _address(page: PageConfig) -> str:
    """Return the page's address: by the first name that leads here, or by this machine's address of today."""
    for name in page.names:  # before a name of the internet stands a proxy, with the port of every page
        return page_address(name, page.port if _IN_THE_HOUSE.search(name) else 80)
    return page_address(own_address(page.host), page.port)
