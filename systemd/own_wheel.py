"""The installed program as a wheel again: what a service gets when no checkout is there to build it from.

A file of its own because only an installation from a wheel needs it.
"""

import csv
import io
import zipfile
from importlib.metadata import Distribution, PackageNotFoundError, PackagePath, distribution
from pathlib import Path
from typing import Final

from .hand import InstallError

__all__ = ["own_wheel"]

_PACKAGE: Final = "hextraction"
_OF_THIS_PLACE: Final = frozenset({"INSTALLER", "REQUESTED", "direct_url.json"})
"""What pip notes about an installation; none of it is in a wheel."""


def own_wheel(folder: Path, found: Distribution | None = None) -> Path:
    """Write the installed program (``found``: another one) as a wheel into a folder; return its path.

    Raises:
        InstallError: it is not installed from a wheel, or files of it are missing.
    """
    try:
        installed = found or distribution(_PACKAGE)
    except PackageNotFoundError:
        raise InstallError(
            "want the program from a wheel, or a checkout of the project; found neither"
        ) from None
    files = [path for path in installed.files or () if _belongs(path)]
    missing = [str(path) for path in files if not Path(str(installed.locate_file(path))).is_file()]
    if missing or not any(path.parts[0] == _PACKAGE for path in files):
        told = f"{len(missing)} are missing, such as {missing[0]}" if missing else "none are noted"
        raise InstallError(
            f"want the files of the installed program, {told}: install it anew (pipx reinstall)"
        )
    wheel = folder / f"{_PACKAGE}-{installed.version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in files:
            text = _record(installed) if path.name == "RECORD" else None
            content = Path(str(installed.locate_file(path))).read_bytes() if text is None else text.encode()
            packed.writestr(str(path), content)
    return wheel


def _belongs(path: PackagePath) -> bool:
    return not {"..", "__pycache__"} & set(path.parts) and path.name not in _OF_THIS_PLACE


def _record(installed: Distribution) -> str:
    """Return the list of files without those that belong to this place."""
    rows = csv.reader(io.StringIO(installed.read_text("RECORD") or ""))
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(
        row for row in rows if row and _belongs(PackagePath(row[0]))
    )
    return out.getvalue()
