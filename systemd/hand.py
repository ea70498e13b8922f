"""All changes that the installer makes to a machine go through here, so that it can also do a dry run.

All paths are absolute paths on the target; ``root`` is prepended. With a root other than ``/``, an image
that is prepared, every command runs inside it (systemd-nspawn): with its users, Python and package lists.
"""

import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

__all__ = ["NOT_INSTALLED", "Hand", "InstallError"]

NOT_INSTALLED: Final = 127

_NSPAWN: Final = ("systemd-nspawn", "--quiet", "--pipe", "--register=no", "--keep-unit")

_NOISE: Final = "Attempted to remove disk file system under "
"""What systemd-nspawn says at its end where /run is not a tmpfs, though nothing is wrong."""

Run = Callable[[Sequence[str]], tuple[int, str]]


class InstallError(RuntimeError):
    """What went wrong, where, and what to do about it; one line per problem."""


def run_for_real(command: Sequence[str]) -> tuple[int, str]:
    """Run a command; return its exit status and all its output."""
    try:
        done = subprocess.run(  # noqa: S603 - a list, no shell
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
    except FileNotFoundError:
        return NOT_INSTALLED, f"{command[0]} is not installed"
    words = (line for line in done.stdout.splitlines(keepends=True) if not line.startswith(_NOISE))
    return done.returncode, "".join(words)


class Hand:
    """Performs each step, or with ``dry`` only prints it; ``say`` gets one line per step.

    Args:
        root: the folder that is the target's ``/``.
        dry: change nothing.
        run: runs a command.
        say: prints a line for people.
    """

    def __init__(
        self,
        *,
        root: Path = Path("/"),
        dry: bool = False,
        run: Run = run_for_real,
        say: Callable[[str], None] = print,
    ) -> None:
        self.root = root
        self.dry = dry
        self._run = run
        self.say = say

    @property
    def here(self) -> bool:
        """Whether the target is this system, and not a folder that will become one."""
        return self.root == Path("/")

    @property
    def running(self) -> bool:
        """Whether systemd is running on the target; in a chroot or a container it may not be."""
        return self.here and Path("/run/systemd/system").is_dir()

    def at(self, path: str) -> Path:
        """Return the real location of a path on the target."""
        return self.root / path.lstrip("/")

    def ask(self, *command: str) -> tuple[int, str]:
        """Run a command that changes nothing, even in a dry run."""
        return self._run((*self.inside, *command))

    @property
    def inside(self) -> tuple[str, ...]:
        """What must stand before a command so that it runs on the target."""
        return () if self.here else (*_NSPAWN, f"--directory={self.root}")

    def do(self, *command: str, why: str, may_fail: bool = False) -> bool:
        """Run a command that changes something; return whether it succeeded.

        Raises:
            InstallError: it failed, and ``may_fail`` is not set.
        """
        self._tell(why, " ".join(command))
        if self.dry:
            return True
        status, said = self._run((*self.inside, *command))
        if status and not may_fail:
            raise InstallError(f"{why}: {' '.join(command)} ended with {status}:\n{said.strip()}")
        return not status

    def put(self, path: str, content: str, *, mode: int = 0o644, why: str) -> bool:
        """Write a file unless it already has this content; return whether anything changed."""
        target = self.at(path)
        if target.is_file() and target.read_text(encoding="utf-8") == content:
            return False
        self._tell(why, path)
        if not self.dry:
            target.parent.mkdir(parents=True, exist_ok=True)
            fresh = target.with_name(f".{target.name}.new")
            made = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
            with os.fdopen(made, "w", encoding="utf-8") as out:
                out.write(content)
            fresh.chmod(mode)
            fresh.replace(target)
        return True

    def link(self, path: str, to: str, *, why: str) -> None:
        """Create a symbolic link, replacing any link that is there."""
        target = self.at(path)
        if target.is_symlink() and str(target.readlink()) == to:
            return
        if target.exists() and not target.is_symlink():
            raise InstallError(
                f"{path} is in the way: want no such file, or a link of ours; move it elsewhere"
            )
        self._tell(why, path)
        if not self.dry:
            target.parent.mkdir(parents=True, exist_ok=True)
            # In one step: without it there is no moment, and no loss of power, between two links.
            fresh = target.with_name(f".{target.name}.new")
            fresh.unlink(missing_ok=True)
            fresh.symlink_to(to)
            fresh.replace(target)

    def move(self, path: str, to: str) -> None:
        """Give a file or a folder another name on the same disk."""
        self._tell("moving", f"{path} to {to}")
        if not self.dry:
            self.at(to).parent.mkdir(parents=True, exist_ok=True)
            self.at(path).rename(self.at(to))

    def remove(self, path: str) -> None:
        """Remove a file, a link or a whole folder, if it exists."""
        target = self.at(path)
        if not target.is_symlink() and not target.exists():
            return
        self._tell("removing", path)
        if self.dry:
            return
        if target.is_dir() and not target.is_symlink():
            shutil.rmtree(target)
        else:
            target.unlink()

    def remove_if_empty(self, path: str) -> None:
        """Remove a folder in which nothing is, such as a drop-in folder without our file."""
        target = self.at(path)
        if target.is_dir() and not any(target.iterdir()):
            self.remove(path)

    def _tell(self, why: str, what: str) -> None:
        self.say(f"{'would do' if self.dry else 'doing'}: {why}: {what}")
