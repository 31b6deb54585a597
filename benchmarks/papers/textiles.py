"""001 and 003, section 4.3: a stand-in for the textile fabrics, whose images are not public."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy.ndimage import affine_transform
from scipy.signal import lfilter
from scipy.spatial.distance import pdist, squareform

from benchmarks.papers.measures import over_replicates
from benchmarks.papers.row import (
    DOES_NOT_HOLD,
    WITH_A_CONDITION,
    Between,
    Effort,
    Expected,
    Found,
    Numbers,
    Row,
    Verdict,
)
from cml_core import Dissimilarities, Feature, FeatureTable, Problem, fit
from cml_core.fitting.geometry import mean_canonical_correlation
from cml_core.peers import view
from cml_core.values.arrays import FloatArray

# So many of the published updates make a run that is stopped early.
EARLY = 10
STOPPED_EARLY = "hidden, KL, conditional, stopped early"
PICTURES, SIDE, REACH = 30, 250, 4
# How much of a pixel is that to its left, and that above it.
TEXTURES = ((0.6, 0.35), (0.5, 0.45))
LEAST_GAIN = 0.001
SETTLING = 50
SETS, TOLERANCE = 3, 0.03


class Fabrics(NamedTuple):
    """Pictures, and what they were made of: texture, turned, contracted across and down."""

    images: FloatArray
    truth: FloatArray


def woven(random: np.random.Generator, across: float, down: float) -> FloatArray:
    """A texture in which each pixel follows from those to the left and above."""
    size = 2 * SIDE + SETTLING
    noise = random.standard_normal((size, size))
    rows = np.zeros((size, size))
    for i in range(size):
        above = rows[i - 1] if i else np.zeros(size)
        rows[i] = lfilter([1.0], [1.0, -across], down * above + noise[i])
    return rows[SETTLING:, SETTLING:]


def fabrics(seed: int) -> Fabrics:
    """Half of either texture, some turned, each contracted by up to a half both ways."""
    random = np.random.default_rng(seed)
    images, truth = [], []
    for k in range(PICTURES):
        texture = k % 2
        whole = woven(random, *TEXTURES[texture])
        turned = int(random.random() < 0.5)
        whole = np.rot90(whole) if turned else whole
        down, across = 1.0 - 0.5 * random.uniform(size=2)
        small = affine_transform(
            whole, [1.0 / down, 1.0 / across], output_shape=(SIDE, SIDE), order=1
        )
        images.append((small - small.mean()) / small.std())
        truth.append((texture, turned, across, down))
    return Fabrics(np.array(images), np.array(truth, dtype=np.float64))


def _neighbours(image: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Each pixel, and those within reach that come before it, row by row."""
    inner = slice(REACH, -REACH)
    steps = [(di, dj) for di in range(-REACH, 0) for dj in range(-REACH, REACH + 1)]
    steps += [(0, dj) for dj in range(-REACH, 0)]
    columns = [np.roll(image, (-di, -dj), axis=(0, 1))[REACH:, inner].ravel() for di, dj in steps]
    return np.column_stack(columns).astype(np.float32), image[REACH:, inner].ravel()


def divergences(images: FloatArray) -> FloatArray:
    """(N, N) how much worse one picture's tree tells another, both ways (Bui and Apley 2019)."""
    from sklearn.tree import DecisionTreeRegressor

    told = [_neighbours(image) for image in images]
    errors = np.zeros((len(images), len(images)))
    for i, (before, pixel) in enumerate(told):
        # A split gains at least this share of the whole, as R's rpart has it.
        tree = DecisionTreeRegressor(
            min_impurity_decrease=LEAST_GAIN * pixel.var(), min_samples_leaf=7, random_state=0
        ).fit(before, pixel)
        for j, (others, wanted) in enumerate(told):
            errors[j, i] = ((wanted - tree.predict(others)) ** 2).mean()
    own = np.diag(errors)
    # From j's model to i's on picture j, errors being normal with the model's own variance.
    one_way = 0.5 * (np.log(own[None, :] / own[:, None]) + errors / own[None, :] - 1.0)
    both: FloatArray = np.maximum(one_way + one_way.T, 0.0)
    np.fill_diagonal(both, 0.0)
    return both


def _agreements(seed: int) -> Mapping[str, float]:
    made = fabrics(seed)
    flat = made.images.reshape(PICTURES, -1)
    numbers: dict[str, float] = {}
    for name, square in (
        ("KL", divergences(made.images)),
        ("ED", squareform(pdist(flat))),
    ):
        data = Dissimilarities.of(square)
        known = FeatureTable(
            data.labels,
            tuple(
                Feature.numeric(told, made.truth[:, k])
                for k, told in enumerate(("texture", "turned"))
            ),
        )
        problem = Problem(data, known, 2)
        conditional = fit(problem, seed=0)
        early = fit(problem, seed=0, solver="smacof", n_init=1, max_iter=EARLY)
        metric = fit(Problem(data, FeatureTable(data.labels), 4), seed=0)
        hidden = made.truth[:, 2:]
        numbers |= {
            f"ACC, {name}, conditional": mean_canonical_correlation(conditional.points, made.truth),
            f"ACC, {name}, metric MDS": mean_canonical_correlation(metric.embedding, made.truth),
            f"hidden, {name}, conditional": mean_canonical_correlation(
                conditional.embedding, hidden
            ),
            f"hidden, {name}, conditional, stopped early": mean_canonical_correlation(
                early.embedding, hidden
            ),
            f"share of the known in the fitted distances, {name}": sum(
                conditional.contributions().values()
            ),
            f"share of the known in the fitted distances, {name}, stopped early": sum(
                early.contributions().values()
            ),
            f"hidden, {name}, metric MDS": mean_canonical_correlation(metric.embedding, hidden),
        }
        for told, method in (("Isomap", "isomap"), ("t-SNE", "tsne"), ("UMAP", "umap")):
            places = view(data, method, 4).places
            numbers[f"ACC, {name}, {told}"] = mean_canonical_correlation(places, made.truth)
        if name == "KL":
            for k in (0, 1):
                axis = conditional.embedding[:, k]
                for told, column in zip(LEARNED, made.truth.T[[2, 3, 1, 0]], strict=True):
                    numbers[f"|r|, dimension {k + 1}, {told}"] = float(
                        abs(np.corrcoef(axis, column)[0, 1])
                    )
    return numbers


LEARNED = ("contracted across", "contracted down", "turned", "texture")


PUBLISHED = {
    "KL": {"metric MDS": 0.66, "Isomap": 0.65, "t-SNE": 0.65, "UMAP": 0.58, "conditional": 0.99},
    "ED": {"metric MDS": 0.24, "Isomap": 0.26, "t-SNE": 0.27, "UMAP": 0.30, "conditional": 0.61},
}


def _stand_in(effort: Effort) -> Found:
    return over_replicates(_agreements, replace(effort, replicates=SETS))


def _pattern(numbers: Numbers) -> Verdict:
    def above(measure: str) -> bool:
        others = [value for name, value in numbers.items() if name.startswith(f"ACC, {measure}")]
        return bool(numbers[f"ACC, {measure}, conditional"] == max(others))

    both = above("KL") and above("ED")
    turned = max(numbers[f"|r|, dimension {k}, turned"] for k in (1, 2))
    return Verdict(
        WITH_A_CONDITION if both else DOES_NOT_HOLD,
        "On a stand-in the pattern of Table 3 is the published one: conditional MDS agrees most "
        f"({numbers['ACC, KL, conditional']:.2f} by KL, {numbers['ACC, ED, conditional']:.2f} by "
        "Euclidean distances). But two of the four features are counted that were told (see D-N1): "
        "with what is hidden the two dimensions agree by "
        f"{numbers['hidden, KL, conditional']:.2f} and {numbers['hidden, ED, conditional']:.2f}, "
        f"four of metric MDS by {numbers['hidden, KL, metric MDS']:.2f} and "
        f"{numbers['hidden, ED, metric MDS']:.2f}. The "
        f"{ELSEWHERE[STOPPED_EARLY]:.2f} that were measured elsewhere are what a run comes to that "
        f"is stopped early: after {EARLY} updates the two dimensions agree by "
        f"{numbers[STOPPED_EARLY]:.2f}, and the known features have "
        f"{numbers['share of the known in the fitted distances, KL, stopped early']:.0%} of the "
        "fitted distances; at the optimum they have "
        f"{numbers['share of the known in the fitted distances, KL']:.0%}, for divergences are no "
        "sums of squares. So Table 4 does not come out: a dimension still shows the turn, which "
        f"is known ({turned:.2f}).",
    )


# Of another stand-in by the same description. What is hidden had there, by KL, the canonical
# correlations .90 and .67 with conditional MDS, and .94 and .79 with metric MDS.
ELSEWHERE: dict[str, Expected] = {
    "ACC, KL, conditional": Between(0.93, 0.96),
    "ACC, KL, metric MDS": Between(0.69, 0.70),
    "ACC, KL, Isomap": Between(0.59, 0.67),
    STOPPED_EARLY: (0.90 + 0.67) / 2,
    "hidden, KL, metric MDS": (0.94 + 0.79) / 2,
    "ACC, ED, conditional": Between(0.60, 0.65),
    "ACC, ED, metric MDS": Between(0.16, 0.32),
}
HERE = {
    "hidden, KL, conditional": 0.64,
    "hidden, ED, conditional": 0.21,
    "hidden, ED, metric MDS": 0.30,
}

ROWS = (
    Row(
        "D-T34 S2",
        "Tables 3 and 4, Fig. S2: with texture and rotation known, conditional MDS of fabric "
        "images agrees almost perfectly with the four features.",
        f"A stand-in, for the images are not public: {PICTURES} pictures a data set of two "
        "autoregressive textures, turned, contracted by up to a half, cropped; divergence by one "
        f"regression tree a picture, neighbourhood {REACH}; {SETS} data sets",
        _stand_in,
        _pattern,
        published={
            f"ACC, {measure}, {name}": value
            for measure, values in PUBLISHED.items()
            for name, value in values.items()
        },
        expected={**ELSEWHERE, **HERE},
        tolerance=TOLERANCE,
    ),
)
