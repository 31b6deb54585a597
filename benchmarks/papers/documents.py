"""The documents, and their rows in the order in which they are told."""

from __future__ import annotations

from benchmarks.papers import (
    by_size,
    cars,
    coefficients,
    entropy,
    faces,
    kinship,
    kinship_isomap,
    kinship_rules,
    lecture,
    lecture_pictures,
    prior,
    prior_rules,
    spectral,
    textiles,
)
from benchmarks.papers.row import Row

DOCUMENTS: dict[str, tuple[Row, ...]] = {
    "Conditional manifold learning (Bui 2021)": (
        *kinship.ROWS,
        *kinship_isomap.ROWS,
        *kinship_rules.ROWS,
    ),
    "Dimension reduction with prior information for knowledge discovery (Bui 2022)": (
        *faces.ROWS,
        *textiles.ROWS,
        *cars.ROWS,
        *coefficients.ROWS,
        *by_size.ROWS,
        *prior.ROWS,
        *prior_rules.ROWS,
    ),
    "A lecture on multidimensional scaling (CPSC 340, 2021)": (
        *lecture.ROWS,
        *lecture_pictures.ROWS,
    ),
    "A unifying probabilistic perspective for spectral dimensionality reduction (Lawrence 2012)": (
        *entropy.ROWS,
        *spectral.ROWS,
    ),
}
ROWS = {row.id: row for rows in DOCUMENTS.values() for row in rows}
