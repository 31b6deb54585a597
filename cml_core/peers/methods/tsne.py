"""t-SNE: neighbours by chance on the picture as in the data (van der Maaten and Hinton 2008)."""

from __future__ import annotations

from itertools import repeat
from typing import NamedTuple

import numpy as np

from cml_core.errors import TooFewObjects
from cml_core.fitting.geometry import principal_axes
from cml_core.fitting.solvers.quasi_newton import (
    CONVERGED,
    EVALUATE,
    EXHAUSTED,
    ITERATIONS,
    VALUE,
    Rules,
    remember,
    respond,
)
from cml_core.fitting.solvers.threaded import THREADED_FROM, shares
from cml_core.fitting.threads import shared_threads
from cml_core.peers.method import ONLY_NEIGHBOURS, PROBABILITIES, Asked, Drawn, Method, Step
from cml_core.peers.setting import Setting
from cml_core.peers.spectra import classical_start
from cml_core.peers.stochastic_neighbours import conditional, sweep, sweep_plane
from cml_core.values.arrays import FloatArray, pair_count
from cml_core.values.condense import condense
from cml_core.values.words import counted

USUAL_PERPLEXITY = 30.0
FEWEST_NEIGHBOURS = 2.0
EXAGGERATION, EXAGGERATED_STEPS = 4.0, 50
MOST_STEPS, TOLERANCE = 5000, 1e-7
# The start is so small that all objects see each other, as van der Maaten has it.
SPREAD, JITTER = 1e-2, 1e-6
# Less than so many times the start is a heap.
COLLAPSED = 10.0
# So many evaluations between two reports.
AT_A_TIME = 5


def joint_probabilities(squares: FloatArray, perplexity: float) -> FloatArray:
    """P, condensed: how likely two objects are neighbours; all pairs, both ways, add up to one.

    Parameters
    ----------
    squares : (N, N) squared dissimilarities; they are used up.
    """
    n = len(squares)
    # Each row depends on nothing but itself, and takes its own place.
    conditional(squares, perplexity, 0, n, squares)
    joint: FloatArray = np.empty(pair_count(n))
    # The mean of both ways, in the memory of one table.
    condense(squares, joint)
    joint /= n
    return joint


def _draw(asked: Asked) -> Drawn:
    perplexity, told = _perplexity(asked)
    # Tables of many objects are large: none stays for longer than it is needed.
    start = _start(asked)
    square = asked.square()
    square *= square
    p = joint_probabilities(square, perplexity)
    del square
    divergence = Divergence(p, start.T.shape)
    divergence.exaggeration = EXAGGERATION
    found = _descend(divergence, asked, start, EXAGGERATED_STEPS, -1.0, 0)
    # Where nearly all are neighbours of all, exaggerated springs pull everything together.
    begun = found.places if found.places.std() > COLLAPSED * SPREAD else start
    divergence.exaggeration = 1.0
    most = 0 if found.stopped else MOST_STEPS
    ended = _descend(divergence, asked, begun, most, TOLERANCE, EXAGGERATED_STEPS)
    converged = ended.status in (CONVERGED, EXHAUSTED)
    stopped = found.stopped or ended.stopped
    used = (("perplexity", perplexity),)
    return Drawn(principal_axes(ended.places), ended.value, converged, stopped, told, used)


def _perplexity(asked: Asked) -> tuple[float, tuple[str, ...]]:
    """As many neighbours as there is room for, and a sentence where that is fewer than asked."""
    most = (asked.n_objects - 1) / 3
    if most < FEWEST_NEIGHBOURS:
        raise TooFewObjects(
            f"There are {counted(asked.n_objects, 'object')}; t-SNE needs "
            f"{3 * FEWEST_NEIGHBOURS + 1:g} objects for {FEWEST_NEIGHBOURS:g} neighbours.",
            remedy="Choose another method, such as metric MDS.",
        )
    wanted = asked.settings["perplexity"]
    if wanted is None:
        return min(USUAL_PERPLEXITY, most), ()
    if wanted <= most:
        return wanted, ()
    told = (
        f"A perplexity of {wanted:g} needs {3 * wanted + 1:g} objects; {most:.3g} was taken for "
        f"{asked.n_objects}."
    )
    return most, (told,)


def _start(asked: Asked) -> FloatArray:
    random = np.random.default_rng(asked.seed)
    noise = random.normal(size=(asked.n_objects, asked.n_components))
    if asked.settings["start"] == "random":
        return SPREAD * noise
    places = classical_start(asked.square(), asked.n_components)
    # An axis that is zero for all would stay so.
    start: FloatArray = SPREAD * (places / places.std(axis=0).max() + JITTER * noise)
    return start


class Divergence:
    """Kullback and Leibler's, of the picture from the data, and its gradient."""

    def __init__(self, p: FloatArray, shape: tuple[int, int]) -> None:
        self.p, self.shape = p, shape
        self.exaggeration = 1.0
        self._sweep = sweep_plane if shape[0] == 2 else sweep
        positive = p[p > 0]
        self._entropy = 2.0 * float(positive @ np.log(positive))
        # The parts are the same however many threads there are, and so are the sums.
        self._bounds = shares(shape[1]) if shape[1] >= THREADED_FROM else [0, shape[1]]
        self._pulls = np.zeros((2, len(self._bounds) - 1, *shape))

    def __call__(self, trial: FloatArray, gradient: FloatArray) -> float:
        """The value at a point; its gradient is written into the second array."""
        self._pulls[:] = 0.0
        y, parts = trial.reshape(self.shape), range(len(self._bounds) - 1)
        swept = list(
            (shared_threads().map if len(parts) > 1 else map)(self._part, parts, repeat(y))
        )
        near, spent = 2.0 * np.sum(swept, axis=0)
        pull, push = self._pulls.sum(axis=1)
        gradient[:] = 4.0 * (self.exaggeration * pull - push / near).ravel()
        return float(self._entropy + self.exaggeration * spent + np.log(near))

    def _part(self, part: int, y: FloatArray) -> tuple[float, float]:
        begin, end = self._bounds[part : part + 2]
        pull, push = self._pulls[:, part]
        near, spent = self._sweep(self.p, y, begin, end, pull, push)
        return near, spent


class _Descent(NamedTuple):
    """Where a descent ended, why, and whether someone stopped it."""

    places: FloatArray
    value: float
    status: int
    stopped: bool


def _descend(
    divergence: Divergence, asked: Asked, start: FloatArray, most: int, tolerance: float, done: int
) -> _Descent:
    """L-BFGS from a start; `done` are the steps before it."""
    # What pulls are springs of at most this strength; what pushes only weakens them.
    rules = Rules(most, tolerance, -np.inf, len(start) / (8.0 * divergence.exaggeration))
    memory, path = remember(np.ascontiguousarray(start.T).ravel()), np.zeros(most + 1)
    status, stopped, evaluations = EVALUATE, False, 0
    while status == EVALUATE and not stopped:
        value = divergence(memory.trial, memory.trial_gradient)
        status = respond(memory, rules, value, path)
        evaluations += 1
        if evaluations % AT_A_TIME == 0:
            step = done + int(memory.counts[ITERATIONS])
            places = memory.point.reshape(divergence.shape).T
            stopped = asked.on_step(Step(step, EXAGGERATED_STEPS + MOST_STEPS, value, places))
    places = memory.point.reshape(divergence.shape).T.copy()
    return _Descent(places, float(memory.numbers[VALUE]), status, stopped)


METHOD = Method(
    "tsne",
    "t-SNE",
    "Draws objects near each other that would pick each other as neighbours; lets all others be.",
    PROBABILITIES,
    ONLY_NEIGHBOURS,
    "Who is next to whom means something; sizes of groups and distances between them do not.",
    "Kullback–Leibler divergence",
    _draw,
    (
        Setting(
            "perplexity",
            "Perplexity",
            "About so many neighbours count for each object; at most a third of the objects.",
            lambda _n: None,
            least=1.0,
            also="n_neighbors",
        ),
        Setting(
            "start",
            "Start",
            "“classical” begins with classical scaling; “random” somewhere else for each seed.",
            lambda _n: "classical",
            choices=("classical", "random"),
        ),
    ),
    at_first=True,
    by_chance=True,
    keeps_unit=False,
    lesson="crowding",
)
