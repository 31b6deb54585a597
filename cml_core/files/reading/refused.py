"""Files that hold no table that is read here, by name, with what to do instead."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from cml_core.errors import UnreadableFile
from cml_core.files.reading.archive import ZIP_MAGIC

_CSV = "Save the table as CSV and upload that."
_NUMBERS = "Give the numbers, as CSV or as a workbook."
_DISTANCES = (
    "Compute the distances between its entries first, in R for example with ape: "
    "write.csv(as.matrix({how}), 'distances.csv')."
)
# What R prints after its prompt begins with blanks, or with more than letters.
_FASTA = re.compile(rb">[^\n]{1,500}\r?\n[A-Za-z*?.~-]{4}[A-Za-z*?.~ -]*(?:\r?\n|\Z)")
_NEWICK = re.compile(rb"(?:\[&[RU]\]\s*)?\(+[^()\n;=]{0,200}(?::[\d.eE+-]+)?,[^;=<>\"]{0,3000}")
_ALIGNED = re.compile(rb"\s*\d+\s+\d+[^\n]{0,9}\n\S{1,30}\s+[ACGTUNacgtun?-]{8}")
_NETWORK = re.compile(
    rb"(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:graphml|gexf)\b"
    rb"|(?:strict\s+)?(?:di)?graph\b[^\[\n]{0,100}\{",
    re.DOTALL,
)
# R prints one table below the other, or flat: on two sides of the corner, padded to one width.
_STACKED = re.compile(rb"\s*, , [^\n]+\n\s*\n")
# Two nodes and between them what one does to the other, by the words that Cytoscape has for that.
_SIF = re.compile(
    rb"(?:\S[^\t\n,;]*[\t ](?:pp|pd|pr|rc|cr|gl|pm|mp|dd|interacts(?:[_ -]with)?)[\t ]"
    rb"[^\n,;]*(?:\n|\Z)){2}"
)
_SHORTENED = re.compile(
    rb"^[^\n,;]* \.\.\. [^\n,;]*\n(?:[^\n]*\n){0,5}?[^\n,;]* \.\.\. "
    rb"|reached (?:getOption\(\"max\.print\"\)|'max' / getOption)|\[\d+ rows x \d+ columns\]\s*$"
)


@dataclass(frozen=True)
class _Kind:
    """What a file is, how its first bytes tell, and what to do instead."""

    what: str
    remedy: str
    suits: Callable[[bytes], object]


def _begins(*marks: bytes) -> Callable[[bytes], object]:
    return lambda begin: begin.startswith(marks)


def _is_pickle(begin: bytes) -> bool:
    """Protocols 2 to 5 begin with their number; the first operation follows."""
    return begin[:1] == b"\x80" and begin[1:2] in (b"\2", b"\3", b"\4", b"\5") and len(begin) > 2


def _is_flat(begin: bytes) -> bool:
    """Whether R printed a flat table: names of sides in the corner, padded to one width."""
    lines = [line.rstrip(b"\r") for line in begin.split(b"\n")[:5]]
    corner = next((k for k, line in enumerate(lines) if line[:1] not in (b" ", b"")), 0)
    if corner == 0 or lines[0][:2] != b"  " or not lines[corner].endswith(b"    "):
        return False
    # One variable on either side makes a table that is read, and so do names before numbers.
    named = lines[corner].split()
    several = (corner > 1 or len(named) > 1) and not any(word[:1].isdigit() for word in named)
    return several and len({len(line) for line in lines[: corner + 1]}) == 1


_KINDS = (
    _Kind(
        "a PDF document",
        "Copy the table into a spreadsheet and save it as CSV.",
        _begins(b"%PDF"),
    ),
    _Kind(
        "a picture",
        _NUMBERS,
        _begins(b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"II*\0", b"MM\0*", b"BM6", b"BMF"),
    ),
    _Kind(
        "a picture",
        _NUMBERS,
        lambda begin: begin[:4] == b"RIFF" and begin[8:12] == b"WEBP",
    ),
    _Kind(
        "a picture (SVG)", _NUMBERS, lambda begin: re.match(rb"(?:<\?xml[^>]*>\s*)?<svg\b", begin)
    ),
    _Kind(
        "an HDF5 file (as .h5ad, .h5, .bdsm and MATLAB's version 7.3 are)",
        "Open it in the program that wrote it and save the table as CSV: of AnnData for example "
        "adata.to_df().to_csv('table.csv'), of scikit-bio as .lsmat.",
        _begins(b"\x89HDF\r\n\x1a\n"),
    ),
    _Kind(
        "a pickle of Python, which could run a program when it is read",
        "Save the table itself: table.to_csv('table.csv') of pandas, numpy.save of an array, "
        "save_word2vec_format of gensim.",
        _is_pickle,
    ),
    _Kind(
        "a list of sequences (FASTA)",
        _DISTANCES.format(how="dist.dna(read.FASTA('file.fasta'))"),
        _FASTA.match,
    ),
    _Kind(
        "an alignment of sequences (PHYLIP)",
        _DISTANCES.format(how="dist.dna(read.dna('file.phy'))"),
        _ALIGNED.match,
    ),
    _Kind(
        "a tree (Newick)",
        _DISTANCES.format(how="cophenetic(read.tree('file.nwk'))"),
        lambda begin: _NEWICK.match(begin) and begin.count(b"(") == begin.count(b")") > 0,
    ),
    _Kind(
        "a network (GraphML, GEXF or DOT)",
        "Save its links with their values as CSV: in Gephi by Data Laboratory, Export table; in "
        "igraph by write.csv(as_data_frame(g), 'links.csv'); or as GML, which is read.",
        _NETWORK.match,
    ),
    _Kind(
        "a network (SIF), whose links have no value",
        "Save its links with their values as CSV: in Cytoscape by File, Export, Table, of the "
        "edges.",
        _SIF.match,
    ),
    _Kind(
        "a matrix in Matrix Market's form",
        "Save it as an array: in Python numpy.save('table.npy', scipy.io.mmread(file)), in R "
        "write.csv(as.matrix(readMM(file)), 'table.csv').",
        _begins(b"%%MatrixMarket"),
    ),
    _Kind(
        "a table in Weka's form (ARFF)",
        "Save it as CSV: in Weka by Save, in R write.csv(foreign::read.arff(file), 'table.csv').",
        re.compile(rb"(?:\s*%[^\n]*\n)*\s*@relation\b", re.IGNORECASE).match,
    ),
    _Kind(
        "a database (SQLite)",
        "Export the one table that is needed as CSV.",
        _begins(b"SQLite format 3"),
    ),
    _Kind(
        "a table that was shortened when it was printed",
        "Save all of it: table.to_csv('table.csv') in pandas, numpy.save in NumPy, "
        "write.csv(as.matrix(d), 'table.csv') in R.",
        _SHORTENED.search,
    ),
    _Kind(
        "a table of three or more sides that R printed",
        "Save it as a list: in R write.csv(as.data.frame.table(x), 'table.csv', row.names = "
        "FALSE), for what ftable made of it with as.table(x).",
        lambda begin: _STACKED.match(begin) or _is_flat(begin),
    ),
    _Kind(
        "an archive",
        "Unpack it first, and give the table itself.",
        _begins(ZIP_MAGIC, b"7z\xbc\xaf", b"Rar!"),
    ),
)
_BEGIN = 4_000


def refuse_by_name(data: bytes) -> None:
    """Raise `UnreadableFile` for a file that is known to hold no table that is read here."""
    begin = data[:_BEGIN]
    begin = begin.removeprefix(b"\xef\xbb\xbf")
    for kind in _KINDS:
        if kind.suits(begin):
            raise UnreadableFile(f"The file is {kind.what}.", remedy=kind.remedy)
