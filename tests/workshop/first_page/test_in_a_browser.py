"""The first page in a browser: somebody sets a board up with taps alone."""

import asyncio
import contextlib
import threading

import pytest
from helpers.page.browser import NEEDS, PHONE, expect, wrong_with
from hextraction.controller.config import read_config
from hextraction.controller.workshop.first_page.answers import FirstPage
from hextraction.controller.workshop.first_page.command import Machine, serve

pytestmark = NEEDS


@pytest.fixture
def first_page(tmp_path):
    """Serve a first page in a thread of its own, as the program does; yields its address."""
    machine = Machine(folder=tmp_path, port=0, service=False)
    first = FirstPage(host="localhost", service=True, carry_out=machine.carry_out)
    loop, ports = asyncio.new_event_loop(), []
    opened = threading.Event()

    async def run():
        await serve(first, "127.0.0.1", 0, opened=lambda port: (ports.append(port), opened.set()))

    task = loop.create_task(run())

    def turn():
        with contextlib.suppress(asyncio.CancelledError):
            loop.run_until_complete(task)

    thread = threading.Thread(target=turn)
    thread.start()
    assert opened.wait(30)
    yield f"http://127.0.0.1:{ports[0]}/", tmp_path
    loop.call_soon_threadsafe(task.cancel)
    thread.join(30)
    loop.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_somebody_sets_a_board_up_with_taps_alone(browser, first_page, theme):
    """Choose what was built, save: the settings are there. On a small phone, nothing to scroll sideways, axe content."""
    url, folder = first_page
    seen = browser.new_page(viewport=PHONE, color_scheme=theme, bypass_csp=True, locale="en-GB")
    seen.goto(url)
    assert wrong_with(seen) == []
    seen.get_by_text("Soldered by hand, with a Pico. Sees every slot").click()
    seen.get_by_role("button", name="Save and play").click()
    expect(seen.get_by_role("heading")).to_have_text("Your board is set up")
    assert wrong_with(seen) == []
    assert read_config(folder / "hextraction.toml").wiring == folder / "wiring.toml"
    seen.close()
