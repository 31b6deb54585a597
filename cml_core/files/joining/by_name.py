"""Features meet objects: joined by label, never by position, with a report."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from cml_core.errors import LabelMismatch, listing
from cml_core.files.joining.inferred_kinds import called_by, naming
from cml_core.files.joining.similar_names import folded, most_alike, why_alike
from cml_core.values.features import Feature, FeatureTable
from cml_core.values.kinds.registry import KINDS

_NONE: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class Match:
    """A row and the object that it belongs to, or may belong to, although names differ."""

    given: str
    object: str
    why: str


@dataclass(frozen=True)
class Join:
    """Features for objects in their order, and how each object came by its row.

    Parameters
    ----------
    table : one row for each object; objects without a row have missing values.
    exact : names that are the same in both tables.
    near : rows that were used although blanks, capitals, accents or marks differ.
    accepted : rows that were used because a person said what they mean.
    suggestions : rows that were not used, each with the object whose name is most like it.
    ambiguous : rows that were not used, because several are alike; grouped with the objects.
    unused : all rows that were not used.
    without_row : all objects that have no row.
    dropped : features that have no value for any of the objects, and were left out.
    """

    table: FeatureTable
    exact: tuple[str, ...]
    near: tuple[Match, ...]
    accepted: tuple[Match, ...]
    suggestions: tuple[Match, ...]
    ambiguous: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]
    unused: tuple[str, ...]
    without_row: tuple[str, ...]
    dropped: tuple[str, ...]

    @property
    def report(self) -> tuple[str, ...]:
        """What became of the rows, in sentences."""
        n_objects = len(self.table.labels)
        have, their = ("has", "its") if len(self.exact) == 1 else ("have", "their")
        return (
            f"{len(self.exact)} of {n_objects} objects {have} a row of exactly {their} name.",
            *_of_matches("{given!r} was taken for {object!r}: {why}.", self.near),
            *_of_matches("{given!r} was taken for {object!r}, as you said.", self.accepted),
            *(_of_ambiguous(rows, objects) for rows, objects in self.ambiguous[:_MOST_TOLD]),
            *_of_matches(
                "{given!r} may mean {object!r}; its row is used only if you say so.",
                self.suggestions,
            ),
            *_of_names("No row was found for", self.without_row, "their values are missing."),
            *_of_names("Not used, as no object is called so:", self.unused, ""),
            *_of_names("No object has a value of", self.dropped, "so it was left out."),
        )


_MOST_TOLD = 5


def joined(table: FeatureTable, labels: Sequence[str], accepted: Mapping[str, str] = _NONE) -> Join:
    """The features of these objects, in their order.

    A row belongs to the object of its name; else to the only object whose name differs in
    nothing but blanks, capitals, accents, dashes, quotation marks or the coding of letters.

    Parameters
    ----------
    table : features, one row for each of its own labels.
    labels : N different names of objects.
    accepted : rows by name, and the object that each of them means; these come first.

    Raises
    ------
    LabelMismatch : no row belongs to any object, or `accepted` names what is not there.
    """
    objects = FeatureTable(tuple(labels)).labels
    said = _checked(table.labels, objects, accepted)
    rows = [name for name in table.labels if name not in said]
    free = set(objects) - set(said.values())
    exact = [name for name in rows if name in free]
    taken = set(exact)
    left = [name for name in rows if name not in taken]
    lacking = [name for name in objects if name in free and name not in taken]
    near, ambiguous = _near(left, lacking)
    row_of = {meant: given for given, meant in (*said.items(), *near.items())}
    row_of |= {name: name for name in exact}
    unused = tuple(name for name in left if name not in near)
    without_row = tuple(name for name in objects if name not in row_of)
    suggestions = _suggested(unused, without_row, ambiguous)
    if not row_of and not suggestions:
        raise _nothing_in_common(table, objects)
    found, dropped = _taken(table, objects, row_of)
    return Join(
        table=found,
        exact=tuple(name for name in objects if name in taken),
        near=tuple(Match(given, meant, why_alike(given, meant)) for given, meant in near.items()),
        accepted=tuple(Match(given, meant, "as you said") for given, meant in said.items()),
        suggestions=suggestions,
        ambiguous=ambiguous,
        unused=unused,
        without_row=without_row,
        dropped=dropped,
    )


@dataclass(frozen=True)
class Named:
    """A table whose rows have the names of objects, and the column that they came from."""

    table: FeatureTable
    column: str = ""


def named_like(table: FeatureTable, labels: Sequence[str]) -> Named:
    """The table, its rows named by the column in which the objects are, where the first is none.

    So a first column that only counts rows, as R and pandas write it, stands in nobody's way.
    """
    wanted = {folded(label) for label in labels}
    if wanted & {folded(name) for name in table.labels}:
        return Named(table)
    for column in naming(table):
        names = called_by(column)
        if wanted <= {folded(name) for name in names}:
            others = tuple(feature for feature in table.features if feature is not column)
            return Named(FeatureTable(names, others), column.name)
    return Named(table)


_Ambiguous = tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]


def _checked(
    rows: Sequence[str], objects: Sequence[str], accepted: Mapping[str, str]
) -> dict[str, str]:
    meant = list(accepted.values())
    for given, name in accepted.items():
        if given not in rows or name not in objects:
            absent, where = (given, "row") if given not in rows else (name, "object")
            raise LabelMismatch(
                f"{given!r} was said to mean {name!r}, but no {where} is called {absent!r}.",
                remedy="Say again which row means which object.",
            )
        if meant.count(name) > 1:
            raise LabelMismatch(
                f"More than one row was said to mean {name!r}.",
                remedy="Choose one row for each object.",
            )
    return dict(accepted)


def _near(rows: Sequence[str], objects: Sequence[str]) -> tuple[dict[str, str], _Ambiguous]:
    """Rows and objects that are alike one to one, and those of which several are alike."""
    alike: dict[str, tuple[list[str], list[str]]] = defaultdict(lambda: ([], []))
    for side, names in enumerate((rows, objects)):
        for name in names:
            alike[folded(name)][side].append(name)
    # Only one to one: where two rows could mean an object, taking either would be a guess.
    both = [group for key, group in alike.items() if key and all(group)]
    sure = {given[0]: meant[0] for given, meant in both if len(given) == len(meant) == 1}
    doubtful = (group for group in both if max(map(len, group)) > 1)
    return sure, tuple((tuple(given), tuple(meant)) for given, meant in doubtful)


def _suggested(
    rows: Sequence[str], objects: Sequence[str], ambiguous: _Ambiguous
) -> tuple[Match, ...]:
    undecided = {name for group in ambiguous for side in group for name in side}
    given, meant = ([n for n in names if n not in undecided] for names in (rows, objects))
    pairs = most_alike(given, meant)
    return tuple(Match(given[i], meant[j], "the most similar name") for i, j in pairs)


def _taken(
    table: FeatureTable, objects: tuple[str, ...], row_of: Mapping[str, str]
) -> tuple[FeatureTable, tuple[str, ...]]:
    """The features in the order of the objects, and the names of those that have no value."""
    place = {name: i for i, name in enumerate(table.labels)}
    rows = np.array([place[row_of[name]] if name in row_of else -1 for name in objects])
    has_row = rows >= 0
    kept, dropped = [], []
    for feature in table.features:
        values = np.where(has_row, feature.values[rows], np.nan)
        if np.isnan(values).all():
            dropped.append(feature.name)
        else:
            kept.append(_without_unused_levels(feature.with_values(values)))
    return FeatureTable(objects, tuple(kept)), tuple(dropped)


def _without_unused_levels(feature: Feature) -> Feature:
    """Groups that none of the objects belongs to would only be columns of nothing."""
    if not KINDS[feature.kind].is_grouping:
        return feature
    present = set(feature.values[~feature.missing].astype(int).tolist())
    levels = [level for k, level in enumerate(feature.levels) if k in present]
    return Feature.of(
        feature.kind, feature.name, feature.shown(), levels=levels, origin=feature.origin
    )


def _nothing_in_common(table: FeatureTable, objects: tuple[str, ...]) -> LabelMismatch:
    examples = f"Objects are called {_few(objects)}; rows are called {_few(table.labels)}"
    # A table that lies on its side is the likeliest reason.
    across = [name for name in objects if name in table.names]
    if across:
        return LabelMismatch(
            f"No row belongs to any object, but {listing(across)} are names of columns.",
            remedy="Turn the table, so that each object is a row and each feature a column.",
        )
    return LabelMismatch(
        f"No row of the features belongs to any object. {examples}.",
        remedy="Use the same names in both tables, with the names of objects in the first column.",
    )


def _few(names: Sequence[str]) -> str:
    return listing([repr(name[:60]) for name in names], 3) or "nothing"


def _of_matches(sentence: str, matches: Sequence[Match]) -> tuple[str, ...]:
    told = tuple(sentence.format(**vars(match)) for match in matches[:_MOST_TOLD])
    more = len(matches) - _MOST_TOLD
    return (*told, f"The same is true of {more} more.") if more > 0 else told


def _of_ambiguous(rows: Sequence[str], objects: Sequence[str]) -> str:
    verb = "resembles" if len(rows) == 1 else "resemble"
    return f"{_few(rows)} {verb} {_few(objects)}: which one is meant is not clear, so not used."


def _of_names(before: str, names: Sequence[str], after: str) -> tuple[str, ...]:
    if not names:
        return ()
    end = f"; {after}" if after else "."
    return (f"{before} {listing([repr(name[:60]) for name in names])}{end}",)
