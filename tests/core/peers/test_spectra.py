"""A few eigenvectors of large matrices are those of all."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse.linalg import ArpackNoConvergence

from cml_core.peers import spectra


def positive(n: int) -> np.ndarray:
    """A matrix without negative eigenvalues, the lowest zero."""
    points = spectra.double_centred(np.random.default_rng(0).normal(size=(n, n)))
    return spectra.double_centred(points @ points.T)


@pytest.mark.parametrize("n", [20, 320, 520])
def test_leading_and_lowest_eigenvectors_are_those_of_all(n):
    matrix = positive(n)
    values, vectors = np.linalg.eigh(matrix)
    few, axes = spectra.leading(matrix, 2)
    assert few[:2] == pytest.approx(values[::-1][:2])
    assert (few.size == n) == (n <= spectra.ALL_EIGENVALUES_UP_TO)
    assert np.abs((axes * vectors[:, ::-1][:, :2]).sum(axis=0)) == pytest.approx(np.ones(2))
    few, axes = spectra.lowest(matrix.copy(), 2)
    assert few == pytest.approx(values[1:3], rel=1e-4)
    assert np.abs((axes * vectors[:, 1:3]).sum(axis=0)) == pytest.approx(np.ones(2))


def test_where_iterations_do_not_converge_all_are_found(monkeypatch):
    def lost(*_: object, **__: object) -> None:
        raise ArpackNoConvergence("No convergence", np.empty(0), np.empty((0, 0)))

    matrix = positive(320)
    expected = [found(matrix.copy(), 2)[1] for found in (spectra.leading, spectra.lowest)]
    monkeypatch.setattr(spectra, "eigsh", lost)
    for found, one in zip((spectra.leading, spectra.lowest), expected, strict=True):
        axes = found(matrix.copy(), 2)[1]
        assert np.abs((axes * one).sum(axis=0)) == pytest.approx(np.ones(2))
