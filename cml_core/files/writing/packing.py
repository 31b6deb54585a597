"""Zip archives of which the same content gives the same bytes, whenever they are written."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

# An archive says when each part was made; the earliest that it can say stands for never.
_NO_TIME = (1980, 1, 1, 0, 0, 0)


def packed(parts: Mapping[str, bytes]) -> bytes:
    """An archive of these parts, by their names."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as target:
        for name, content in parts.items():
            entry = zipfile.ZipInfo(name, _NO_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(entry, content)
    return archive.getvalue()
