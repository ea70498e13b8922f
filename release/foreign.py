"""Debian packages of another suite and processor, fetched by an apt-get with settings of its own.

They are unpacked, and nothing of them is run. Nothing of this machine changes; no root is needed.
"""

import os
import subprocess
import tempfile
from pathlib import Path
from typing import Final

__all__ = ["fetch", "unpack"]

_MIRROR: Final = "http://deb.debian.org/debian"
_KEYRING: Final = "/usr/share/keyrings/debian-archive-keyring.gpg"


def fetch(suite: str, architecture: str, *packages: str, into: Path) -> None:
    """Unpack packages, with all that they need, below a folder.

    Raises:
        SystemExit: apt-get failed; with what it said.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        settings = _settings(folder, suite, architecture)
        _said("apt-get", "-q", "-y", "update", settings=settings)
        how = ("install", "--download-only", "--no-install-recommends")
        _said("apt-get", "-q", "-y", *how, *packages, settings=settings)
        unpack(folder, into)


def unpack(folder: Path, into: Path) -> None:
    """Unpack every Debian package below a folder into another one."""
    into.mkdir(parents=True, exist_ok=True)
    for package in sorted(folder.rglob("*.deb")):
        _said("dpkg-deb", "-x", str(package), str(into))
    if (into / "usr" / "lib").exists() and not (into / "lib").exists():
        (into / "lib").symlink_to("usr/lib")  # what base-files would bring


def _settings(folder: Path, suite: str, architecture: str) -> Path:
    for part in ("lists/partial", "cache/archives/partial", "etc/preferences.d"):
        (folder / part).mkdir(parents=True)
    (folder / "status").touch()
    (folder / "sources").write_text(f"deb [signed-by={_KEYRING}] {_MIRROR} {suite} main\n")
    settings = folder / "apt.conf"
    settings.write_text(
        f'APT::Architecture "{architecture}";\nAPT::Architectures {{"{architecture}";}};\n'
        f'APT::Sandbox::User "root";\nDebug::NoLocking "true";\n'
        f'Dir::Etc::sourcelist "{folder}/sources";\nDir::Etc::sourceparts "/dev/null";\n'
        f'Dir::Etc::preferencesparts "{folder}/etc/preferences.d";\n'
        f'Dir::State "{folder}";\nDir::State::lists "{folder}/lists";\n'
        f'Dir::State::status "{folder}/status";\nDir::Cache "{folder}/cache";\n'
    )
    return settings


def _said(*command: str, settings: Path | None = None) -> None:
    env = os.environ if settings is None else {**os.environ, "APT_CONFIG": str(settings)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=env)  # noqa: S603 - a list
    if done.returncode:
        raise SystemExit(f"{' '.join(command[:6])} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
