"""Uninstalls everything: what :mod:`.places` lists, and what was created from it."""

from pathlib import Path

from .hand import Hand
from .machine import Machine, boot_text, read_machine
from .places import (
    BACK_OFF,
    BY_MACHINE,
    CLUB,
    COMMAND,
    COMPLETIONS,
    FILES,
    GAMES,
    GROUPS,
    HOME,
    HOTSPOT,
    PACKAGES,
    PROJECT,
    SETTINGS,
    UNITS,
)

__all__ = ["groups", "unfit", "uninstall", "wanted_groups", "write_boot"]

_USER = "hextraction"


def uninstall(hand: Hand, *, purge: bool) -> None:
    """Remove everything; games and settings only with ``purge``."""
    if hand.running:
        for unit in UNITS:
            hand.do("systemctl", "disable", "--now", unit, why="stopping", may_fail=True)
    _give_up_packages(hand)
    noted = hand.at(GROUPS).read_text(encoding="utf-8").split() if hand.at(GROUPS).is_file() else []
    for path in (*FILES.values(), "/etc/systemd/system/hextraction.service.d"):
        hand.remove(path)
    for unit in UNITS:
        hand.remove(f"/etc/systemd/system/multi-user.target.wants/{unit}")
    for path in (COMMAND, *COMPLETIONS.values(), HOME, *CLUB, HOTSPOT, "/run/hextraction"):
        hand.remove(path)
    write_boot(hand, None)
    if purge:
        hand.remove(SETTINGS)
        hand.remove(GAMES)
    _forget_user(hand, keep=not purge)
    _forget_groups(hand, sorted({*noted, _USER}))
    if hand.running:
        hand.do("systemctl", "daemon-reload", why="systemd forgets the unit")
        hand.do("udevadm", "control", "--reload", why="udev forgets the rules", may_fail=True)
    if not purge:
        hand.say(f"kept: {SETTINGS} and {GAMES} (settings and games); PURGE=1 removes them, too")


def unfit(hand: Hand) -> None:
    """Take away what :func:`.steps.fit` has put beside a Debian package; user, games and settings stay."""
    for name in sorted(BY_MACHINE):
        hand.remove(FILES[name])
    hand.remove_if_empty(str(Path(FILES[BACK_OFF]).parent))
    write_boot(hand, None)


def write_boot(hand: Hand, machine: Machine | None) -> bool:
    """Write the boot configuration, for this machine or without our lines; return whether it changed."""
    path = (machine or read_machine(hand.root)).boot_file
    if path is None or (machine is not None and not machine.model):
        return False
    before = hand.at(path).read_text(encoding="utf-8")
    return hand.put(path, boot_text(before, machine), mode=0o755, why="the boot configuration")


def groups(hand: Hand) -> dict[str, set[str]]:
    """Return the target's groups with their members."""
    listed = hand.at("/etc/group")
    lines = listed.read_text(encoding="utf-8").splitlines() if listed.is_file() else []
    rows = [line.split(":") for line in lines if line.count(":") == 3]
    return {row[0]: set(filter(None, row[3].split(","))) for row in rows}


def wanted_groups() -> set[str]:
    """Return the groups that the service's user needs: its own and those of the devices."""
    rules = (PROJECT / "systemd" / "hextraction.sysusers").read_text(encoding="utf-8").splitlines()
    return {line.split()[-1] for line in rules if line.startswith(f"m {_USER} ")} | {_USER}


def _give_up_packages(hand: Hand) -> None:
    """Hand the packages we installed back to apt: the next autoremove drops those that nothing else needs."""
    noted = hand.at(PACKAGES)
    if noted.is_file() and (names := noted.read_text(encoding="utf-8").split()):
        hand.do("apt-mark", "auto", *names, why="packages that came with it", may_fail=True)
        hand.say("`sudo apt-get autoremove` removes those that nothing else needs")


def _forget_user(hand: Hand, *, keep: bool) -> None:
    """Remove the user; kept files belong to root until the next installation."""
    if keep:
        for path in (SETTINGS, GAMES):
            if hand.at(path).exists():
                hand.do("chown", "-R", "root:root", path, why="kept, owned by root", may_fail=True)
    passwd = hand.at("/etc/passwd")
    if passwd.is_file() and "\nhextraction:" in f"\n{passwd.read_text(encoding='utf-8')}":
        hand.do("userdel", "hextraction", why="removing the service's user", may_fail=True)


def _forget_groups(hand: Hand, ours: list[str]) -> None:
    """Remove the groups we created; one that somebody else has joined since stays."""
    left = groups(hand)
    for name in ours:
        if name in left and not left[name] - {_USER}:
            hand.do("groupdel", name, why="removing a group that came with it", may_fail=True)
