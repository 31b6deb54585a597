"""On which scale answers are given that may be wrong: where it was counted how often they are."""

from __future__ import annotations

from cml_core.errors import ConditionalMappingError
from cml_core.fitting.problem import Problem
from cml_core.fitting.scales.registry import RATIO, SCALES


class NotCalibrated(ConditionalMappingError):
    """Nobody knows how often this answer would be wrong, so none is given."""


def not_calibrated(problem: Problem) -> NotCalibrated | None:
    """Why a question whose errors were counted on the ratio scale cannot be asked of a problem."""
    if problem.scale == RATIO:
        return None
    # Its null data, and its held-out errors, are made of dissimilarities as they are: on maps of
    # bent data such tests gave up to 100 % false alarms.
    return NotCalibrated(
        "How often this answer is wrong has been measured on the ratio scale alone, where the "
        'numbers count as "Distances"; this map counts them as '
        f'"{SCALES[problem.scale].title}".',
        remedy="Ask it of the same map with distances, or see how closely pairs follow the "
        "fitted curve (Pair by pair).",
    )


def check_calibrated(problem: Problem) -> None:
    """Raise `NotCalibrated` where a problem is asked on another scale than the ratio scale."""
    error = not_calibrated(problem)
    if error is not None:
        raise error
