"""Draw the page's icons as PNG, in the sizes that phones want, from ``icon.svg``.

Run by hand after a change of the picture, with Chromium installed: ``python -m docs.icons``.
"""

import base64
import shutil
from pathlib import Path
from typing import Final, NamedTuple

from playwright.sync_api import sync_playwright

__all__ = ["ICONS", "Icon", "drawn", "main"]

PAGE: Final = Path(__file__).parents[1] / "controller" / "page"
_GROUND: Final = "#14424b"
"""The colour of the hexagon itself: a phone may cut a masked icon round, and then no corner is bare."""


class Icon(NamedTuple):
    """A picture: its file, its width and height in pixels, and how much of that the drawing takes."""

    file: str
    side: int
    part: float
    ground: str = "transparent"


ICONS: Final = (
    Icon("icon-180.png", 180, 0.86, _GROUND),
    Icon("icon-192.png", 192, 1.0),
    Icon("icon-512.png", 512, 1.0),
    Icon("icon-mask-512.png", 512, 0.8, _GROUND),
)


def drawn(icon: Icon) -> bytes:
    """Return the picture as PNG."""
    svg = base64.b64encode((PAGE / "icon.svg").read_bytes()).decode()
    size = round(icon.side * icon.part)
    html = (
        f'<body style="margin:0;display:grid;place-items:center;height:100vh;background:{icon.ground}">'
        f'<img width="{size}" height="{size}" src="data:image/svg+xml;base64,{svg}">'
    )
    with sync_playwright() as play:
        chromium = play.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = chromium.new_page(viewport={"width": icon.side, "height": icon.side})
        page.set_content(html)
        page.locator("img").evaluate("async (node) => node.decode()")
        picture: bytes = page.screenshot(omit_background=icon.ground == "transparent")
        chromium.close()
    return picture


def main() -> None:
    """Write all icons beside the page."""
    for icon in ICONS:
        (PAGE / icon.file).write_bytes(drawn(icon))


if __name__ == "__main__":
    main()
