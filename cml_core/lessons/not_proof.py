"""Lesson 9: random dissimilarities make a map, too."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from scipy.spatial.distance import pdist

from cml_core.datasets import Dataset, load_dataset
from cml_core.evidence.neighbours import kept_neighbours
from cml_core.evidence.refits import few_starts, refit, with_values
from cml_core.fitting.geometry import principal_axes
from cml_core.fitting.problem import Problem
from cml_core.lessons.lesson import Answer, Check, Lesson
from cml_core.peers.view import view
from cml_core.values.arrays import FloatArray, RealArray, Value, frozen
from cml_core.values.dissimilarities import Dissimilarities
from cml_core.values.features import FeatureTable
from cml_core.values.words import counted

MAPS = 20
STARTS = 25
KNOWN = "Gender"
NEIGHBOURS = 3
# Of noise: so many things, in as many dimensions.
NOISE, PERPLEXITIES = 100, (2.0, 5.0, 30.0)
RANDOM_SIZES = (10, 20, 40, 100)


@dataclass(frozen=True, eq=False)
class LineUp(Value):
    """One map of real dissimilarities among maps of shuffled ones.

    Parameters
    ----------
    places : (M, N, 2).
    real : which of the maps is of the real ones, from 0.
    known : whether Gender was known.
    stress : (M,).
    trust : (M,) how far neighbours on the map are neighbours in what it was made of.
    """

    places: FloatArray
    real: int
    known: bool
    stress: FloatArray
    trust: FloatArray

    @property
    def as_low(self) -> int:
        """How many of the shuffled maps have a stress as low as the real one."""
        return int((np.delete(self.stress, self.real) <= self.stress[self.real]).sum())

    @property
    def stands_out(self) -> bool:
        """Whether no shuffled map has so low a stress."""
        return not self.as_low


def kinship(known: bool) -> Problem:
    """The kinship terms, with Gender known or nothing."""
    return problem_of(load_dataset("kinship14"), (KNOWN,) if known else ())


def problem_of(dataset: Dataset, known: tuple[str, ...] = ()) -> Problem:
    """A map in the plane of an example."""
    table = dataset.feature_table()
    features = tuple(table[name] for name in known)
    return Problem(dataset.values(), FeatureTable(table.labels, features))


def shuffled_stresses(problem: Problem, count: int, seed: int = 0) -> FloatArray:
    """The stress of maps of shuffled dissimilarities."""
    random = np.random.default_rng(seed)
    data = problem.dissimilarities.condensed
    return np.array(
        [
            refit(with_values(problem, random.permutation(data)), fresh=STARTS, seed=k).stress
            for k in range(count)
        ]
    )


@lru_cache(maxsize=32)
def line_up(seed: int = 0, *, known: bool = False) -> LineUp:
    """Twenty maps in an order by lot, all found in the same way."""
    problem = kinship(known)
    random = np.random.default_rng(seed)
    real = int(random.integers(MAPS))
    data = problem.dissimilarities.condensed
    places, stress, trust = [], [], []
    for k in range(MAPS):
        values = data if k == real else random.permutation(data)
        found = refit(with_values(problem, values), fresh=STARTS, seed=k)
        places.append(principal_axes(found.embedding))
        stress.append(found.stress)
        trust.append(_trust(values, found.embedding))
    return LineUp(
        frozen(np.array(places)), real, known, frozen(np.array(stress)), frozen(np.array(trust))
    )


def _trust(values: RealArray, embedding: FloatArray) -> float:
    data = np.asarray(values, dtype=np.float64) ** 2
    drawn = pdist(embedding, "sqeuclidean")
    return float(kept_neighbours(data, drawn, len(embedding), (NEIGHBOURS,))[0][0])


@cache
def noise_by_tsne(perplexity: float) -> FloatArray:
    """Points without any groups, as t-SNE draws them."""
    points = np.random.default_rng(0).normal(size=(NOISE, NOISE))
    return view(pdist(points), "tsne", perplexity=perplexity).places


@cache
def stress_of_random(n_objects: int) -> float:
    """The stress of a map in the plane of random numbers between 0 and 1."""
    pairs = np.random.default_rng(0).uniform(size=n_objects * (n_objects - 1) // 2)
    labels = tuple(str(i + 1) for i in range(n_objects))
    problem = Problem(Dissimilarities(labels, pairs), FeatureTable(labels))
    return refit(problem, fresh=few_starts(problem)).stress


def uncovered(state: LineUp) -> str:
    """Which map is real, and whether its stress tells it from the others."""
    shuffled = np.delete(state.stress, state.real)
    compared = (
        "lower than that of every shuffled one"
        if state.stands_out
        else f"no lower than that of {state.as_low} of the {shuffled.size} shuffled ones"
    )
    return (
        f"**Map {state.real + 1} is the real one.** Its stress is {state.stress[state.real]:.4f}, "
        f"{compared} ({shuffled.min():.4f} to {shuffled.max():.4f}). Neighbours on it can be "
        f"trusted to {state.trust[state.real]:.2f}; on the shuffled ones to "
        f"{np.delete(state.trust, state.real).mean():.2f} on average."
    )


def _told(state: LineUp) -> str:
    known = f"{KNOWN} is known" if state.known else "Nothing is known"
    return (
        f"{counted(len(state.places), 'map')} of {state.places.shape[1]} kinship terms. {known}. "
        f"One is of what people said; for the other {len(state.places) - 1} the same numbers were "
        "shuffled among the pairs, so that they mean nothing."
    )


def _why_real(state: LineUp, said: Answer) -> str:
    maps = len(state.places)
    chance = f"Pointing blindly, 1 in {maps} would have found it (p = {1 / maps:g})"
    if said != str(state.real + 1):
        if state.stands_out:
            return (
                f"That one is of shuffled numbers. With {KNOWN} known, terms that differ in "
                "nothing else fall together: look for a map with fewer spots."
            )
        return (
            "That one is of shuffled numbers, pattern and all. Try again, or admit that you "
            "cannot tell: that is what this lesson is about."
        )
    if state.stands_out:
        return f"{chance}. So this map shows something that shuffled numbers do not."
    return (
        f"{chance}, and several in a class of thirty. Its stress does not tell it apart: "
        f"{counted(state.as_low, 'shuffled map has', 'shuffled maps have')} as little."
    )


NOTHING = "There is nothing in the data"
NO_PROOF = "This map is no proof of a pattern"
LONGER = "One has to look longer"


def _only_unknown(state: LineUp) -> str:
    return f"First take {KNOWN} out of what is known." if state.known else ""


def _why_no_proof(state: LineUp, said: Answer) -> str:
    if said == NO_PROOF:
        return (
            "Whatever you see on it, you would see on maps of nothing. There may still be "
            f"something in the data: take {KNOWN} out, and the real map is easily found."
        )
    if said == NOTHING:
        return f"Let {KNOWN} be known and look again: there is something, this map hid it."
    low, high = float(state.stress.min()), float(state.stress.max())
    return (
        f"Not even the numbers help: all stresses lie between {low:.4f} and {high:.4f}, the real "
        "one among them."
    )


LESSON = Lesson[LineUp](
    name="not-proof",
    title="A map is not proof",
    words=(
        "One of these maps is real. For all others the same dissimilarities were **shuffled**, so "
        "they mean nothing. **Find the real one**, and only then uncover it. Try it with nothing "
        "known, and then with **Gender known**. If nobody can find a map among maps of nothing, "
        "it proves nothing."
    ),
    cures=("There is a pattern on the map, so there is one in the data.",),
    told=_told,
    checks=(
        Check(
            "real",
            "Which map is the real one?",
            lambda state: str(state.real + 1),
            _why_real,
            tuple(str(k + 1) for k in range(MAPS)),
        ),
        Check(
            "meaning",
            "With nothing known: what does it mean that you could not find it?",
            lambda _: NO_PROOF,
            _why_no_proof,
            (NOTHING, NO_PROOF, LONGER),
            not_yet=_only_unknown,
        ),
    ),
    mathematics=r"""
Shuffling deals the same $N(N-1)/2$ dissimilarities out among the pairs, and every map is found in
the same way, from the same number of starts. If the real map were like the others, pointing at it
would succeed with a chance of $1/20$: whoever finds it has a test with $p = .05$ (the *line-up* of
Buja and others, 2009). The same holds for the stress, and with more shufflings for smaller $p$.

Random numbers leave more stress the more objects there are, so no table can say which stress is
good: compare with shuffled data of the same size.
""",
    minutes=12,
    asks="Hands up for each map, before anything is uncovered. How many hands would chance give?",
    goes_wrong=("Whoever looks twice has two chances. Let everybody write the number down first."),
)
