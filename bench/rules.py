"""Edge to provisional fact to rules: tracker and game alone, without journal, log, lamps or coils.

MPF's nearest thing, in production mode (no log either): a switch change, its event, a counter (logic block)
that counts it, and the event the counter posts. It knows no balls, routes, tiles or turns: the ratio says
what knowing them costs.
"""

from contextlib import ExitStack
from pathlib import Path
from statistics import median

from bench.recorded import Game
from bench.tables import Spread, per_pass_ratio, ratio, show
from bench.workers import mpf_present, mpf_worker, our_worker

__all__ = ["run"]

HEADINGS = ("edge -> fact -> rules (us)", "samples", "p50", "p99", "CPU/change", "p50 : MPF")
_MPF_CYCLE = 44


def run(folder: Path, recordings: Path, games: list[Game], *, passes: int, with_mpf: bool) -> None:
    """Measure and print."""
    changes = max(1, sum(game.edges for game in games) // _MPF_CYCLE) * _MPF_CYCLE
    ours: list[dict[str, list[float]]] = []
    theirs: list[dict[str, list[float]]] = []
    with ExitStack() as stack:
        worker = stack.enter_context(our_worker(folder, recordings))
        peer = None
        if with_mpf and mpf_present():
            peer = stack.enter_context(mpf_worker(folder, "production", counters=True))
        for _pass in range(passes + 1):
            ours.append(worker.ask("rules"))
            if peer is not None:
                theirs.append(peer.ask(f"rules {changes}"))
    _print(ours[1:], theirs[1:])


def _print(ours: list[dict[str, list[float]]], theirs: list[dict[str, list[float]]]) -> None:
    hits = [Spread.of(each["hit_us"]).p50 for each in theirs]
    rows = [
        _row("ours: edge with a fact", ours, "fact_us", hits, cpu=False),
        _row("ours: any edge", ours, "edge_us", hits),
    ]
    if theirs:
        rows.append(_row("MPF production: hit -> counter -> event", theirs, "hit_us", []))
    show(
        "2. Edge to provisional fact to rules",
        HEADINGS,
        rows,
        "The first pass warms up and is left out." if theirs else "Peer: not measured (no .bench-venv).",
    )


def _row(
    name: str, passes: list[dict[str, list[float]]], key: str, hits: list[float], *, cpu: bool = True
) -> tuple[str, ...]:
    pooled = [sample for each in passes for sample in each[key]]
    spread = Spread.of(pooled)
    spent = median(sum(each["cpu_us"]) / len(each["cpu_us"]) for each in passes)
    mine = [Spread.of(each[key]).p50 for each in passes]
    return (
        name,
        str(len(pooled)),
        f"{spread.p50:.0f}",
        f"{spread.p99:.0f}",
        f"{spent:.0f}" if cpu else "-",
        ratio(per_pass_ratio(mine, hits) if hits else None),
    )
