"""A puzzle: simulated cars of which some features are given and some hidden."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Self

import numpy as np

from cml_core.datasets import CAR_FEATURES, Dataset, simulate_car_brands
from cml_core.errors import UnknownOption, check_option
from cml_core.fitting.fit import fit
from cml_core.fitting.problem import Problem
from cml_core.fitting.result import Fit
from cml_core.puzzles.brands import invented_brands
from cml_core.puzzles.clues import Clue, clue_cards
from cml_core.values.dissimilarities import Dissimilarities
from cml_core.values.features import Feature, FeatureTable
from cml_core.values.real_numbers import real_number, whole_number

FEWEST, MOST = 12, 60
MOST_HIDDEN = 3
DIMENSIONS = 2
# Each takes some hundredths of a second; a class asks for up to three, again and again.
MAPS_KEPT = 256
# What is drawn by lot beside the simulation itself, each from a stream of its own.
_WHICH, _NAMES, _CLUES = 1, 2, 3


@dataclass(frozen=True)
class Level:
    """How hard a puzzle is.

    Parameters
    ----------
    n_objects, hidden, noise, feature_noise : of the puzzles, where nothing else is wanted.
    wrong : the share of clue cards that are wrong.
    visible : how well the best arrow follows a hidden feature, R; in each of 12 puzzles at least.
    """

    n_objects: int
    hidden: int
    noise: float
    feature_noise: float
    wrong: float
    visible: float


LEVELS = {
    "easy": Level(24, 1, 0.05, 0.0, wrong=0.0, visible=0.97),
    "middle": Level(24, 2, 0.10, 0.0, wrong=0.0, visible=0.92),
    "hard": Level(40, 3, 0.20, 0.05, wrong=0.1, visible=0.80),
}


@dataclass(frozen=True)
class Puzzle:
    """Cars with invented names; the same numbers make the same puzzle.

    Parameters
    ----------
    level : which share of its clue cards is wrong, and how visible its hidden features should be.
    n_objects : how many cars.
    hidden : how many of the seven features are hidden; which ones is drawn by lot.
    noise, feature_noise : of the dissimilarities and of what is given; see `simulate_car_brands`.
    seed : whoever knows it can work out the answer.
    clues : the share of cars that have a clue card.
    """

    level: str
    n_objects: int
    hidden: int
    noise: float
    feature_noise: float
    seed: int
    clues: float = 0.3

    def __post_init__(self) -> None:
        check_option("level", self.level, tuple(LEVELS))
        for name, least, most in (("n_objects", FEWEST, MOST), ("hidden", 1, MOST_HIDDEN)):
            if whole_number(name, getattr(self, name)) not in range(least, most + 1):
                raise UnknownOption(
                    f"{name} is {getattr(self, name)}.", remedy=f"Give {least} to {most}."
                )
        whole_number("seed", self.seed)
        for name in ("noise", "feature_noise", "clues"):
            real_number(name, getattr(self, name), lambda size: 0 <= size <= 1, "0 to 1")

    @classmethod
    def at(
        cls, level: str, seed: int, *, n_objects: int | None = None, hidden: int | None = None
    ) -> Self:
        """A puzzle as it is usual at a level, except for what is said."""
        usual = LEVELS[check_option("level", level, tuple(LEVELS))]
        return cls(
            level,
            usual.n_objects if n_objects is None else n_objects,
            usual.hidden if hidden is None else hidden,
            usual.noise,
            usual.feature_noise,
            seed,
        )

    @cached_property
    def hidden_names(self) -> tuple[str, ...]:
        """What is hidden."""
        by_lot = self._random(_WHICH).permutation(len(CAR_FEATURES))[: self.hidden]
        return tuple(list(CAR_FEATURES)[i] for i in sorted(by_lot.tolist()))

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The names of the cars."""
        return invented_brands(self.n_objects, self._random(_NAMES))

    @cached_property
    def dissimilarities(self) -> Dissimilarities:
        """How different the cars are, as it is given to whoever looks for what is hidden."""
        return Dissimilarities(self.labels, self._simulated.values().condensed)

    @cached_property
    def given(self) -> FeatureTable:
        """What is known of the cars."""
        return FeatureTable(self.labels, self._simulated.feature_table().features)

    @cached_property
    def truth(self) -> FeatureTable:
        """What is hidden, exactly."""
        columns = self._simulated.raw
        hidden = (Feature.numeric(name, columns[name].to_numpy()) for name in self.hidden_names)
        return FeatureTable(self.labels, tuple(hidden))

    @cached_property
    def cards(self) -> tuple[Clue, ...]:
        """What owners say of some of the cars."""
        n_cards = round(self.clues * self.n_objects)
        n_wrong = round(LEVELS[self.level].wrong * n_cards)
        hidden = {feature.name: feature.values for feature in self.truth.features}
        return clue_cards(self.labels, hidden, n_cards, n_wrong, self._random(_CLUES))

    def map(self, found: tuple[str, ...] = ()) -> Fit:
        """What is left with all that is given known, and of the hidden what was found."""
        return _fitted(self, found)

    @cached_property
    def _simulated(self) -> Dataset:
        return simulate_car_brands(
            self.n_objects,
            noise=self.noise,
            feature_noise=self.feature_noise,
            known=tuple(name for name in CAR_FEATURES if name not in self.hidden_names),
            seed=self.seed,
        )

    def _random(self, stream: int) -> np.random.Generator:
        return np.random.default_rng([self.seed, stream])


@lru_cache(MAPS_KEPT)
def _fitted(puzzle: Puzzle, found: tuple[str, ...]) -> Fit:
    known = (*puzzle.given.features, *(puzzle.truth[name] for name in found))
    table = FeatureTable(puzzle.labels, known)
    return fit(Problem(puzzle.dissimilarities, table, n_components=DIMENSIONS), seed=0)
