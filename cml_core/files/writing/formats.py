"""Every format that dissimilarities can be written in, with what to know of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cml_core.errors import UnknownOption, check_option
from cml_core.files.writing import binary, delimited, names, plain, workbook
from cml_core.values.dissimilarities import Dissimilarities

_CSV, _TSV = "text/csv", "text/tab-separated-values"
_XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@dataclass(frozen=True)
class FileKind:
    """A kind of file, in words.

    Parameters
    ----------
    key : what this package calls it.
    title : what people call it.
    about : a sentence or two on what it is good for.
    extension : of its files, with the dot.
    mime : its media type.
    """

    key: str
    title: str
    about: str
    extension: str
    mime: str


@dataclass(frozen=True)
class Writer(FileKind):
    """A way to write dissimilarities.

    Parameters
    ----------
    write : gives the file's bytes, where nothing stands in the way.
    obstacle : says what does, as the end of a sentence; empty where nothing does.
    """

    write: Callable[[Dissimilarities], bytes]
    obstacle: Callable[[Dissimilarities], str]


def _quoted(dissimilarities: Dissimilarities) -> str:
    return names.quoted_name(dissimilarities.labels)


def _beside_commas(dissimilarities: Dissimilarities) -> str:
    return names.quoted_name_beside_commas(dissimilarities.labels)


def _between_tabs(dissimilarities: Dissimilarities) -> str:
    return names.name_in_a_line(dissimilarities.labels)


def _between_tabs_complete(dissimilarities: Dissimilarities) -> str:
    return names.no_gaps(dissimilarities) or _between_tabs(dissimilarities)


def _in_columns(dissimilarities: Dissimilarities) -> str:
    return names.name_in_columns(dissimilarities.labels)


def _before_numbers(dissimilarities: Dissimilarities) -> str:
    return names.no_gaps(dissimilarities) or names.name_before_numbers(dissimilarities.labels)


def _ending_in_nul(dissimilarities: Dissimilarities) -> str:
    found = [label for label in dissimilarities.labels if label.endswith("\0")]
    return f"{found[0][:40]!r} ends in a NUL, which NumPy cuts off" if found else ""


def _nothing(_: Dissimilarities) -> str:
    return ""


_WRITERS = (
    Writer(
        "csv",
        "Square table, commas (CSV)",
        "For most programs, and for spreadsheets where decimals have points.",
        ".csv",
        _CSV,
        delimited.comma_table,
        _quoted,
    ),
    Writer(
        "semicolons",
        "Square table, semicolons and decimal commas (CSV)",
        "For spreadsheets where decimals have commas.",
        ".csv",
        _CSV,
        delimited.semicolon_table,
        _beside_commas,
    ),
    Writer(
        "tsv",
        "Square table, tabs (TSV)",
        "For pasting into a spreadsheet, and for programs that read tab-separated tables.",
        ".tsv",
        _TSV,
        delimited.tab_table,
        _quoted,
    ),
    Writer(
        "xlsx",
        "Excel workbook (XLSX)",
        "For spreadsheets of every language; numbers stay exact.",
        ".xlsx",
        _XLSX,
        workbook.workbook,
        workbook.obstacle,
    ),
    Writer(
        "triangle",
        "Lower triangle, commas (CSV)",
        "For typing in by hand: every pair is written once.",
        ".csv",
        _CSV,
        delimited.lower_triangle,
        _quoted,
    ),
    Writer(
        "pairs",
        "List of pairs (CSV)",
        "For databases, and where only some of the pairs are known.",
        ".csv",
        _CSV,
        delimited.list_of_pairs,
        _quoted,
    ),
    Writer(
        "r_dist",
        "R's printed dist",
        "For reading by eye, and for copying from and to an R console.",
        ".txt",
        "text/plain",
        plain.r_dist,
        _in_columns,
    ),
    Writer(
        "phylip",
        "PHYLIP distance matrix",
        "For programs that draw trees. Blanks in names longer than ten letters become underscores.",
        ".phy",
        "text/plain",
        plain.phylip,
        _before_numbers,
    ),
    Writer(
        "lsmat",
        "scikit-bio's matrix (lsmat)",
        "For scikit-bio and QIIME.",
        ".lsmat",
        _TSV,
        plain.lsmat,
        _between_tabs_complete,
    ),
    Writer(
        "orange",
        "Orange's distance file (.dst)",
        "For Orange's widget Distance File.",
        ".dst",
        "text/plain",
        plain.orange,
        _between_tabs,
    ),
    Writer(
        "npy",
        "NumPy array (.npy)",
        "For Python; it holds the numbers only, without names.",
        ".npy",
        "application/octet-stream",
        binary.npy,
        _nothing,
    ),
    Writer(
        "npz",
        "NumPy archive (.npz)",
        "For Python: the square table beside the names.",
        ".npz",
        "application/zip",
        binary.npz,
        _ending_in_nul,
    ),
)
WRITERS: dict[str, Writer] = {each.key: each for each in _WRITERS}


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
