"""Files packed by gzip, bzip2 or xz, unpacked no further than files are read."""

from __future__ import annotations

import bz2
import io
import lzma
import zlib
from collections.abc import Iterator

from cml_core.errors import UnreadableFile
from cml_core.files.reading.archive import ALWAYS_UNPACKED, too_large
from cml_core.files.reading.raw import Limits

GZIP, _BZIP2, _XZ = b"\x1f\x8b\x08", b"BZh", b"\xfd7zXZ\0"
PACKED = (GZIP, _BZIP2, _XZ)
_CHUNK = 1_000_000
# Of a table of the same number everywhere gzip makes a hundredth, of others a third to a tenth.
_HIGHEST_RATIO = 30
# What xz may need besides what it unpacks.
_MEMORY = 200_000_000


def unpacked(data: bytes, limits: Limits | None, most: int = 0) -> bytes:
    """What was packed; without limits only its first bytes, or none where it is damaged.

    Parameters
    ----------
    most : bytes that are unpacked where there are no limits.
    """
    found = io.BytesIO()
    bound = limits.bytes if limits else most
    bound = min(bound, max(ALWAYS_UNPACKED, _HIGHEST_RATIO * len(data)))
    try:
        for chunk in _chunks(data, bound + 1):
            found.write(chunk)
            if found.tell() > bound:
                break
    except (zlib.error, OSError, lzma.LZMAError, EOFError, ValueError):
        if limits is None:
            return found.getvalue()
        raise UnreadableFile(
            "The packed file is cut short or damaged.",
            remedy="Save or download the file again, then upload that.",
        ) from None
    if limits is not None and found.tell() > bound:
        raise too_large(found.tell(), bound)
    return found.getvalue()


def _chunks(data: bytes, most: int) -> Iterator[bytes]:
    if data.startswith(GZIP):
        unpack = zlib.decompressobj(wbits=31)
        rest = data
        while rest and not unpack.eof:
            yield unpack.decompress(rest, min(_CHUNK, most))
            rest = unpack.unconsumed_tail
        if not unpack.eof:
            raise EOFError
        return
    other = (
        bz2.BZ2Decompressor()
        if data.startswith(_BZIP2)
        else lzma.LZMADecompressor(memlimit=_MEMORY)
    )
    rest = data
    while not other.eof:
        chunk = other.decompress(rest, min(_CHUNK, most))
        rest = b""
        if not chunk and other.needs_input:
            raise EOFError
        yield chunk
