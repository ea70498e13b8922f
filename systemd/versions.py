"""The versions of the program on the machine: a new one stands beside the used one until it has been checked.

Each is an environment in a folder of its own below ``versions``, with a number; what is used is a link. Of
the others the last one that was used is kept, so that there is a way back.
"""

from .hand import Hand, InstallError
from .places import HOME, VENV

__all__ = ["VERSIONS", "last", "new", "take", "used"]

VERSIONS = f"{HOME}/versions"
_PROVED = "proved"
"""A file in a version that has been used: what a killed installer left behind has none."""


def used(hand: Hand) -> str:
    """Return the folder of the version that is used; empty if there is none."""
    link = hand.at(VENV)
    if link.is_symlink():
        return str(link.readlink())
    # Earlier installers had only this one folder.
    return VENV if link.is_dir() else ""


def new(hand: Hand) -> str:
    """Return the folder of the version to be built next."""
    return f"{VERSIONS}/{max([0, *_numbers(hand)]) + 1}"


def last(hand: Hand) -> str:
    """Return the version that was used before the present one.

    Raises:
        InstallError: there is none.
    """
    before = [
        version
        for version in (f"{VERSIONS}/{number}" for number in _numbers(hand))
        if version != used(hand) and hand.at(f"{version}/{_PROVED}").exists()
    ]
    if not before:
        raise InstallError(
            f"want a version before this one in {VERSIONS}, found none: there has been no upgrade"
        )
    return before[-1]


def take(hand: Hand, version: str) -> None:
    """Use a version from now on; keep the one that was used until now, and no other."""
    before = used(hand)
    hand.put(f"{version}/{_PROVED}", "", why="noting that it may be used")
    if before == VENV:
        before = f"{VERSIONS}/{max([0, *_numbers(hand)]) + 1}"
        hand.put(f"{VENV}/{_PROVED}", "", why="keeping the version before")
        hand.move(VENV, before)
    hand.link(VENV, version, why="using this version from now on")
    for other in (f"{VERSIONS}/{number}" for number in _numbers(hand)):
        if other not in {version, before}:
            hand.remove(other)


def _numbers(hand: Hand) -> list[int]:
    """Return the numbers of all versions, ascending."""
    folder = hand.at(VERSIONS)
    found = folder.iterdir() if folder.is_dir() else ()
    return sorted(int(path.name) for path in found if path.name.isdecimal())
