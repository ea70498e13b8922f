"""Writes a draft of a catalogue entry for a model.

A module of its own because it speaks TOML and the words of tiles; the command beside it has to do with files
and options.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hextraction.simulator.models.study import Study

__all__ = ["draft_entry"]

_MIDDLE_MM = 3.0


def draft_entry(study: "Study", name: str, file: str) -> str:
    """Return a ``[[tile]]`` for a tile file; what a model does not say is left to its designer."""
    found = study.anatomy
    middle = [hole for hole in found.holes if abs(hole[0]) < _MIDDLE_MM and abs(hole[1]) < _MIDDLE_MM]
    aside = [hole for hole in found.holes if hole not in middle]
    lines = [
        f"# A draft, read from {file} (model {study.digest}) by `hextraction routes --from`.",
        "# Add who made it, where it comes from, and what its card says.",
        *(f"# Warning: {warning}." for warning in study.warnings),
        "",
        "[[tile]]",
        f'name = "{name}"',
        f'title = "{name.replace("-", " ").title()}"',
        f"channels = {_nested(found.joins)}",
    ]
    if study.lines:
        lines.append(f"lines = {_nested(study.lines)}")
    if middle:
        lines.append("hole = true")
    if aside:
        lines.append(f"holes = {_nested(aside)}")
    if found.notches:
        lines.append(f"notches = {_nested(found.notches)}")
    return "\n".join(lines) + "\n"


def _nested(value: object) -> str:
    """Spell numbers and lists of them in TOML."""
    if isinstance(value, tuple | list):
        return f"[{', '.join(_nested(each) for each in value)}]"
    return f"{value:g}"
