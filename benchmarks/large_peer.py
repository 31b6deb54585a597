"""A picture of many rows by another program, in whichever environment that is installed.

`python large_peer.py openTSNE rows.npy places.npy` writes the places, and prints seconds and bytes.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import numpy as np


def umap(rows: Any) -> Any:
    """umap-learn at its defaults."""
    from umap import UMAP

    return UMAP(n_components=2).fit_transform(rows)


def tsne(rows: Any) -> Any:
    """Of openTSNE, at its defaults, with all processors."""
    from openTSNE import TSNE

    return TSNE(n_components=2, n_jobs=-1).fit(rows)


def mde(rows: Any) -> Any:
    """PyMDE's map that preserves neighbours, at its defaults."""
    if find_spec("torchvision") is None:
        # PyMDE imports it for example data, which nobody asks for here; as a dependency it would
        # bring another torch, of gigabytes.
        sys.modules["torchvision"] = ModuleType("torchvision")
    import pymde
    import torch

    return pymde.preserve_neighbors(torch.from_numpy(rows), embedding_dim=2).embed().numpy()


PEERS = {"umap-learn": umap, "openTSNE": tsne, "PyMDE": mde}


def main(name: str, rows_at: str, places_at: str) -> None:
    """Draw the rows, and say what that took."""
    rows = np.load(rows_at)
    began, clock = time.process_time(), time.perf_counter()
    places = PEERS[name](rows)
    processor, wall = time.process_time() - began, time.perf_counter() - clock
    np.save(places_at, np.asarray(places, dtype=float))
    peak = 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"processor": processor, "wall": wall, "peak": peak}))


if __name__ == "__main__":
    main(*sys.argv[1:])
