"""The steps taken: an immutable tree of questions asked and the maps that answered them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property

import numpy as np

from cml_core.errors import (
    DuplicateLabels,
    LabelMismatch,
    LengthMismatch,
    UnknownOption,
)
from cml_core.evidence.result import Result
from cml_core.files.cases import Cases
from cml_core.files.source import Source
from cml_core.fitting.geometry import procrustes
from cml_core.fitting.problem import Problem
from cml_core.fitting.result import Fit
from cml_core.journey.behind import answers_behind, cases_behind
from cml_core.journey.history import History
from cml_core.journey.results import check_is_about
from cml_core.journey.step import (
    ID_LENGTH,
    JourneyStep,
    difference,
    only_settings_differ,
    question_of,
    renamed_in,
    step_id_of,
)
from cml_core.values.answers import Answers
from cml_core.values.arrays import FloatArray, Value, frozen
from cml_core.values.dissimilarities import Dissimilarities
from cml_core.values.features import Feature, FeatureTable
from cml_core.values.origin import UNKNOWN, Origin
from cml_core.values.pictures import Pictures

# A fit of the same question found a better map where it lowers the stress by this share.
BETTER_BY = 1e-4
# A map shown is the fit's own, turned, where this share of its spread is left.
SAME_MAP = 1e-9


@dataclass(frozen=True)
class Row:
    """A step as a line of a list: `depth` counts the branches taken to reach it."""

    depth: int
    step: JourneyStep
    name: str
    is_current: bool


@dataclass(frozen=True, eq=False, repr=False)
class Journey(Value):
    """Everything of one project: the data, the features now, and all steps so far.

    Nothing is changed in place: every method returns another journey. Times are ISO 8601 and
    come from the caller; one without a zone is taken as UTC.

    Parameters
    ----------
    title : what the project is called.
    dissimilarities : between N objects.
    features : as they are now, given and discovered; steps keep theirs as they were.
    created, changed : when it began and when it was last changed.
    steps : in the order of taking; a step stands after its parent.
    current_id : the step that is being looked at; None before the first.
    source : the raw files and how the data were made from them; None where that is not known.
    pair_weights : condensed weights that came with the data; None where none did.
    origin : how the dissimilarities were made, as far as the person says.
    history : what was done, to be undone; steps taken stay.
    pictures : what objects look like.
    """

    title: str
    dissimilarities: Dissimilarities
    features: FeatureTable
    created: str
    changed: str
    steps: tuple[JourneyStep, ...] = ()
    current_id: str | None = None
    source: Source | None = None
    pair_weights: FloatArray | None = None
    origin: Origin = field(default_factory=Origin)
    history: History = field(default_factory=History)
    pictures: Pictures = field(default_factory=Pictures)

    def __post_init__(self) -> None:
        if self.features.labels != self.dissimilarities.labels:
            raise LabelMismatch(
                "Features and dissimilarities do not name the same objects in the same order.",
                remedy="Join them by label first: features.for_objects(dissimilarities.labels).",
            )
        for at in (self.created, self.changed, *(step.changed for step in self.steps)):
            _moment(at)
        earlier: set[str | None] = {None}
        for step in self.steps:
            if step.id in earlier or step.parent not in earlier:
                raise UnknownOption(
                    f"Step {step.id} occurs twice, or before the step that it follows.",
                    remedy="Give every step once, each after its parent.",
                )
            earlier.add(step.id)
        pairs = self.dissimilarities.condensed.size
        if self.pair_weights is not None and self.pair_weights.shape != (pairs,):
            raise LengthMismatch(
                f"There are {self.pair_weights.size} weights for {pairs} pairs.",
                remedy="Give one weight for each pair.",
            )
        if self.current_id not in earlier or (self.current_id is None and self.steps):
            raise UnknownOption(
                f"The current step is {self.current_id}, which is none of the journey's.",
                remedy="Name one of its steps.",
            )

    @classmethod
    def begun(
        cls,
        title: str,
        dissimilarities: Dissimilarities,
        features: FeatureTable,
        at: str,
        *,
        source: Source | None = None,
        pair_weights: FloatArray | None = None,
        origin: Origin | None = None,
    ) -> Journey:
        """A journey without steps."""
        return cls(
            title,
            dissimilarities,
            features,
            at,
            at,
            source=source and source.as_kept(),
            pair_weights=pair_weights,
            origin=origin or Origin(),
        )

    @cached_property
    def _by_id(self) -> dict[str, JourneyStep]:
        return {step.id: step for step in self.steps}

    @cached_property
    def _children(self) -> dict[str | None, tuple[JourneyStep, ...]]:
        found: dict[str | None, tuple[JourneyStep, ...]] = {}
        for step in self.steps:
            found[step.parent] = (*found.get(step.parent, ()), step)
        return found

    @cached_property
    def answers(self) -> Answers | None:
        """What single people said; None where the files do not tell, or were not kept."""
        return answers_behind(self.source, self.dissimilarities)

    @cached_property
    def cases(self) -> Cases | None:
        """The cases of measurements that were compared; None likewise."""
        return cases_behind(self.source, self.dissimilarities)

    @property
    def current(self) -> JourneyStep | None:
        """The step that is being looked at."""
        return None if self.current_id is None else self.step(self.current_id)

    def step(self, step_id: str) -> JourneyStep:
        """A step by its id."""
        if step_id not in self._by_id:
            raise UnknownOption(
                f"No step of the journey is {step_id!r}.", remedy="Choose one of its steps."
            )
        return self._by_id[step_id]

    def after(self, fit: Fit, shown: FloatArray, at: str) -> Journey:
        """The journey one step on: from the current step to this fit.

        Where the question was asked before and this answer is no better, it is a visit to the
        step that was taken then.

        Parameters
        ----------
        fit : an answer.
        shown : (N, p) the embedding of the fit as it is shown, turned to match earlier maps.
        at : when.
        """
        if fit.problem.dissimilarities.fingerprint != self.dissimilarities.fingerprint:
            raise LabelMismatch(
                "The fit is of other dissimilarities than the journey.",
                remedy="Begin another journey with them.",
            )
        question = question_of(fit.problem)
        # A tick that is undone should lead back, not make the journey longer.
        same = [step for step in self.steps if step.question == question]
        if any(not _better(fit, step.fit) for step in same):
            return self.visiting(min(same, key=lambda step: step.fit.stress).id)
        fit = _as_shown(fit, shown)
        step_id = step_id_of(question, fit.best)
        # A step keeps its id when its features are renamed, so a new question may meet it.
        while step_id in self._by_id:
            step_id = hashlib.sha256(step_id.encode()).hexdigest()[:ID_LENGTH]
        step = JourneyStep(step_id, self.current_id, fit, at)
        return replace(self, steps=(*self.steps, step), current_id=step.id, changed=at)

    def visiting(self, step_id: str) -> Journey:
        """Looking at another step; what comes next branches from there."""
        return replace(self, current_id=self.step(step_id).id)

    def renamed(self, step_id: str, name: str, at: str) -> Journey:
        """A step under another name; an empty one brings the automatic name back."""
        return self._with_step(replace(self.step(step_id), given_name=name, changed=at), at)

    def noted(self, step_id: str, note: str, at: str) -> Journey:
        """A step with another note."""
        return self._with_step(replace(self.step(step_id), note=note, changed=at), at)

    def found(self, step_id: str, result: Result, at: str) -> Journey:
        """A step with what was computed about its map, in place of an earlier one of its kind."""
        step = self.step(step_id)
        n_objects, n_components = step.embedding.shape
        check_is_about(result, n_objects=n_objects, n_components=n_components)
        return self._with_step(replace(step.with_results(result), changed=at), at)

    def titled(self, title: str, at: str) -> Journey:
        """The project under another title."""
        return replace(self, title=title, changed=at)

    def with_origin(self, origin: Origin, at: str) -> Journey:
        """With what the person says of how the dissimilarities were made.

        Where that is another kind, what hangs on it has to be asked again.
        """
        steps = self.steps
        if origin.kind != self.origin.kind:
            steps = tuple(step.of_another_origin(at) for step in steps)
        return replace(self, steps=steps, origin=origin, changed=at)

    def with_feature(self, feature: Feature, at: str) -> Journey:
        """One more feature; it replaces one of the same name, except in steps taken."""
        return replace(self, features=self.features.with_feature(feature), changed=at)

    def without_feature(self, name: str, at: str) -> Journey:
        """All features but this one; steps that know it still do."""
        return replace(self, features=self.features.without(name), changed=at)

    def renamed_feature(self, name: str, to: str, at: str) -> Journey:
        """A feature under another name, in the steps that know it as well."""
        if self.features[name].name == to:
            return self
        tables = [self.features, *(step.problem.known for step in self.steps if _knows(step, name))]
        if any(to in table for table in tables):
            raise DuplicateLabels(
                f"There is, or was in an earlier step, a feature called {to!r}.",
                remedy="Choose another name.",
            )
        steps = tuple(
            step.renaming(name, to, at) if step.mentions(name) else step for step in self.steps
        )
        features = renamed_in(self.features, name, to)
        return replace(self, features=features, steps=steps, changed=at)

    def merged(self, other: Journey) -> Journey:
        """Two copies of a project as one, as when it was edited in two places.

        All steps, results and features of both. Where they differ, what was changed later wins:
        each step's name, note, features and results of a kind; the title, the current step, and
        features of the same name, which bear no time of their own, by the change of the journey.
        What only one copy has is kept, so a feature that was removed in the other returns.
        """
        if other.dissimilarities.fingerprint != self.dissimilarities.fingerprint:
            raise LabelMismatch(
                "The two journeys are of different dissimilarities.",
                remedy="Merge copies of the same project only.",
            )
        # Neither copy is asked which is right: two people, or one with two tabs, did both.
        earlier, later = sorted((other, self), key=lambda copy: _moment(copy.changed))
        origin = earlier.origin if later.origin.kind == UNKNOWN else later.origin
        mine, theirs = (copy.with_origin(origin, copy.changed) for copy in (self, other))
        steps = [_merged_step(step, theirs._by_id.get(step.id, step)) for step in mine.steps]
        steps += [step for step in theirs.steps if step.id not in mine._by_id]
        features = later.features
        for feature in earlier.features.features:
            features = features if feature.name in features else features.with_feature(feature)
        return replace(
            later,
            features=features,
            created=min(self.created, other.created, key=_moment),
            steps=tuple(steps),
            current_id=later.current_id or earlier.current_id,
            origin=origin,
        )

    def drawn_on(self) -> dict[str, Problem]:
        """For each feature that was read off a map and is known in a step: that map's question."""
        found: dict[str, Problem] = {}
        for step in self.steps:
            if step.parent is None:
                continue
            # Where it first became known: it was read off the map before that.
            before = self.step(step.parent).problem
            for feature in step.problem.known.features:
                if feature.read_off_map and feature.name not in before.known:
                    found.setdefault(feature.name, before)
        return found

    def children(self, step_id: str | None) -> tuple[JourneyStep, ...]:
        """The steps taken from this one; of None, the beginnings."""
        return self._children.get(step_id, ())

    def name_of(self, step_id: str) -> str:
        """What the person calls a step, or else how it differs from the one before it."""
        step = self.step(step_id)
        if step.given_name:
            return step.given_name
        before = None if step.parent is None else self.step(step.parent).problem
        return difference(before, step.problem)

    def as_rows(self) -> tuple[Row, ...]:
        """All steps as a list.

        A line goes on with the first step that changes what is known. Other steps from the same
        place, and those that only change settings, are branches: one deeper, and listed before
        the line goes on.
        """
        rows = []
        waiting = [(0, step) for step in reversed(self.children(None))]
        while waiting:
            depth, step = waiting.pop()
            name, is_current = self.name_of(step.id), step.id == self.current_id
            rows.append(Row(depth, step, name, is_current))
            children = self.children(step.id)
            onward = [c for c in children if not only_settings_differ(step.problem, c.problem)][:1]
            branches = [child for child in children if child not in onward]
            waiting += [(depth, child) for child in onward]
            waiting += [(depth + 1, branch) for branch in reversed(branches)]
        return tuple(rows)

    def _with_step(self, changed: JourneyStep, at: str) -> Journey:
        steps = tuple(changed if step.id == changed.id else step for step in self.steps)
        return replace(self, steps=steps, changed=at)

    def __repr__(self) -> str:
        return (
            f"Journey({self.title!r}: {self.dissimilarities.n_objects} objects, "
            f"{len(self.features)} features, {len(self.steps)} steps)"
        )


def _moment(at: str) -> datetime:
    """A time as it can be compared."""
    try:
        moment = datetime.fromisoformat(at)
    except (TypeError, ValueError):
        raise UnknownOption(
            f"{at!r} is no time.", remedy="Give ISO 8601, such as 2026-01-31T12:00:00Z."
        ) from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _better(fit: Fit, other: Fit) -> bool:
    """Whether an answer to the same question is worth a step of its own."""
    if fit.converged and not other.converged:
        return True
    return fit.stress < other.stress * (1 - BETTER_BY)


def _as_shown(fit: Fit, shown: FloatArray) -> Fit:
    """The fit with its maps turned as they are shown."""
    shown = frozen(np.asarray(shown, dtype=np.float64))
    if shown.shape != fit.embedding.shape:
        raise LengthMismatch(
            f"The map shown is {shown.shape}, the fit's {fit.embedding.shape}.",
            remedy="Give the fit's own map, turned or as it is.",
        )
    if not procrustes(fit.embedding, shown).disparity <= SAME_MAP:
        raise UnknownOption(
            "The map shown is not the map of the fit.",
            remedy="Give the fit's own map, turned or as it is.",
        )
    turned = tuple(
        replace(other, embedding=procrustes(other.embedding, shown).points)
        for other in fit.alternatives
    )
    return replace(fit, best=replace(fit.best, embedding=shown), alternatives=turned)


def _knows(step: JourneyStep, name: str) -> bool:
    return name in step.problem.known


def _merged_step(mine: JourneyStep, other: JourneyStep) -> JourneyStep:
    return mine.merged(other, other_is_later=_moment(other.changed) > _moment(mine.changed))
