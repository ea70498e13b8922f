"""The example game, as if it were installed: found by its entry point, though nothing was copied anywhere."""

import contextlib
import tomllib

import pytest
from helpers.places import ROOT

__all__ = ["KIND", "ROOM", "example_is_installed"]

ROOM = ROOT / "examples" / "light_the_ring"
KIND = "ring"


@contextlib.contextmanager
def example_is_installed(folder):
    """Let Python find the example as a distribution of its own while the block runs; ``folder`` is empty."""
    project = tomllib.loads((ROOM / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    said = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    said.mkdir()
    (said / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n", encoding="utf-8"
    )
    points = "".join(
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in some.items())
        for group, some in project["entry-points"].items()
    )
    (said / "entry_points.txt").write_text(points, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(ROOM)
        patched.syspath_prepend(folder)
        # Its modules stay: evenings that were played are kept, and would else be of other classes the next time.
        yield
