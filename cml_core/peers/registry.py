"""The methods, in the order in which they are shown: a line for each module."""

from __future__ import annotations

from cml_core.peers.method import Method
from cml_core.peers.methods import (
    acyclic_lle,
    cca,
    classical,
    drill,
    isomap,
    kernel_pca,
    laplacian,
    lle,
    metric,
    meu,
    mvu,
    ordinal,
    sammon,
    tsne,
    umap,
)

METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        classical.METHOD,
        metric.METHOD,
        sammon.METHOD,
        isomap.METHOD,
        tsne.METHOD,
        umap.METHOD,
        ordinal.METHOD,
        cca.METHOD,
        kernel_pca.METHOD,
        mvu.METHOD,
        meu.METHOD,
        laplacian.METHOD,
        lle.METHOD,
        acyclic_lle.METHOD,
        drill.METHOD,
    )
}
