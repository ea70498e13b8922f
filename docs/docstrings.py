"""How the library is shown on the site: examples as code, fields of structs, every name as it is public."""

import re
from collections.abc import Iterator
from typing import Any, Final

import griffe
from hextraction import api

__all__ = ["Docstrings", "fields", "shown"]

_ROLE: Final = re.compile(r":(?:class|mod|meth|func|attr|data):`~?\.?([^`]+)`")
_EXAMPLE: Final = re.compile(r"^>>> .*(?:\n(?!\n).*)*", re.MULTILINE)


def shown(docstring: str) -> str:
    """Return a docstring as Markdown.

    >>> print(shown("See :class:`Board`."))
    See `Board`.
    """
    text = _ROLE.sub(r"`\1`", docstring)
    return _EXAMPLE.sub(lambda found: f"```pycon\n{found[0]}\n```", text)


_RENAMED: Final = {
    f"{module}.{theirs}": ours
    for ours, (module, theirs) in api._FOUND.items()  # noqa: SLF001 - nothing public says what a name was
    if ours != theirs
}
"""What the library calls otherwise than the room that it comes from."""


def fields(kind: griffe.Class) -> Iterator[str]:
    """Yield the public fields of a struct, its bases' first, each as it is written: ``turn: int = 1``."""
    for each in (*reversed(kind.mro()), kind):
        for name, member in each.members.items():
            if not isinstance(member, griffe.Attribute) or "instance-attribute" not in member.labels:
                continue
            if member.annotation is not None and not name.startswith("_"):
                usual = "" if member.value is None else f" = {member.value}"
                yield f"{name}: {_public(member.annotation)}{usual}"


def _public(annotation: str | griffe.Expr) -> str:
    """Return a type as text, with the library's own names in it."""
    if isinstance(annotation, griffe.Expr):
        _rename(annotation)
    return str(annotation)


def _rename(annotation: griffe.Expr) -> None:
    for one in annotation.iterate(flat=True):
        if isinstance(one, griffe.ExprName):
            one.name = _RENAMED.get(one.canonical_path, one.name)


class Docstrings(griffe.Extension):
    """Shows each docstring that is read as :func:`shown` says, a struct with its fields, and public names."""

    def on_object(self, *, obj: griffe.Object, **_how: Any) -> None:
        """Change the docstring of a module, class or function, and the names in a signature."""
        if obj.docstring is not None:
            obj.docstring.value = shown(obj.docstring.value)
        if isinstance(obj, griffe.Class) and obj.docstring is not None:
            written = "\n".join(fields(obj))
            if written:
                obj.docstring.value += f"\n\n```python\n{written}\n```"
        if isinstance(obj, griffe.Function):
            for annotation in (obj.returns, *(one.annotation for one in obj.parameters)):
                if isinstance(annotation, griffe.Expr):
                    _rename(annotation)
