"""The page of all claims about the hardware, in Markdown."""
# ruff: noqa: E501 - one line of the page is one line here

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from hextraction.board.design import Design, load_design

from bench.hardware.beams import beam_claims
from bench.hardware.boards import board_claims
from bench.hardware.circuits import coil_claims, steady_claims
from bench.hardware.claim import Claim
from bench.hardware.gates import gate_claims
from bench.hardware.halls import hall_claims
from bench.hardware.hub import hub_claims
from bench.hardware.levels import level_claims, wire_claims

__all__ = ["MODELS", "PAGE", "all_claims", "claims_of", "page"]

PAGE: Final = Path(__file__).parents[2] / "docs" / "hardware-tests.md"
_HEAD: Final = """# What was calculated about the hardware

Nobody has built a board yet; these figures are calculations. Each line is a claim that guide, template or drawings rest on:
what calculates it, its figure, the limit it must keep, and how many times better than that it is. All come from one table,
[`board/design.toml`](../board/design.toml), which drawings, template, parts lists and simulator read, too. `python -m
bench.hardware` makes this page (ngspice and magpylib are needed); a test calculates all of it anew, so that a changed measure
changes the figures or fails.

What no model shows (the force of the coil you bought, light in your room, your solder) are the ten measurements of
[bring-up.md](bring-up.md); `hextraction check-board` asks for them. Figures of light rest on grades that nobody has read in a data sheet:
[which, and how a first board shows them](kit.md#light-that-was-assumed).
"""


MODELS: Final[Mapping[str, Callable[[Design], Iterator[Claim]]]] = {
    "gates": gate_claims,
    "coils": coil_claims,
    "steady circuits": steady_claims,
    "levels": level_claims,
    "beams": beam_claims,
    "halls": hall_claims,
    "boards": board_claims,
    "hub": hub_claims,
    "wires": lambda _design: wire_claims(),
}
"""What makes claims, in the order of the page."""


@functools.cache
def claims_of(model: str) -> tuple[Claim, ...]:
    """Return the claims of one of ``MODELS`` about the shipped design; calculated once.

    Raises:
        RuntimeError: ngspice is needed and not installed.
    """
    return tuple(MODELS[model](load_design()))


def all_claims() -> tuple[Claim, ...]:
    """Return every claim, by chapter.

    Raises:
        RuntimeError: ngspice is not installed.
    """
    return tuple(claim for model in MODELS for claim in claims_of(model))


def page(claims: Sequence[Claim]) -> str:
    """Return the page."""
    lines = [_HEAD]
    for chapter in dict.fromkeys(claim.chapter for claim in claims):
        lines += [
            f"## {chapter}\n",
            "| claim | model | figure | limit | margin |",
            "| --- | --- | ---: | ---: | ---: |",
        ]
        for claim in claims:
            if claim.chapter == chapter:
                word = "at least" if claim.at_least else "at most"
                margin = "—" if claim.margin > 99 else f"{claim.margin:.1f}"
                figure = f"{_rounded(claim.figure)} {claim.unit}"
                lines.append(
                    f"| {claim.text} | {claim.model} | {figure} | {word} {_rounded(claim.limit)} | {margin} |"
                )
        lines.append("")
    return "\n".join(lines)


def _rounded(value: float) -> str:
    """Write two digits that count: models and machines differ in the third."""
    if abs(value) < 1e-3:
        return "0"
    return f"{float(f'{value:.2g}'):g}"
