"""Lesson 1: a map is good when distances on it are the dissimilarities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import floor, log10

import numpy as np
from scipy.spatial.distance import pdist, squareform

from cml_core.fitting.fit import fit
from cml_core.fitting.problem import Problem
from cml_core.fitting.result import Fit
from cml_core.lessons.lesson import Answer, Check, Lesson, Review
from cml_core.values.arrays import FloatArray, RealArray, Value, frozen
from cml_core.values.dissimilarities import Dissimilarities
from cml_core.values.features import FeatureTable
from cml_core.values.words import percent

# Degrees north and east.
CITIES: Mapping[str, tuple[float, float]] = {
    "Athens": (37.98, 23.73),
    "Berlin": (52.52, 13.40),
    "Copenhagen": (55.68, 12.57),
    "Helsinki": (60.17, 24.94),
    "London": (51.51, -0.13),
    "Madrid": (40.42, -3.70),
    "Moscow": (55.76, 37.62),
    "Rome": (41.90, 12.50),
    "Stockholm": (59.33, 18.07),
    "Vienna": (48.21, 16.37),
}
EARTH_RADIUS = 6371.0
# In kilometres; nobody drags a city further.
FAR = 1e6
SEED = 0
# From here on they tell shares apart.
THREE_DECIMALS = 1e-3
# Of the descent that is drawn; what is left after it is too little to be seen.
MOST_STEPS, SMALL_STEP = 60, 1e-7
ROME, MOSCOW = list(CITIES).index("Rome"), list(CITIES).index("Moscow")


@cache
def flights() -> Dissimilarities:
    """Great-circle distances between the cities, in kilometres."""
    north, east = np.radians(np.array(list(CITIES.values()))).T
    on_sphere = np.column_stack(
        [np.cos(north) * np.cos(east), np.cos(north) * np.sin(east), np.sin(north)]
    )
    # Of a chord; the angle by its cosine would lose the digits of near cities.
    return Dissimilarities.from_square(
        squareform(2 * EARTH_RADIUS * np.arcsin(pdist(on_sphere) / 2)), tuple(CITIES)
    )


@cache
def best_map(n_components: int = 2) -> Fit:
    """The map of the cities with the least stress."""
    return fit(Problem(flights(), FeatureTable(tuple(CITIES)), n_components), seed=SEED)


def share_wrong(dissimilarities: RealArray, places: FloatArray) -> float:
    """The stress of a map: the share of the squared dissimilarities that its distances are not."""
    errors = dissimilarities - pdist(places)
    return float((errors**2).sum() / (dissimilarities**2).sum())


def in_digits(stress: float) -> str:
    """Three decimals, or two digits of less: 0.117, 0.0000019."""
    if stress >= THREE_DECIMALS or stress <= 0:
        return f"{stress:.3f}"
    return f"{stress:.{1 - floor(log10(stress))}f}"


@dataclass(frozen=True, eq=False)
class CityMap(Value):
    """The cities as they lie on the screen.

    Parameters
    ----------
    places : (10, 2) kilometres.
    """

    places: FloatArray
    stress: float


def city_map(moved: Mapping[str, tuple[float, float]], turn: float, mirrored: bool) -> CityMap:
    """The best map, but for cities that somebody moved, mirrored, and then turned by degrees."""
    places = np.array(best_map().embedding)
    for name, place in moved.items():
        places[list(CITIES).index(name)] = place
    seen = frozen(places @ motion(turn, mirrored))
    return CityMap(seen, share_wrong(flights().condensed, seen))


def motion(turn: float, mirrored: bool) -> FloatArray:
    """What places are multiplied by to be mirrored, left for right, and turned anticlockwise."""
    angle = np.radians(turn)
    turned = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    mirror = np.diag([-1.0 if mirrored else 1.0, 1.0])
    seen: FloatArray = mirror @ turned
    return seen


def relaxed(places: FloatArray) -> FloatArray:
    """(steps, 10, 2) the way down from here: the published updates, one after the other."""
    problem = Problem(flights(), FeatureTable(tuple(CITIES)))
    nothing = np.zeros((0, 0))
    way = [places]
    for _ in range(MOST_STEPS):
        found = fit(
            problem, solver="smacof", init=(way[-1], nothing), max_iter=1, tol=-1.0, seed=SEED
        )
        way.append(found.embedding)
        if found.stress_path[0] - found.stress < SMALL_STEP:
            break
    end = fit(problem, init=(way[-1], nothing), seed=SEED).embedding
    return frozen(np.array([*way, end]))


def with_rome_on_moscow(state: CityMap) -> float:
    """The stress if Rome lay where Moscow lies."""
    places = np.array(state.places)
    places[ROME] = places[MOSCOW]
    return share_wrong(flights().condensed, places)


NOTHING, BETTER, WORSE = "Nothing", "It falls", "It rises"


def _why_nothing(_: CityMap, said: Answer) -> str:
    if said == NOTHING:
        return (
            "All distances stay as they are, and stress knows nothing but distances. So no map of "
            "this kind has a north, a left or a right, unless you give it one."
        )
    return (
        "Press *Mirror* and watch the number. Which of the distances between two cities did you "
        "expect to change?"
    )


def _why_rome(state: CityMap, said: Answer) -> str:
    true = with_rome_on_moscow(state)
    if abs(float(said) - true) <= TOLERANCE:
        return (
            f"One city of {len(CITIES)} lies wrong, and {percent(true)} is lost: differences are "
            "squared, so one that is far off counts more than many that are a little off."
        )
    if float(said) > 1:
        return "Stress is a share, between 0 and 1. In percent it would be a hundred times as much."
    return "Drag Rome onto Moscow, let go, and read the number off beside the map."


TOLERANCE = 0.005

LESSON = Lesson[CityMap](
    name="stress",
    title="What stress is",
    words=(
        "The map has never seen a globe. It was told how many kilometres lie between each two of "
        "ten cities, and found places for them. **Drag a city** away: the stress says which share "
        "of the distances the map now gets wrong. **Relax** lets go. Then try **Mirror** and "
        "**Turn**."
    ),
    cures=(
        "North, left and right mean something on such a map.",
        "There is a table that says which stress is good.",
    ),
    told=lambda state: (
        f"The map gets **{percent(state.stress)}** of the squared distances wrong: that is its "
        f"stress, {in_digits(state.stress)}. The best map in the plane has "
        f"{in_digits(best_map().stress)}, because the earth is a little round; the best on a line "
        f"has {in_digits(best_map(1).stress)}."
    ),
    checks=(
        Check(
            "mirror",
            "Press *Mirror*. What happens to the stress?",
            lambda _: NOTHING,
            _why_nothing,
            (WORSE, BETTER, NOTHING),
        ),
        Check(
            "rome",
            "Put Rome on Moscow. What is the stress?",
            with_rome_on_moscow,
            _why_rome,
            tolerance=TOLERANCE,
        ),
    ),
    mathematics=r"""
$$\sigma = \frac{\sum_{i<j} (\delta_{ij} - d_{ij})^2}{\sum_{i<j} \delta_{ij}^2}$$

$\delta_{ij}$ is how far two cities are apart in the data, $d_{ij}$ how far they are apart on the
map. Distances do not change when all points are turned, mirrored or moved together, so $\sigma$
does not either. Its root is Kruskal's Stress-1.
""",
    minutes=10,
    asks="Before anybody drags: which city can be moved a little at the least cost, and why?",
    goes_wrong=(
        "Some turn the map until north is up and feel that it is *more right* now. Ask them what "
        "the number says."
    ),
    review=Review(
        "Why does it matter where the descent of a map begins?",
        "A descent only walks downhill, so it stops in the valley that it began above, perhaps not "
        "the lowest. *Relax* does so, too. To find the best map this program begins at one good "
        "guess and at many places by lot, and keeps the lowest end.",
    ),
)
