"""view(dissimilarities, method) -> View: the same data through other eyes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from cml_core.errors import (
    NothingToExplain,
    TooFewObjects,
    TooManyDimensions,
    TooManyObjects,
    check_option,
)
from cml_core.evidence.work import Cancelled
from cml_core.fitting.threads import capped_linear_algebra
from cml_core.peers.lot import lot_size
from cml_core.peers.method import Asked, Drawn, Method, OnStep, Step, with_gaps_filled
from cml_core.peers.registry import METHODS
from cml_core.peers.setting import settled
from cml_core.peers.spectra import signed
from cml_core.values.arrays import FloatArray, IntArray, Value, frozen
from cml_core.values.components import components
from cml_core.values.dissimilarities import Dissimilarities
from cml_core.values.real_numbers import whole_number
from cml_core.values.words import counted

FEWEST_OBJECTS = 4
# From so many objects on linear algebra is shared among threads.
SHARED_FROM = 500
# What is less than this share of the mean is rounding, also where it parts two equal values.
DECIMALS = 12


class Objective(NamedTuple):
    """What a method made small or large, how far it got, and which way is better."""

    name: str
    value: float
    lower_is_better: bool


@dataclass(frozen=True, eq=False, repr=False)
class View(Value):
    """What one method makes of the dissimilarities.

    Parameters
    ----------
    method : its name in `METHODS`.
    settings : by name, as they were used: with them, and the seed, the view is made again.
    labels : of the N objects.
    places : (N, p).
    remarks : what to know of this picture, in sentences.
    """

    method: str
    settings: tuple[tuple[str, Any], ...]
    labels: tuple[str, ...]
    places: FloatArray
    objective: Objective
    converged: bool
    seed: int
    remarks: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """What people know the method by."""
        return METHODS[self.method].title

    @property
    def reads(self) -> str:
        """What may be read off: axes, distances, neighbours, or only neighbours."""
        return METHODS[self.method].reads

    @property
    def caution(self) -> str:
        """What the picture may and may not be used for."""
        return METHODS[self.method].caution

    def frame(self) -> pd.DataFrame:
        """The places with labels."""
        columns = [f"dimension {k + 1}" for k in range(self.places.shape[1])]
        return pd.DataFrame(self.places, index=list(self.labels), columns=columns)

    def __repr__(self) -> str:
        chosen = ", ".join(f"{name}={value}" for name, value in self.settings if value is not None)
        return (
            f"View({self.title} of {len(self.labels)} objects"
            f"{', ' if chosen else ''}{chosen}: {self.objective.name} {self.objective.value:.4g})"
        )


def view(
    dissimilarities: Any,
    method: str,
    n_components: int = 2,
    *,
    seed: int = 0,
    on_step: OnStep | None = None,
    **settings: Any,
) -> View:
    """Draw dissimilarities by a method of `METHODS`.

    The order of the objects and the unit of the dissimilarities do not matter.

    Parameters
    ----------
    dissimilarities : square array or DataFrame, condensed vector, or `Dissimilarities`.
    method : "classical", "mds", "sammon", "ordinal", "cca", "kernel_pca", "isomap", "lle",
        "laplacian", "mvu", "meu", "acyclic_lle", "drill", "tsne" or "umap".
    seed : of whatever is left to chance.
    on_step : called with a `Step` now and then; a true answer cancels. The view is then the best
        so far, where that has a meaning.
    settings : of the method; `METHODS[method].settings` tells them.

    Raises
    ------
    Cancelled : `on_step` asked for it, and there is no best so far.
    ConditionalMappingError : the method cannot draw these data, or not with these settings.
    """
    chosen = METHODS[check_option("method", method, tuple(METHODS))]
    data = Dissimilarities.of(dissimilarities, copy=False)
    p = whole_number("n_components", n_components, least=1)
    seed = whole_number("seed", seed)
    _check_drawable(data, chosen)
    used = settled(chosen.settings, settings, data.n_objects)
    # Among threads, small tables only get in one another's way.
    with capped_linear_algebra(1 if data.n_objects < SHARED_FROM else None):
        told = _Told(chosen, on_step)
        prepared = _prepared(data, chosen, p)
        told.node = prepared.node
        _check_room(prepared.scaled, chosen, p)
        asked = Asked(prepared.scaled, prepared.given, p, used, seed, told)
        drawn = chosen.draw(asked)
    return _view(chosen, data, prepared, drawn, used, seed)


class _Told:
    """Steps on their way to whoever watches; who has cancelled is not asked again."""

    def __init__(self, method: Method, on_step: OnStep | None) -> None:
        self._on_step = on_step
        # Which of the objects that are drawn each object of the data is.
        self.node: IntArray | None = None
        if self(Step(0, 1, np.nan)):
            raise Cancelled(
                f"{method.title} was stopped before there was anything to see.",
                remedy="Start it again when you like; everything else is as it was.",
            )

    def __call__(self, step: Step) -> bool:
        if self._on_step is None:
            return False
        if step.places is not None:
            step = replace(step, places=frozen(step.places[self.node]))
        return bool(self._on_step(step))


class _Prepared(NamedTuple):
    """Dissimilarities in an order of their own, and the way back.

    Parameters
    ----------
    scaled : divided by their mean.
    given : makes them as they were given, in the same order.
    node : (N,) which object of these each object of the data is.
    unit : what was divided out.
    """

    scaled: Dissimilarities
    given: Callable[[], Dissimilarities]
    node: IntArray
    unit: float
    remarks: tuple[str, ...]


def _prepared(data: Dissimilarities, method: Method, n_components: int) -> _Prepared:
    given, node, remarks = data, np.arange(data.n_objects), []
    if not method.takes_gaps:
        given, told = with_gaps_filled(given, n_components)
        remarks += [told] if told else []
    if method.one_place:
        given, node = _one_node_a_place(given)
    # So that the order of the objects does not matter, not even to what is left to chance.
    order = _order_of_its_own(given)
    node = np.argsort(order)[node]
    # Hardly any method wants them as they were given, and tables of many objects are large.
    as_given = partial(given.subset, [given.labels[i] for i in order])
    scaled, unit = _scaled(as_given())
    return _Prepared(scaled, as_given, node, unit, tuple(remarks))


def _scaled(data: Dissimilarities) -> tuple[Dissimilarities, float]:
    """Divided by their mean, which is told as well."""
    unit = _mean(data)
    shares = np.divide(data.condensed, unit, dtype=np.float64)
    np.round(shares, DECIMALS, out=shares)
    # Nobody else has them, so that the value takes this array and makes no other.
    shares.setflags(write=False)
    return Dissimilarities(data.labels, shares), unit


def _mean(data: Dissimilarities) -> float:
    # The largest is divided out first, for the sum of large ones can be infinite.
    largest = float(np.nanmax(data.condensed))
    shares = np.divide(data.condensed, largest, dtype=np.float64)
    return largest * float(shares.mean() if data.complete else np.nanmean(shares))


def _order_of_its_own(data: Dissimilarities) -> IntArray:
    """The objects from the middle outwards; those equally far out as they come."""
    mean, square = _mean(data), data.square()
    square /= mean
    np.nan_to_num(square, copy=False, nan=0.0)
    out = square.sum(axis=1)
    square *= square
    twice = square.sum(axis=1)
    order: IntArray = np.lexsort((np.round(twice, 9), np.round(out, 9)))
    return order


def _one_node_a_place(data: Dissimilarities) -> tuple[Dissimilarities, IntArray]:
    """Objects at no distance from each other as one, as far from others as they are on average."""
    node = components(data.condensed <= 0.5 * 10.0**-DECIMALS * _mean(data), data.n_objects)
    count = int(node.max()) + 1
    if count == data.n_objects:
        return data, node
    if count < FEWEST_OBJECTS:
        raise _too_few(f"only {counted(count, 'object')} of different places")
    share = np.zeros((count, data.n_objects))
    share[node, np.arange(data.n_objects)] = 1.0
    share /= share.sum(axis=1, keepdims=True)
    square = share @ data.square() @ share.T
    first = [data.labels[i] for i in np.unique(node, return_index=True)[1]]
    return Dissimilarities(tuple(first), square[np.triu_indices(count, 1)]), node


def _view(
    method: Method,
    data: Dissimilarities,
    prepared: _Prepared,
    drawn: Drawn,
    settings: Mapping[str, Any],
    seed: int,
) -> View:
    places = signed(drawn.places - drawn.places.mean(axis=0))
    if method.keeps_unit:
        places = places * prepared.unit
    stopped = ("It was stopped early; this is the best so far.",) if drawn.stopped else ()
    return View(
        method=method.name,
        settings=tuple({**settings, **dict(drawn.used)}.items()),
        labels=data.labels,
        places=frozen(places[prepared.node]),
        objective=Objective(method.objective, float(drawn.objective), method.lower_is_better),
        converged=drawn.converged and not drawn.stopped,
        seed=seed,
        remarks=(*prepared.remarks, *drawn.remarks, *stopped),
    )


def _check_drawable(data: Dissimilarities, method: Method) -> None:
    n = data.n_objects
    if n < FEWEST_OBJECTS:
        raise _too_few(counted(n, "object"))
    if n > method.most_objects:
        raise TooManyObjects(
            f"There are {n:,} objects; {method.title} draws {method.most_objects:,} at most.",
            remedy=f"Draw {lot_size(method, n):,} of them by lot, or choose another method.",
        )
    lowest, highest = (float(f(data.condensed)) for f in (np.nanmin, np.nanmax))
    # A list of links has one value as well, and is drawn by its gaps.
    if data.complete and highest - lowest <= 10.0**-DECIMALS * highest:
        raise NothingToExplain(
            "Nothing differs, so there is nothing to draw: all dissimilarities are equal.",
            remedy="Give data in which some pairs are more alike than others.",
        )


def _check_room(data: Dissimilarities, method: Method, n_components: int) -> None:
    most = data.n_objects - 1
    if n_components > most:
        raise TooManyDimensions(
            f"{method.title} cannot draw {counted(data.n_objects, 'object')} in "
            f"{counted(n_components, 'dimension')}.",
            remedy=f"Ask for {most} at most.",
        )


def _too_few(what: str) -> TooFewObjects:
    return TooFewObjects(f"There are {what}.", remedy=f"Give {FEWEST_OBJECTS} at least to compare.")
