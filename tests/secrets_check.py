"""Many games by bots, and at each moment a look for secrets: ``python -m secrets_check --game hexel --games 1000``.

Run it with PYTHONPATH=tests. Every game has to end, nothing may be refused, no rule may fail, and with other
hands and another deck everybody has to see the same. Prints how the games ended; ends with status 1 if one of
that is not so.
"""

import argparse
import random
import sys
from collections import Counter

from helpers.hexagon.secrets import leaks
from hextraction.board.profile import load_board
from hextraction.controller.games.protocol import Seated
from hextraction.controller.games.registry import game_type
from hextraction.controller.study.table import StudyTable

SEATS = ("red", "blue", "green", "yellow", "violet", "white")
BOARDS = ("fx-19", "large-27", "large-32", "standard-22")


def play(kind, number, strength, every):
    """Play one game; return how it ended, at how many moments it was looked at, and what was wrong."""
    luck = random.Random(f"secrets/{kind}/{number}")
    game = game_type(kind).on(load_board(luck.choice(BOARDS)))
    seats = tuple(Seated(seat, seat.title()) for seat in SEATS[: luck.choice(game.seats)])
    table = StudyTable(game, game.draw(seats, luck, (), 0), luck, (strength,))
    looked, wrong, going = 0, [], True
    while going and not table.over:
        going = table.go_on()
        if not table.over and len(table.events) % every == 0:
            looked += 1
            wrong += [
                f"{seat} sees a secret after event {len(table.events)}" for seat in leaks(game, table.state)
            ]
    wrong += [f"refused: {one}" for one in table.tally.refusals]
    wrong += [f"failed: {one.splitlines()[-1]}" for one in table.tally.failures.values()]
    wrong += [] if table.over else ["stuck"]
    return game.ending(table.state, ""), looked, wrong


def main():
    """Play what is asked for; return the exit status."""
    parser = argparse.ArgumentParser(prog="secrets_check", description=__doc__)
    parser.add_argument("--game", choices=("hextris", "extraction", "hexel"), required=True)
    parser.add_argument("--games", type=int, default=1000, help="how many (default 1000)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first one (default 0)")
    parser.add_argument("--bots", choices=("weak", "strong"), default="weak")
    parser.add_argument("--every", type=int, default=1, help="look after so many events (default 1)")
    options = parser.parse_args()
    endings, moments, faults = Counter(), 0, 0
    for number in range(options.first, options.first + options.games):
        ended, looked, wrong = play(options.game, number, options.bots, options.every)
        endings[ended] += 1
        moments += looked
        faults += bool(wrong)
        for one in wrong[:3]:
            print(f"game {number}: {one}", flush=True)
    told = ", ".join(f"{ended} {count}" for ended, count in endings.most_common())
    print(
        f"{options.games} games of {options.game}: {told}; looked at {moments} moments; {faults} games with faults"
    )
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
