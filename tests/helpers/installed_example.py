"""The examples, as if they were installed: found by their entry points, though nothing was copied anywhere."""

import contextlib
import re
import sys
import tomllib

import pytest
from helpers.places import ROOT

__all__ = ["KIND", "ROOM", "example_is_installed", "lay_out", "lay_out_example", "somebodys_game"]

ROOM = ROOT / "examples" / "light_the_ring"
KIND = "ring"


def lay_out(folder, name, version, entry_points):
    """Put into a folder what makes Python find a distribution there, with these entry points by group."""
    said = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    said.mkdir()
    (said / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", encoding="utf-8"
    )
    points = "".join(
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in some.items())
        for group, some in entry_points.items()
    )
    (said / "entry_points.txt").write_text(points, encoding="utf-8")


def lay_out_example(folder, room):
    """Put into a folder what makes Python find an example as a distribution."""
    project = tomllib.loads((room / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lay_out(folder, project["name"], project["version"], project["entry-points"])


@contextlib.contextmanager
def example_is_installed(folder, room=ROOM):
    """Let Python find an example as a distribution of its own while the block runs; ``folder`` is empty."""
    lay_out_example(folder, room)
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(room)
        patched.syspath_prepend(folder)
        # Its modules stay: evenings that were played are kept, and would else be of other classes the next time.
        yield


@contextlib.contextmanager
def somebodys_game(folder, kind, code, *, module=None, attribute="Theirs"):
    """Let Python find a package of somebody else's while the block runs, which adds a game by this code."""
    module = module or f"theirs_{re.sub('[^a-z]', '_', kind.casefold())}"
    (folder / module).mkdir()
    (folder / module / "__init__.py").write_text(code, encoding="utf-8")
    (folder / module / "page").mkdir()
    lay_out(folder, "somebodys-game", "0.1", {"hextraction.games": {kind: f"{module}:{attribute}"}})
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(ROOM)
        patched.syspath_prepend(folder)
        yield
        sys.modules.pop(module, None)
