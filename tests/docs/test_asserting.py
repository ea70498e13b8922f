"""No test is one that cannot fail: each asserts, waits for a raise, or calls a helper that does."""

import ast

import pytest
from helpers.places import TESTS

CHECKING = {"raises", "warns", "fail", "wait_for", "wait_for_function", "check_call", "check_output"}
"""Calls that raise if what they look for is not so."""


def functions():
    """Yield each function of the tests with the file in which it stands."""
    for path in TESTS.rglob("*.py"):
        if not {"vendor", "node_modules", "typing_root"} & set(path.parts):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    yield path, node


def called(node):
    """Yield the names of what a function calls."""
    for one in ast.walk(node):
        if isinstance(one, ast.Call):
            yield one.func.attr if isinstance(one.func, ast.Attribute) else getattr(one.func, "id", "")


def checking(found):
    """Return the names of functions that check something, themselves or by what they call."""
    names = {node.name: set() for _path, node in found}
    checks = set(CHECKING)
    for _path, node in found:
        names[node.name].update(called(node))
        if any(isinstance(one, ast.Assert | ast.Raise) for one in ast.walk(node)):
            checks.add(node.name)
    more = True
    while more:
        more = {name for name, calls in names.items() if name not in checks and calls & checks}
        checks |= more
    return checks


@pytest.mark.slow
def test_every_test_can_fail():
    """Its body asserts, or something that it calls does."""
    found = list(functions())
    checks = checking(found)
    idle = [
        f"{path.relative_to(TESTS)}:{node.lineno} {node.name}"
        for path, node in found
        if path.name.startswith("test_") and node.name.startswith("test_") and node.name not in checks
    ]
    assert len(found) > 2000
    assert idle == []


def test_a_test_that_cannot_fail_would_be_found():
    """Neither a call of what does nothing nor a docstring is a check; a helper's helper that asserts is."""
    text = "def idle():\n  print()\ndef test_a():\n  idle()\ndef helper():\n  assert 1\ndef h():\n  helper()\ndef test_b():\n  h()\n"
    found = [("x", node) for node in ast.parse(text).body]
    assert {name for name in checking(found) if name.startswith("test_")} == {"test_b"}
