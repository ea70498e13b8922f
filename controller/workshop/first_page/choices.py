"""What people choose on the first page. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

__all__ = ["BUILDS", "Build", "Choices", "WrongChoicesError", "read_choices"]


@dataclass(frozen=True, slots=True)
class Build:
    """Something that can be built: its title, and what it is. ``wired``: a wiring file has its name."""

    title: str
    told: str
    wired: bool = True


BUILDS: Final[Mapping[str, Build]] = {
    "kit-lean": Build(
        "Kit", "Circuit boards, plugged together. Sees every slot and every way off the board."
    ),
    "hub-lean": Build(
        "Hub, lean", "Soldered by hand, with a Pico. Sees every slot and every way off the board."
    ),
    "hub-rich": Build("Hub, rich", "Soldered by hand, with a Pico. Sees every crossing of a ball, too."),
    "pi-only": Build("Pi only", "Soldered by hand, without a Pico. Sees tiles, drains, ramps and end zones."),
    "starter": Build("Starter", "A Pico and eight beams. Sees which ramp a ball leaves, and who wins."),
    "bench-demo": Build("Bench demo", "Three buttons, ten lamps and one gate, to try things out."),
    "none": Build(
        "Nothing yet", "Any board, without electronics: people tell where balls went.", wired=False
    ),
}
"""Every shipped wiring, and playing without one; what most people build comes first."""
_CODE: Final = re.compile(r"[A-HJKMNP-Z2-9]{8}")
_NAME: Final = re.compile(r"[a-z0-9-]{1,32}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What was chosen.

    ``name`` is the table's id. ``code`` is the join code, the same at every start; empty: a new one each
    time. ``own_wifi``: the board makes its own Wi-Fi where it knows none. ``check``: the board is walked
    through before the first game.
    """

    build: str
    name: str
    code: str = ""
    own_wifi: bool = False
    check: bool = False


class WrongChoicesError(ValueError):
    """Something cannot be taken as it is; ``problems`` has a sentence for each field that is wrong."""

    def __init__(self, problems: Mapping[str, str]) -> None:
        super().__init__("; ".join(problems.values()))
        self.problems = dict(problems)


def read_choices(fields: Mapping[str, str]) -> Choices:
    """Read a form as it was sent. Capitals and spaces in a name, dashes in a code are put right.

    Raises:
        WrongChoicesError: with every problem.
    """
    build = fields.get("build", "")
    name = re.sub(r"\s+", "-", fields.get("name", "").strip().lower())
    code = re.sub(r"[\s-]", "", fields.get("code", "").upper())
    problems = {}
    if build not in BUILDS:
        problems["build"] = "Choose what you built."
    if not _NAME.fullmatch(name):
        problems["name"] = "A name has 1 to 32 letters from a to z, digits and dashes."
    if code and not _CODE.fullmatch(code):
        problems["code"] = "A code has eight letters and digits, without I, L, O, 0 and 1. Or leave it empty."
    if problems:
        raise WrongChoicesError(problems)
    return Choices(
        build=build,
        name=name,
        code=code,
        own_wifi=fields.get("wifi") == "own",
        check="check" in fields and BUILDS[build].wired,
    )
