"""Pictures of the page, kept and compared: a missing or misplaced part is seen, how letters are smoothed is not.

Both pictures are blurred and made smaller before they are compared, for the same font is drawn a little differently from
one Chromium to the next. What is left of a letter is a grey; what is left of a button that is not there is a button.
"""

import io

from helpers.places import ROOT, TESTS
from PIL import Image, ImageChops, ImageFilter

__all__ = ["STILL", "keep", "taken", "wrong_with"]

FOLDER = TESTS / "page" / "pictures"
FAILED = ROOT / "build" / "pictures"
COLOURS = 64
"""A picture of the page has few; a quarter of the bytes are enough for them."""
LARGE_PX = 600
BLUR_PX = 3
SHRINK = 3
DIFFERS = 26
"""How far apart, of 255, two blurred pixels are in one colour at least."""
MOST = 8
"""So many blurred pixels may differ: about as much as a dot of 8 by 8 pixels."""
STILL = """
*, *::before, *::after {
  animation: none !important; transition: none !important; caret-color: transparent !important;
  font-family: "DejaVu Sans" !important; scrollbar-width: none !important;
}
.countdown, input[readonly] { visibility: hidden !important; }
"""
"""What makes a page the same each time: nothing moves, one font that is there, no time that runs, no address."""


def taken(page):
    """Return a picture of what is in sight; that of a large screen at half its size."""
    picture = Image.open(io.BytesIO(page.screenshot(animations="disabled"))).convert("RGB")
    return picture.reduce(2) if picture.width > LARGE_PX else picture


def apart(one, other):
    """Return how many pixels of two pictures differ once they are blurred; all of them if their sizes do."""
    if one.size != other.size:
        return one.width * one.height
    soft = [picture.filter(ImageFilter.GaussianBlur(BLUR_PX)).reduce(SHRINK) for picture in (one, other)]
    bands = ImageChops.difference(*soft).split()
    most = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
    return sum(most.histogram()[DIFFERS:])


def kept(name):
    """Return the picture of that name as it is kept."""
    return Image.open(FOLDER / f"{name}.png").convert("RGB")


def keep(picture, name, folder=FOLDER):
    """Keep a picture, as small as it goes."""
    folder.mkdir(parents=True, exist_ok=True)
    few = picture.quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE, kmeans=2, dither=Image.Dither.NONE)
    few.save(folder / f"{name}.png", optimize=True)


def wrong_with(picture, name):
    """Return what is wrong with a picture beside the kept one, or nothing; a wrong one is put beside the build."""
    differ = apart(picture, kept(name))
    if differ <= MOST:
        return None
    keep(picture, name, FAILED)
    return f"{name}: {differ} blurred pixels differ, see build/pictures/{name}.png; `make pictures` if it is right so"
