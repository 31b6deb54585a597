"""What can be chosen of a method, checked at the door."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from cml_core.errors import UnknownOption, check_option
from cml_core.values.real_numbers import real_number, whole_number


@dataclass(frozen=True)
class Setting:
    """One thing that can be chosen.

    Parameters
    ----------
    name : what it is given by.
    label : what it is called on a page.
    meaning : what it does, in a sentence.
    usual : what is taken where nothing is given, by the number of objects; None leaves it to the
        method, which then says what it took.
    least, most : the range; infinite is allowed where `most` is.
    whole : whether it counts something.
    choices : the texts, or truths, to choose from; then there is no range.
    also : another name that it is known by.
    """

    name: str
    label: str
    meaning: str
    usual: Callable[[int], Any]
    least: float = 0.0
    most: float = float("inf")
    whole: bool = False
    choices: tuple[str, ...] | tuple[bool, ...] = ()
    also: str = ""

    def checked(self, value: Any) -> Any:
        """The value, or an error that says what is allowed."""
        if self.choices == (False, True):
            if not isinstance(value, bool):
                raise UnknownOption(f"{self.name} is {value!r}.", remedy="Give true or false.")
            return value
        if self.choices:
            return check_option(self.name, value, tuple(map(str, self.choices)))
        if self.whole:
            count = whole_number(self.name, value, least=int(self.least))
            if count <= self.most:
                return count
        kind = f"a number from {self.least:g} to {self.most:g}"
        return real_number(self.name, value, lambda x: self.least <= x <= self.most, kind)


def settled(settings: tuple[Setting, ...], given: Mapping[str, Any], n: int) -> dict[str, Any]:
    """Every setting by its name: as it was given, or as is usual for so many objects."""
    known = {name: s.name for s in settings for name in (s.name, s.also) if name}
    for name in given:
        if name not in known:
            choices = ", ".join(map(repr, known)) or "none at all"
            raise UnknownOption(
                f"This method has no setting {name!r}.", remedy=f"It has {choices}."
            )
    told = {known[name]: value for name, value in given.items() if value is not None}
    return {s.name: s.checked(told[s.name]) if s.name in told else s.usual(n) for s in settings}


def at_most_half(count: int) -> Callable[[int], int]:
    """So many neighbours, but no more than half of the others: near is not nearly everyone."""
    return lambda n: max(min(count, (n - 1) // 2), 2)
