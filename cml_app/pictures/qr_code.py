"""A link as a picture that phones read."""

from __future__ import annotations

import segno

# Modules of white around it, without which phones do not find it.
QUIET = 4


def qr_code(link: str) -> str:
    """The address of a QR code as SVG, black on white on any page."""
    made = segno.make_qr(link, error="m")
    return str(made.svg_data_uri(border=QUIET, dark="#000", light="#fff", omitsize=True))
