"""The choices that lead from files to dissimilarities, as a value that can be kept and repeated."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np

from cml_core.errors import UnknownOption, UnreadableFile, check_option
from cml_core.files.reading.area import Area
from cml_core.files.reading.code_pages import CODE_PAGES
from cml_core.files.reading.manner import Manner
from cml_core.files.reading.roles import ROLES
from cml_core.values.real_numbers import real_number

ASYMMETRIES = ("refuse", "average", "upper", "lower", "larger", "smaller")
DIAGONALS = ("refuse", "zero")
DECIMALS = ("", "point", "comma")
NEGATIVES = ("refuse", "zero", "missing", "absolute", "shift")


@dataclass(frozen=True)
class Preparation:
    """Every choice between raw files and dissimilarities, in the order in which they act.

    Choices are never made silently: by default nothing is converted or mended, and what would
    need it is refused.

    Parameters
    ----------
    format : key of `reading.FORMATS`; "auto" recognises it.
    sheet : of a workbook, or the name of an array in an archive; empty takes the first.
    encoding : of a text file, as Python calls it; empty finds it out.
    decimal : "point" or "comma", where both readings of 1.234 or 1,234 fit; empty finds it out.
    missing : texts that stand for an unknown value in this file, besides the usual ones.
    area : the corners of the table in its grid, as in B3:N15; empty finds it.
    roles : what the columns of a list are, by their heads: keys of `reading.ROLES`.
    metric, scaling : for a table of measurements, keys of `measures.METRICS` and `SCALINGS`;
        an empty metric says that the file holds pairs.
    columns : of the measurements that count; empty takes all.
    without : objects to leave out.
    unknown_pairs : pairs to be taken as missing, by their two names.
    conversion : key of `doctor.CONVERSIONS`, from similarities to dissimilarities;
        "dissimilarities" where someone said that they are what the file holds.
    scale : of a conversion that has one (the width of the Gaussian); 0 takes its default.
    asymmetry : "refuse", or "average", "upper", "lower", "larger", "smaller".
    negatives : "refuse", or "zero", "missing", "absolute", "shift".
    diagonal : "refuse", or "zero"; not needed after a conversion from similarities, for then every
        object is at zero from itself, whatever the diagonal of the file.
    names : what objects are called instead, by the old name and the new.
    added : a constant added to every dissimilarity, 0 or more.
    """

    format: str = "auto"
    sheet: str = ""
    metric: str = ""
    scaling: str = "none"
    columns: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    unknown_pairs: tuple[tuple[str, str], ...] = ()
    conversion: str = "none"
    scale: float = 0.0
    asymmetry: str = "refuse"
    negatives: str = "refuse"
    diagonal: str = "refuse"
    added: float = 0.0
    names: tuple[tuple[str, str], ...] = ()
    encoding: str = ""
    decimal: str = ""
    missing: tuple[str, ...] = ()
    area: str = ""
    roles: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        for field in fields(self):
            value = _CHECKS[field.name](field.name, getattr(self, field.name))
            object.__setattr__(self, field.name, value)

    @property
    def manner(self) -> Manner:
        """How the file is to be read, as far as that was said."""
        return Manner(self.encoding, self.decimal, self.missing, self.area, self.roles)

    def to_dict(self) -> dict[str, Any]:
        """Plain values; those that differ from the defaults."""
        # So a project stays readable, and one of an earlier version means the same, when there are
        # more choices.
        plain, default = asdict(self), asdict(Preparation())
        return {name: value for name, value in plain.items() if value != default[name]}

    @classmethod
    def from_dict(cls, content: Any) -> Preparation:
        """What `to_dict` gave; lists, as JSON has them, become tuples again.

        Raises
        ------
        UnreadableFile : where this is no table of choices, or names one that does not exist.
        UnknownOption : where a choice has a value that it cannot have.
        """
        if not isinstance(content, dict):
            raise UnreadableFile(
                "The choices of preparation are not a table of names and values.",
                remedy="Use the file as it was saved.",
            )
        unknown = [name for name in content if name not in _CHECKS]
        if unknown:
            raise UnreadableFile(
                f"The preparation of data has a choice that does not exist: {unknown[0]!r}.",
                remedy=f"Leave it out; the choices are {', '.join(_CHECKS)}.",
            )
        return cls(**content)


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise UnknownOption(f"{name} is {value!r}.", remedy="Give a text.")
    return str(value)


def _size(name: str, value: Any) -> float:
    return real_number(name, value, lambda size: 0 <= size < np.inf, "a finite number, 0 or more")


def _names(name: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(each, str) for each in value):
        raise UnknownOption(f"{name} is {value!r}.", remedy="Give a list of names.")
    return tuple(str(each) for each in value)


def _pairs(name: str, value: Any) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, list | tuple):
        raise UnknownOption(f"{name} is {value!r}.", remedy="Give a list of pairs of names.")
    pairs = tuple(_names(name, pair) for pair in value)
    for pair in pairs:
        if len(pair) != 2 or pair[0] == pair[1]:
            raise UnknownOption(
                f"{name} holds {list(pair)!r}.", remedy="Give two different names for each pair."
            )
    return tuple((pair[0], pair[1]) for pair in pairs)


def _roles(name: str, value: Any) -> tuple[tuple[str, str], ...]:
    """Heads of columns and what they are; a head may be called like a role."""
    if not isinstance(value, list | tuple):
        raise UnknownOption(f"{name} is {value!r}.", remedy="Give a list of heads and roles.")
    pairs = tuple(_names(name, pair) for pair in value)
    for pair in pairs:
        if len(pair) != 2:
            raise UnknownOption(
                f"{name} holds {list(pair)!r}.", remedy="Give the head of a column and its role."
            )
        check_option(name, pair[1], tuple(ROLES))
    return tuple((head, role) for head, role in pairs)


def _encoding(name: str, value: Any) -> str:
    return check_option(name, value, ("", *CODE_PAGES))


def _area(name: str, value: Any) -> str:
    text = _text(name, value)
    if text:
        Area.of(text)
    return text


def _one_of(allowed: tuple[str, ...]) -> Callable[[str, Any], str]:
    return lambda name, value: check_option(name, value, allowed)


_CHECKS: dict[str, Callable[[str, Any], Any]] = {
    "format": _text,
    "sheet": _text,
    "metric": _text,
    "scaling": _text,
    "columns": _names,
    "without": _names,
    "unknown_pairs": _pairs,
    "conversion": _text,
    "scale": _size,
    "asymmetry": _one_of(ASYMMETRIES),
    "negatives": _one_of(NEGATIVES),
    "diagonal": _one_of(DIAGONALS),
    "added": _size,
    "names": _pairs,
    "encoding": _encoding,
    "decimal": _one_of(DECIMALS),
    "missing": _names,
    "area": _area,
    "roles": _roles,
}
