"""QR codes."""

from io import BytesIO

import segno


def svg(address: str) -> str:
    """The QR code of an address as an SVG file."""
    file = BytesIO()
    segno.make(address, micro=False).save(file, kind="svg", xmldecl=False, omitsize=True, light="white")
    return file.getvalue().decode()
