"""The conditional stress of one problem, ready to be minimised."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, TypeVar

import numpy as np

from cml_core.fitting.configuration import Configuration
from cml_core.fitting.kernels import accumulate, constants, square_sum, stored_rows
from cml_core.fitting.scales.admissible import Admissible
from cml_core.fitting.solvers.columns import Standardised
from cml_core.fitting.solvers.layout import FIXED, Layout
from cml_core.values.arrays import FloatArray, IntArray, RealArray
from cml_core.values.condense import row_sums

_Array = TypeVar("_Array", RealArray, FloatArray)

# A direction of V that carries less than this share of its spread is rounding error.
RANK_TOLERANCE = 1e-8
# Where entries are missing the basis moves, and only has to be well-conditioned.
MOVING_TOLERANCE = 1e-3
# How far a standardised feature typically reaches, in scaled dissimilarity.
TYPICAL_REACH = 0.5


@dataclass(frozen=True, eq=False)
class Objective:
    """sigma(U, B) of (4), with dissimilarities scaled by `unit` to be of order one.

    An empty `weights` means that every pair counts once. `to_coef` maps amplitudes to B
    and `from_coef` maps B back, between scaled dissimilarities and the user's features.

    Where `admissible` says what may stand in place of the dissimilarities, `delta` only serves to
    begin with, and what is minimised is f of `Admissible`, times `total`. Where B is `given`,
    in the user's units, there are no amplitudes.
    """

    delta: RealArray
    weights: FloatArray
    unit: float
    total: float
    columns: Standardised
    layout: Layout
    to_coef: FloatArray
    from_coef: FloatArray
    admissible: Admissible | None = None
    given: FloatArray | None = None

    @property
    def n_objects(self) -> int:
        return int(self.layout.root_h.size)

    @property
    def n_components(self) -> int:
        return self.layout.n_components

    @property
    def rank(self) -> int:
        return int(self.layout.basis.shape[0])

    @property
    def diagonal(self) -> bool:
        return self.layout.group.size > 0 and self.given is None

    @property
    def stored_rows(self) -> int:
        return stored_rows(self.n_components + self.rank)

    def variables(
        self, embedding: FloatArray, coef: FloatArray, known_values: FloatArray | None = None
    ) -> FloatArray:
        """The flat vector for U and B, with missing entries as V has them, or where they start."""
        layout = self.layout
        scaled = (embedding * self.unit).T * layout.root_h
        if self.given is not None:
            amplitudes = np.empty(0)
        elif self.diagonal:
            amplitudes = self.from_coef @ np.diag(coef) * self.unit * layout.amplitude_scale
        else:
            amplitudes = _square(self.from_coef @ coef * self.unit).ravel()
        free = np.zeros(layout.free_object.size)
        if known_values is not None:
            free = self.columns.moved(known_values) * layout.free_scale
        return np.concatenate([scaled.ravel(), amplitudes, free])

    def configuration(self, y: FloatArray) -> Configuration:
        """U, B and V as `y` has them."""
        layout = self.layout
        n, p, r = self.n_objects, self.n_components, self.rank
        embedding = (y[: p * n].reshape(p, n) / layout.root_h).T / self.unit
        amplitudes = y[p * n : p * n + layout.amplitude_scale.size]
        moved = y[p * n + layout.amplitude_scale.size :] / layout.free_scale
        q = self.columns.centre.size
        coef = np.zeros((q, q))
        if self.given is not None:
            return Configuration(embedding, self.given, self.columns.restored(moved))
        if self.diagonal:
            np.fill_diagonal(coef, self.to_coef @ (amplitudes / layout.amplitude_scale))
        else:
            coef[:, :r] = self.to_coef @ amplitudes.reshape(r, r)
        return Configuration(embedding, coef / self.unit, self.columns.restored(moved))


def _square(amplitudes: FloatArray) -> FloatArray:
    """A square matrix with the same A A'."""
    rows, columns = amplitudes.shape
    if rows == columns:
        return amplitudes
    # B is q x q, but features that repeat each other span fewer directions than q.
    triangle: FloatArray = np.linalg.qr(amplitudes.T)[1].T
    return triangle


Pulled = Callable[[FloatArray], FloatArray]


class Metric(NamedTuple):
    """The square root of the diagonal metric of U, the step it makes safe, and H times a matrix."""

    root_h: FloatArray
    safe: float
    pulled: Pulled


class Scaled(NamedTuple):
    """Dissimilarities, their weights, and the `unit` and `total` of an `Objective`."""

    delta: RealArray
    weights: FloatArray
    unit: float
    total: float


def build_objective(
    delta: RealArray,
    weights: FloatArray,
    columns: Standardised,
    n_objects: int,
    n_components: int,
    diagonal: bool,
    admissible: Admissible | None = None,
    given: FloatArray | None = None,
) -> Objective:
    """Choose the coordinates in which the majoriser is round.

    Parameters
    ----------
    delta : condensed dissimilarities, 0 where missing.
    weights : condensed weights of mean about one, 0 where missing; empty for unit weights.
    columns : the known features, standardised, gaps filled with starting values.
    admissible : what may stand in place of `delta`; None where it is taken as it is.
    given : B in the units of the features, where it is not to be found.
    """
    delta, weights = _read_only(delta), _read_only(weights)
    largest = float(delta.max())
    relative = square_sum(delta, weights, 1.0 / largest)
    pair_weight = _pair_weight(weights, delta.size)
    # The mean weighted square becomes one, so that every constant below means the same whatever
    # the data are measured in. By way of the largest, whose own square may not be a float.
    unit = np.sqrt(pair_weight / relative) / largest
    metric = _object_metric(weights, n_objects)
    scaled = Scaled(delta, weights, unit, pair_weight)
    return objective_in(scaled, metric, columns, n_components, diagonal, admissible, given)


def objective_in(
    scaled: Scaled,
    metric: Metric,
    columns: Standardised,
    n_components: int,
    diagonal: bool,
    admissible: Admissible | None = None,
    given: FloatArray | None = None,
) -> Objective:
    """The objective in the coordinates that its metric makes round; see `build_objective`."""
    root_h = metric.root_h
    if given is not None:
        found = _given_basis(columns, given * scaled.unit)
    elif diagonal:
        found = _diagonal_basis(columns, metric.pulled)
    else:
        found = _full_basis(columns, metric.pulled)
    basis, group, scale, to_coef, from_coef = found
    objects, features = np.nonzero(columns.missing)
    lift = _lift(to_coef, columns, features, diagonal)
    layout = Layout(
        n_components=n_components,
        safe=metric.safe,
        root_h=root_h,
        basis=np.ascontiguousarray(basis.T),
        group=group,
        amplitude_scale=scale,
        free_object=objects.astype(np.int64),
        free_lift=lift,
        free_scale=TYPICAL_REACH * root_h[objects],
    )
    return Objective(
        scaled.delta,
        scaled.weights,
        scaled.unit,
        scaled.total,
        columns,
        layout,
        to_coef,
        from_coef,
        admissible,
        given,
    )


def _read_only(values: _Array) -> _Array:
    """A read-only view: to numba, writable arrays are another type, to be compiled anew."""
    view = values.view()
    view.setflags(write=False)
    return view


def _pair_weight(weights: FloatArray, pairs: int) -> float:
    return float(weights.sum(dtype=np.float64)) if weights.size else float(pairs)


def _object_metric(weights: FloatArray, n_objects: int) -> Metric:
    """The metric in which the majoriser is round, as far as a diagonal can make it.

    For unit weights H acts as N, so half a gradient is the Guttman transform itself;
    in general H never exceeds twice its diagonal, so a quarter is always safe.
    """
    # The majoriser (14) is tr U'HU + tr A'A less what is linear, with Z = VB = WA and W'HW = I. In
    # the variables h^½ U and A its second derivative is 2 in every direction for unit weights, and
    # 4 at most for others. The papers take H+ instead: an N x N inverse that costs 8 s at N = 5000
    # with Sammon weights, where this takes a quarter of a second.
    pulled = partial(laplacian, weights=weights, n_objects=n_objects)
    if not weights.size:
        return Metric(np.full(n_objects, np.sqrt(n_objects)), 0.5, pulled)
    sums = np.zeros(n_objects)
    row_sums(weights, sums)
    return Metric(np.sqrt(sums), 0.25, pulled)


def laplacian(matrix: FloatArray, weights: FloatArray, n_objects: int) -> FloatArray:
    """H of (9) times a matrix (N x k); for unit weights N times the centred matrix."""
    if not weights.size:
        centred: FloatArray = n_objects * (matrix - matrix.mean(axis=0))
        return centred
    rows = stored_rows(matrix.shape[1])
    stored = np.zeros((rows, n_objects))
    stored[: matrix.shape[1]] = matrix.T
    product = np.zeros_like(stored)
    # Scaled by nought every target is zero, and so is C of (13): the sweep that a fit is made of
    # then leaves H X, and no N x N matrix is needed.
    accumulate(weights, weights, stored, product, constants(0.0, np.float64), 0, n_objects)
    return np.ascontiguousarray(product[: matrix.shape[1]].T)


_Basis = tuple[FloatArray, IntArray, FloatArray, FloatArray, FloatArray]


def _full_basis(columns: Standardised, pulled: Pulled) -> _Basis:
    """W with W'HW = I, and the maps between A and B."""
    values, spread = columns.values, columns.spread
    if not values.shape[1]:
        nothing = np.zeros((0, 0))
        return values, np.empty(0, np.int64), np.empty(0), nothing, nothing
    left, sizes, right = np.linalg.svd(values - values.mean(axis=0), full_matrices=False)
    # A column that hardly varies may vary once its gaps have moved, so it must not drop out.
    if columns.missing.any():
        sizes = np.maximum(sizes, MOVING_TOLERANCE * sizes[0])
    kept = sizes > RANK_TOLERANCE * sizes[0] if sizes[0] > 0 else np.zeros(sizes.size, bool)
    left, sizes, right = left[:, kept], sizes[kept], right[kept]
    metric = left.T @ pulled(left)
    if columns.missing.any():
        metric += MOVING_TOLERANCE**2 * np.trace(metric) * np.eye(sizes.size)
    lower = _lower_root(metric)
    inverse = np.linalg.inv(lower).T
    to_standard = (right.T / sizes) @ inverse
    from_standard = lower.T @ (sizes[:, None] * right)
    return (
        values @ to_standard,
        np.empty(0, np.int64),
        np.ones(sizes.size**2),
        to_standard / spread[:, None],
        from_standard * spread,
    )


def _lower_root(metric: FloatArray) -> FloatArray:
    """L with LL' = metric; where a few pairs weigh more than all others, of nearly that."""
    try:
        return np.asarray(np.linalg.cholesky(metric), dtype=np.float64)
    except np.linalg.LinAlgError:
        sizes, vectors = np.linalg.eigh(metric)
        roots = np.sqrt(np.maximum(sizes, RANK_TOLERANCE * sizes[-1]))
        triangle: FloatArray = np.linalg.qr((vectors * roots).T)[1].T
        return triangle


def _diagonal_basis(columns: Standardised, pulled: Pulled) -> _Basis:
    """The columns that vary, the block of each, and the maps between b's and B's diagonal."""
    varies = np.flatnonzero(columns.varies)
    values = columns.values[:, varies]
    blocks, group = np.unique(columns.block[varies], return_inverse=True)
    member = (group[:, None] == np.arange(blocks.size)).astype(np.float64)
    sizes = (values * pulled(values)).sum(axis=0)
    to_coef = np.zeros((columns.centre.size, blocks.size))
    to_coef[varies] = member / columns.spread[varies, None]
    from_coef = np.zeros((blocks.size, columns.centre.size))
    from_coef[:, varies] = (member * columns.spread[varies, None]).T / member.sum(axis=0)[:, None]
    # By (18) the majoriser has b_m^2 g_mm for each column: scaled so, it is round for a diagonal B.
    scale = np.sqrt(member.T @ sizes)
    return values, group.astype(np.int64), scale, to_coef, from_coef


def _given_basis(columns: Standardised, given: FloatArray) -> _Basis:
    """VB itself, as far as it lies anywhere, in scaled dissimilarity; nothing stretches it."""
    to_coef = given[:, given.any(axis=0)]
    places = (columns.values * columns.spread) @ to_coef
    group = np.full(to_coef.shape[1], FIXED, dtype=np.int64)
    return places, group, np.empty(0), to_coef, np.zeros((0, len(given)))


def _lift(
    to_coef: FloatArray, columns: Standardised, features: IntArray, diagonal: bool
) -> FloatArray:
    """How each basis direction of an object moves with each of its missing entries."""
    if diagonal:
        own = np.flatnonzero(columns.varies) == features[:, None]
        return np.asarray(own, dtype=np.float64)
    return np.ascontiguousarray((to_coef * columns.spread[:, None])[features])


def normalised_stress(objective: Objective, embedding: FloatArray, places: FloatArray) -> float:
    """The stress of any configuration [U, VB], in the units of the data."""
    joint = np.hstack([embedding, places]) * objective.unit
    X = np.zeros((stored_rows(joint.shape[1]), objective.n_objects))
    X[: joint.shape[1]] = (joint - joint.mean(axis=0)).T
    constant = constants(objective.unit, np.float64)
    stress = accumulate(
        objective.delta, objective.weights, X, np.zeros_like(X), constant, 0, objective.n_objects
    )
    return stress / objective.total
