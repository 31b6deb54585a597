"""What a fresh process is asked to do: `python -m benchmarks.child this | memory this …`.

Nothing is imported before it is needed, so that a process measures what it is asked for only.
"""

from __future__ import annotations

import contextlib
import io
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

STATUS = Path("/proc/self/status")


def fit_ours() -> None:
    """What a first use is: import the package and fit 14 objects."""
    from cml_core import ConditionalMDS, load_dataset

    data = load_dataset("kinship14")
    ConditionalMDS(random_state=0).fit(data.dissimilarities, data.features)


def fit_theirs() -> None:
    """The same with scikit-learn, as far as it goes; its objects are made up."""
    import numpy as np
    from sklearn.manifold import MDS

    places = np.random.default_rng(0).uniform(size=(14, 4))
    MDS(n_init=1, init="random", random_state=0).fit(places)


def memory(method: str, folder: str) -> None:
    """Print the bytes that the data take, that a fit takes above them, and that all takes."""
    import numpy as np

    fit = {"this": _prepared_ours, "scikit-learn": _prepared_theirs}[method]()
    data = np.load(Path(folder) / "dissimilarities.npy")
    known_values = np.load(Path(folder) / "features.npy")
    _forget_peak()
    before = _resident()
    fit(data, known_values)
    peak = _peak()
    print(data.nbytes, peak - before, peak)


def _prepared_ours() -> Any:
    """Compiled code is loaded before memory is counted."""
    from benchmarks.ours import warm_up
    from cml_core import ConditionalMDS

    warm_up()
    return ConditionalMDS(3, random_state=0).fit


def _prepared_theirs() -> Any:
    import numpy as np
    from sklearn.manifold import MDS

    def fit(square: Any, known_values: Any) -> None:
        columns = 3 + known_values.shape[1]
        options = {"metric": "precomputed", "n_init": 1, "init": "random", "random_state": 0}
        MDS(columns, max_iter=2, **options).fit(square)

    fit(np.ones((20, 20)) - np.eye(20), np.zeros((20, 4)))
    return fit


def read(method: str, file: str) -> None:
    """Print the seconds of processor and the bytes above the file that reading it takes."""
    data = Path(file).read_bytes()
    take = {"this": _read_ours, "pandas": _read_pandas, "calamine": _read_calamine}[method]()
    _forget_peak()
    before, began = _resident(), time.process_time()
    take(data)
    print(time.process_time() - began, _peak() - before)


def _read_ours() -> Any:
    import pandas as pd

    from cml_core.errors import TooManyObjects
    from cml_core.files import reading

    # Both have been used once: what is loaded then does not count.
    pd.read_csv(io.BytesIO(b"a,b\n1,2\n"))

    def take(data: bytes) -> None:
        # A million names are refused, and that is what is measured.
        with contextlib.suppress(TooManyObjects):
            reading.read(data, limits=reading.Limits(objects=3_000))

    return take


def _read_pandas() -> Any:
    import pandas as pd

    pd.read_csv(io.BytesIO(b"a,b\n1,2\n"))
    return lambda data: pd.read_csv(
        io.BytesIO(data), index_col=0, encoding="utf-16" if data[:2] == b"\xff\xfe" else "utf-8"
    )


def _read_calamine() -> Any:
    import python_calamine

    def take(data: bytes) -> None:
        book = python_calamine.load_workbook(io.BytesIO(data))
        book.get_sheet_by_index(0).to_python()

    return take


def _forget_peak() -> None:
    """Let the peak be counted from here on; only Linux can."""
    try:
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    except OSError:
        return


def _peak() -> int:
    if STATUS.exists():
        return _status("VmHWM")
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak


def _resident() -> int:
    """What is in memory now; where that is not told, the most there ever was."""
    return _status("VmRSS") if STATUS.exists() else _peak()


def _status(name: str) -> int:
    lines = STATUS.read_text(encoding="ascii").splitlines()
    return 1024 * int(next(line for line in lines if line.startswith(name)).split()[1])


if __name__ == "__main__":
    tasks: dict[str, Callable[..., None]] = {
        "this": fit_ours,
        "scikit-learn": fit_theirs,
        "memory": memory,
        "read": read,
    }
    tasks[sys.argv[1]](*sys.argv[2:])
