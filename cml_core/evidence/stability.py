"""How far the places of a map move when the data are drawn again, or an object is left out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated

import numpy as np

from cml_core.errors import UnknownOption, check_option
from cml_core.evidence.calibrated import as_told
from cml_core.evidence.jackknife import FEWEST, without_objects
from cml_core.evidence.map_size import as_share, check_has_map
from cml_core.evidence.outlines import outlines, why_no_outlines
from cml_core.evidence.resampling import (
    Again,
    refittable,
    with_cases_redrawn,
    with_pairs_redrawn,
    with_people_redrawn,
)
from cml_core.evidence.result import Result
from cml_core.evidence.table import SHARE, Column, Table
from cml_core.evidence.work import OnStage, each
from cml_core.files.cases import Cases
from cml_core.fitting.result import Fit
from cml_core.values.answers import Answers
from cml_core.values.arrays import FloatArray, IntArray, frozen
from cml_core.values.origin import Origin
from cml_core.values.real_numbers import whole_number
from cml_core.values.words import percent

# What may be left out, and what that is called.
LEFT_OUT = {
    "pairs": "Pairs drawn again",
    "people": "People drawn again",
    "cases": "Cases drawn again",
    "objects": "One object left out",
}
# Up to this share of the map's spread a move hardly shows; beyond the other, a place is a guess.
HARDLY, FAR = 0.15, 0.4

_TWO_MOVES = (
    "Moves others is what leaving out this one object does to the rest; the verdict speaks of "
    "that. Wanders is how far its own place would stray if other objects of the kind had been "
    "compared, estimated from all these moves together; so it is usually larger."
)
# As measured, see benchmarks/CALIBRATION.md.
OF_CASES = (
    "On simulated measurements such outlines held 93 to 96 % of the true places; 91 % where some "
    "objects were measured with more error than others, 76 % where measurements saturate."
)


@dataclass(frozen=True, eq=False, repr=False)
class Stability(Result):
    """How far every object's place moves over refits.

    On simulated data with 5 of 7 features known exactly and independent errors of every pair, an
    outline for 95 % of pairs drawn anew held an object's true place in 94 to 97 % of cases for
    30 and 100 objects, and in more for 14; one of objects left out in 86 to 97 %. Where the
    known features had errors of 5 %, pairs drawn anew held but 88 % of the true places of 30
    objects and 68 % of those of 100, for such errors displace a map without spreading it
    (`benchmarks/calibration_ellipses.py`). So read the outlines as a spread over refits. Where data
    are made in ways that outlines were found not to hold, it is said why none should be drawn.

    Parameters
    ----------
    left_out : "pairs", "people", "cases" or "objects".
    refits : how many fits were made.
    labels : of the objects.
    centres : (N, p), where the refits put each object on average; of people and cases, the map
        itself.
    covariances : (N, p, p), how its places spread around that.
    converged : how many refits reached an optimum.
    seed : of what was drawn; it repeats the refits.
    omitted : the objects that were left out, one a refit, counted from 0; none for pairs.
    influence : (N,), how far the others move, as root mean square and as a share of the map's
        spread, where this object is left out; NaN where it was not.
    people : how many answered, where they were drawn anew; else 0.
    cases : of how many measurements were computed, where these were drawn anew; else 0.
    why_no_outlines : why outlines would promise too much; empty where they hold.
    """

    left_out: str
    refits: int
    labels: Annotated[tuple[str, ...], "n"]
    centres: Annotated[FloatArray, "nd"]
    covariances: Annotated[FloatArray, "ndd"]
    converged: int
    seed: int
    omitted: IntArray
    influence: Annotated[FloatArray, "n"]
    people: int = 0
    why_no_outlines: str = ""
    cases: int = 0

    heading = "How steady are the places?"
    by_origin = True

    def spreads(self) -> FloatArray:
        """(N,), how far an object's places spread, as a share of the map's own spread."""
        variances = np.trace(self.covariances, axis1=1, axis2=2)
        return as_share(np.sqrt(np.maximum(variances, 0.0)), self.centres)

    def ellipses(
        self, share: float = 0.95, *, axes: tuple[int, int] = (0, 1), points: int = 48
    ) -> FloatArray:
        """(N, points, 2) closed outlines that hold this share of an object's places.

        Parameters
        ----------
        share : of the places, were they normally distributed.
        axes : the two dimensions of the map to draw; with one dimension, outlines are flat.
        points : how many corners an outline has; the last is the first again.
        """
        chosen = _checked_axes(axes, self.centres.shape[1])
        covariances = self.covariances[:, chosen][:, :, chosen]
        drawn = self.people or self.cases
        return outlines(self.centres[:, chosen], covariances, share, points, drawn_from=drawn)

    @property
    def meaning(self) -> str:
        """What the outlines for 95 % stand for, in words, and what is not in them."""
        if self.why_no_outlines:
            return self.why_no_outlines
        if self.left_out == "objects":
            outline = (
                "An outline is how far a place would stray if other objects of the kind had been "
                "compared, estimated from leaving out one at a time"
            )
        elif self.left_out == "people":
            outline = "An outline holds 95 % of the places that an object takes with other people"
        elif self.left_out == "cases":
            outline = "An outline holds 95 % of the places that an object takes with other cases"
        else:
            outline = "An outline holds 95 % of the places that an object takes over the refits"
        return (
            f"{outline}. It is a spread over refits, no promise: errors in the known features, "
            "for one, are not in it."
        )

    @property
    def verdict(self) -> str:
        """What the refits say, in words."""
        said = _of_objects(self) if self.left_out == "objects" else _of_pairs(self)
        if self.converged < self.refits:
            said += f" {self.refits - self.converged} of {self.refits} refits stopped early."
        return said

    @property
    def variant(self) -> str:
        return self.left_out

    @property
    def title(self) -> str:
        return f"{self.heading} {LEFT_OUT[self.left_out]}"

    @property
    def facts(self) -> tuple[str, ...]:
        counted = f"{self.refits} refits, of which {self.converged} reached an optimum."
        if self.left_out == "objects":
            return _TWO_MOVES, counted
        return (counted, OF_CASES) if self.cases and not self.why_no_outlines else (counted,)

    def table(self) -> Table:
        """Those first that wander most, or without which the others move most."""
        spreads, of_objects = self.spreads(), self.left_out == "objects"
        order = np.argsort(-(self.influence if of_objects else spreads), kind="stable")
        moves = Column(
            "Moves others",
            self.influence[order],
            SHARE,
            "How far the others move, typically, where this one object is left out, as a share "
            "of the map's spread.",
        )
        return Table(
            (
                Column("Object", [self.labels[i] for i in order]),
                *([moves] if of_objects else []),
                Column(
                    "Wanders",
                    spreads[order],
                    SHARE,
                    "How far its own place strays, typically, as a share of the map's spread (the "
                    "root mean square distance of all objects from the middle).",
                ),
            )
        )

    def __repr__(self) -> str:
        return f"Stability({self.left_out} left out, {self.refits} refits: {self.verdict})"


def stability(
    fit: Fit,
    *,
    refits: int = 200,
    left_out: str = "pairs",
    answers: Answers | None = None,
    cases: Cases | None = None,
    origin: Origin | None = None,
    seed: int = 0,
    workers: int | None = None,
    on_step: OnStage | None = None,
) -> Stability:
    """Again the map with pairs drawn anew, or with one object left out at a time.

    Each refit begins where the fit ended, and is turned, not stretched, onto the map. Where a
    neighbourhood was chosen, the geodesics themselves are drawn.

    Parameters
    ----------
    fit : the map in question; it needs a hidden dimension.
    refits : how many; of objects, no more than there are, drawn by lot where there are more.
    left_out : "pairs" draws as many pairs as are known, with replacement, and each counts as
        often as it was drawn; "people" draws as many people as answered, and maps the mean of
        their answers; "cases" draws as many cases as objects were measured in; "objects" leaves
        out one object at a time, and the covariances are those of the jackknife.
    answers : of single people, where people are drawn.
    cases : of which the dissimilarities were computed, where cases are drawn. Outlines were found
        to hold of Euclidean distances (`Cases.outlined`); of others none are drawn.
    origin : how the dissimilarities were made, where that is known; otherwise as much as answers
        or cases tell.
    seed : of what is drawn.
    workers, on_step : as in `cml_core.evidence.work.each`.

    Raises
    ------
    NoMap : there is no hidden dimension.
    TooFewPairs : the map falls apart when some pairs, or any object, are left out.
    TooFewObjects : there are fewer than 4, too few to leave one out.
    Cancelled : `on_step` asked for it.
    """
    check_option("left_out", left_out, tuple(LEFT_OUT))
    refits, seed = whole_number("refits", refits, least=FEWEST), whole_number("seed", seed)
    check_has_map(fit)
    spread = partial(each, workers=workers, on_step=on_step)
    if left_out == "objects":
        found = _without_objects(fit, refits, seed, spread)
    elif left_out == "people":
        asked = _checked_people(fit, answers)
        redrawn = partial(with_people_redrawn, refittable(fit), asked)
        people = asked.n_people
        moved = _redrawn(fit, redrawn, left_out, refits, seed, spread)
        found = replace(_around_the_map(fit, people, moved), people=people)
    elif left_out == "cases":
        behind = _checked_cases(fit, cases)
        redrawn = partial(with_cases_redrawn, refittable(fit), behind)
        moved = _redrawn(fit, redrawn, left_out, refits, seed, spread)
        found = replace(_around_the_map(fit, behind.n_cases, moved), cases=behind.n_cases)
    else:
        redrawn = partial(with_pairs_redrawn, refittable(fit))
        found = _redrawn(fit, redrawn, left_out, refits, seed, spread)
    why = why_no_outlines(
        fit,
        as_told(origin, answers, cases),
        cases if left_out == "cases" else None,
        with_biases=left_out in ("people", "cases"),
    )
    return replace(found, why_no_outlines=why)


def _checked_people(fit: Fit, answers: Answers | None) -> Answers:
    if answers is None or fit.problem.neighbourhood is not None:
        raise UnknownOption(
            "People can only be drawn again where their single answers are what is mapped.",
            remedy="Give their answers and a map without a neighbourhood, or draw pairs.",
        )
    answers.check_several()
    return answers


def _redrawn(
    fit: Fit,
    redrawn: Callable[[list[int]], Again],
    left_out: str,
    refits: int,
    seed: int,
    spread: Callable[..., list[Again]],
) -> Stability:
    tasks = [[seed, k] for k in range(refits)]
    found = spread(redrawn, tasks, doing=f"Drawing {left_out} anew")
    places = np.stack([refit.places for refit in found])
    centres = places.mean(axis=0)
    # Around their own mean: where it lies off the map is bias, and no spread.
    moves = places - centres
    return Stability(
        left_out=left_out,
        refits=refits,
        labels=fit.labels,
        centres=frozen(centres),
        covariances=frozen(np.einsum("rni,rnj->nij", moves, moves) / (refits - 1)),
        converged=sum(refit.converged for refit in found),
        seed=seed,
        omitted=frozen(np.empty(0, np.int64)),
        influence=frozen(np.full(len(fit.labels), np.nan)),
    )


def _checked_cases(fit: Fit, cases: Cases | None) -> Cases:
    if cases is None or fit.problem.neighbourhood is not None:
        raise UnknownOption(
            "Cases can only be drawn again where the measurements they hold are what is mapped.",
            remedy="Give the cases and a map without a neighbourhood, or leave out objects.",
        )
    cases.check_of(fit.labels)
    return cases


def _around_the_map(fit: Fit, drawn_from: int, found: Stability) -> Stability:
    """Around the map itself: a mean over fewer different people, or cases, bends its own map."""
    bent = found.centres - fit.embedding
    moved = found.covariances + np.einsum("ni,nj->nij", bent, bent)
    # A mean over K that are drawn from K varies by K - 1 in place of K parts.
    return replace(
        found,
        centres=fit.embedding,
        covariances=frozen(moved * drawn_from / (drawn_from - 1)),
    )


def _without_objects(
    fit: Fit, refits: int, seed: int, spread: Callable[..., list[Again]]
) -> Stability:
    """The jackknife; where only some objects are left out, as if those were typical of all."""
    left = without_objects(fit, refits, seed, spread)
    return Stability(
        left_out="objects",
        refits=left.omitted.size,
        labels=fit.labels,
        centres=frozen(left.centres),
        covariances=frozen(left.covariances),
        converged=left.converged,
        seed=seed,
        omitted=frozen(left.omitted),
        influence=frozen(left.influence),
    )


def _checked_axes(axes: object, n_components: int) -> list[int]:
    if n_components == 1:
        return [0]
    if isinstance(axes, tuple) and len(set(axes)) == len(axes) == 2:
        places = [whole_number("axes", axis) for axis in axes]
        if max(places) < n_components:
            return places
    raise UnknownOption(
        f"axes is {axes!r}.", remedy=f"Give two different numbers from 0 to {n_components - 1}."
    )


def _of_pairs(result: Stability) -> str:
    spreads = result.spreads()
    typical = float(np.median(spreads))
    if typical <= HARDLY:
        meaning = f"so the map does not hang on single {result.left_out}"
    elif typical <= FAR:
        meaning = "so near neighbours may change places, but the whole holds"
    else:
        meaning = "so the places are too uncertain to be read one by one"
    least = np.argsort(-spreads, kind="stable")[:3]
    names = ", ".join(f"{result.labels[i]} ({percent(float(spreads[i]))})" for i in least)
    drawn = {"people": "answers of people"}.get(result.left_out, result.left_out)
    return (
        f"Fitted {result.refits} times to {drawn} drawn anew, an object typically strays by "
        f"{percent(typical)} of the map's spread, {meaning}. Least settled: {names}."
    )


def _of_objects(result: Stability) -> str:
    moved = result.influence[result.omitted]
    most = int(result.omitted[np.argmax(moved)])
    farthest = float(moved.max())
    if farthest <= HARDLY:
        meaning = "so no single object makes the map"
    elif farthest <= FAR:
        meaning = "so that object has a say in where the others stand"
    else:
        meaning = "so the map hangs on that object"
    everyone = len(result.labels)
    lot = f" ({result.refits} of {everyone} were)" if result.refits < everyone else ""
    return (
        f"Where one object is left out{lot}, the others typically move by "
        f"{percent(float(np.median(moved)))} of the map's spread; they move most without "
        f"{result.labels[most]}, by {percent(farthest)}, {meaning}."
    )
