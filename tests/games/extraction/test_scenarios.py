"""Every scenario of Extraction comes true, and the language says what is wrong with a file that cannot be read."""

import re

import pytest
from helpers.places import TESTS
from hextraction.controller.games.extraction.scenario import SENTENCES, play, read

FILES = sorted((TESTS / "scenarios" / "extraction").glob("*.scenario"))
CASES = [(path, case) for path in FILES for case in read(path.read_text(encoding="utf-8"), path.name)]


@pytest.mark.parametrize(("path", "case"), CASES, ids=[f"{path.stem}:{case.line}" for path, case in CASES])
def test_scenario(path, case):
    """A scenario comes true line by line."""
    assert play(case, path.name) is None


def test_every_id_of_the_specification_has_a_scenario():
    """E-01 to E-26 are all there."""
    named = {found for _path, case in CASES for found in re.findall(r"\bE-\d\d", case.name)}
    assert named == {f"E-{number:02}" for number in range(1, 27)}


def test_every_sentence_is_used_by_a_scenario():
    """No sentence of the language is only written down."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in FILES)
    lines = [re.sub(r"^(DO|EXPECT|REFUSED [^:]+:) ?", "", line) for line in text.splitlines()]
    said = [part.strip() for line in lines for part in line.split(";")]
    unused = [one.template for one in SENTENCES if not any(re.fullmatch(one.pattern, part) for part in said)]
    assert unused == []
