"""Zip archives opened with care: what they unpack to is known before anything is unpacked."""

from __future__ import annotations

import io
import zipfile
from collections import Counter
from collections.abc import Iterator

from cml_core.errors import UnreadableFile
from cml_core.files.reading.raw import Limits

ZIP_MAGIC = b"PK\x03\x04"
# A workbook has some dozen parts, an archive of arrays a few.
MOST_PARTS = 10_000
# Tables pack to between a third and a thirtieth; only what is small may pack further.
HIGHEST_RATIO = 100
ALWAYS_UNPACKED = 10_000_000
CHUNK = 65_536
# Zeros pack a thousandfold by deflate, but nearly a millionfold by bzip2.
_PLAIN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_AGAIN = "Save or download the file again, then upload that."


class Archive:
    """The parts of a zip file, of which none unpacks to more than it says.

    Parameters
    ----------
    data : the file.
    limits : `bytes` holds for the file, and for all of its parts unpacked.
    """

    def __init__(self, data: bytes, limits: Limits) -> None:
        if len(data) > limits.bytes:
            raise too_large(len(data), limits.bytes)
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except Exception:
            raise UnreadableFile(
                "The file is cut short or damaged: its table of contents cannot be read.",
                remedy=_AGAIN,
            ) from None
        # Python's zipfile believes the table of contents and unpacks as much as there is: a file of
        # 1 MB may hold 1 GB of zeros, or one part twice under a name that programs resolve
        # differently. All that is refused here, before the first byte is unpacked.
        self.names = tuple(self._zip.namelist())
        _check_parts(self._zip.infolist())
        _check_size(self._zip.infolist(), len(data), limits.bytes)

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def size(self, name: str) -> int:
        """Bytes of a part once unpacked."""
        return self._zip.getinfo(name).file_size

    def chunks(self, name: str) -> Iterator[bytes]:
        """The content of a part, a little at a time; raise `UnreadableFile` where it is damaged."""
        try:
            # Reading a part at once would unpack all that is there, whatever its size says.
            with self._zip.open(name) as part:
                while chunk := part.read(CHUNK):
                    yield chunk
        except Exception:
            raise UnreadableFile(
                f"The part {name[:80]!r} of the file is damaged.", remedy=_AGAIN
            ) from None

    def read(self, name: str) -> bytes:
        """The content of a part."""
        return b"".join(self.chunks(name))


def too_large(size: int, most: int) -> UnreadableFile:
    """The error for a file, or for what it unpacks to."""
    return UnreadableFile(
        f"The file comes to {_megabytes(size)}; at most {_megabytes(most)} are read.",
        remedy="Leave out sheets, arrays, columns or objects that are not needed.",
    )


def _check_parts(parts: list[zipfile.ZipInfo]) -> None:
    if len(parts) > MOST_PARTS:
        raise UnreadableFile(
            f"The file is an archive of {len(parts)} parts; at most {MOST_PARTS} are read.",
            remedy="Save the one table that is needed as a file of its own.",
        )
    twice = [name for name, count in Counter(part.filename for part in parts).items() if count > 1]
    if twice:
        raise UnreadableFile(f"The archive holds {twice[0][:80]!r} more than once.", remedy=_AGAIN)
    if any(part.flag_bits & 1 for part in parts):
        raise UnreadableFile(
            "The archive is protected by a password.", remedy="Save it without a password."
        )
    if any(part.compress_type not in _PLAIN for part in parts):
        raise UnreadableFile(
            "The archive is packed in a way that is not read here.",
            remedy="Save it with the ordinary zip compression (deflate), or with none.",
        )


def _check_size(parts: list[zipfile.ZipInfo], packed: int, most: int) -> None:
    unpacked = sum(part.file_size for part in parts)
    if unpacked > most:
        raise too_large(unpacked, most)
    if unpacked > max(ALWAYS_UNPACKED, HIGHEST_RATIO * packed):
        raise UnreadableFile(
            f"The file would unpack from {_megabytes(packed)} to {_megabytes(unpacked)}, "
            "more than any table does.",
            remedy="Save the table without compression, or as CSV.",
        )


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"
