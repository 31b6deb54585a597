"""Was it found: a map of simulated data beside the truth that they were made from."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from cml_core.datasets import truth_of
from cml_core.errors import LabelMismatch
from cml_core.evidence import prediction
from cml_core.evidence.result import Result
from cml_core.evidence.table import SHARE, Column, Table
from cml_core.fitting.geometry import mean_canonical_correlation
from cml_core.fitting.result import Fit
from cml_core.values.arrays import FloatArray
from cml_core.values.columns import coincide
from cml_core.values.features import Feature, FeatureTable
from cml_core.values.simulation import Simulation
from cml_core.values.words import counted, enumerated

# From this correlation on a feature is said to be on the map.
FOUND = 0.8


@dataclass(frozen=True)
class TrueFeature:
    """How well the map tells one feature as it truly is.

    Parameters
    ----------
    known : whether it was taken out, and so should not be on the map.
    correlation : multiple correlation R of its true values with the places on the map.
    predicted : the share of its variation that a plane over the map tells of an object left out.
    """

    name: str
    known: bool
    correlation: float
    predicted: float


@dataclass(frozen=True, eq=False, repr=False)
class Uncovered(Result):
    """A map beside the truth.

    Parameters
    ----------
    features : all there truly are; those that the map does not know first.
    n_components : hidden dimensions of the map.
    agreement : mean canonical correlation of the map and the features that it does not know; NaN
        where there is no map, or all is known.
    whole_agreement : the same of all that distances were made of, the known features included,
        and all features.
    by_chance : the multiple correlation to be expected of values that have nothing to do with
        the map.
    """

    features: tuple[TrueFeature, ...]
    n_components: int
    agreement: float
    whole_agreement: float
    by_chance: float

    heading = "Was it found?"

    @property
    def verdict(self) -> str:
        hidden = [one for one in self.features if not one.known]
        if not hidden:
            return "All features are known here, so the map has nothing left to find."
        if np.isnan(self.agreement):
            return "There is no map, so nothing that is hidden can be seen on it."
        found = [one.name for one in hidden if one.correlation >= FOUND]
        shows = f"The map shows {enumerated(found)}" if found else "The map shows none of them well"
        missed = [one.name for one in hidden if one.correlation < FOUND]
        rest = f"; less well {enumerated(missed)}" if found and missed else ""
        return (
            f"{counted(len(hidden), 'feature')} {'is' if len(hidden) == 1 else 'are'} hidden. "
            f"{shows}{rest}. Direction by direction, map and hidden features agree by "
            f"{self.agreement:.2f} on average (mean canonical correlation; 1 is perfect)."
        )

    @property
    def facts(self) -> tuple[str, ...]:
        hidden = sum(not one.known for one in self.features)
        told = [
            f"A feature that has nothing to do with the map would correlate with it by about "
            f"{self.by_chance:.2f}."
        ]
        if 0 < self.n_components < hidden:
            told.append(
                f"{counted(self.n_components, 'dimension')} cannot hold {hidden} features; the "
                f"agreement is about the {self.n_components} best told directions of them."
            )
        if not np.isnan(self.whole_agreement):
            told.append(
                f"With the known features on its side, the whole model agrees with all "
                f"{len(self.features)} by {self.whole_agreement:.2f}, which the papers call ACC."
            )
        return tuple(told)

    def table(self) -> Table:
        return Table(
            (
                Column("Feature", [one.name for one in self.features]),
                Column("Known", [one.known for one in self.features]),
                Column(
                    "Correlation",
                    [one.correlation for one in self.features],
                    "%.2f",
                    "Multiple correlation R of the true values with the places on the map. High "
                    "is good of what is hidden, and bad of what is known, which was taken out.",
                ),
                Column(
                    "Predicted",
                    [one.predicted for one in self.features],
                    SHARE,
                    "The share of the feature that a plane over the map tells of an object left "
                    "out; below zero the mean of the others would tell it better.",
                ),
            )
        )

    def __repr__(self) -> str:
        return f"Uncovered({self.verdict})"


def uncovered(fit: Fit, simulation: Simulation) -> Uncovered:
    """Hold a map of simulated data against their truth.

    Parameters
    ----------
    fit : a map of the data that the simulation made; a known feature counts as one of the true
        ones by its name.
    """
    truth, places = checked_truth(fit.labels, simulation), fit.embedding
    names = [feature.name for feature in truth.features]
    known = [name for name in names if _is_known(name, fit.problem.known, simulation)]
    values = {feature.name: feature.values[:, None] for feature in truth.features}
    hidden = [values[name] for name in names if name not in known]
    there_is_a_map = bool(places.shape[1]) and not coincide(places)
    over_map = prediction.predictors(places)[:1] if there_is_a_map else ()
    planes = prediction.smoothers(over_map, np.ones(len(places), dtype=bool))
    told = {name: prediction.prediction(planes, values[name]) for name in names}
    return Uncovered(
        features=tuple(
            TrueFeature(name, name in known, told[name].correlation, told[name].linear)
            for name in sorted(names, key=known.__contains__)
        ),
        n_components=places.shape[1],
        agreement=_agreement(places, hidden) if there_is_a_map else np.nan,
        whole_agreement=_agreement(fit.points, list(values.values())),
        by_chance=min(np.sqrt(places.shape[1] / (len(places) - 1)), 1.0),
    )


def _is_known(name: str, known: FeatureTable, simulation: Simulation) -> bool:
    """Whether a map was told a feature, as it was given away or as it truly is."""
    return true_name(name) in known or (name in simulation.known and name in known)


def true_name(name: str) -> str:
    """What the truth is called beside a feature that somebody discovered."""
    return f"True {name}"


def kept_back(labels: tuple[str, ...], simulation: Simulation) -> tuple[Feature, ...]:
    """The features that a simulation did not give away, as they truly are."""
    return tuple(
        replace(one.renamed(true_name(one.name)), origin="truth of the simulation, uncovered")
        for one in checked_truth(labels, simulation).features
        if one.name not in simulation.known
    )


def checked_truth(labels: tuple[str, ...], simulation: Simulation) -> FeatureTable:
    """The truth of a simulation.

    Raises
    ------
    LabelMismatch : it made other objects.
    """
    # Before anything is made, for the number may come from a file that somebody changed.
    if simulation.n_objects != len(labels):
        raise LabelMismatch(
            f"The simulation made {simulation.n_objects} objects, the map has {len(labels)}.",
            remedy="Begin again with the example on the Data page.",
        )
    return truth_of(simulation).for_objects(labels)


def _agreement(places: FloatArray, columns: list[FloatArray]) -> float:
    if not columns or coincide(places):
        return float("nan")
    return mean_canonical_correlation(places, np.hstack(columns))
