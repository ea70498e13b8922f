"""How often phones may begin a game."""

from helpers.audience import Phones
from helpers.simulated import now_us, table
from hextraction.controller.payloads.messages import Command


def test_no_phone_fills_the_history_with_empty_games():
    """Ten games in five minutes may begin; then one has to wait, and later it may again. A refused word is no game."""
    made = table(9, players=2, people=True)
    phones = made.host.audience = Phones()
    begun = []

    def asks(words, at_us):
        made.host.command("red", Command(id=f"c{len(phones.replies)}", table=words), at_us)
        return phones.replies[-1][1]

    def begins(at_us):
        answer = asks({"do": "start"}, at_us)
        if answer.ok:
            begun.append(made.host.runtime.game)
            leaving = Command(id=f"l{at_us}", game=begun[-1], act=dict(made.host.game.leaving))
            made.host.command("red", leaving, at_us + 1)
            made.host.refresh(at_us + 1)
        return answer

    start_us = now_us(made)
    for _refused in range(12):
        assert not asks({"do": "rematch"}, start_us).ok
    for number in range(12):
        last = begins(start_us + number * 1_000_000)
    assert len(set(begun)) == 10
    assert "Ten games have begun in five minutes" in last.reason
    assert begins(start_us + 301_000_000).ok
