"""How long strong bots think: the longest slice, in which the table waits, and a whole choice.

    python -m bench.thinking [--moments 40]

Moments are taken evenly from a game by weak bots, for each game that is registered. Times are of the
processor, in milliseconds; a slice should stay under 100, a choice under 1,000.
"""

import argparse
import random
import time
from collections.abc import Iterator

from hextraction.controller.games.registry import kinds
from hextraction.controller.games.strategy import Sight, Temper
from hextraction.testing.evenings import Evening, evening, seats_of

CALM = Temper(whim=0.0)


def run(moments: int) -> None:
    """Measure all games and print a row for each."""
    print(
        "| game | choices | longest slice, ms | choice p50, ms | longest choice, ms |\n|---|---|---|---|---|"
    )
    for kind in kinds():
        found = list(_choices(evening(kind, 0), moments))
        if not found:
            print(f"| {kind} | 0 | | | |")
            continue
        whole = sorted(sum(slices) for slices in found)
        longest = max(max(slices) for slices in found)
        print(f"| {kind} | {len(found)} | {longest:.0f} | {whole[len(whole) // 2]:.0f} | {whole[-1]:.0f} |")


def _choices(played: Evening, moments: int) -> Iterator[list[float]]:
    """Yield how long each slice of a choice took, for up to so many choices with more than one answer."""
    game, seats = played.game, seats_of(played.game, played.states[0])
    bots = {seat: game.strategy("strong") for seat in seats}
    left = moments
    for state in played.states[:: max(1, len(played.states) // (4 * moments))]:
        for seat, bot in bots.items():
            view = game.private(state, seat)
            choices = bot.choices(view, None)
            if len(choices) > 1 and left:
                left -= 1
                sight = Sight(dict, lambda now=state: game.scene(now))  # type: ignore[misc]
                yield _timed(bot.ponder(view, choices, sight, random.Random(left), CALM))


def _timed(thinking: Iterator[dict[str, object] | None]) -> list[float]:
    """Return the processor's milliseconds of each slice, up to the one that brought the act."""
    slices, began = [], time.process_time()
    for act in thinking:
        slices.append(1000 * (time.process_time() - began))
        if act is not None:
            break
        began = time.process_time()
    return slices


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--moments", type=int, default=40)
    run(parser.parse_args().moments)
