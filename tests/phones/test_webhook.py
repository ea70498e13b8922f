"""Facts about the webhook: signed, in order, tried again, given up, bounded, and never in the table's way."""

import asyncio
import contextlib
import hashlib
import hmac
import json
import time

import pytest
from helpers.ports import free_port
from helpers.receiver import dripping, receiver
from helpers.waiting import happens
from hextraction.controller.config import HAPPENINGS
from hextraction.controller.payloads.house import News, happenings
from hextraction.controller.phones.webhook import Webhook

SECRET = "hush"
QUICK = (0.0, 0.0, 0.0, 0.0)


def news(seq, what="goal"):
    """Return something that happened."""
    return News(event_type=what, game="g", seq=seq, at_us=seq)


def seqs(posts):
    """Return which posts these are."""
    return [json.loads(body)["seq"] for _, body in posts]


@contextlib.contextmanager
def hook_to(url, *, on=HAPPENINGS, pauses_s=QUICK):
    """Post there while the block runs."""
    hook = Webhook(url, SECRET, on, pauses_s=pauses_s)
    hook.start()
    try:
        yield hook
    finally:
        hook.close()


def test_each_post_is_signed_with_its_time():
    """Whoever has the secret can tell that it is ours, and how old it is."""
    with receiver() as (url, wait), hook_to(url) as hook:
        hook.post(news(1))
        headers, body = wait(1)[0]

    text = headers["Hextraction-Time"].encode() + b"." + body
    wanted = hmac.new(SECRET.encode(), text, hashlib.sha256).hexdigest()
    assert headers["Hextraction-Signature"] == f"sha256={wanted}"
    assert abs(int(headers["Hextraction-Time"]) - time.time()) < 300
    assert json.loads(body) == {"event_type": "goal", "game": "g", "seq": 1, "at_us": 1}


def test_posts_come_in_order_and_only_of_what_was_asked_for():
    """One after the other, however many at once."""
    with receiver() as (url, wait), hook_to(url, on=("win",)) as hook:
        for seq in range(20):
            hook.post(news(seq, "win" if seq % 2 else "goal"))
        posts = wait(10)

    assert seqs(posts) == list(range(1, 20, 2))


def test_what_fails_is_sent_again_under_the_same_id_before_anything_newer():
    """A receiver that was away gets everything once, in order, and knows what it has had."""
    with receiver(500, 429, 503) as (url, wait), hook_to(url) as hook:
        hook.post(news(1))
        hook.post(news(2))
        posts = wait(5)

    assert seqs(posts) == [1, 1, 1, 1, 2]
    assert len({headers["Hextraction-Id"] for headers, _ in posts}) == 2


@pytest.mark.parametrize("status", [302, 400, 401, 404])
def test_a_refusal_is_told_once_and_not_repeated(status, caplog):
    """It would be refused again; and no redirect is followed, as it was signed for this address."""
    with receiver(status, status) as (url, wait), hook_to(url) as hook:
        hook.post(news(1))
        hook.post(news(2))
        wait(2)
        hook.post(news(3))
        posts = wait(3)

    assert seqs(posts) == [1, 2, 3]
    assert [line for line in caplog.messages if "webhook" in line] == [
        f"the webhook at {url.partition('/hook')[0]} answers {status}"
    ]


def test_one_that_is_never_taken_is_given_up():
    """After four more tries the next one has its turn."""
    with receiver(*[500] * 5) as (url, wait), hook_to(url) as hook:
        hook.post(news(1))
        wait(5)
        hook.post(news(2))
        posts = wait(6)

    assert seqs(posts) == [1] * 5 + [2]


def test_a_receiver_that_is_away_costs_the_table_nothing():
    """A thousand posts return at once, a hundred wait, and it ends although nobody takes them."""
    hook = Webhook(f"http://127.0.0.1:{free_port()}/secret-path", SECRET, HAPPENINGS, pauses_s=(3600.0,))
    hook.start()
    began_s = time.perf_counter()
    for seq in range(1000):
        hook.post(news(seq))

    assert time.perf_counter() - began_s < 1.0
    asyncio.run(happens(lambda: list(hook.problems)))
    told = next(hook.problems)
    hook.close()
    assert "cannot be reached" in told
    assert "secret" not in told


@pytest.mark.slow
def test_a_receiver_that_drips_its_answer_is_left_when_the_time_is_over():
    """Each byte comes in time, the answer never."""
    with dripping() as (url, gone):
        hook = Webhook(url, SECRET, HAPPENINGS, pauses_s=(), patience_s=1.0)
        hook.start()
        hook.post(news(1))
        assert gone.wait(20)
        asyncio.run(happens(lambda: list(hook.problems)))
        hook.close()
    assert next(hook.problems).endswith("cannot be reached: timed out")


def test_what_is_posted_can_be_told():
    """The configuration stands on a floor below the payloads and has a list of its own: they are the same."""
    assert happenings() == HAPPENINGS
