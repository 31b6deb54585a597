"""A link as a picture that phones read."""

from __future__ import annotations

import segno

# Modules of white around it, without which phones do not find it.
QUIET = 4


def qr_code(link: str) -> str:
    """A QR code as SVG that takes the width it is given, black on white on any page."""
    made = segno.make_qr(link, error="m")
    return str(made.svg_inline(border=QUIET, dark="#000", light="#fff", omitsize=True))
