"""Runs a deck in ngspice; of its own because what is calculated must not know how it is run."""

import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final

__all__ = ["MODELS", "PROGRAM", "measured"]

PROGRAM: Final = shutil.which("ngspice")
_MEASURED: Final = re.compile(r"^(\w+)\s*=\s*([-+0-9.e]+)", re.MULTILINE)

MODELS: Final = """
.model SWITCH SW(Ron=0.03 Roff=100Meg Vt=0.5 Vh=0.1)
.model PMOS_HIGH PMOS(Vto=-1.8 Kp=20 Rs=5m Rd=5m)
.model NMOS_WEAK NMOS(Vto=0.65 Kp=10)
.model NMOS_LOW NMOS(Vto=1.4 Kp=40)
.model BODY D(Is=1e-12 Rs=10m)
.model BAT54 D(Is=1e-7 Rs=1 N=1.05)
.model SS34 D(Is=1e-6 Rs=40m)
.model CLAMP D(Is=1e-14 Rs=10)
.model TVS D(Is=1e-9 Rs=0.2 BV=16.7)
.model IRED D(Is=1e-17 N=1.4 Rs=2)
"""
"""Level-1 transistors and diodes. A weak N-MOSFET has the lowest threshold of its kind, which opens last."""


def measured(deck: str) -> dict[str, float]:
    """Run a deck and return its ``.meas`` results by lower-case name; one that failed is absent.

    Raises:
        RuntimeError: ngspice is not installed, or the deck does not run.
    """
    if PROGRAM is None:
        raise RuntimeError("ngspice is not installed: apt-get install ngspice")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "deck.cir"
        path.write_text(f"* made from board/design.toml\n{deck}\n{MODELS}\n.end\n", encoding="utf-8")
        done = subprocess.run(
            [PROGRAM, "-b", str(path)], cwd=folder, capture_output=True, text=True, timeout=60, check=False
        )
    if "Measurements" not in done.stdout:
        raise RuntimeError(
            f"ngspice did not run this deck:\n{done.stdout[-500:]}{done.stderr[-1500:]}\n{deck}"
        )
    return {name.lower(): float(value) for name, value in _MEASURED.findall(done.stdout)}
