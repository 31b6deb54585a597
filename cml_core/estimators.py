"""scikit-learn's way of asking: ConditionalMDS and ConditionalIsomap for notebooks.

They follow its conventions without importing it, because that alone takes a second.
"""

from __future__ import annotations

import inspect
import warnings
from typing import Any, Self

import numpy as np
import pandas as pd

from cml_core.errors import FarOutside, UnknownOption, check_option
from cml_core.fitting.fit import fit
from cml_core.fitting.geodesics import Neighbourhood
from cml_core.fitting.landmarks.fit import fit_landmarks
from cml_core.fitting.landmarks.new_objects import new_objects
from cml_core.fitting.landmarks.problem import LargeProblem
from cml_core.fitting.landmarks.result import LandmarkFit
from cml_core.fitting.problem import Problem, condensed_weights
from cml_core.fitting.result import Fit
from cml_core.fitting.scales.registry import RATIO
from cml_core.fitting.solvers.registry import SOLVERS
from cml_core.fitting.sparse.fit import PairsFit, SparseProblem, fit_pairs
from cml_core.values.arrays import FloatArray
from cml_core.values.dissimilarities import Dissimilarities, has_labels
from cml_core.values.known_table import known_table
from cml_core.values.measurements import Measurements
from cml_core.values.pairs import Pairs

Found = Fit | LandmarkFit | PairsFit

USUAL, BY_LANDMARKS = "lbfgs", "landmarks"
# Up to so many measured objects all pairs are fitted: 100 MB, and a second.
DENSE_UP_TO = 5000


class _Estimator:
    """get_params, set_params, a repr and tags, as scikit-learn's clone and pipelines want them."""

    @classmethod
    def _parameters(cls) -> list[str]:
        return list(inspect.signature(cls.__init__).parameters)[1:]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters this was made with; none of them has parameters of its own."""
        del deep
        return {name: getattr(self, name) for name in self._parameters()}

    def set_params(self, **params: Any) -> Self:
        """Change parameters by name."""
        for name, value in params.items():
            if name not in self._parameters():
                raise UnknownOption(
                    f"{type(self).__name__} has no parameter {name!r}.",
                    remedy=f"Choose among {', '.join(self._parameters())}.",
                )
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self).__init__).parameters
        changed = [
            f"{name}={value!r}"
            for name, value in self.get_params().items()
            if value is not defaults[name].default
        ]
        return f"{type(self).__name__}({', '.join(changed)})"

    def __sklearn_tags__(self) -> Any:
        # Only scikit-learn asks for this, so it has been imported by then.
        from sklearn.utils import InputTags, Tags, TargetTags

        return Tags(
            estimator_type=None,
            target_tags=TargetTags(required=False),
            input_tags=InputTags(pairwise=True, allow_nan=True),
        )


class ConditionalMDS(_Estimator):
    """Conditional multidimensional scaling: a map of what the known features do not explain.

    Finds U (N x p) and B (q x q) that minimise the sum over pairs of
    w_ij (delta_ij - d_ij)^2, with d_ij^2 = |u_i - u_j|^2 + |B'(v_i - v_j)|^2 (Bui 2021).

    Parameters
    ----------
    n_components : p, the number of hidden dimensions; 0 fits B alone.
    coef : "full" B, or "diagonal", where every feature acts by itself; or B itself,
        (q, q), and then only the map is fitted.
    solver : "lbfgs", "smacof" (the published updates), "closed_form" (no iterations), or
        "landmarks": of `Measurements`, some objects are fitted and each other one is placed among
        them. So "lbfgs" does too where more than 5,000 objects were measured.
    init : "auto", "closed_form", "random", or arrays (U0, B0).
    n_init : number of starts; "auto" takes fewer as the objects become more.
    max_iter : the most iterations of one start.
    tol : relative decrease of the stress at which to stop; with "smacof" the decrease of the
        normalised stress. Negative never stops early.
    random_state : an integer for starts that can be repeated, or a generator, or None.
    scale : what of the dissimilarities is taken at its word: "ratio" everything, "interval"
        differences, "power" the order and that some power of them is a distance, "spline" the
        order and that it bends smoothly, "ordinal" the order alone. Any but "ratio" needs "lbfgs".
    ties : on the ordinal scale, "primary" (equal dissimilarities may get any order), "secondary"
        (they stay equal), or "auto": secondary where the data take few values.
    n_landmarks : how many objects are drawn at random as landmarks; twice as many lose half as
        much against a fit of all pairs. "auto": 4,000 of up to 20,000 objects, 2,000 of more;
        fewer where known features have many groups.

    Attributes
    ----------
    embedding_ : (N, p), centred; on principal axes unless a start was given.
    coef_ : B, (q, q), in the units of V as passed; `coef_names_` names its rows.
    stress_ : normalised conditional stress.
    stress_path_ : normalised stress of the start and after each iteration.
    n_iter_, converged_ : how the best run ended.
    alternatives_ : distinct other minima, best first.
    known_ : V as used, (N, q), missing entries filled in.
    scaled_ : (N(N-1)/2,) the dissimilarities as the scale changed them, condensed; NaN where
        missing. Their mean square is one, but on the ratio scale, where nothing is changed.
    fit_ : the whole `Fit`; with landmarks a `LandmarkFit`, whose `sampled` says how good the map
        is. Then `stress_` is estimated from a sample of the objects, `stress_path_`, `n_iter_` and
        `alternatives_` are those of the landmarks, and there is no `scaled_`.
    """

    def __init__(
        self,
        n_components: int = 2,
        *,
        coef: str | Any = "full",
        solver: str = "lbfgs",
        init: str | tuple[Any, ...] = "auto",
        n_init: str | int = "auto",
        max_iter: int = 1000,
        tol: float = 1e-9,
        random_state: Any = None,
        scale: str = "ratio",
        ties: str = "auto",
        n_landmarks: int | str = "auto",
    ) -> None:
        self.n_components = n_components
        self.coef = coef
        self.solver = solver
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.scale = scale
        self.ties = ties
        self.n_landmarks = n_landmarks

    def fit(self, D: Any, V: Any = None, weights: Any = None) -> Self:
        """Fit the map.

        Parameters
        ----------
        D : (N, N) array or DataFrame, or condensed; NaN is a missing pair. A condensed array of
            floats is not copied. Or `Measurements`, of which dissimilarities are computed; or
            `Pairs`, a list of those that were observed.
        V : (N, q) array or DataFrame of known features; NaN is missing, columns of text are
            categorical. None is metric MDS.
        weights : None, "sammon", or an (N, N) table.
        """
        if isinstance(D, Pairs):
            found = self._of_pairs(D, V, weights)
            self._take_found(found, found)
            return self
        self._measured = D if isinstance(D, Measurements) else None
        if isinstance(D, Measurements) and self._by_landmarks(D):
            self._take_placed(self._landmarks(D, V, weights))
            return self
        if self.solver == BY_LANDMARKS:
            raise UnknownOption(
                "solver is 'landmarks', and D holds all pairs already.",
                remedy="Give Measurements(values, 'euclidean'), or leave the solver out.",
            )
        check_option("solver", self.solver, (*SOLVERS, BY_LANDMARKS))
        problem = self._problem(D, V, weights)
        self._take(
            fit(
                problem,
                solver=self.solver,
                init=self.init,
                n_init=self.n_init,
                max_iter=self.max_iter,
                tol=self.tol,
                seed=_seed(self.random_state),
            )
        )
        return self

    def fit_transform(self, D: Any, V: Any = None, weights: Any = None) -> FloatArray:
        """Fit the map and return it."""
        self.fit(D, V, weights)
        return self.embedding_

    def transform(self, D: Any, V: Any = None) -> FloatArray:
        """Where new objects lie on the map, (n, p), which stays as it is.

        `placed_` then says how much of each one's dissimilarities is left unexplained, and how far
        outside of the fitted objects it lies; those far outside are warned of.

        Parameters
        ----------
        D : `Measurements` of the new objects, compared as those that were fitted; or an array of
            their dissimilarities to the fitted objects, (n, N); NaN where not known.
        V : their known features, like those that were fitted; NaN where missing.
        """
        if not hasattr(self, "fit_"):
            raise UnknownOption("Nothing was fitted yet.", remedy="Call fit(D, V) first.")
        if isinstance(self.fit_, PairsFit):
            raise UnknownOption(
                "The map was made of a list of pairs, and new objects cannot be placed on it.",
                remedy="Add their pairs to the list and fit again; it takes a second.",
            )
        placed = new_objects(self.fit_, D, V, self._measured)
        if placed.far.any():
            warnings.warn(
                f"{int(placed.far.sum()):,} of {len(placed.labels):,} new objects are unlike all "
                "fitted ones; their places are guesses.",
                FarOutside,
                stacklevel=2,
            )
        self.placed_ = placed
        return np.array(placed.embedding)

    def _neighbourhood(self) -> Neighbourhood | None:
        return None

    def _by_landmarks(self, measurements: Measurements) -> bool:
        many = measurements.n_objects > DENSE_UP_TO
        return self.solver == BY_LANDMARKS or (self.solver == USUAL and many)

    def _check_all_pairs_not_needed(self, weights: Any, objects: str) -> None:
        needs_all_pairs = {
            "weights": weights is not None,
            f"scale={self.scale!r}": self.scale != RATIO,
            "init": not (isinstance(self.init, str) and self.init == "auto"),
            "a neighbourhood": self._neighbourhood() is not None,
        }
        for name, asked in needs_all_pairs.items():
            if asked:
                raise UnknownOption(
                    f"{objects} are never all compared, and {name} would need that.",
                    remedy="Leave it out, or fit a table of all pairs of fewer objects.",
                )

    def _of_pairs(self, pairs: Pairs, V: Any, weights: Any) -> PairsFit:
        self._check_all_pairs_not_needed(weights, "Of a list of pairs objects")
        known = known_table(V, pairs.labels, True)
        return fit_pairs(
            SparseProblem(pairs, known, n_components=self.n_components, coef=self.coef),
            n_init=1 if isinstance(self.n_init, str) else self.n_init,
            max_iter=self.max_iter,
            tol=self.tol,
            seed=_seed(self.random_state),
        )

    def _landmarks(self, measurements: Measurements, V: Any, weights: Any) -> LandmarkFit:
        self._check_all_pairs_not_needed(weights, "With landmarks objects")
        return fit_landmarks(
            LargeProblem(
                measurements,
                known_table(V, measurements.names, measurements.named),
                n_components=self.n_components,
                coef=self.coef,
            ),
            n_landmarks=self.n_landmarks,
            n_init=self.n_init,
            max_iter=self.max_iter,
            tol=self.tol,
            seed=_seed(self.random_state),
        )

    def _problem(self, D: Any, V: Any, weights: Any) -> Problem:
        measured = isinstance(D, Measurements)
        # Not copied: at N = 10,000 that is 400 MB, and a notebook holds them already.
        dissimilarities = D.dissimilarities() if measured else Dissimilarities.of(D, copy=False)
        labelled = (
            D.named
            if measured
            else isinstance(D, Dissimilarities) or (isinstance(D, pd.DataFrame) and has_labels(D))
        )
        return Problem(
            dissimilarities,
            known_table(V, dissimilarities.labels, labelled),
            n_components=self.n_components,
            coef=self.coef,
            weights=condensed_weights(weights, dissimilarities),
            neighbourhood=self._neighbourhood(),
            scale=self.scale,
            ties=self.ties,
        )

    def _take(self, result: Fit) -> None:
        self._take_found(result, result)
        self.scaled_ = np.array(result.scaled)

    def _take_placed(self, result: LandmarkFit) -> None:
        self._take_found(result, result.landmarks)

    def _take_found(self, result: Found, solved: Fit | PairsFit) -> None:
        # In the app remarks are shown beside the map; in a notebook warnings are what one sees.
        for remark in result.remarks:
            warnings.warn(remark.text, remark.category, stacklevel=4)
        self.fit_: Any = result
        # Copies that may be written to, as scikit-learn's users expect; the fit itself is frozen.
        self.embedding_ = np.array(result.embedding)
        self.coef_ = np.array(result.coef)
        self.coef_names_ = list(solved.problem.encoding.names)
        self.known_ = np.array(result.known_values)
        self.stress_ = result.stress
        self.stress_path_ = np.array(solved.stress_path)
        self.n_iter_ = solved.n_iter
        self.converged_ = result.converged
        self.alternatives_ = list(solved.alternatives)
        self.n_features_in_ = len(result.labels)


class ConditionalIsomap(ConditionalMDS):
    """Conditional Isomap: conditional MDS of distances along a neighbourhood graph.

    Parameters
    ----------
    n_neighbors : objects are joined where one is among the k nearest of the other.
    epsilon : objects are joined where they are at most this dissimilar; then `n_neighbors`
        is not looked at.
    mutual : objects are joined only where each is among the k nearest of the other.

    All other parameters and attributes are those of `ConditionalMDS`; Sammon weights are
    taken from the dissimilarities as given.

    Attributes
    ----------
    geodesic_ : (N, N) distances along the graph.
    """

    def __init__(
        self,
        n_components: int = 2,
        *,
        n_neighbors: int | None = 5,
        epsilon: float | None = None,
        mutual: bool = False,
        coef: str | Any = "full",
        solver: str = "lbfgs",
        init: str | tuple[Any, ...] = "auto",
        n_init: str | int = "auto",
        max_iter: int = 1000,
        tol: float = 1e-9,
        random_state: Any = None,
        scale: str = "ratio",
        ties: str = "auto",
        n_landmarks: int | str = "auto",
    ) -> None:
        super().__init__(
            n_components,
            coef=coef,
            solver=solver,
            init=init,
            n_init=n_init,
            max_iter=max_iter,
            tol=tol,
            random_state=random_state,
            scale=scale,
            ties=ties,
            n_landmarks=n_landmarks,
        )
        self.n_neighbors = n_neighbors
        self.epsilon = epsilon
        self.mutual = mutual

    def _neighbourhood(self) -> Neighbourhood:
        if self.epsilon is not None:
            return Neighbourhood(epsilon=self.epsilon)
        return Neighbourhood(n_neighbors=self.n_neighbors, mutual=self.mutual)

    def _take(self, result: Fit) -> None:
        super()._take(result)
        self.geodesic_ = result.problem.targets.square()


def _seed(random_state: Any) -> int | None:
    if random_state is None or isinstance(random_state, int | np.integer):
        return None if random_state is None else int(random_state)
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**32))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31))
    raise UnknownOption(
        f"random_state is {random_state!r}.", remedy="Give an integer, a generator, or None."
    )
