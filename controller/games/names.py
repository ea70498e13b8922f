"""Names that people write, for seats and tiles: fit to be shown, and never to be mistaken for another.

Pure. A person reads a name by its looks. So letters that cannot be seen go (Unicode's *default ignorable*
ones, controls, signs that turn the writing round, blanks that count as letters), and two names are alike if
they look alike, whatever their letters are.
"""

import unicodedata
from typing import Final

__all__ = ["clean", "looks"]

_LONGEST_READ: Final = 400
_IGNORABLE: Final = (
    (0x00AD, 0x00AD), (0x034F, 0x034F), (0x061C, 0x061C), (0x115F, 0x1160), (0x17B4, 0x17B5),
    (0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164),
    (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip
"""Unicode's ``Default_Ignorable_Code_Point``: fillers, joiners, variation selectors, tags."""
_BLANK: Final = frozenset("\u2800\U0001d159")
"""Symbols that show nothing: a Braille cell without dots, a note without a head."""
_LOOK_UPPER: Final = str.maketrans(
    "АВЕЅІЈКМНОРСТУХԌԚԜҮΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
    "ABESIJKMHOPCTYXGQWYABEZHIKMNOPTYX",
)
"""Capitals of other scripts that are drawn as Latin ones."""
_LOOK_LOWER: Final = str.maketrans(
    "аеѕіјкорсухһԁԛԝѵүαικνορτυχγωօոսհɑɡı1|i0",  # noqa: RUF001 - lookalikes are what this is about
    "aesljkopcyxhdqwvyalkvoptuxywonuhagllllo",
)
"""Small letters and digits that are drawn as small Latin ones; what looks like an l becomes one."""
_LOOK_CAPITAL: Final = str.maketrans(
    "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢᎠᎡᎢᎥᎪᎫᎬᎳᎷᎻᎽᏀᏃᏎᏏᏒᏔᏚᏙᏞᏟᏢᏦᏧᏳᏴꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ",
    "abcdefghljklmnoprstuvwyzdrtlajewmhygz4brwsvlcpkdgbbpdtgkjczfmnlsrvhwxyaelou",
)
"""Small capitals, and letters of Cherokee and Lisu that are drawn as Latin capitals."""
_LOOK_SMALL: Final = _LOOK_LOWER | _LOOK_CAPITAL
_QUOTES: Final = frozenset("'\"`\u00b4")


def clean(text: str, most: int) -> str:
    """Return a name fit to be shown, of at most ``most`` letters: nothing invisible, single spaces.

    Marks above and below letters stay, at most two per letter: many scripts need them, but stacks of them
    overlap the lines around. Empty if nothing is left to see.
    """
    now, before = text[:_LONGEST_READ], ""
    while now != before:  # what goes may let others join
        before = now
        now = " ".join(_seen(unicodedata.normalize("NFKC", now)).split())[:most].strip()
    return now if any(_kind(letter) not in "MZ" for letter in now) else ""


def looks(name: str) -> str:
    """Return what a name looks like: names that a reader may take for each other look the same."""
    shown = unicodedata.normalize("NFKC", name).translate(_LOOK_UPPER).casefold()
    alike = unicodedata.normalize("NFKC", shown).translate(_LOOK_SMALL)
    return "".join(_plain_sign(letter) for letter in alike if not letter.isspace())


def _plain_sign(letter: str) -> str:
    """Return one dash for all dashes, and one quotation mark for all."""
    kind = unicodedata.category(letter)
    return "-" if kind == "Pd" else "'" if kind in {"Pi", "Pf"} or letter in _QUOTES else letter


def _seen(text: str) -> str:
    kept: list[str] = []
    for letter in text:
        kind = _kind(letter)
        piled = kind == "M" and [_kind(mark) for mark in kept[-2:]] == ["M", "M"]
        if letter.isspace() or letter in _BLANK:
            kept.append(" ")
        elif kind not in "CZ" and not piled and not _is_ignorable(ord(letter)):
            kept.append(letter)
    return "".join(kept)


def _is_ignorable(code: int) -> bool:
    return any(first <= code <= last for first, last in _IGNORABLE)


def _kind(letter: str) -> str:
    """Return the Unicode category's first letter: C is invisible, M is a combining mark, Z is a space."""
    return unicodedata.category(letter)[0]
