"""How docstrings are shown on the site: examples as code, and names in Sphinx's spelling as plain names."""

import re
from typing import Any, Final

import griffe

__all__ = ["Docstrings", "shown"]

_ROLE: Final = re.compile(r":(?:class|mod|meth|func|attr|data):`~?\.?([^`]+)`")
_EXAMPLE: Final = re.compile(r"^>>> .*(?:\n(?!\n).*)*", re.MULTILINE)


def shown(docstring: str) -> str:
    """Return a docstring as Markdown.

    >>> print(shown("See :class:`Board`."))
    See `Board`.
    """
    text = _ROLE.sub(r"`\1`", docstring)
    return _EXAMPLE.sub(lambda found: f"```pycon\n{found[0]}\n```", text)


class Docstrings(griffe.Extension):
    """Shows each docstring that is read as :func:`shown` says."""

    def on_object(self, *, obj: griffe.Object, **_how: Any) -> None:
        """Change the docstring of a module, class or function."""
        if obj.docstring is not None:
            obj.docstring.value = shown(obj.docstring.value)
