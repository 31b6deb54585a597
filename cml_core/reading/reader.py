"""The way in: bytes of a file, or text from a box, become a table."""

from __future__ import annotations

from cml_core.dissimilarities import Dissimilarities
from cml_core.errors import NotSquare, UnreadableFile, check_option
from cml_core.features import FeatureTable
from cml_core.reading.arrays_file import array_names
from cml_core.reading.container import opened
from cml_core.reading.formats import FORMATS
from cml_core.reading.raw import ORDINARY, Limits, RawTable
from cml_core.reading.recognise import best, plausible
from cml_core.reading.workbook import sheet_names


def read(
    data: bytes,
    *,
    name: str = "",
    format: str = "auto",  # noqa: A002
    sheet: str = "",
    limits: Limits = ORDINARY,
) -> RawTable | FeatureTable:
    """The values of pairs as the file has them, or the measurements of each object.

    Parameters
    ----------
    data : the file.
    name : what it was called; its ending helps to recognise the format.
    format : a key of `FORMATS`; "auto" recognises it.
    sheet : of a workbook, or the name of an array in an archive; empty takes the first.
    limits : what is larger is refused.

    Raises
    ------
    UnreadableFile, or another `ConditionalMappingError` that names what is wrong and where.
    """
    check_option("format", format, ("auto", *FORMATS))
    container = opened(data, sheet, limits)
    return best(container, name) if format == "auto" else container.read(format)


def recognise(
    data: bytes, name: str = "", sheet: str = "", limits: Limits = ORDINARY
) -> tuple[str, ...]:
    """Keys of the formats that the file can be read in, best first; none where nothing fits."""
    return plausible(opened(data, sheet, limits), name)


def parts(data: bytes, name: str = "", limits: Limits = ORDINARY) -> tuple[str, ...]:  # noqa: ARG001
    """The sheets of a workbook or the arrays of an archive; none where there is one table."""
    container = opened(data, "", limits)
    if container.kind == "workbook":
        return sheet_names(data, limits)
    return array_names(data, limits) if container.kind == "npz" else ()


def read_square(data: bytes) -> Dissimilarities:
    """Dissimilarities from a table with names in the first row, the first column, both or none.

    One triangle is enough: the other may be empty.
    """
    container = opened(data, "", ORDINARY)
    try:
        found = container.read("triangle")
    except (NotSquare, UnreadableFile):
        found = container.read("square")
    assert isinstance(found, RawTable)
    return Dissimilarities.from_square(found.values, found.labels)
