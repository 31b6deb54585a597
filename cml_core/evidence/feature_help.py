"""What one known feature does for held-out pairs, beside the dimensions or in the place of one."""

from __future__ import annotations

from dataclasses import dataclass

from cml_core.values.arrays import FloatArray, Value
from cml_core.values.words import counted, percent

# At the level at which false alarms were counted, see benchmarks/CALIBRATION.md.
LIKELY = 0.05
# A gain of more standard errors than this over the folds is more than chance.
CLEAR = 2.0


@dataclass(frozen=True, eq=False)
class InPlace(Value):
    """What a feature does in the place of a hidden dimension: on a map with one fewer.

    Parameters
    ----------
    n_components : how many dimensions that map has.
    held_out_with, held_out_without : what it does not explain of held-out pairs.
    gain_error : standard error of the difference of these, over folds.
    short_error : the same of what it explains less than the map with all dimensions does without
        the feature.
    null, p_value, adjusted : as of `FeatureHelp`.
    """

    n_components: int
    held_out_with: float
    held_out_without: float
    gain_error: float
    short_error: float
    null: FloatArray
    p_value: float | None
    adjusted: float | None

    @property
    def beyond_chance(self) -> bool:
        """Whether it tells more than a shuffled feature; of one read off a map, clearly more."""
        gain = self.held_out_without - self.held_out_with
        if self.p_value is None:
            return gain > CLEAR * self.gain_error
        return gain > 0 and self.adjusted is not None and self.adjusted <= LIKELY


@dataclass(frozen=True, eq=False)
class FeatureHelp(Value):
    """What one known feature does for pairs that the fit has not seen.

    Parameters
    ----------
    name : the feature.
    held_out_with, held_out_without : the share of the squared dissimilarities of held-out pairs
        that is not explained; of a feature read off a map, read off anew without them. On any
        scale but the ratio scale, the mean squared error of what is told of them, as a share of
        the variance of all.
    gain_error : standard error of the difference, over folds.
    null : (shuffles,) the first of these with the feature shuffled; empty where that is unfair.
    p_value : how often a shuffled feature does as well, this one counted with them.
    adjusted : the p-value after Benjamini and Hochberg, over all features judged.
    already_known : the share of the feature that the other known features predict.
    read_off_map : whether it was read off a map.
    read_anew : whether it could be read off anew for every fold.
    in_place : what it does on a map with one dimension fewer; None where there is no fewer, or
        where it cannot be judged.
    n_components : with how many hidden dimensions it was judged; None in what earlier versions
        kept.
    """

    name: str
    held_out_with: float
    held_out_without: float
    gain_error: float
    null: FloatArray
    p_value: float | None
    adjusted: float | None
    already_known: float
    read_off_map: bool
    read_anew: bool
    in_place: InPlace | None = None
    n_components: int | None = None

    @property
    def gain(self) -> float:
        """By how much the feature lowers the held-out error."""
        return self.held_out_without - self.held_out_with

    @property
    def takes_place(self) -> bool:
        """Whether one dimension fewer, with it, does as well as all without it, beyond chance.

        As well is within one standard error.
        """
        place = self.in_place
        if place is None or not place.beyond_chance:
            return False
        return place.held_out_with - self.held_out_without <= place.short_error

    @property
    def helps(self) -> bool:
        """Whether it helps beside all dimensions."""
        if self.read_off_map:
            return self.gain > CLEAR * self.gain_error
        return self.gain > 0 and self.adjusted is not None and self.adjusted <= LIKELY

    @property
    def judged(self) -> bool:
        """Whether it can be told at all what it does."""
        return self.read_anew if self.read_off_map else self.p_value is not None

    @property
    def is_worth_it(self) -> bool:
        """Whether it helps in one way or the other."""
        return self.helps or self.takes_place

    @property
    def brief(self) -> str:
        """What it does, in a few words that follow its name."""
        if not self.judged:
            return "cannot be judged"
        if self.helps:
            return "helps"
        if self.takes_place:
            return "takes the place of a dimension"
        unclear = self.read_off_map or self.gain > 0
        return "does not clearly help" if unclear else "does not help"

    @property
    def verdict(self) -> str:
        if self.read_off_map and not self.read_anew:
            return (
                f"{self.name} was read off a map that had seen all pairs, so that it helps is no "
                "surprise and no evidence."
            )
        if self.p_value is None and not self.read_off_map:
            return (
                f"{self.name} says nothing that the other known features do not say, so it cannot "
                "be judged apart from them."
            )
        if self.read_off_map:
            return (
                f"{self.name} was read off a map, so that it lowers what is unexplained proves "
                f"nothing. Read off anew without the pairs held out, it {self._judged}."
            )
        return f"{self.name} {self._judged}."

    @property
    def _judged(self) -> str:
        """What it does, the name left out."""
        errors = (
            f"of the dissimilarity of pairs held out, {percent(self.held_out_with)} stays "
            f"unexplained with it, {percent(self.held_out_without)} without it"
        )
        place = self.in_place if self.takes_place else None
        if self.helps:
            also = ""
            if place:
                also = (
                    f"; {_with_fewer(place)}, they are told as well as with "
                    f"{place.n_components + 1} without it"
                )
            return f"helps{self._beside}: {errors}{also}"
        if place is not None:
            return (
                f"takes the place of a hidden dimension: {_with_fewer(place)}, pairs held out "
                f"are told as well as with {place.n_components + 1} without it "
                f"({percent(place.held_out_with)} of their dissimilarity stays unexplained, "
                f"{percent(self.held_out_without)} without it). Beside all of them it adds "
                "nothing, for the map has found it already"
            )
        if self.read_off_map:
            return f"does not clearly help{self._beside}: {errors}"
        if self.gain <= 0:
            return f"does not help{self._beside}: {errors}"
        return f"does not clearly help{self._beside}, hardly more than when shuffled: {errors}"

    @property
    def _beside(self) -> str:
        """Beside how many dimensions, for on that it depends."""
        count = self.n_components
        if count is None:
            return ""
        return f" beside {counted(count, 'hidden dimension') if count else 'no hidden dimension'}"


def _with_fewer(place: InPlace) -> str:
    left = place.n_components
    return f"with it and {counted(left, 'hidden dimension') if left else 'no hidden dimension'}"
