"""Lesson 4: what is known is given its own distance, and the map shows the rest."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.spatial.distance import pdist

from cml_core.fitting.fit import fit
from cml_core.fitting.geometry import procrustes
from cml_core.fitting.problem import Problem
from cml_core.fitting.result import Fit
from cml_core.lessons import kin
from cml_core.lessons.lesson import Answer, Check, Lesson
from cml_core.values.arrays import FloatArray, Value, frozen, pair_index
from cml_core.values.features import FeatureTable

FURTHEST, CURVE_STEP, CURVE_STARTS = 90.0, 3.0, 20
TOLERANCE = 3.0
TOO_MUCH = "Pairs would have to lie nearer than nothing to make up for it"
NOISE = "The data are noisy"
FEWER = "The map has lost objects"


@dataclass(frozen=True, eq=False)
class TakenOut(Value):
    """The map with women and men taken to be so far apart.

    Parameters
    ----------
    apart : in the units of the data.
    places : (14, 2), turned to match the map at the best distance.
    """

    apart: float
    places: FloatArray
    stress: float

    @property
    def within(self) -> float:
        """Mean distance on the map within the seven pairs, over that of all pairs."""
        distances = pdist(self.places)
        first, second = np.array(kin.pairs(), dtype=np.int64).T
        own = pair_index(first, second, len(self.places))
        return float(distances[own].mean() / distances.mean())


@cache
def taken_out(apart: float) -> TakenOut:
    """Only the map is fitted; how far women and men are apart is given."""
    found = _given(apart, "auto")
    places = procrustes(found.embedding, found_freely().embedding).points
    return TakenOut(apart, frozen(places), found.stress)


@cache
def found_freely() -> Fit:
    """The fit that chooses the distance itself."""
    return fit(_problem(), seed=kin.SEED)


def best_apart() -> float:
    """The distance that a fit chooses."""
    return abs(float(found_freely().coef[0, 0]))


@cache
def curve() -> tuple[FloatArray, FloatArray]:
    """(G,) distances and the stress that each of them leaves."""
    across = np.arange(0.0, FURTHEST + CURVE_STEP / 2, CURVE_STEP)
    return frozen(across), frozen(np.array([_given(x, CURVE_STARTS).stress for x in across]))


def _problem() -> Problem:
    return Problem(kin.terms(), FeatureTable(kin.terms().labels, (kin.gender(),)))


def _given(apart: float, starts: int | str) -> Fit:
    problem = Problem(
        kin.terms(), FeatureTable(kin.terms().labels, (kin.gender(),)), coef=np.array([[apart]])
    )
    return fit(problem, n_init=starts, seed=kin.SEED)


def _why_lowest(_: TakenOut, said: Answer) -> str:
    off = float(said) - best_apart()
    if abs(off) <= TOLERANCE:
        return "That is where the curve has its valley. *Find it* goes there by itself."
    return f"Go {'lower' if off > 0 else 'higher'}: watch the curve beside the map."


def _why_again(_: TakenOut, said: Answer) -> str:
    if said == TOO_MUCH:
        return (
            "Mother and father differ by so much in the data. Once gender alone makes more of it, "
            "no place on the map can take that back, for no distance is below zero."
        )
    if said == FEWER:
        return "Count: all fourteen terms are there, at every distance. Nothing was removed."
    return (
        "There is noise at every distance, and it does not change with the slider. What does: how "
        "much distance gender alone makes between a mother and a father?"
    )


def _told(state: TakenOut) -> str:
    best = best_apart()
    return (
        f"Women and men are taken to be **{state.apart:g}** apart. The stress is "
        f"**{state.stress:.4f}**; the least is {taken_out(best).stress:.4f}, at {best:.1f}. The "
        f"two of a pair lie {state.within:.3f} times as far apart on the map as any two terms."
    )


LESSON = Lesson[TakenOut](
    name="taking-out",
    title="Taking out what you know",
    words=(
        "Women on one side, men on the other: everybody knew that. So give gender a distance of "
        "its own with the **slider**, and let the map explain only the rest. Lines join terms that "
        "differ in nothing but gender. **Find it** lets the fit choose the distance."
    ),
    cures=(
        "Conditioning subtracts a column, or removes objects.",
        "The more is taken out, the better.",
    ),
    told=_told,
    checks=(
        Check(
            "lowest",
            "At which distance between women and men is the stress lowest?",
            lambda _: best_apart(),
            _why_lowest,
            tolerance=TOLERANCE,
        ),
        Check(
            "again",
            "Why does the stress rise again behind the valley?",
            lambda _: TOO_MUCH,
            _why_again,
            (NOISE, TOO_MUCH, FEWER),
        ),
    ),
    mathematics=r"""
$$d_{ij}^2 = \lVert u_i - u_j \rVert^2 + \lVert B^\top (v_i - v_j) \rVert^2$$

$v$ is what is known, here 0 for women and 1 for men; $B$ is then one number, and the slider is
$|B|$. With $B$ given only the map $U$ is fitted; *Find it* fits both together.
""",
    minutes=10,
    asks="What is left on the map once gender has its own distance? Name the direction.",
    goes_wrong="Pairs fall together and some believe that data were lost. Count the terms.",
)
