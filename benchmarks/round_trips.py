"""Every format that is written, read back by the program that owns it, where that is installed."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.report import Section, Table
from benchmarks.timing import Effort
from cml_core import Dissimilarities, load_dataset
from cml_core.files.writing import WRITERS, written

ABOUT = """\
The kinship terms and names with accents, quotes and commas, written in each format and read by \
the program itself. *The same* is to the last bit of every number, with every name as it was; \
LibreOffice keeps 15 digits of what it writes, so its numbers are compared to that. scikit-bio and \
Orange are asked where `CML_PEERS` names a Python that has them (`pip install scikit-bio Orange3` \
in an environment of its own)."""

_R = """
options(digits = 17)
a <- commandArgs(TRUE)
out <- function(m) write.csv(format(m, digits = 17, trim = TRUE), a[2])
{read}
"""
_IN_R = {
    "csv": 'out(as.matrix(read.csv(a[1], row.names = 1, check.names = FALSE, na.strings = "")))',
    "tsv": 'out(as.matrix(read.delim(a[1], row.names = 1, check.names = FALSE, na.strings = "")))',
    "semicolons": "out(as.matrix(read.csv2(a[1], row.names = 1, check.names = FALSE, "
    'na.strings = "", fileEncoding = "UTF-8-BOM")))',
    "triangle": "m <- as.matrix(read.csv(a[1], row.names = 1, check.names = FALSE, "
    'na.strings = "")); m[upper.tri(m)] <- t(m)[upper.tri(m)]; diag(m) <- 0; out(m)',
    "pairs": "p <- read.csv(a[1], check.names = FALSE); n <- unique(c(p[[1]], p[[2]])); "
    "m <- matrix(0, length(n), length(n), dimnames = list(n, n)); "
    "m[cbind(p[[1]], p[[2]])] <- m[cbind(p[[2]], p[[1]])] <- p[[3]]; out(m)",
}

# Commas or semicolons; quotes; UTF-8; from the first line on; in English or in German.
_AS_TEXT = {"csv": "44,34,76,1,,1033", "semicolons": "59,34,76,1,,1031"}

_IN_PEERS = {
    "lsmat": "from skbio import DistanceMatrix as D; m = D.read(a, format='lsmat'); n = m.ids",
    "phylip": "from skbio import DistanceMatrix as D; m = D.read(a, format='phylip_dm'); n = m.ids",
    "orange": "from Orange.misc.distmatrix import DistMatrix as D; m = D.from_file(a); "
    "n = [str(row.metas[0]) for row in m.row_items]",
}
_IN_PEER = """
import sys; import numpy as np; import pandas as pd; a = sys.argv[1]
{read}
pd.DataFrame(np.array(getattr(m, "data", m) if hasattr(m, "ids") else m), n).to_csv(sys.argv[2])
"""


def round_trips(_effort: Effort) -> Section:
    """What pandas, NumPy, openpyxl, calamine, R and LibreOffice make of each file."""
    samples = {
        "kinship": load_dataset("kinship").values(),
        "odd names": _odd_names(),
        "accents": _accents(),
    }
    rows = []
    for key, program, read in _readers():
        if key not in WRITERS:
            continue
        told = [_verdict(samples[name], key, read) for name in samples]
        rows.append((WRITERS[key].title, program, *told))
    table = Table(("format", "program", *samples), tuple(rows))
    return Section("Round trips", ABOUT, (table,))


def _accents() -> Dissimilarities:
    values = np.random.default_rng(1).random(6)
    return Dissimilarities.from_condensed(values, ["été", "Straße", "Łódź", "北京"])


def _odd_names() -> Dissimilarities:
    rng = np.random.default_rng(0)
    names = ["été", "O'Neil, Ann", 'the "big" one', "-5", "Straße 7", "北京"]
    return Dissimilarities.from_condensed(rng.random(15), names)


def _verdict(sample: Dissimilarities, key: str, read: Callable[[bytes], pd.DataFrame]) -> str:
    if WRITERS[key].obstacle(sample):
        return "cannot be written"
    try:
        found = read(written(sample, key))
    except FileNotFoundError:
        return "not installed"
    except Exception as error:
        return f"**refused** ({type(error).__name__})"
    values = found.to_numpy(dtype=float)
    if list(map(str, found.index)) != list(sample.labels):
        return "**other names**"
    if np.array_equal(values, sample.square(), equal_nan=True):
        return "the same"
    return "the same to 15 digits" if np.allclose(values, sample.square(), 1e-14) else "**other**"


def _readers() -> list[tuple[str, str, Callable[[bytes], pd.DataFrame]]]:
    """The key of each format, a program that owns it, and how that reads it."""
    return [
        ("csv", "pandas", lambda data: _by_pandas(data, ",")),
        ("csv", "R", lambda data: _by_r(data, "csv")),
        ("csv", "LibreOffice", lambda data: _by_libreoffice(data, "csv")),
        ("tsv", "pandas", lambda data: _by_pandas(data, "\t")),
        ("tsv", "R", lambda data: _by_r(data, "tsv")),
        ("semicolons", "pandas", lambda data: _by_pandas(data, ";", ",")),
        ("semicolons", "R", lambda data: _by_r(data, "semicolons")),
        ("semicolons", "LibreOffice in German", lambda data: _by_libreoffice(data, "semicolons")),
        ("triangle", "R", lambda data: _by_r(data, "triangle")),
        ("pairs", "R", lambda data: _by_r(data, "pairs")),
        ("xlsx", "openpyxl", lambda data: pd.read_excel(io.BytesIO(data), index_col=0)),
        ("xlsx", "calamine", _by_calamine),
        ("xlsx", "LibreOffice", lambda data: _by_libreoffice(data, "xlsx")),
        ("npz", "NumPy", _by_numpy),
        ("lsmat", "scikit-bio", lambda data: _by_peer(data, "lsmat")),
        ("phylip", "scikit-bio", lambda data: _by_peer(data, "phylip")),
        ("orange", "Orange", lambda data: _by_peer(data, "orange")),
    ]


def _by_pandas(data: bytes, sep: str, decimal: str = ".") -> pd.DataFrame:
    return pd.read_csv(
        io.BytesIO(data),
        sep=sep,
        decimal=decimal,
        index_col=0,
        keep_default_na=False,
        na_values=[""],
    )


def _by_calamine(data: bytes) -> pd.DataFrame:
    return pd.read_excel(io.BytesIO(data), index_col=0, engine="calamine")


def _by_numpy(data: bytes) -> pd.DataFrame:
    with np.load(io.BytesIO(data)) as arrays:
        names = next(arrays[name] for name in ("labels", "names") if name in arrays)
        values = next(arrays[name] for name in arrays if arrays[name].dtype.kind == "f")
        return pd.DataFrame(values, names)


def _by_r(data: bytes, kind: str) -> pd.DataFrame:
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, f"table.{kind}"), Path(folder, "read.csv")
        source.write_bytes(data)
        script = _R.format(read=_IN_R[kind])
        _run(["Rscript", "-e", script, str(source), str(target)])
        return pd.read_csv(target, index_col=0, keep_default_na=False, na_values=["", "NA"])


def _by_peer(data: bytes, key: str) -> pd.DataFrame:
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "table.dst"), Path(folder, "read.csv")
        source.write_bytes(data)
        script = _IN_PEER.format(read=_IN_PEERS[key])
        _run([os.environ.get("CML_PEERS", "no peers"), "-c", script, str(source), str(target)])
        return pd.read_csv(target, index_col=0, keep_default_na=False, na_values=[""])


def _by_libreoffice(data: bytes, kind: str) -> pd.DataFrame:
    """Opened, and written anew as its own document."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "table.xlsx" if kind == "xlsx" else "table.csv")
        source.write_bytes(data)
        options = [f"--infilter=CSV:{_AS_TEXT[kind]}"] if kind in _AS_TEXT else []
        command = ["soffice", "--headless", *options, "--convert-to", "ods", "--outdir", folder]
        _run([*command, str(source)])
        return pd.read_excel(Path(folder, "table.ods"), index_col=0, engine="calamine")


def _run(command: list[str]) -> None:
    if shutil.which(command[0]) is None:
        raise FileNotFoundError(command[0])
    subprocess.run(command, check=True, capture_output=True, timeout=120)
