"""The example of a webhook's receiver hears our posts, each once, and nobody else's."""

import contextlib
import http.client
import queue
import runpy
import subprocess
import sys
import threading
import time

import pytest
from helpers.places import ROOT
from hextraction.controller.config import HAPPENINGS
from hextraction.controller.payloads.house import News
from hextraction.controller.phones.webhook import Webhook, signed

EXAMPLE = runpy.run_path(str(ROOT / "examples" / "hear_goals.py"))
BODY = b'{"event_type":"goal","game":"g","seq":1,"at_us":1}'


@pytest.fixture
def hearing():
    """Its server on a free port, and a queue of what it has heard."""
    heard = queue.Queue()
    server = EXAMPLE["Hears"]("hush", 0, heard.put)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield server.server_address[1], heard
    server.shutdown()
    server.server_close()
    thread.join()


def post(port, key="hush", late_s=0, name="a"):
    """Post to it as somebody with that secret; return the status of its answer."""
    at_s = int(time.time()) - late_s
    headers = {
        "Hextraction-Id": name,
        "Hextraction-Time": str(at_s),
        "Hextraction-Signature": f"sha256={signed(key, at_s, BODY)}",
    }
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as line:
        line.request("POST", "/", BODY, headers)
        return line.getresponse().status


def test_it_hears_what_a_board_posts(hearing):
    """With the secret of its configuration."""
    port, heard = hearing
    hook = Webhook(f"http://127.0.0.1:{port}/", "hush", HAPPENINGS)
    hook.start()
    hook.post(News(event_type="goal", game="g", seq=1, at_us=1, text="A ball is in the left end zone."))
    told = heard.get(timeout=20)
    hook.close()
    assert (told["event_type"], told["text"]) == ("goal", "A ball is in the left end zone.")


def test_it_hears_each_post_once(hearing):
    """One that is sent again, as its answer was lost, is answered as before."""
    port, heard = hearing
    assert [post(port), post(port), post(port, name="b")] == [204, 204, 204]
    assert heard.qsize() == 2


@pytest.mark.parametrize("wrong", [{"key": "guessed"}, {"late_s": 3600}, {"late_s": -3600}])
def test_it_believes_nobody_else(hearing, wrong):
    """Neither whoever has not the secret, nor who sends again what was posted long ago."""
    port, heard = hearing
    assert post(port, **wrong) == 403
    assert heard.empty()


@pytest.mark.parametrize("words", [[], ["--help"], ["no-such-file"]])
def test_it_says_what_it_wants(words):
    """Without a file that has the secret in it: one sentence, no traceback."""
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / "hear_goals.py", *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "want the file with the secret: python examples/hear_goals.py webhook.secret\n"
