"""The metrics and scalings that a person can choose; one line for each."""

from __future__ import annotations

from cml_core.files.measures.gower import GOWER
from cml_core.files.measures.mahalanobis import MAHALANOBIS
from cml_core.files.measures.metric import Metric
from cml_core.files.measures.presence import HAMMING, JACCARD
from cml_core.files.measures.profiles import BRAYCURTIS, CORRELATION, COSINE, JENSENSHANNON
from cml_core.files.measures.sums import CANBERRA, CHEBYSHEV, CITYBLOCK, EUCLIDEAN, SQEUCLIDEAN

_ALL = (
    EUCLIDEAN, SQEUCLIDEAN, CITYBLOCK, CHEBYSHEV, CANBERRA, BRAYCURTIS, COSINE, CORRELATION,
    JENSENSHANNON, MAHALANOBIS, HAMMING, JACCARD, GOWER,
)  # fmt: skip
METRICS: dict[str, Metric] = {each.key: each for each in _ALL}
SCALINGS: dict[str, str] = {
    "none": "As they are: columns with large numbers count most.",
    "standardise": "Standardised: each column has mean 0 and standard deviation 1.",
    "range": "By range: each column goes from 0 to 1.",
    "ranks": "Ranks: only the order of the objects in each column counts.",
}


def scaling_title(key: str) -> str:
    """The name of a scaling in a sentence."""
    return SCALINGS[key].split(":")[0]
