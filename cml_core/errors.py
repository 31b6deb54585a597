"""Everything that can be wrong with what was asked: what, where, and how to mend it."""

from __future__ import annotations


class ConditionalMappingError(ValueError):
    """Base of every error this package raises on purpose.

    Parameters
    ----------
    fact : what is wrong and where, in one or two sentences.
    remedy : what the person can do about it.
    """

    def __init__(self, fact: str, *, remedy: str) -> None:
        super().__init__(fact, remedy)
        self.fact = fact
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.fact} {self.remedy}"

    # Python makes an exception again from its positional arguments, and the remedy is none.
    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.fact, self.remedy)


def _rebuild(
    kind: type[ConditionalMappingError], fact: str, remedy: str
) -> ConditionalMappingError:
    return kind(fact, remedy=remedy)


class NotSquare(ConditionalMappingError):
    """The dissimilarities are neither a square table nor a condensed vector of one."""


class NotNumeric(ConditionalMappingError):
    """A cell that must hold a number holds something else."""


class AsymmetricDissimilarities(ConditionalMappingError):
    """d(a, b) and d(b, a) differ."""


class NegativeDissimilarities(ConditionalMappingError):
    """A dissimilarity is below zero."""


class InfiniteDissimilarities(ConditionalMappingError):
    """A dissimilarity is not finite."""


class NonzeroDiagonal(ConditionalMappingError):
    """An object is dissimilar to itself."""


class NothingObserved(ConditionalMappingError):
    """Every dissimilarity is missing, or every weight is zero."""


class NothingToExplain(ConditionalMappingError):
    """Every observed dissimilarity is zero."""


class ObjectWithoutPairs(ConditionalMappingError):
    """An object has no observed pair that counts."""


class DisconnectedWeights(ConditionalMappingError):
    """The observed pairs fall into groups of objects that are never compared with each other."""


class DisconnectedNeighbourhood(ConditionalMappingError):
    """The neighbourhood graph of an Isomap falls into pieces."""


class LengthMismatch(ConditionalMappingError):
    """Two tables speak of different numbers of objects."""


class LabelMismatch(ConditionalMappingError):
    """Two tables name different objects."""


class DuplicateLabels(ConditionalMappingError):
    """Two objects, or two features, bear the same name."""


class TooFewObjects(ConditionalMappingError):
    """Fewer than three objects."""


class TooManyObjects(ConditionalMappingError):
    """More objects than this program was set up for."""


class TooManyDimensions(ConditionalMappingError):
    """Known columns and hidden dimensions together leave nothing to explain."""


class UnknownOption(ConditionalMappingError):
    """An option has a value that is not among the allowed ones."""


class UnsuitableWeights(ConditionalMappingError):
    """The weights are negative, infinite, or of the wrong shape."""


class UnsuitableCoefficients(ConditionalMappingError):
    """A given B is not of the size of the known features, or cannot be kept."""


class UnsuitableConversion(ConditionalMappingError):
    """A value lies where a conversion to dissimilarities is not defined."""


class UnsuitableFeature(ConditionalMappingError):
    """A feature cannot be read as the kind it is said to be."""


class UnsuitableMeasurements(ConditionalMappingError):
    """Measurements have a gap, rows of uneven lengths, or cannot be compared as asked."""


class UnsuitableStart(ConditionalMappingError):
    """A starting configuration has the wrong shape or leads nowhere."""


class UnreadableFile(ConditionalMappingError):
    """A file is not in the format it is taken for."""


class UnknownFeature(ConditionalMappingError):
    """No feature has this name."""


class UnknownDataset(ConditionalMappingError):
    """No dataset has this name."""


class DegenerateComparison(ConditionalMappingError):
    """Two configurations cannot be compared."""


class NotConverged(UserWarning):
    """A fit stopped before it reached an optimum."""


class RedundantFeatures(UserWarning):
    """Known features are constant, repeat each other, or follow from each other."""


class FlexibleScale(UserWarning):
    """A scale lets the dissimilarities change so much that the map may say little."""


class FarOutside(UserWarning):
    """New objects are unlike all those that a map was made of."""


class AdjustedData(UserWarning):
    """The data were used in a way the caller may not expect."""


def check_option(name: str, value: object, allowed: tuple[str, ...]) -> str:
    """The value as plain text; raise `UnknownOption` unless it is one of `allowed`."""
    if not (isinstance(value, str) and value in allowed):
        choices = ", ".join(repr(option) for option in allowed)
        raise UnknownOption(f"{name} is {value!r}.", remedy=f"Choose one of {choices}.")
    return str(value)


def listing(names: list[str] | tuple[str, ...], most: int = 5) -> str:
    """Names in a sentence; after `most` of them, how many more there are."""
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most:,} more"
