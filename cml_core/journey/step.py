"""One step of a journey: a question, its answer as it was shown, and what it is called."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from cml_core.errors import listing
from cml_core.evidence.result import Found, Result, ResultKind, kind_of
from cml_core.fitting.configuration import Solution
from cml_core.fitting.geodesics import Neighbourhood
from cml_core.fitting.problem import GIVEN, Problem
from cml_core.fitting.result import Fit
from cml_core.fitting.scales import ordinal
from cml_core.fitting.scales.registry import RATIO, SCALES
from cml_core.values.arrays import FloatArray, Value
from cml_core.values.features import Feature, FeatureTable
from cml_core.values.words import counted

# 64 bits: of a million steps two have the same id in 3 of 100 million journeys.
ID_LENGTH = 16

TIES_IN_WORDS = {
    ordinal.AUTO: "Ties as the data suggest",
    ordinal.PRIMARY: "Ties in any order",
    ordinal.SECONDARY: "Ties stay ties",
}


@dataclass(frozen=True, eq=False, repr=False)
class JourneyStep(Value):
    """One question, and the map that was shown for it.

    Parameters
    ----------
    id : names the step; a hash of the question and the map when it was taken.
    parent : the id of the step before it, None at a beginning.
    fit : question and answer; its embedding is exactly what was shown, its known features are
        as they were.
    given_name : what the person calls it; empty for an automatic name.
    note : what the person wrote about it.
    changed : when it was taken, renamed, noted or looked into, ISO 8601.
    results : what was computed about its map, one of a kind.
    """

    id: str
    parent: str | None
    fit: Fit
    changed: str
    given_name: str = ""
    note: str = ""
    results: tuple[Result, ...] = ()

    @property
    def problem(self) -> Problem:
        return self.fit.problem

    @property
    def embedding(self) -> FloatArray:
        """(N, p), as it was shown."""
        return self.fit.embedding

    @cached_property
    def question(self) -> str:
        """A fingerprint of the problem, whatever the order of its known features."""
        return question_of(self.problem)

    def result(self, kind: ResultKind[Found]) -> Found | None:
        """What was found of this kind, if it was computed."""
        found = (one for one in self.results if kind_of(one) == kind)
        return next(found, None)  # type: ignore[return-value]

    def mentions(self, name: str) -> bool:
        """Whether a feature is known here, or spoken of in what was found."""
        return name in self.problem.known or any(found.mentions(name) for found in self.results)

    def with_results(self, *results: Result) -> JourneyStep:
        """With these results, each in place of one of its kind."""
        new = {kind_of(result) for result in results}
        kept = tuple(found for found in self.results if kind_of(found) not in new)
        return replace(self, results=(*kept, *results))

    def of_another_origin(self, at: str) -> JourneyStep:
        """Without what was found only for data that were made as was said before."""
        kept = tuple(found for found in self.results if not found.by_origin)
        if len(kept) == len(self.results):
            return self
        return replace(self, results=kept, changed=at)

    def renaming(self, name: str, to: str, at: str) -> JourneyStep:
        """With a feature under another name, wherever the step speaks of it."""
        # The map is not fitted again: a name is no number, though it is part of the fingerprint.
        known = renamed_in(self.problem.known, name, to)
        fit = replace(self.fit, problem=replace(self.problem, known=known))
        renamed = (found.renamed(name, to) for found in self.results)
        kept = tuple(found for found in renamed if found is not None)
        return replace(self, fit=fit, changed=at, results=kept)

    def merged(self, other: JourneyStep, *, other_is_later: bool) -> JourneyStep:
        """Two copies of a step as one: the later wins; results of both, one of a kind.

        Findings speak of features by name: where those differ, only the later copy's are kept.
        """
        later, earlier = (other, self) if other_is_later else (self, other)
        merged = replace(later, parent=self.parent)
        if later.problem.known.names != earlier.problem.known.names:
            return merged
        return replace(merged, results=earlier.results).with_results(*later.results)

    def __repr__(self) -> str:
        known = listing(self.problem.known.names) or "nothing"
        return f"JourneyStep({self.id}: {known} known, stress {self.fit.stress:.6g})"


def renamed_in(table: FeatureTable, name: str, to: str) -> FeatureTable:
    """A table with one of its features under another name."""
    swapped = (f.renamed(to) if f.name == name else f for f in table.features)
    return FeatureTable(table.labels, tuple(swapped))


def question_of(problem: Problem) -> str:
    """A fingerprint of a problem, whatever the order of its known features."""
    # To tick Age and then Sex asks the same as the other way round. B is then another, but only in
    # the order of its rows.
    in_order = sorted(problem.known.features, key=lambda feature: feature.name)
    return replace(problem, known=FeatureTable(problem.known.labels, tuple(in_order))).fingerprint()


def step_id_of(question: str, solution: Solution) -> str:
    """A short hash over a question and the map that answers it."""
    # Of what was asked and found, not a count: two tabs that take the same step take one.
    digest = hashlib.sha256(question.encode())
    for array in (solution.embedding, solution.coef, solution.known_values):
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()[:ID_LENGTH]


def difference(before: Problem | None, now: Problem) -> str:
    """How a question differs from the one before it, in a few words."""
    if before is None:
        start = f"{listing(now.known.names)} known" if len(now.known) else "Nothing known"
        return ", ".join([start, *_changes(USUAL, _Settings.of(now))])
    old, new = before.known, now.known
    parts = [f"+ {name}" for name in new.names if name not in old]
    parts += [f"− {name}" for name in old.names if name not in new]
    parts += [_change(old[name], new[name]) for name in new.names if name in old]
    parts += _changes(_Settings.of(before), _Settings.of(now))
    return ", ".join(part for part in parts if part) or "Better map"


def only_settings_differ(before: Problem, now: Problem) -> bool:
    """Whether two questions know the same and are yet not the same."""
    old, new = before.known, now.known
    same_known = set(old.names) == set(new.names) and all(_same(old[n], new[n]) for n in new.names)
    return same_known and any(_changes(_Settings.of(before), _Settings.of(now)))


def _change(old: Feature, new: Feature) -> str:
    """What became of a feature, in a few words; nothing where it is the same."""
    if _same(old, new):
        return ""
    return f"{new.name} as {new.kind}" if new.kind != old.kind else f"{new.name} changed"


def _same(old: Feature, new: Feature) -> bool:
    # Steps share most features, and to compare all their bytes for every name of a step takes long.
    return old is new or old.identity() == new.identity()


class _Settings(NamedTuple):
    """What a question is besides dissimilarities and features."""

    n_components: int
    coef: str
    given_coef: FloatArray | None
    weights: str | FloatArray | None
    neighbourhood: Neighbourhood | None
    scale: str
    ties: str

    @classmethod
    def of(cls, problem: Problem) -> _Settings:
        return cls(
            problem.n_components,
            problem.coef_kind,
            problem.given_coef,
            problem.weights,
            problem.neighbourhood,
            problem.scale,
            # Ties only matter where nothing but the order does.
            problem.ties if problem.scale == ordinal.SCALE.name else ordinal.AUTO,
        )


USUAL = _Settings(
    n_components=2,
    coef="full",
    given_coef=None,
    weights=None,
    neighbourhood=None,
    scale=RATIO,
    ties=ordinal.AUTO,
)


COEF_IN_WORDS = {
    "full": "Features freely",
    "diagonal": "Each feature by itself",
    GIVEN: "Features as given",
}


def _changes(before: _Settings, now: _Settings) -> Iterator[str]:
    if now.n_components != before.n_components:
        yield counted(now.n_components, "dimension")
    same_coef = np.array_equal(now.given_coef, before.given_coef)  # type: ignore[arg-type]
    if now.coef != before.coef or not same_coef:
        yield COEF_IN_WORDS[now.coef]
    if not np.array_equal(now.weights, before.weights):  # type: ignore[arg-type]
        names = {type(None): "Equal weights", str: "Sammon weights"}
        yield names.get(type(now.weights), "Weights of the data")
    if now.neighbourhood != before.neighbourhood:
        yield _neighbourhood_name(now.neighbourhood)
    if now.scale != before.scale:
        yield SCALES[now.scale].title
    if now.ties != before.ties:
        yield TIES_IN_WORDS[now.ties]


def _neighbourhood_name(neighbourhood: Neighbourhood | None) -> str:
    if neighbourhood is None:
        return "No Isomap"
    if neighbourhood.epsilon is not None:
        return f"Isomap within {neighbourhood.epsilon:g}"
    mutual = "mutual " if neighbourhood.mutual else ""
    return f"Isomap, {neighbourhood.n_neighbors} {mutual}neighbours"
