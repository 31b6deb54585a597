"""The metrics and scalings that a person can choose, and what each of them is for."""

from __future__ import annotations

METRICS: dict[str, str] = {
    "euclidean": "Euclidean: the straight line between two objects; large differences count most.",
    "sqeuclidean": "Squared Euclidean: large differences count even more.",
    "cityblock": "City block (Manhattan): differences are added up, column by column.",
    "chebyshev": "Chebyshev: the largest difference in any one column.",
    "canberra": "Canberra: differences relative to the size of the values; none below zero.",
    "braycurtis": "Bray–Curtis: the share of abundances that two samples do not have in common.",
    "cosine": "Cosine: the angle between two profiles; their overall size does not count.",
    "correlation": "Correlation: one minus Pearson's r of two profiles; neither their level nor "
    "their size counts.",
    "jensenshannon": "Jensen–Shannon: how different two distributions over the columns are.",
    "mahalanobis": "Mahalanobis: Euclidean, where correlated columns do not count twice.",
    "hamming": "Hamming: the share of columns in which two objects differ at all.",
    "jaccard": "Jaccard: of what at least one of two objects has (not zero), the share that only "
    "one has.",
    "gower": "Gower: the mean difference over columns of any kind, each between 0 and 1.",
}
SCALINGS: dict[str, str] = {
    "none": "As they are: columns with large numbers count most.",
    "standardise": "Standardised: each column has mean 0 and standard deviation 1.",
    "range": "By range: each column goes from 0 to 1.",
    "ranks": "Ranks: only the order of the objects in each column counts.",
}
# Other metrics take only quantities and steps of an order.
ANY_KIND = ("hamming", "gower")
NOT_BELOW_ZERO = ("canberra", "braycurtis", "jensenshannon")
# Presence is lost when zero moves.
UNSCALED = ("jaccard",)
# Why a pair has no value although its objects have columns in common.
UNDEFINED = {
    "cosine": "one of the two has only zeros",
    "correlation": "one of the two has the same value in all columns",
    "braycurtis": "both have only zeros",
    "jensenshannon": "one of the two has only zeros",
}
WITH_GAPS = {
    **dict.fromkeys(
        ("euclidean", "sqeuclidean", "cityblock", "canberra"),
        "over the columns that both objects have, and its sum scaled up to all columns",
    ),
    "gower": "as the mean over the columns that both objects have",
}
WITH_GAPS_ELSE = "over the columns that both objects have"


def title_of(key: str) -> str:
    """The name of a metric or scaling in a sentence."""
    return {**METRICS, **SCALINGS}[key].split(":")[0]
