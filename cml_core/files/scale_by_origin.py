"""Which scale the way that dissimilarities were made speaks for, whatever a fit would say."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cml_core.files.doctor.conversions import conversion_of
from cml_core.files.measures import METRICS
from cml_core.files.preparation import Preparation
from cml_core.files.source import ALL_PARTS, Source
from cml_core.fitting.scales import ordinal, power, smooth
from cml_core.fitting.scales.registry import RATIO, SCALES
from cml_core.values.dissimilarities import Dissimilarities

# People tell about seven grades apart, and scales to answer on have up to eleven (0 to 10).
MOST_LEVELS = 11
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
    dissimilarities: Dissimilarities, source: Source | None
) -> ScaleByOrigin | None:
    """What speaks for a scale before anything is fitted; None where nothing does.

    Parameters
    ----------
    dissimilarities : as they are now.
    source : how they were made, where that is known.
    """
    prepared = source.preparation if source else Preparation()
    if prepared.metric:
        return _of_measurements(prepared.metric)
    if prepared.conversion == "ranks":
        return ScaleByOrigin(ordinal.SCALE.name, "These are ranks of pairs.")
    observed = dissimilarities.condensed[~dissimilarities.missing]
    levels = np.unique(observed).size
    if levels <= MOST_LEVELS and REPEATED * levels <= observed.size:
        why = f"They take only {levels} different values, as answers on a scale do."
        return ScaleByOrigin(ordinal.SCALE.name, why, ordinal.SECONDARY)
    if prepared.conversion != "none":
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
        why = (
            "They are means over several people, who use a scale evenly enough, but hardly agree "
            "on what nought is."
        )
        return ScaleByOrigin(smooth.INTERVAL.name, why)
    return None


def _of_measurements(key: str) -> ScaleByOrigin:
    metric = METRICS[key]
    made = f"They were computed from measurements ({metric.title})"
    if metric.squares:
        return ScaleByOrigin(power.SCALE.name, f"{made}, which gives squares of distances.")
    return ScaleByOrigin(RATIO, f"{made}, so they are distances.")
