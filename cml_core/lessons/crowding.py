"""Lesson 7: the plane has no room for many equal distances; some methods give up far ones."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.spatial.distance import pdist

from cml_core.fitting.fit import fit
from cml_core.fitting.geometry import procrustes
from cml_core.fitting.problem import Problem
from cml_core.lessons.lesson import Answer, Check, Lesson, Review
from cml_core.peers.method import Step
from cml_core.peers.registry import METHODS
from cml_core.peers.view import view
from cml_core.values.arrays import FloatArray, IntArray, Value, frozen
from cml_core.values.components import components
from cml_core.values.dissimilarities import Dissimilarities
from cml_core.values.features import FeatureTable
from cml_core.values.words import counted, percent

SHOWN = ("mds", "sammon", "tsne", "umap")
MOVING = ("tsne", "umap")
FRAMES = 20
A_CLUSTER = 50
# Along a line, so that the third is five times as far from the first as the second is.
CENTRES, WIDE = (0.0, 10.0, 50.0), 10.0
PLANE = 2
# Distances from the middle that differ by less than this share of the largest are one ring.
ONE_RING = 0.1
# A stress below this is none.
ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class Equal(Value):
    """The best map of things that are all equally different.

    Parameters
    ----------
    places : (N, 2).
    rings, radii : how many lie on each ring, and how far out it is, from the middle outwards.
    stress, on_a_line : in the plane, and in one dimension.
    """

    places: FloatArray
    rings: tuple[int, ...]
    radii: tuple[float, ...]
    stress: float
    on_a_line: float


@dataclass(frozen=True, eq=False)
class Drawing(Value):
    """The clusters as one method draws them.

    Parameters
    ----------
    places : (N, 2).
    far : how many times as far the third cluster is from the first as the second.
    size : how many times as wide the third cluster is as the other two on average.
    frames : the places on the way, each laid onto the last; only of methods that move them.
    """

    title: str
    places: FloatArray
    far: float
    size: float
    frames: tuple[FloatArray, ...] = ()


@dataclass(frozen=True, eq=False)
class Clusters(Value):
    """Three clusters in the plane, and what methods make of them.

    Parameters
    ----------
    cluster : (N,) which of the three each point is in.
    truth : as they are.
    drawings : by the name of the method.
    """

    cluster: IntArray
    truth: Drawing
    drawings: dict[str, Drawing]
    perplexity: float
    n_neighbors: int


State = Equal | Clusters


@lru_cache(maxsize=128)
def equally_different(n_objects: int) -> Equal:
    """The best map of so many things, each at distance one from each other."""
    labels = tuple(str(i + 1) for i in range(n_objects))
    data = Dissimilarities(labels, np.ones(n_objects * (n_objects - 1) // 2))
    plane, line = (fit(Problem(data, FeatureTable(labels), p), seed=0) for p in (PLANE, 1))
    return Equal(plane.embedding, *_rings(plane.embedding), plane.stress, line.stress)


def most_equal(dimensions: int) -> int:
    """How many things can be equally far apart in so many dimensions."""
    return dimensions + 1


def _rings(places: FloatArray) -> tuple[tuple[int, ...], tuple[float, ...]]:
    out = np.linalg.norm(places, axis=1)
    apart = np.abs(out[:, None] - out)[np.triu_indices(len(out), 1)]
    ring = components(apart < ONE_RING * out.max(), len(out))
    found = sorted((float(out[ring == k].mean()), int((ring == k).sum())) for k in np.unique(ring))
    radii, counts = zip(*found, strict=True)
    return counts, radii


@lru_cache(maxsize=32)
def three_clusters(
    perplexity: float = 30.0, n_neighbors: int = 15, *, wide: bool = False, another: int = 0
) -> Clusters:
    """The clusters by four methods.

    Parameters
    ----------
    wide : whether the third cluster is ten times as wide as the others.
    another : 0 begins as the methods usually do; others begin by lot.
    """
    random = np.random.default_rng(0)
    points = random.normal(size=(len(CENTRES) * A_CLUSTER, PLANE))
    cluster = np.repeat(np.arange(len(CENTRES)), A_CLUSTER)
    points[cluster == len(CENTRES) - 1] *= WIDE if wide else 1.0
    points[:, 0] += np.array(CENTRES)[cluster]
    data = Dissimilarities.of(pdist(points))
    start = "random" if another else None
    settings: dict[str, dict[str, object]] = {
        "tsne": {"perplexity": perplexity, "start": start},
        "umap": {"n_neighbors": n_neighbors},
    }
    truth = _drawing("As they are", points, cluster)
    drawings = {
        name: _drawn(data, name, settings.get(name, {}), another, truth, cluster) for name in SHOWN
    }
    return Clusters(frozen(cluster), truth, drawings, perplexity, n_neighbors)


def _drawn(
    data: Dissimilarities,
    method: str,
    settings: dict[str, object],
    seed: int,
    truth: Drawing,
    cluster: IntArray,
) -> Drawing:
    passed: list[FloatArray] = []

    def seen(step: Step) -> bool:
        if method in MOVING and step.places is not None:
            passed.append(step.places)
        return False

    found = view(data, method, PLANE, seed=seed, on_step=seen, **settings)
    places = procrustes(found.places, truth.places).points
    return _drawing(METHODS[method].title, places, cluster, _frames(passed, places))


def _frames(passed: list[FloatArray], last: FloatArray) -> tuple[FloatArray, ...]:
    """Some of what was passed, close together at the beginning, where most happens."""
    if not passed:
        return ()
    share = np.linspace(0.0, 1.0, FRAMES - 1) ** 2
    chosen = np.round(share * (len(passed) - 1)).astype(int)
    on_the_way = [procrustes(passed[i], last, scaling=True).points for i in chosen]
    return (*on_the_way, last)


def _drawing(
    title: str, places: FloatArray, cluster: IntArray, frames: tuple[FloatArray, ...] = ()
) -> Drawing:
    groups = [places[cluster == k] for k in range(len(CENTRES))]
    first, second, third = (group.mean(axis=0) for group in groups)
    far = float(np.linalg.norm(third - first) / np.linalg.norm(second - first))
    widths = [float(np.sqrt(group.var(axis=0).sum())) for group in groups]
    size = widths[2] / (0.5 * (widths[0] + widths[1]))
    return Drawing(title, frozen(places), far, size, tuple(frozen(frame) for frame in frames))


def _told(state: State) -> str:
    if isinstance(state, Clusters):
        return (
            "All pictures are of the same points. The lines join the middles of clusters: "
            "the thin one the first and the second, the thick one the first and the third."
        )
    n = len(state.places)
    if state.stress < ROUNDING:
        return (
            f"{counted(n, 'thing')}: the plane has room for them, and the stress is **0**. On a "
            f"line it would be {state.on_a_line:.4f}."
        )
    rings = " around ".join(str(count) for count in reversed(state.rings))
    lie = f"in rings, {rings}" if len(state.rings) > 1 else "on a ring"
    return (
        f"{n} things that are all equally different leave a stress of **{state.stress:.4f}**: "
        f"{percent(state.stress)} is wrong, on the best map that was found. They lie {lie}. Middle "
        f"and edge mean nothing here. On a line the stress would be {state.on_a_line:.4f}."
    )


SAME, ONE_MORE, TWICE, ANY = "p", "p + 1", "2p", "As many as you like"
BANDS = ((1.5, "Less than 1½ times"), (4.5, "1½ to 4½ times"), (8.0, "4½ to 8 times"))
BEYOND = "More than 8 times"


def _band(ratio: float) -> str:
    return next((words for most, words in BANDS if ratio < most), BEYOND)


def _why_plane(_: State, said: Answer) -> str:
    if said == most_equal(PLANE):
        return "An equal-sided triangle. A fourth would have to stand above it, outside the plane."
    if float(said) > most_equal(PLANE):
        stress = equally_different(int(np.clip(float(said), 4, 50))).stress
        return f"With so many the stress is {stress:.4f} and not 0. Try fewer with the slider."
    return "Two things always fit. Is there a place for one more, as far from both?"


def _why_dimensions(_: State, said: Answer) -> str:
    if said == ONE_MORE:
        return (
            "Two on a line, three in the plane, four in space: each dimension has room for one "
            "more. So among many things that are all different, most distances have to be wrong."
        )
    return "Count: two on a line, three in the plane, four (a pyramid) in space. And then?"


def _not_clusters(state: State) -> str:
    return "" if isinstance(state, Clusters) else "First choose *Three clusters* above the picture."


def _ratio(state: State) -> str:
    assert isinstance(state, Clusters)
    return _band(state.drawings["tsne"].far)


def _why_ratio(state: State, said: Answer) -> str:
    assert isinstance(state, Clusters)
    drawn, true = state.drawings["tsne"].far, state.truth.far
    if said == _ratio(state):
        return (
            f"t-SNE draws it {drawn:.1f} times as far; in truth it is {true:.1f} times. Set "
            "another perplexity and it is another number: nothing of the kind can be read off."
        )
    if said == _band(true):
        return (
            f"So it is in the data ({true:.1f} times), but not on the t-SNE picture: hold the "
            "thick line against the thin one there."
        )
    return "On the t-SNE picture, how many thin lines would make the thick one?"


LESSON = Lesson[State](
    name="crowding",
    title="Crowding",
    words=(
        "Many things that are all equally different have no room in the plane: move **How many** "
        "and see the rings. Then choose **Three clusters**, the last one far away. Metric MDS "
        "keeps that. **t-SNE** and **UMAP** give up far distances to make room for near ones: move "
        "**Perplexity** and **Neighbours**, or play it step by step."
    ),
    cures=(
        "Distances between clusters, their sizes and densities can be read off t-SNE or UMAP.",
        "Clumps mean groups.",
    ),
    told=_told,
    checks=(
        Check(
            "plane",
            "How many things can be equally far apart in the plane?",
            lambda _: float(most_equal(PLANE)),
            _why_plane,
        ),
        Check(
            "dimensions",
            "And in p dimensions?",
            lambda _: ONE_MORE,
            _why_dimensions,
            (SAME, ONE_MORE, TWICE, ANY),
        ),
        Check(
            "ratio",
            "Three clusters, on the t-SNE picture: how many times as far from the first is the "
            "third as the second?",
            _ratio,
            _why_ratio,
            (*(words for _, words in BANDS), BEYOND),
            not_yet=_not_clusters,
        ),
    ),
    mathematics=r"""
With $N$ things at distance 1 the best map on a line has the stress $(N-2)/(3N)$. In the plane there
is no such formula; the best of many starts is shown.

t-SNE turns distances into the chance $p_{ij}$ of being picked as a neighbour, with a width for each
point that gives it about as many neighbours as the *perplexity* says, and makes
$\sum p_{ij}\log(p_{ij}/q_{ij})$ small for $q_{ij} \propto 1/(1 + d_{ij}^2)$. That kernel's long
tail makes the room: what is moderately far may be drawn very far. Pairs with $p_{ij} \approx 0$
hardly count, so far distances are free. UMAP weighs edges of a neighbourhood graph in the same
spirit.
""",
    minutes=15,
    asks="Cover the true picture: which of the four would you show to somebody, and to say what?",
    goes_wrong=(
        "Many look for the *right* perplexity. For some numbers the far cluster is about right by "
        "luck; without the truth beside it nobody could tell which."
    ),
    review=Review(
        "What is the key idea of t-SNE?",
        "Keep who is near whom, not how far things are. Distances become chances of being picked "
        "as a neighbour, in the data and on the map, and the map makes the two agree. On the map "
        "the chance falls more slowly, so what is not near may lie far away: that makes room.",
    ),
)
