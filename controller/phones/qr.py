"""QR codes as pictures: of its own because the gate draws the table's, and the page one for each phone."""

import functools
import io

import segno

__all__ = ["qr_svg"]


@functools.lru_cache(maxsize=4)
def qr_svg(address: str) -> bytes:
    """Return the QR code of an address as SVG; drawing one takes 5 ms of the game's loop, so it is kept."""
    out = io.BytesIO()
    segno.make(address, error="m").save(out, kind="svg", scale=8, border=2, light="white", xmldecl=False)
    return out.getvalue()
