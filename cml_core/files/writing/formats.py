"""The formats that dissimilarities can be written in; one line for each."""

from __future__ import annotations

from cml_core.errors import UnknownOption, check_option
from cml_core.files.writing.binary import NPY, NPZ
from cml_core.files.writing.delimited import COMMAS, PAIRS, SEMICOLONS, TABS, TRIANGLE
from cml_core.files.writing.plain import LSMAT, ORANGE, PHYLIP, R_DIST
from cml_core.files.writing.workbook import XLSX
from cml_core.files.writing.writer import Writer
from cml_core.values.dissimilarities import Dissimilarities

_ALL = (
    COMMAS, SEMICOLONS, TABS, XLSX, TRIANGLE, PAIRS, R_DIST, PHYLIP, LSMAT, ORANGE, NPY, NPZ,
)  # fmt: skip
WRITERS: dict[str, Writer] = {each.key: each for each in _ALL}


def written(dissimilarities: Dissimilarities, format: str) -> bytes:  # noqa: A002
    """A file of dissimilarities from which the very same numbers can be read.

    Parameters
    ----------
    format : a key of `WRITERS`.

    Raises
    ------
    UnknownOption : where there is no such format, or it cannot hold these names or gaps.
    """
    writer = WRITERS[check_option("format", format, tuple(WRITERS))]
    obstacle = writer.obstacle(dissimilarities)
    if obstacle:
        others = ", ".join(WRITERS[key].title for key in formats_for(dissimilarities))
        raise UnknownOption(
            f"These data cannot be written as {writer.title}: {obstacle}.",
            remedy=f"Choose one of these: {others}.",
        )
    return writer.write(dissimilarities)


def formats_for(dissimilarities: Dissimilarities) -> tuple[str, ...]:
    """Keys of the formats that can hold all names and gaps of these data."""
    return tuple(key for key, writer in WRITERS.items() if not writer.obstacle(dissimilarities))
