"""How a heading is spelled as an anchor: as GitHub spells it, so that a link holds there and on the site."""

import re

__all__ = ["anchor"]


def anchor(heading: str, _separator: str = "-") -> str:
    """Return the anchor of a heading.

    >>> anchor("The big screen: what it *shows*")
    'the-big-screen-what-it-shows'
    """
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
