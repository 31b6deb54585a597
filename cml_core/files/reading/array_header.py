"""The header of an array that numpy saved, checked before any memory is taken."""

from __future__ import annotations

import io
import math
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.lib import format as npy

from cml_core.errors import UnreadableFile
from cml_core.files.reading.archive import ZIP_MAGIC

NPY_MAGIC = b"\x93NUMPY"
# An array of plain numbers needs about a hundred characters.
LONGEST_HEADER = 2_000
_SAVE = "Save it again with numpy.save, as an array of numbers."


def is_array_file(data: bytes) -> bool:
    """Whether numpy may have saved this."""
    return data.startswith(NPY_MAGIC) or (data.startswith(ZIP_MAGIC) and b".npy" in data)


@dataclass(frozen=True)
class ArrayHeader:
    """What a file says of its array, and where the array begins."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    begin: int

    def check_length(self, size: int, what: str) -> None:
        """Raise `UnreadableFile` unless `size` bytes are the header and the array."""
        needed = math.prod(self.shape) * self.dtype.itemsize
        held = size - self.begin
        if held < needed:
            raise UnreadableFile(
                f"{what} is cut short: it should take {needed} bytes, but only {held} are there.",
                remedy="Save or download the file again.",
            )
        if held > needed:
            raise UnreadableFile(
                f"{what} should take {needed} bytes, but {held} are there.",
                remedy="Save one array in an .npy file, several in an .npz.",
            )


def header_of(data: bytes, what: str) -> ArrayHeader:
    """The header at the begin of `data`; raise `UnreadableFile` for pickles and forgeries."""
    stream = io.BytesIO(data[: LONGEST_HEADER + 20])
    # Arrays of Python 2 are read as well, which numpy calls slow.
    warnings.filterwarnings("ignore", message=r"Reading `\.npy`")
    # numpy.load takes the memory that a header asks for, and evaluates the header as Python: so it
    # is looked at on its own, and briefly, first.
    try:
        version = npy.read_magic(stream)
        read = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}[version]
        shape, _, dtype = read(stream, max_header_size=LONGEST_HEADER)
    except (Exception, RecursionError):
        raise UnreadableFile(
            f"{what} has a header that cannot be read, or describes no plain array of numbers.",
            remedy=_SAVE,
        ) from None
    if dtype.hasobject:
        raise UnreadableFile(
            f"{what} holds pickled Python objects, which could run a program when they are read; "
            "they were not read.",
            remedy=_SAVE,
        )
    if dtype.fields is not None or dtype.subdtype is not None or not dtype.itemsize:
        raise UnreadableFile(
            f"{what} has named fields or records in place of numbers.", remedy=_SAVE
        )
    # numpy passes a negative size, and True for one.
    if any(isinstance(size, bool) or size < 0 for size in shape):
        raise UnreadableFile(f"{what} says that it has the shape {shape}.", remedy=_SAVE)
    return ArrayHeader(tuple(shape), dtype, stream.tell())
