"""What every evidence question answers with: its meaning in words, its numbers, how it is kept.

A question is one module: a frozen dataclass of this sort, and the function that finds it. Its
fields are numbers, texts, arrays, and rows of further dataclasses; by their type hints a project
keeps them. Arrays and rows have one axis of any length, or the axes they are annotated with:
`Annotated[FloatArray, "nd"]` has n objects by d hidden dimensions of the map; any other letter
is the same length wherever it stands in a result.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, ClassVar, Generic, Self, TypeVar

from cml_core.evidence.sketches import Sketch
from cml_core.evidence.table import Table
from cml_core.fitting.result import Fit
from cml_core.values.arrays import Value

# What a field is called that names a feature.
NAMING = ("name", "feature")


class Result(Value, ABC):
    """What a computation about a map found."""

    heading: ClassVar[str]
    # Whether another word on how the dissimilarities were made asks for another answer.
    by_origin: ClassVar[bool] = False

    @property
    @abstractmethod
    def verdict(self) -> str:
        """What it means, in one or two plain sentences."""

    @abstractmethod
    def table(self) -> Table:
        """Its numbers."""

    @property
    def verdicts(self) -> tuple[str, ...]:
        """The verdict in parts that can stand by themselves."""
        return (self.verdict,)

    @property
    def title(self) -> str:
        """Its heading, told from those of other variants."""
        return self.heading

    @property
    def facts(self) -> tuple[str, ...]:
        """What to know beside the numbers, in sentences."""
        return ()

    @property
    def remarks(self) -> str:
        """Its facts, and the seed that repeats it."""
        seed = getattr(self, "seed", None)
        return " ".join([*self.facts, *([] if seed is None else [f"Seed {seed}."])])

    @property
    def sketch(self) -> Sketch | None:
        """A small picture of it."""
        return None

    @property
    def variant(self) -> str:
        """Tells results of one class apart that a step keeps side by side."""
        return ""

    def shown_with(self, fit: Fit) -> tuple[Result, ...]:  # noqa: ARG002
        """What a report shows with it, looked up in the fit because no project keeps it."""
        return ()

    def mentions(self, name: str) -> bool:
        """Whether it speaks of a feature."""
        return any(name in _named(part) for part in self._parts())

    def renamed(self, name: str, to: str) -> Self | None:
        """With a feature under another name; None where it has to be computed again."""
        if not self.mentions(name):
            return self
        changes = {}
        for field in fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            if isinstance(value, tuple) and value and is_dataclass(value[0]):
                changes[field.name] = tuple(_with_name(part, name, to) for part in value)
        return replace(self, **changes)  # type: ignore[type-var]

    def _parts(self) -> Iterator[Any]:
        """What it says of one thing at a time."""
        for field in fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            if isinstance(value, tuple):
                yield from (part for part in value if is_dataclass(part))


Found = TypeVar("Found", bound=Result)


@dataclass(frozen=True)
class ResultKind(Generic[Found]):
    """What a step keeps one of: results of a class, of one variant."""

    of: type[Found]
    variant: str = ""

    def __str__(self) -> str:
        return f"{self.of.__name__}/{self.variant}" if self.variant else self.of.__name__


def kind_of(result: Found) -> ResultKind[Found]:
    """Of which kind a result is."""
    return ResultKind(type(result), result.variant)


def _named(part: Any) -> dict[str, str]:
    """The features that a part of a result names, with the field that names each."""
    own = (field.name for field in fields(part) if field.name in NAMING)
    return {getattr(part, field): field for field in own}


def _with_name(part: Any, name: str, to: str) -> Any:
    named = _named(part)
    return replace(part, **{named[name]: to}) if name in named else part
