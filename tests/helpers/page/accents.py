"""A language that has only letters with accents: whatever is still plain on the page was forgotten in the catalogue.

Of its own because the catalogue's tests and those in the browser both read it.
"""

import json
import re

from helpers.places import ROOT

PAGE = ROOT / "controller" / "page"
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ACCENTED = "ȧƀƈḓḗƒɠħīĵķŀḿƞǿƥɋřşŧŭṽẇẋẏẑȦƁƇḒḖƑƓĦĪĴĶĿḾȠǾƤɊŘŞŦŬṼẆẊẎẐ"
_TABLE = str.maketrans(_LETTERS, _ACCENTED)


def in_accents(known):
    """Return a catalogue in the language of accents, in which all numbers but one are alike, as in English."""
    made = {text: accented(text) for text in known if text and "\0" not in text}
    for text in known:
        if "\0" in text:
            made[text] = dict(zip(("one", "other"), map(accented, text.split("\0")), strict=True))
    return {"": {"language": "en"}, **made}


def accented(text):
    """Return a text of the catalogue in the language of accents; what is put into it stays."""
    return "".join(
        piece if piece.startswith("{") else piece.translate(_TABLE) for piece in re.split(r"(\{\w+\})", text)
    )


def plain_in(text):
    """Return the words of a text that nobody has translated."""
    return re.findall("[a-z]{3,}", text)


def catalogues():
    """Return the files that a German phone loads, by name, in the language of accents instead."""
    return {
        path.relative_to(PAGE).as_posix(): json.dumps(in_accents(json.loads(path.read_text())))
        for path in PAGE.rglob("de.json")
    }
