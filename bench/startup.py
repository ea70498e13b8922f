"""Start-up to ready, and peak memory: ``hextraction run`` without page, ``mpf game`` without display.

Both end as soon as they are ready, ours by ``--exit-when-ready``, MPF by stopping at its
``reset_complete``; so both figures hold a whole start and an orderly end. MPF runs once without its cache
of parsed settings, as at a first start, and once with it.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median

from bench.mpf_machine import write_machine
from bench.tables import ratio, show
from bench.workers import BENCH, MPF_PYTHON, mpf_present

__all__ = ["run"]

HEADINGS = (
    "start-up to ready",
    "runs",
    "wall s",
    "best s",
    "CPU s",
    "peak MiB",
    "wall : MPF",
    "memory : MPF",
)
AIM_S, AIM_MIB = 0.40, 40.0
OURS, BARE, COLD, WARM = "hextraction run", "python -c pass", "mpf game (no cache)", "mpf game (warm cache)"

Run = dict[str, float]


def run(folder: Path, *, runs: int, with_mpf: bool) -> None:
    """Measure and print."""
    commands = _commands(folder, with_mpf=with_mpf and mpf_present())
    taken: dict[str, list[Run]] = {name: [] for name in commands}
    for number in range(runs + 1):
        for name, command in commands.items():
            one = _measure(command)
            if number:
                taken[name].append(one)
    peer = taken.get(COLD)
    rows = [_row(name, each, peer if name == OURS else None) for name, each in taken.items()]
    wall, peak = (median(one[key] for one in taken[OURS]) for key in ("wall_s", "peak_mib"))
    show(
        "3. Start-up and memory",
        HEADINGS,
        rows,
        f"Aim: <= {AIM_S} s and <= {AIM_MIB:.0f} MiB: time {'met' if wall <= AIM_S else 'missed'}, "
        f"memory {'met' if peak <= AIM_MIB else 'missed'}.",
        "Medians; a first run of each warms the disk and is left out. The ratio is to MPF without cache."
        if peer
        else "Peer: not measured (no .bench-venv).",
    )


def _commands(folder: Path, *, with_mpf: bool) -> dict[str, list[str]]:
    program = Path(sys.executable).with_name("hextraction")
    ours = [str(program), "run", "--no-electronics", "--no-page", "--exit-when-ready"]
    commands = {OURS: [*ours, "--journal", str(folder / "start.db")]}
    if with_mpf:
        cold, warm = (write_machine(folder / name, stops=True) for name in ("cold", "warm"))
        mpf = [str(MPF_PYTHON.with_name("mpf")), "game"]
        commands[COLD] = [*mpf, str(cold), "-t", "-b", "-x", "-a", "-A"]
        commands[WARM] = [*mpf, str(warm), "-t", "-b", "-x"]
    commands[BARE] = [sys.executable, "-c", "pass"]
    return commands


def _measure(command: list[str]) -> Run:
    asked = [sys.executable, "-I", "-S", str(BENCH / "measured.py"), *command]
    # Byte code on both sides: whoever forbids to write it compiles every module at each start.
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    run = subprocess.run(asked, capture_output=True, text=True, check=True, timeout=60, env=env)
    answer: Run = json.loads(run.stdout)
    if answer["status"] != 0:
        raise RuntimeError(f"ended with status {answer['status']:.0f}: {' '.join(command)}")
    return answer


def _row(name: str, runs: list[Run], peer: list[Run] | None) -> tuple[str, ...]:
    wall, cpu, peak = (median(one[key] for one in runs) for key in ("wall_s", "cpu_s", "peak_mib"))
    return (
        name,
        str(len(runs)),
        f"{wall:.2f}",
        f"{min(one['wall_s'] for one in runs):.2f}",
        f"{cpu:.2f}",
        f"{peak:.1f}",
        ratio(_pairwise(runs, peer, "wall_s")),
        ratio(_pairwise(runs, peer, "peak_mib")),
    )


def _pairwise(runs: list[Run], peer: list[Run] | None, key: str) -> float | None:
    if peer is None:
        return None
    return median(mine[key] / other[key] for mine, other in zip(runs, peer, strict=True))
