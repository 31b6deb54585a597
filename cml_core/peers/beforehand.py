"""What views compile when they are first asked for, compiled before anybody waits for it."""

from __future__ import annotations

from functools import partial

import numpy as np
from scipy.spatial.distance import pdist

from cml_core.fitting.beforehand import SMALL, Stage
from cml_core.peers.quality import quality
from cml_core.peers.registry import METHODS
from cml_core.peers.view import view


def _drawn(*methods: str) -> None:
    """One picture by each method, and how far it may be believed."""
    data = pdist(np.random.default_rng(0).normal(size=(SMALL, SMALL)))
    for method in methods:
        quality(view(data, method), data)


_COMPILED = ("tsne", "umap")
# In the order in which a page shows them; shares were measured, with all fits compiled already.
STAGES = (
    Stage("t-SNE", 0.45, partial(_drawn, "tsne")),
    Stage("UMAP", 0.35, partial(_drawn, "umap")),
    Stage(
        "other methods", 0.2, partial(_drawn, *(name for name in METHODS if name not in _COMPILED))
    ),
)
