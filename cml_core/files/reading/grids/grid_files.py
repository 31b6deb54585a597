"""The kinds of files that hold grids of cells; one line for each."""

from __future__ import annotations

from cml_core.files.reading.grids.excel import EXCEL
from cml_core.files.reading.grids.grid_file import Begin, GridFile
from cml_core.files.reading.grids.json_tables import JSON
from cml_core.files.reading.grids.lineage import EMBOSS, MEGA, NEXUS
from cml_core.files.reading.grids.networks import GML, PAJEK, TGF
from cml_core.files.reading.grids.orange_table import ORANGE_TABLE
from cml_core.files.reading.grids.printed_arrays import PRINTED, PRINTED_BY_R
from cml_core.files.reading.grids.r_data import R_DATA
from cml_core.files.reading.grids.r_text import R_TEXT
from cml_core.files.reading.grids.spreadsheets import SPREADSHEETS
from cml_core.files.reading.grids.statistics import COLUMNS, MATLAB, STATISTICS
from cml_core.files.reading.grids.sylk import SYLK
from cml_core.files.reading.grids.ucinet import UCINET
from cml_core.files.reading.grids.web_tables import HTML, LATEX, MARKDOWN, WIKI
from cml_core.files.reading.grids.word_vectors import BINARY_WORD_VECTORS, WORD_VECTORS

_OF_PROGRAMS = (EXCEL, SPREADSHEETS, STATISTICS, COLUMNS, MATLAB, R_DATA, R_TEXT, ORANGE_TABLE)
_OF_TEXT = (HTML, WIKI, MARKDOWN, LATEX, JSON, PRINTED, PRINTED_BY_R, SYLK)
_OF_LINEAGE = (NEXUS, MEGA, EMBOSS)
_OF_FIELDS = (UCINET, PAJEK, GML, TGF, *_OF_LINEAGE, WORD_VECTORS, BINARY_WORD_VECTORS)
GRID_FILES: tuple[GridFile, ...] = (*_OF_PROGRAMS, *_OF_TEXT, *_OF_FIELDS)


def grid_file_of(data: bytes) -> GridFile | None:
    """The first kind that a file is by how it begins; None where it is none of them."""
    begin = Begin(data)
    return next((each for each in GRID_FILES if each.suits(begin)), None)
