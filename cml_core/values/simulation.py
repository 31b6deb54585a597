"""How made-up dissimilarities were made, so that they, and their truth, can be made again."""

from __future__ import annotations

from dataclasses import dataclass

from cml_core.values.real_numbers import real_number, whole_number
from cml_core.values.words import counted, percent


@dataclass(frozen=True)
class Simulation:
    """The settings of `simulate_car_brands`.

    Parameters
    ----------
    n_objects : how many brands.
    noise, feature_noise : relative standard deviations of the errors, of the dissimilarities and
        of the known features.
    known : the features that were given away, by name.
    seed : repeats the simulation.
    uncovered : whether the person has asked for the truth, which is kept back before.
    """

    n_objects: int = 30
    noise: float = 0.2
    feature_noise: float = 0.05
    known: tuple[str, ...] = ()
    seed: int = 0
    uncovered: bool = False

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "n_objects", whole_number("n_objects", self.n_objects, least=3))
        put(self, "seed", whole_number("seed", self.seed))
        put(self, "known", tuple(self.known))
        for name in ("noise", "feature_noise"):
            size = getattr(self, name)
            put(self, name, real_number(name, size, lambda v: 0 <= v < float("inf"), _SIZE))

    @property
    def in_words(self) -> str:
        """What was made, in a sentence."""
        return (
            f"They were simulated: {counted(self.n_objects, 'brand')}, {percent(self.noise)} noise "
            f"in the dissimilarities, {percent(self.feature_noise)} error in the "
            f"{counted(len(self.known), 'known feature')}, seed {self.seed}."
        )


_SIZE = "a finite number, 0 or more"
