"""The worker of our side: one word a line on standard input, one JSON object a line on standard output.

    python bench/our_worker.py JOURNAL RECORDINGS

``edges`` and ``rules`` each play the recorded games once. Logs go to standard error at the product's
defaults.
"""

import json
import sys
from pathlib import Path

from hextraction.controller.app.process import be_prompt
from hextraction.controller.logs import set_up_logs

from bench.our_table import Passes
from bench.recorded import load_games


def main() -> None:
    """Answer until standard input ends."""
    journal, recordings = map(Path, sys.argv[1:])
    set_up_logs("info", "text")
    be_prompt()  # as `hextraction run` does
    passes = Passes(load_games(recordings), journal)
    words = {"edges": passes.edges, "rules": passes.rules}
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        print(json.dumps(words[line.strip()]()), flush=True)


if __name__ == "__main__":
    main()
