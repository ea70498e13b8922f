"""What docs/house.md tells others to write is what their programs understand."""

import json
import re

import msgspec
import pytest
from helpers.places import ROOT
from hextraction.controller.payloads.messages import Status
from jinja2 import Environment

PAGE = (ROOT / "docs" / "house.md").read_text("utf-8")
TEMPLATE = re.search(r'availability_template: "(.+)"', PAGE)[1]


@pytest.mark.parametrize(
    ("state", "seen"),
    [("online", "online"), ("offline", "offline"), ("fault", "offline")],
    ids=lambda each: each,
)
def test_home_assistant_understands_whether_the_board_is_there(state, seen):
    """It compares what the template gives with `online` and `offline`, and leaves all else as it was."""
    payload = json.loads(msgspec.json.encode(Status(state=state)))
    assert Environment(autoescape=False).from_string(TEMPLATE).render(value_json=payload) == seen  # noqa: S701
