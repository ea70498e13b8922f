"""Build the wheel, install it in a clean venv, import every module from it, and play one game.

Run by `make wheel-check`. A sub-package or data folder that was forgotten in pyproject.toml works in an editable
install and is silently absent from the wheel; this is what notices.
"""

import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROOMS = ("api", "board", "controller", "hal", "settings", "simulator", "systemd", "testing")
WITH_MODELS = ("hextraction.simulator.models.", "hextraction.controller.workshop.printed.")
"""Modules that need the extra ``models``."""
WITH_TESTING = ("hextraction.testing",)
"""Modules that need the extra ``testing``."""


def expected_modules() -> list[str]:
    """Return the names of all modules in the checkout."""
    files = [path for room in ROOMS for path in (ROOT / room).rglob("*.py") if "firmware" not in path.parts]
    parts = [path.relative_to(ROOT).with_suffix("").parts for path in files]
    return sorted(".".join(("hextraction", *(part for part in one if part != "__init__"))) for one in parts)


def run(*command: object) -> str:
    """Run a command; stop with its output if it fails."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stdout, done.stderr, file=sys.stderr)
        raise SystemExit(f"failed: {' '.join(map(str, command))}")
    return done.stdout


def _installs_itself(python: Path, wheel: Path, folder: Path) -> None:
    """Let the installed program make a wheel of itself, as `hextraction install` does; it holds the same."""
    again = folder / "again"
    again.mkdir()
    code = "import pathlib, sys; from hextraction.systemd.own_wheel import own_wheel; own_wheel(pathlib.Path(sys.argv[1]))"
    run(python, "-I", "-c", code, again)
    first, second = zipfile.ZipFile(wheel), zipfile.ZipFile(again / wheel.name)
    for archive in (first, second):
        if "hextraction/wiring/starter.toml" not in archive.namelist():
            raise SystemExit(f"{archive.filename}: the starter's wiring is not in it")
    if sorted(first.namelist()) != sorted(second.namelist()):
        raise SystemExit(f"not the same: {set(first.namelist()) ^ set(second.namelist())}")
    run(python, "-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall", again / wheel.name)


def main() -> None:
    """Check the wheel."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run(sys.executable, "-m", "build", "--wheel", "--outdir", folder, ROOT)
        wheel = next(folder.glob("*.whl"))
        tops = {entry.split("/")[0] for entry in zipfile.ZipFile(wheel).namelist()}
        unexpected = {top for top in tops if top != "hextraction" and not top.endswith(".dist-info")}
        if unexpected:
            raise SystemExit(f"the wheel has other top-level names: {unexpected}")
        venv.create(folder / "venv", with_pip=True)
        python = folder / "venv" / "bin" / "python"
        pip = (python, "-m", "pip", "install", "--quiet")
        run(*pip, "--require-hashes", "--requirement", ROOT / "requirements" / "sim.lock")
        run(*pip, "--no-deps", wheel)
        code = "import importlib, sys\nfor name in sys.argv[1:]: importlib.import_module(name)"
        modules = expected_modules()
        late = [module for module in modules if module.startswith(WITH_MODELS)]
        tests = [module for module in modules if module.startswith(WITH_TESTING)]
        run(python, "-I", "-c", code, *(module for module in modules if module not in {*late, *tests}))
        data = "from hextraction.controller.clauses import load_clauses; assert len(load_clauses()) > 200"
        run(python, "-I", "-c", data)
        hextraction = folder / "venv" / "bin" / "hextraction"
        _installs_itself(python, wheel, folder)
        run(hextraction, "wiring", folder / "hub-lean")
        run(hextraction, "check", folder / "hub-lean.toml")
        if "demo" not in run(hextraction, "--help"):
            raise SystemExit("--help does not speak of the demo")
        journal = folder / "games.db"
        said = run(hextraction, "demo", "--games", 1, "--speed", 0, "--seed", 7, "--port", 0, "--host", "127.0.0.1",
                   "--journal", journal)  # fmt: skip
        if "Game demo-" not in said or not journal.exists():
            raise SystemExit(f"the demo did not play to its end:\n{said}")
        run(*pip, "--require-hashes", "--requirement", ROOT / "requirements" / "models.lock")
        run(python, "-I", "-c", code, *late)
        run(*pip, f"{wheel}[testing]")
        run(python, "-I", "-c", code, *tests)
        print(
            f"{wheel.name}: {len(modules)} modules import, one game played:\n{said.strip().splitlines()[-3]}"
        )


if __name__ == "__main__":
    main()
