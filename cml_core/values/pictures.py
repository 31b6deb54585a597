"""Small pictures of objects, by name."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from functools import cached_property

from cml_core.errors import DuplicateLabels, UnreadableFile

# So many are told apart on a map, and so many bytes are enough for one of a hundred pixels.
MOST_PICTURES = 500
MOST_BYTES = 40_000


@dataclass(frozen=True)
class Pictures:
    """What objects look like.

    Parameters
    ----------
    of : names of objects, each with the bytes of a PNG, JPEG or WebP file.
    """

    of: tuple[tuple[str, bytes], ...] = ()

    def __post_init__(self) -> None:
        if len(self.of) > MOST_PICTURES:
            raise UnreadableFile(
                f"There are {len(self.of)} pictures; at most {MOST_PICTURES} are kept.",
                remedy="Bring pictures of fewer objects.",
            )
        for name, data in self.of:
            if len(data) > MOST_BYTES or not picture_type(data):
                raise UnreadableFile(
                    f"The picture of {name!r} is no PNG, JPEG or WebP of up to {MOST_BYTES} bytes.",
                    remedy="Save it again as a small PNG or JPEG.",
                )
        if len(self._by_name) < len(self.of):
            raise DuplicateLabels(
                "An object has more than one picture.", remedy="Give each object one."
            )

    @cached_property
    def _by_name(self) -> dict[str, bytes]:
        return dict(self.of)

    def address(self, name: str) -> str | None:
        """The picture of an object as browsers take it; None where there is none."""
        data = self._by_name.get(name)
        if data is None:
            return None
        return f"data:{picture_type(data)};base64,{base64.b64encode(data).decode('ascii')}"


def picture_type(data: bytes) -> str:
    """The media type of a picture, by its first bytes; empty for anything else."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    return "image/webp" if data[:4] == b"RIFF" and data[8:12] == b"WEBP" else ""
