"""Debounced edge to light, and roll to gate, as the product runs; beside MPF's hit to light and coil.

Ours: a clean hal edge into the table of ``hextraction run`` (health, host, runtime): tracked, journalled in
SQLite, judged by the rules, told to the log, shown on the lamps. The light is the frame that the chain of
lamps has taken over; the gate is the coil that the guard has switched on after a player's wish to roll.
Theirs: a switch change, its event, a Python handler that sets the light's colour or pulses the coil, until
the virtual platform has it.
"""

from contextlib import ExitStack
from pathlib import Path
from statistics import median

from bench.recorded import Game
from bench.tables import Spread, per_pass_ratio, ratio, show
from bench.workers import Worker, mpf_present, mpf_worker, our_worker

__all__ = ["run"]

HEADINGS = ("edge -> light and gate (us)", "samples", "p50", "p99", "CPU/change", "p50 : MPF default",
            "p99 : MPF default", "p50 : MPF production")  # fmt: skip
AIM_P50_US, AIM_P99_US = 50, 300
_MPF_CYCLE = 44
"""Each of 22 switches closed and opened: MPF's passes are whole cycles."""

Passes = list[list[float]]


class _Taken:
    """What the passes of one row took."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.passes: Passes = []
        self.cpu: list[float] = []

    def add(self, samples: list[float], cpu: list[float]) -> None:
        self.passes.append(samples)
        self.cpu.append(sum(cpu) / len(cpu) if cpu else 0.0)

    def of(self, percent: int) -> list[float]:
        """Return the percentile (50 or 99) of each pass."""
        spreads = [Spread.of(samples) for samples in self.passes]
        return [spread.p50 if percent == 50 else spread.p99 for spread in spreads]

    def row(self, default: "_Taken | None", production: "_Taken | None") -> tuple[str, ...]:
        pooled = [sample for samples in self.passes for sample in samples]
        spread = Spread.of(pooled)
        cpu = f"{median(self.cpu):.0f}" if any(self.cpu) else "-"
        return (
            self.name,
            str(len(pooled)),
            f"{spread.p50:.0f}",
            f"{spread.p99:.0f}",
            cpu,
            ratio(per_pass_ratio(self.of(50), default.of(50)) if default else None),
            ratio(per_pass_ratio(self.of(99), default.of(99)) if default else None),
            ratio(per_pass_ratio(self.of(50), production.of(50)) if production else None),
        )


def run(folder: Path, recordings: Path, games: list[Game], *, passes: int, with_mpf: bool) -> None:
    """Measure and print. MPF is left out if it is not installed or not wanted."""
    changes = max(1, sum(game.edges for game in games) // _MPF_CYCLE) * _MPF_CYCLE
    ours = {"light_us": _Taken("ours: edge -> light of its slot"), "gate_us": _Taken("ours: roll -> gate"),
            "edge_us": _Taken("ours: any edge, all of it"),
            "wake_us": _Taken("ours: time passed (settling a roll)")}  # fmt: skip
    theirs = {
        (mode, doing): _Taken(f"MPF {mode}: hit -> {doing}")
        for mode in ("default", "production")
        for doing in ("light", "coil")
    }
    version = ""
    with ExitStack() as stack:
        worker = stack.enter_context(our_worker(folder, recordings))
        peers: dict[str, Worker] = {}
        if with_mpf and mpf_present():
            peers = {
                mode: stack.enter_context(mpf_worker(folder, mode)) for mode in ("default", "production")
            }
            version = str(peers["default"].hello["version"])
        for number in range(passes + 1):
            _pass(worker, peers, ours, theirs, changes=changes, counts=number > 0)
    _print(ours, theirs if peers else {}, version)


def _pass(
    worker: Worker,
    peers: dict[str, Worker],
    ours: dict[str, _Taken],
    theirs: dict[tuple[str, str], _Taken],
    *,
    changes: int,
    counts: bool,
) -> None:
    """Let each side play once, one after the other; the first time is only to warm up."""
    answer = worker.ask("edges")
    if counts:
        for name, taken in ours.items():
            taken.add(answer[name], answer["cpu_us"] if name == "edge_us" else [])
    for (mode, doing), taken in theirs.items():
        if mode in peers:
            answer = peers[mode].ask(f"{doing} {changes}")
            if counts:
                taken.add(answer["hit_us"], answer["cpu_us"])


def _print(ours: dict[str, _Taken], theirs: dict[tuple[str, str], _Taken], version: str) -> None:
    rows = []
    for name, taken in ours.items():
        doing = {"light_us": "light", "gate_us": "coil"}.get(name, "")
        rows.append(taken.row(theirs.get(("default", doing)), theirs.get(("production", doing))))
    rows += [taken.row(None, None) for taken in theirs.values()]
    light, gate = (
        Spread.of([one for each in ours[name].passes for one in each]) for name in ("light_us", "gate_us")
    )
    show(
        "1. Debounced edge to light and gate",
        HEADINGS,
        rows,
        f"Aim: p50 <= {AIM_P50_US} us, p99 <= {AIM_P99_US} us, half of MPF's default (ratio <= 0.50): "
        f"light {_verdict(light)}, gate {_verdict(gate)}.",
        f"Peer: Mission Pinball Framework {version}, virtual platform; default log level 15, to a file."
        if version
        else "Peer: not measured (no .bench-venv; `make bench` makes it).",
        "Ours also tracks balls, applies rules and commits a journal before acting; MPF does none of these.",
    )


def _verdict(spread: Spread) -> str:
    met = spread.p50 <= AIM_P50_US and spread.p99 <= AIM_P99_US
    return (
        "met" if met else f"missed ({spread.p50 / AIM_P50_US:.1f} x p50, {spread.p99 / AIM_P99_US:.1f} x p99)"
    )
