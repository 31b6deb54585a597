"""The kinship terms, as several lessons look at them."""

from __future__ import annotations

from functools import cache

from cml_core.datasets import Dataset, load_dataset
from cml_core.fitting.fit import fit
from cml_core.fitting.problem import Problem
from cml_core.fitting.result import Fit
from cml_core.values.dissimilarities import Dissimilarities
from cml_core.values.features import Feature, FeatureTable

SEED = 0


@cache
def terms() -> Dissimilarities:
    """How differently people sorted fourteen kinship terms."""
    return _data().values()


@cache
def known(*names: str) -> FeatureTable:
    """What is known of them."""
    return _data().feature_table().select(list(names))


@cache
def best_fit(*names: str, n_components: int = 2) -> Fit:
    """The best map with this known."""
    return fit(Problem(terms(), known(*names), n_components), seed=SEED)


@cache
def gender() -> Feature:
    """Women and men as 0 and 1, so that B is how far apart they are taken to be."""
    return Feature.numeric("Gender", list(known("Gender")["Gender"].values))


@cache
def pairs() -> tuple[tuple[int, int], ...]:
    """The seven pairs of terms that differ in nothing but gender."""
    told = ("Aunt Uncle", "Brother Sister", "Daughter Son", "Father Mother", "Nephew Niece")
    grand = ("Granddaughter Grandson", "Grandfather Grandmother")
    labels = terms().labels
    both = (one.split() for one in (*told, *grand))
    return tuple((labels.index(a), labels.index(b)) for a, b in both)


@cache
def _data() -> Dataset:
    return load_dataset("kinship14")
