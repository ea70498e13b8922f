"""The club broker's first file: ``python -m hextraction.controller.workshop.bring_up.club SECURITY SECRET``.

Writes the dynamic-security plugin's file with one administrator, the controller, and its password to a
separate file; the tables create their own roles. The password appears on no command line and in no log.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

from hextraction.controller.payloads.messages import Topics
from hextraction.controller.phones.rights import Badge, SeatBook, new_token, security_document

__all__ = ["main", "write_security"]


def write_security(security: Path, secret: Path) -> None:
    """Write both files, replacing old ones; only their owner, and the secret's group, may read them."""
    admin = Badge(user="controller", token=new_token())
    whole = security_document(SeatBook(Topics("table"), ()), admin)
    document: dict[str, Any] = {**whole, "clients": whole["clients"][:1], "roles": whole["roles"][:1]}
    _write(security, json.dumps(document, indent=1), 0o600)
    _write(secret, admin.token + "\n", 0o640)


def _write(path: Path, text: str, mode: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w", encoding="utf-8") as out:  # noqa: PTH123
        out.write(text)


def main(arguments: list[str]) -> int:
    """Write the two files that the arguments name; return the exit status."""
    if len(arguments) != 2:
        print("want two paths: the plugin's file and the password's", file=sys.stderr)
        return 2
    write_security(Path(arguments[0]), Path(arguments[1]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
