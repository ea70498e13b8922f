"""How often phones may begin a game."""

from helpers.audience import Phones
from helpers.simulated import now_us, table
from hextraction.controller.payloads.messages import Command


def test_no_phone_fills_the_history_with_empty_games():
    """Ten games in five minutes may begin; then one has to wait, and later it may again."""
    made = table(9, players=2, people=True)
    phones = made.host.audience = Phones()
    begun = []

    def begins(at_us):
        command = Command(id=f"c{len(phones.replies)}", table={"do": "start"})
        made.host.command("red", command, at_us)
        answer = phones.replies[-1][1]
        if answer.ok:
            begun.append(made.host.runtime.game)
            leaving = Command(id=f"l{at_us}", game=begun[-1], act=dict(made.host.game.leaving))
            made.host.command("red", leaving, at_us + 1)
            made.host.refresh(at_us + 1)
        return answer

    start_us = now_us(made)
    for number in range(12):
        last = begins(start_us + number * 1_000_000)
    assert len(set(begun)) == 10
    assert "Ten games have begun in five minutes" in last.reason
    assert begins(start_us + 301_000_000).ok
