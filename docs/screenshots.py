"""Take the screenshots of the README, from a running demo.

Run by hand, with Chromium and Mosquitto installed, in an environment that has playwright and Pillow beside
this project: ``python docs/screenshots.py [--seed N] [--chromium PATH]``. The demo is frozen while pictures
are taken, so that all of them show the same moment.
"""

import argparse
import contextlib
import io
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

IMAGES = Path(__file__).parent / "images"
START = "import sys; from hextraction.controller.app import main; sys.exit(main())"
PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2}
DESKTOP = {"viewport": {"width": 1280, "height": 800}, "device_scale_factor": 1}
VIEWS = {
    "phone-light": {**PHONE, "color_scheme": "light"},
    "phone-dark": {**PHONE, "color_scheme": "dark"},
    "desktop-light": {**DESKTOP, "color_scheme": "light"},
    "desktop-dark": {**DESKTOP, "color_scheme": "dark"},
}
MOST_BYTES = 300_000
WORTH_A_PICTURE = """() => {
  const all = (what) => [...document.querySelectorAll(`#board ${what}`)];
  const trail = Math.max(0, ...all('.trail').map((path) => path.getAttribute('d').split('Q').length));
  const touched = all('.slot').filter((slot) => Number(slot.dataset.touches) > 0);
  const fired = touched.some((slot) => slot.querySelector('.trigger'));
  return trail >= 4 && touched.length >= 3 && fired && all('.ball.moving').length > 0;
}"""
OUR_TURN = """() => document.body.classList.contains('our-turn')
  && document.querySelectorAll('.ramp.target').length > 0"""
ENOUGH = "() => document.querySelectorAll('#board .pyramid').length >= 7"
HEXTRIS_TURN = """() => document.body.classList.contains('our-turn')
  && document.querySelectorAll('#board .slot.target .pyramid').length > 0"""
ROADS = "() => document.querySelectorAll('#board [data-spot^=edge]').length >= 8"
EXTRACTION_TURN = """() => document.querySelector(
  '#tray :is([data-group=roll], [data-answer], [data-group=end]), #board .slot.target')"""
HEXEL_FIRST = ", ".join(
    f"#tray button[data-group={group}]" for group in ("shuffle", "deal", "stake", "hedge", "discard")
)
HEXEL_TURN = """() => document.body.classList.contains('our-turn')
  && !document.querySelector('#tray[aria-busy]') && (document.querySelector('.card')
  || document.querySelector('#tray button[data-group=shuffle], #tray button[data-group=deal]'))"""
ENOUGH_CARDS = 7
AT_REST = """() => document.getAnimations().every((one) =>
  one.effect.getTiming().iterations === Infinity || one.playState === 'finished')"""


def main() -> None:
    """Play until there is something to see, and take all pictures."""
    options = _options()
    if options.game in ON_THE_HEXAGON:
        ON_THE_HEXAGON[options.game](options)
        return
    with _demo(options.seed, options.speed) as (child, url, code), sync_playwright() as play:
        browser = play.chromium.launch(executable_path=options.chromium, args=["--no-sandbox"])
        pages = {name: _open(browser, url, view) for name, view in VIEWS.items()}
        pages["phone-light"].wait_for_function(WORTH_A_PICTURE, timeout=300_000)
        with _frozen(child):
            for name, page in pages.items():
                _keep(page, name)
        _hand(browser, child, f"{url}#j={code}")
        browser.close()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--speed", type=float, default=3.0)
    parser.add_argument("--game", choices=("hextraction", *ON_THE_HEXAGON), default="hextraction")
    parser.add_argument("--chromium", default=shutil.which("chromium"))
    return parser.parse_args()


@contextlib.contextmanager
def _demo(seed: int, speed: float, *more: str) -> Iterator[tuple[subprocess.Popen[str], str, str]]:
    """Run the demo; yield the process, the page's address and the code for a seat."""
    with tempfile.TemporaryDirectory() as folder:
        options = ["--seed", str(seed), "--speed", str(speed), "--port", "0", "--host", "127.0.0.1"]
        command = [sys.executable, "-c", START, "demo", *options, "--journal", f"{folder}/games.db", *more]
        child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603 - our own command
        try:
            said = ""
            while "Playing with seed" not in said and child.stdout is not None:
                said += child.stdout.readline()
            address, code = re.search(r"open at\s+(\S+)", said), re.search(r"a seat:\s+(\S+)", said)
            assert address is not None, said  # noqa: S101 - the demo prints both
            assert code is not None, said  # noqa: S101
            yield child, address[1], code[1]
        finally:
            child.terminate()
            child.wait()


@contextlib.contextmanager
def _seated(options: argparse.Namespace, seen: str, *more: str, begun: str = "") -> Iterator[Page]:
    """Take a seat in a game on the hexagon; after the block, take its pictures in every view.

    ``seen`` is what watchers have to see first, ``begun`` says when it is time to sit down. At the end of the
    block it is our turn, so that nothing moves.
    """
    kind = options.game
    demo = _demo(options.seed, options.speed, "--game", kind, "--board", "large-27", *more)
    with demo as (_child, url, code), sync_playwright() as play:
        browser = play.chromium.launch(executable_path=options.chromium, args=["--no-sandbox"])
        page = _open(browser, f"{url}#j={code}", VIEWS["phone-light"])
        if begun:
            page.wait_for_function(begun, timeout=300_000)
        page.get_by_label("Your name").fill("Ada")
        page.get_by_role("button", name="Take a seat").click()
        yield page
        page.evaluate("() => scrollTo(0, 0)")
        others = {
            name: _open(browser, url, view) for name, view in VIEWS.items() if name.startswith("desktop")
        }
        for watcher in others.values():
            watcher.locator(f"#board {seen}").first.wait_for()
        _keep(page, f"{kind}-phone-light")
        page.emulate_media(color_scheme="dark")
        _keep(page, f"{kind}-phone-dark")
        for name, watcher in others.items():
            _keep(watcher, f"{kind}-{name}")
        browser.close()


def _hextris(options: argparse.Namespace) -> None:
    """Take a seat in a game with some pieces on the board, and pick one."""
    with _seated(options, ".pyramid", begun=ENOUGH) as page:
        page.wait_for_function(HEXTRIS_TURN, timeout=300_000)
        page.locator("#board .slot.target:has(.pyramid) .hit").first.click()
        page.locator("#board .slot.target:not(:has(.pyramid))").first.wait_for()


def _extraction(options: argparse.Namespace) -> None:
    """Sit down when some roads lie, and wait until a road can be built."""
    with _seated(options, ".disc", "--players", "3", "--bots", "weak", begun=ROADS) as page:
        road = page.get_by_role("button", name="Road…")
        while not road.count():
            _plain_turn(page)
        road.click()
        page.locator("#board .spot.target").first.wait_for()


def _plain_turn(page: Page) -> None:
    """Throw, say no to trades, swap two discs, and end the turn, whatever of it is to be done now."""
    page.wait_for_function(EXTRACTION_TURN, timeout=300_000)
    before = page.locator("#headline").inner_text()
    buttons = page.locator("#tray [data-group=roll], #tray [data-answer]")
    ends = page.locator("#tray [data-group=end]")
    if buttons.count():
        buttons.last.click()
    elif page.locator("#board .slot.target").count():
        page.locator("#board .slot.target .hit").first.click()
    elif ends.count() and not page.get_by_role("button", name="Road…").count():
        ends.click()
    page.wait_for_timeout(300)
    if page.locator("#headline").inner_text() == before:
        page.wait_for_timeout(700)


def _hexel(options: argparse.Namespace) -> None:
    """Take a seat, play until some cards lie, and pick a card and a cell."""
    with _seated(options, ".card-face", "--games", "0", "--players", "3") as page:
        while True:
            page.wait_for_function(HEXEL_TURN, timeout=300_000)
            first = page.locator(HEXEL_FIRST)
            if first.count():
                first.first.click()
                page.wait_for_timeout(500)
                continue
            target = page.locator("#board .slot.target .hit")
            for card in page.locator(".card").all():
                if not target.count():
                    card.click()
            if not target.count():
                page.wait_for_timeout(500)
                continue
            target.first.click()
            if page.locator("#board .slot:not(.target) .card-face").count() >= ENOUGH_CARDS:
                break
            page.locator(".pick [data-group=place]").first.click()
            page.wait_for_timeout(500)


ON_THE_HEXAGON: Final = {"hextris": _hextris, "extraction": _extraction, "hexel": _hexel}


def _open(browser: Browser, url: str, view: dict[str, Any]) -> Page:
    context = browser.new_context(**view)
    context.add_init_script("localStorage.setItem('hextraction.howto', 'all')")  # no newcomer
    page = context.new_page()
    page.goto(url)
    return page


@contextlib.contextmanager
def _frozen(child: subprocess.Popen[str]) -> Iterator[None]:
    """Let the demo stand still; flashes and glides on the page come to their end."""
    os.kill(child.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(child.pid, signal.SIGCONT)


def _hand(browser: Browser, child: subprocess.Popen[str], address: str) -> None:
    """Take a bot's seat, wait for our turn and look at a tile of the hand."""
    page = _open(browser, address, VIEWS["phone-light"])
    page.get_by_label("Your name").fill("Ada")
    page.get_by_role("button", name="Take a seat").click()
    page.wait_for_function(OUR_TURN, timeout=120_000)
    page.locator(".card").first.click()
    page.locator(".details").wait_for()
    page.evaluate("() => scrollTo(0, 0)")
    with _frozen(child):
        _keep(page, "hand")


def _keep(page: Page, name: str) -> None:
    page.wait_for_function(AT_REST)
    if page.evaluate("() => document.body.classList.contains('stale')"):
        sys.exit(f"{name}: the page lost the frozen demo. Try again on an idle machine.")
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    path = IMAGES / f"{name}.png"
    picture.save(path, optimize=True)
    if path.stat().st_size > MOST_BYTES:
        picture.quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"{path.name}: {path.stat().st_size // 1024} KB")


if __name__ == "__main__":
    main()
