"""Studies a model and writes a draft of its entry, its route table and a picture of where balls go."""

import argparse
import math
import re
import sys
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING

from hextraction.board.routes import write_routes
from hextraction.controller.games.hextraction.cards.tiles import BAN_PREFIX, UNKNOWN
from hextraction.controller.version import how_to_install
from hextraction.controller.workshop.documents import ModelFacts, RouteChecks
from hextraction.controller.workshop.printed.draft import draft_entry
from hextraction.controller.workshop.terminal import tell

if TYPE_CHECKING:
    from hextraction.simulator.models.study import Study

__all__ = ["run"]

_TURNS = range(6)


def run(options: argparse.Namespace, *, balls: int | None = None) -> int:
    """Study ``options.model``; return the exit status."""
    try:
        from hextraction.controller.workshop.printed.picture import draw_ways  # noqa: PLC0415 - needs the extra
        from hextraction.simulator.models.mesh import ModelError  # noqa: PLC0415
        from hextraction.simulator.models.study import study_model  # noqa: PLC0415
        from hextraction.simulator.models.tabling import BALLS  # noqa: PLC0415
    except ImportError:
        return _refuse(f"reading models needs more: {how_to_install('models')}")
    parts, problem = _parts(options.part)
    problem = problem or _problem(options)
    if problem:
        return _refuse(problem)
    folder, stem = options.folder or Path(), _name(options.model)
    files = [folder / f"{stem}{ending}" for ending in (".toml", f"-{options.tilt:g}.json", ".svg")]
    there = [str(path) for path in files if path.exists()]
    if there:
        return _refuse(f"would overwrite {' and '.join(there)}; move it away, or name another --folder")
    many = BALLS if balls is None else balls
    try:
        study = study_model(
            options.model,
            parts=parts,
            turns=options.turned,
            tilt_deg=options.tilt,
            balls=many,
            name=stem,
        )
    except ModelError as error:
        return _refuse(str(error))
    folder.mkdir(parents=True, exist_ok=True)
    draft, table, picture = files
    draft.write_text(draft_entry(study, stem, options.model.name), "utf-8")
    write_routes(table, f"model {study.digest} {many} {options.tilt:g}", [study.ways.table])
    picture.write_text(draw_ways(study, stem), "utf-8")
    if options.json:
        tell(RouteChecks(model=_facts(study, files)))
    else:
        _tell(study, files)
    return 0


def _refuse(why: str) -> int:
    print(f"hextraction routes: {why}", file=sys.stderr)
    return 2


def _problem(options: argparse.Namespace) -> str:
    if options.turned not in _TURNS:
        return f"--turned: want 0..5 sixths of a clockwise turn, found {options.turned}"
    if not 3 <= options.tilt <= 45:
        return f"--tilt: want 3..45 degrees, found {options.tilt:g}"
    if not options.model.is_file():
        return f"--from: there is no file {options.model}"
    return ""


def _parts(written: list[str]) -> tuple[tuple[tuple[Path, float], ...], str]:
    """Read FILE@Z of each part; return the parts and what is wrong, if anything is."""
    parts = []
    for text in written:
        name, at, height = text.rpartition("@")
        try:
            path, height_mm = Path(name), float(height)
        except ValueError:
            at, height_mm = "", 0.0
        if not at or not math.isfinite(height_mm):
            return (), f"--part: want FILE@Z, Z in mm above the model's underside, found {text}"
        if not path.is_file():
            return (), f"--part: there is no file {path}"
        parts.append((path, height_mm))
    return tuple(parts), ""


def _name(path: Path) -> str:
    """Return a name for the entry: letters without accents, and none that the product keeps to itself."""
    plain = unicodedata.normalize("NFKD", path.stem).encode("ascii", "ignore").decode()
    name = re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-") or "tile"
    return f"tile-{name}" if name == UNKNOWN.name or name.startswith(BAN_PREFIX) else name


def _facts(study: "Study", files: list[Path]) -> ModelFacts:
    found = study.anatomy
    return ModelFacts(
        digest=study.digest,
        mouths=tuple(found.mouths),
        joins=tuple(tuple(group) for group in found.joins),
        rows=len(study.ways.table.rows),
        warnings=tuple(study.warnings),
        written=tuple(map(str, files)),
    )


def _tell(study: "Study", files: list[Path]) -> None:
    """Print what was found."""
    found = study.anatomy
    joins = "  ".join("-".join(map(str, group)) for group in found.joins)
    holes = "  ".join(f"{2 * radius:.1f} mm wide at ({x:g}, {y:g})" for x, y, radius in found.holes)
    ends = "  ".join(f"{end.edge}, {end.middle_mm:g} mm from the middle" for end in found.dead_ends)
    notches = "no base" if found.notches is None else " ".join(map(str, found.notches)) or "none"
    told = (
        ("model", study.digest),
        ("mouths", " ".join(map(str, found.mouths))),
        ("joined", joins),
        ("dead ends", ends or "none"),
        ("holes", holes or "none"),
        ("notches", notches),
        ("table", f"{len(study.ways.table.rows)} rows"),
    )
    for what, text in told:
        print(f"{what:10} {text}")
    for warning in study.warnings:
        print(f"warning    {warning}")
    print("written    " + "  ".join(map(str, files)))
