"""Which scale the way that dissimilarities were made speaks for, whatever a fit would say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from cml_core.files.doctor.conversions import conversion_of
from cml_core.files.measures import METRICS
from cml_core.files.preparation import Preparation
from cml_core.files.source import ALL_PARTS, Source
from cml_core.fitting.scales import ordinal, power, smooth
from cml_core.fitting.scales.registry import RATIO, SCALES
from cml_core.values.answers import Answers
from cml_core.values.dissimilarities import Dissimilarities
from cml_core.values.origin import Origin

UNTOLD = Origin()
# People tell about seven grades apart, and scales to answer on have up to eleven (0 to 10).
MOST_LEVELS = 11
# Among so many pairs there are nearly always more values; to look at millions takes long.
FIRST = 1000
# Fewer pairs to a value, on average, are equal by accident.
REPEATED = 2


@dataclass(frozen=True)
class ScaleByOrigin:
    """The scale that data made in this way bear.

    Parameters
    ----------
    scale, ties : as of `Problem`.
    why : how they were made and what follows from it, in a sentence.
    """

    scale: str
    why: str
    ties: str = ordinal.AUTO

    @property
    def advice(self) -> str:
        """In words."""
        return f'{self.why} That speaks for "{SCALES[self.scale].title}".'


def scale_by_origin(
    dissimilarities: Dissimilarities,
    source: Source | None,
    origin: Origin = UNTOLD,
    answers: Answers | None = None,
) -> ScaleByOrigin | None:
    """What speaks for a scale before anything is fitted; None where nothing does.

    Parameters
    ----------
    dissimilarities : as they are now.
    source : how they were made, where that is known.
    origin : what a person says of their making.
    answers : of single people, where they are at hand.
    """
    prepared = source.preparation if source else Preparation()
    if prepared.metric:
        return _of_measurements(prepared.metric)
    if prepared.conversion == "ranks":
        return ScaleByOrigin(ordinal.SCALE.name, "These are ranks of pairs.")
    people = answers.n_people if answers is not None else origin.people
    if origin.kind in _BY_KIND:
        return _BY_KIND[origin.kind](people)
    few = _of_few_values(dissimilarities)
    if few is not None and people < 2:
        return few
    if origin.kind == "ratings":
        return ScaleByOrigin(ordinal.SCALE.name, _RATINGS)
    return few or _of_choices(prepared, source)


def _of_sorting(people: int) -> ScaleByOrigin:
    who = f"{people} people" if people else "people"
    # Simulated sortings of 20 objects by 40 people, two of five features hidden: what was hidden
    # was recovered with a mean canonical correlation of .68 by order alone, of .57 as distances.
    why = f"They are shares of {who} who parted a pair: none can exceed one, however far apart."
    return ScaleByOrigin(ordinal.SCALE.name, why)


def _of_counts(_people: int) -> ScaleByOrigin:
    why = (
        "They come from how often things happened, and which curve leads from that to distances "
        "is not known."
    )
    return ScaleByOrigin(power.SCALE.name, why)


def _of_correlations(_people: int) -> ScaleByOrigin:
    why = "They come from correlations, and which curve leads from those to distances is not known."
    return ScaleByOrigin(power.SCALE.name, why)


def _of_features(_people: int) -> ScaleByOrigin:
    return ScaleByOrigin(RATIO, "They were computed from measurements, so they are distances.")


_BY_KIND: dict[str, Callable[[int], ScaleByOrigin]] = {
    "sorting": _of_sorting,
    "confusions": _of_counts,
    "triads": _of_counts,
    "counts": _of_counts,
    "correlations": _of_correlations,
    "measurements": _of_features,
}
# Conversions that leave steps between ratings as even as they were.
_AS_THEY_ARE = ("none", "dissimilarities")
# On simulated ratings of several people order alone recovered no less than any other scale, and is
# the only one on which false alarms and outlines were found to hold.
_RATINGS = "They are ratings: these have no zero, and bend towards the ends of their scale."
_MEANS = (
    "They are means over several people, who use a scale evenly enough, but hardly agree on what "
    "nought is."
)


def _of_few_values(dissimilarities: Dissimilarities) -> ScaleByOrigin | None:
    some = dissimilarities.condensed[:FIRST]
    if np.unique(some[~np.isnan(some)]).size > MOST_LEVELS:
        return None
    observed = dissimilarities.condensed[~dissimilarities.missing]
    levels = np.unique(observed).size
    if levels > MOST_LEVELS or REPEATED * levels > observed.size:
        return None
    why = f"They take only {levels} different values, as answers on a scale do."
    return ScaleByOrigin(ordinal.SCALE.name, why, ordinal.SECONDARY)


def _of_choices(prepared: Preparation, source: Source | None) -> ScaleByOrigin | None:
    """What was chosen on the way from the file."""
    if prepared.conversion not in _AS_THEY_ARE:
        title = conversion_of(prepared.conversion).title
        why = (
            f"They were converted from similarities ({title}), and which curve leads from those "
            "to distances is not known."
        )
        return ScaleByOrigin(power.SCALE.name, why)
    if prepared.added or prepared.negatives == "shift":
        why = "A constant was added to them, so their zero is not that of distances."
        return ScaleByOrigin(smooth.INTERVAL.name, why)
    if source and (len(source.files) > 1 or prepared.sheet == ALL_PARTS):
        return ScaleByOrigin(smooth.INTERVAL.name, _MEANS)
    return None


def _of_measurements(key: str) -> ScaleByOrigin:
    metric = METRICS[key]
    made = f"They were computed from measurements ({metric.title})"
    if metric.squares:
        return ScaleByOrigin(power.SCALE.name, f"{made}, which gives squares of distances.")
    return ScaleByOrigin(RATIO, f"{made}, so they are distances.")
