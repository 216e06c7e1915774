"""QR codes."""

from io import BytesIO

import segno


def svg(address: str) -> str:
    """The QR code of an address as an SVG file."""
    drawn = BytesIO()
    segno.make(address, micro=False).save(drawn, kind="svg", xmldecl=False, omitsize=True, light="white")
    return drawn.getvalue().decode()
