"""Text formats of other programs, which know no quotes: each line a name and its values."""

from __future__ import annotations

from cml_core.files.writing import names
from cml_core.files.writing.names import PHYLIP_WIDTH, as_phylip_names, full_rows, lower_rows
from cml_core.files.writing.writer import TEXT, TSV, Writer
from cml_core.values.dissimilarities import Dissimilarities


def lsmat(dissimilarities: Dissimilarities) -> bytes:
    """scikit-bio's square matrix: names above and before, tabs between."""
    head = "\t".join(["", *dissimilarities.labels])
    body = ("\t".join([label, *values]) for label, values in full_rows(dissimilarities))
    return _lines(head, *body)


def orange(dissimilarities: Dissimilarities) -> bytes:
    """Orange's .dst: the number of objects and what follows, then names and a lower triangle."""
    head = f"{dissimilarities.n_objects}\taxis=1\trow_labels"
    rows = lower_rows(dissimilarities, "nan", diagonal=True)
    return _lines(head, *("\t".join([label, *values]) for label, values in rows))


def phylip(dissimilarities: Dissimilarities) -> bytes:
    """PHYLIP's square matrix: the number of objects, then a name and all values in each line.

    Names are filled up to ten characters, as the programs want that know no longer ones.
    """
    names = as_phylip_names(dissimilarities.labels)
    rows = full_rows(dissimilarities)
    body = (
        " ".join([f"{name:<{PHYLIP_WIDTH}}", *values])
        for name, (_, values) in zip(names, rows, strict=True)
    )
    return _lines(f"    {dissimilarities.n_objects}", *body)


def r_dist(dissimilarities: Dissimilarities) -> bytes:
    """What R prints of a dist: names above and before, columns aligned to the right."""
    labels = dissimilarities.labels
    # R prints no row for the first object and no column for the last: both would be empty.
    rows = list(lower_rows(dissimilarities, "NA", diagonal=False))[1:]
    margin = max(len(label) for label in labels[1:])
    widths = [
        max(len(labels[k]), *(len(values[k]) for _, values in rows[k:]))
        for k in range(len(labels) - 1)
    ]
    lines = [("", list(labels[:-1])), *rows]
    return _lines(
        *(
            " ".join(
                [
                    f"{label:<{margin}}",
                    *(f"{text:>{w}}" for text, w in zip(texts, widths, strict=False)),
                ]
            )
            for label, texts in lines
        )
    )


def _lines(*lines: str) -> bytes:
    return ("\n".join(lines) + "\n").encode()


def _between_tabs(dissimilarities: Dissimilarities) -> str:
    return names.name_in_a_line(dissimilarities.labels)


def _between_tabs_complete(dissimilarities: Dissimilarities) -> str:
    return names.no_gaps(dissimilarities) or _between_tabs(dissimilarities)


def _in_columns(dissimilarities: Dissimilarities) -> str:
    return names.name_in_columns(dissimilarities.labels)


def _before_numbers(dissimilarities: Dissimilarities) -> str:
    return names.no_gaps(dissimilarities) or names.name_before_numbers(dissimilarities.labels)


R_DIST = Writer(
    "r_dist",
    "R's printed dist",
    "For reading by eye, and for copying from and to an R console.",
    ".txt",
    TEXT,
    r_dist,
    _in_columns,
)
PHYLIP = Writer(
    "phylip",
    "PHYLIP distance matrix",
    "For programs that draw trees. Blanks in names longer than ten letters become underscores.",
    ".phy",
    TEXT,
    phylip,
    _before_numbers,
)
LSMAT = Writer(
    "lsmat",
    "scikit-bio's matrix (lsmat)",
    "For scikit-bio and QIIME.",
    ".lsmat",
    TSV,
    lsmat,
    _between_tabs_complete,
)
ORANGE = Writer(
    "orange",
    "Orange's distance file (.dst)",
    "For Orange's widget Distance File.",
    ".dst",
    TEXT,
    orange,
    _between_tabs,
)
