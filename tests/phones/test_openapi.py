"""The OpenAPI document says of the gate what the gate does."""

import json
import re

import pytest
from helpers.gate_at_echo import get, playing
from helpers.places import ROOT
from hextraction.controller.payloads.openapi import OPERATIONS, openapi

GOOD = {"code": "GOOD", "name": "Ada", "seat": "red"}
BODIES = {
    "/join": GOOD,
    "/take-back": {"user": "red.1", "password": "p"},
    "/key": {"user": "x", "password": "p"},
}
STATIC = {"/tv", "/history/index.json", "/history/{game}.json", "/metrics"}
"""What the small gate of these tests has not: files of the page, the archive, and what is switched on."""


def fits(answer, body):
    """Whether a body is what the document says of an answer."""
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - seconds, which whoever only collects need not wait

    (content,) = answer["content"].values()
    schema = {**content["schema"], "components": openapi()["components"]}
    Draft202012Validator(schema).validate(json.loads(body))
    return True


@pytest.mark.slow
def test_it_is_a_document_of_openapi():
    """As the specification's own schema has it."""
    from openapi_spec_validator import OpenAPIV31SpecValidator  # noqa: PLC0415 - as above

    document = json.loads((ROOT / "docs" / "mqtt" / "openapi.json").read_text("utf-8"))
    assert list(OpenAPIV31SpecValidator(document).iter_errors()) == []


def test_it_knows_every_request_that_the_page_on_mqtt_tells_of():
    """And that page knows every one of the document."""
    page = (ROOT / "docs" / "mqtt.md").read_text("utf-8")
    section = page[page.index("## HTTP") : page.index("## Seats, codes, tokens")]
    told = set(re.findall(r"`(GET|POST) (/[^` ]*)`", section)) - {("GET", "/history")}

    assert told == {
        (method.upper(), path.replace("{game}", "GAME")) for method, path in OPERATIONS
    }  # fmt: skip


@pytest.mark.parametrize(("method", "path"), [one for one in OPERATIONS if one[1] not in STATIC])
def test_the_gate_answers_as_the_document_says(method, path):
    """With the type that is named, and JSON that its schema takes; in another way it is 405."""
    answers = openapi()["paths"][path][method]["responses"]
    body = json.dumps(BODIES[path]).encode() if method == "post" else b""

    async def ask(server):
        status, headers, told = await get(server, path, method=method.upper(), body=body)
        kind = headers["content-type"].partition(";")[0]
        assert kind in answers[str(status)]["content"]
        assert kind != "application/json" or fits(answers[str(status)], told)
        other = "POST" if method == "get" else "GET"
        assert (await get(server, path, method=other))[0] == 405

    playing(ask)


def test_who_is_declined_reads_why():
    """A wrong code, no JSON at all, and what is not there: the same shape for all."""
    declined = openapi()["paths"]["/join"]["post"]["responses"]["403"]

    async def ask(server):
        wrong = json.dumps({**GOOD, "code": "BAD"}).encode()
        for status, method, path, body in (
            (403, "POST", "/join", wrong),
            (400, "POST", "/join", b"x"),
            (404, "GET", "/metrics", b""),
        ):
            told = await get(server, path, method=method, body=body)
            assert told[0] == status
            assert fits(declined, told[2])

    playing(ask)
