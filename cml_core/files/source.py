"""Where a project's numbers came from: the raw files, and every choice made on the way."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from cml_core.errors import ConditionalMappingError, UnreadableFile
from cml_core.files import doctor, measures, raters, reading
from cml_core.files.cases import Cases, cases_of
from cml_core.files.joining.by_name import joined, named_like
from cml_core.files.joining.inferred_kinds import FeatureChoice, called_by, chosen
from cml_core.files.preparation import Preparation
from cml_core.files.reading.manner import Manner
from cml_core.files.reading.question import Question
from cml_core.files.reading.raw import ORDINARY, Limits, RawTable
from cml_core.files.single_answers import answers_of
from cml_core.values.answers import Answers
from cml_core.values.dissimilarities import Dissimilarities
from cml_core.values.features import FeatureTable

# Larger files are named in a project, and not kept with it.
KEPT_UP_TO = 5_000_000
# Every sheet of a workbook, or array of an archive, is one rater's table.
ALL_PARTS = "*"


@dataclass(frozen=True)
class RawFile:
    """A file as it was brought.

    Parameters
    ----------
    name : what it was called; never used as a path.
    data : its bytes; None where they were too many to be kept.
    digest : SHA-256 of the bytes, in hexadecimal.
    """

    name: str
    data: bytes | None
    digest: str = ""

    def __post_init__(self) -> None:
        if self.data is None:
            return
        # Where the bytes are not kept, it alone tells whether another copy is the same file.
        digest = hashlib.sha256(self.data).hexdigest()
        if self.digest not in ("", digest):
            raise UnreadableFile(
                f"The file {self.name!r} is not the one that was brought: its contents differ.",
                remedy="Use the file as it was.",
            )
        object.__setattr__(self, "digest", digest)

    def content(self) -> bytes:
        """Its bytes.

        Raises
        ------
        UnreadableFile : they were not kept.
        """
        if self.data is None:
            raise UnreadableFile(
                f"The file {self.name!r} was too large to be kept with the project.",
                remedy="Use your own copy of it.",
            )
        return self.data

    def as_kept(self) -> RawFile:
        """What a project holds of it."""
        too_large = self.data is not None and len(self.data) > KEPT_UP_TO
        return replace(self, data=None) if too_large else self


@dataclass(frozen=True)
class FeatureSource:
    """A file of features, and how it was read.

    Parameters
    ----------
    sheet : of a workbook; empty takes the first.
    encoding, decimal : as in a `Preparation`.
    accepted : names in the file and the objects they were said to be.
    choices : kinds that were corrected.
    """

    file: RawFile
    sheet: str = ""
    accepted: tuple[tuple[str, str], ...] = ()
    choices: tuple[FeatureChoice, ...] = ()
    encoding: str = ""
    decimal: str = ""

    @property
    def manner(self) -> Manner:
        """How the file is to be read, as far as that was said."""
        return Preparation(encoding=self.encoding, decimal=self.decimal).manner

    def as_written(self, limits: Limits) -> FeatureTable:
        """The features of the file, kinds inferred."""
        return reading.read_features(
            self.file.content(), sheet=self.sheet, limits=limits, manner=self.manner
        )

    def questions(self, limits: Limits) -> tuple[Question, ...]:
        """What the file leaves open."""
        return reading.feature_questions(
            self.file.content(), sheet=self.sheet, limits=limits, manner=self.manner
        )

    def choices_in_words(self) -> tuple[str, ...]:
        """What was chosen, in sentences."""
        read = doctor.choices_in_words(Preparation(encoding=self.encoding, decimal=self.decimal))
        taken = (
            f"In the features, {given!r} was taken for {meant!r}." for given, meant in self.accepted
        )
        said = (f"In the features: {line}" for line in read)
        return (
            *said,
            *taken,
            *(line for choice in self.choices for line in choice.choices_in_words()),
        )

    def features(self, labels: Sequence[str], limits: Limits = ORDINARY) -> FeatureTable:
        """The features for these objects, as they were chosen."""
        written = self.as_written(limits)
        names = next((choice.name for choice in self.choices if choice.names_objects), None)
        if names is None:
            table = chosen(named_like(written, labels).table, self.choices)
            return joined(table, labels, dict(self.accepted)).table
        table = chosen(written, self.choices)
        # The objects have their new names by now, and the rows take the same.
        renamed = FeatureTable(called_by(written[names]), table.features)
        return joined(renamed, labels).table


@dataclass(frozen=True)
class Source:
    """All that is needed to make the data of a project again.

    Parameters
    ----------
    files : of dissimilarities; several are tables of the same objects by several raters.
    preparation : how they became dissimilarities.
    features : the file of features, where there was one.
    notes : what was noticed while reading, in sentences.
    """

    files: tuple[RawFile, ...]
    preparation: Preparation = field(default_factory=Preparation)
    features: FeatureSource | None = None
    notes: tuple[str, ...] = ()

    @property
    def repeatable(self) -> bool:
        """Whether the raw files are at hand."""
        return all(file.data is not None for file in self.files)

    def dissimilarities(self) -> Dissimilarities:
        """Made again from the raw files."""
        return dissimilarities_of(self.files, self.preparation)

    def answers(self) -> Answers | None:
        """What single people said, where the files tell: dissimilarities by the same choices.

        Their mean is `dissimilarities()`. None of fewer than 3 people.
        """
        return self._answers

    @cached_property
    def _answers(self) -> Answers | None:
        # Every step of a journey asks; the files are read once.
        return answers_of(raw_table(self.files, self.preparation), self.preparation)

    def cases(self) -> Cases | None:
        """The cases over which measured objects were compared, where they can be drawn anew."""
        return self._cases

    @cached_property
    def _cases(self) -> Cases | None:
        measured = self.measured()
        return None if measured is None else cases_of(measured, self.preparation)

    def measured(self) -> FeatureTable | None:
        """What was measured of the objects, where one file holds that."""
        return self._measured

    @cached_property
    def _measured(self) -> FeatureTable | None:
        if not self.preparation.metric or len(self.files) > 1:
            return None
        found = _found(self.files[0], self.preparation.sheet, self.preparation, ORDINARY)
        return None if isinstance(found, RawTable) else found

    def as_kept(self) -> Source:
        """What a project holds of it."""
        features = self.features
        if features is not None:
            features = replace(features, file=features.file.as_kept())
        return replace(self, files=tuple(file.as_kept() for file in self.files), features=features)

    def choices_in_words(self) -> tuple[str, ...]:
        """What was noticed and chosen, in sentences."""
        several = (f"The mean of {len(self.files)} tables was taken.",) * (len(self.files) > 1)
        chosen = (*several, *self.notes, *doctor.choices_in_words(self.preparation))
        return (*chosen, *(self.features.choices_in_words() if self.features else ()))


def dissimilarities_of(
    files: Sequence[RawFile], preparation: Preparation, limits: Limits = ORDINARY
) -> Dissimilarities:
    """From raw files to dissimilarities, by the choices made."""
    return doctor.prepared(raw_table(files, preparation, limits), preparation)


def raw_table(
    files: Sequence[RawFile], preparation: Preparation, limits: Limits = ORDINARY
) -> RawTable:
    """What the files say of pairs, before anything is mended; of several raters, the mean."""
    named = [
        (f"{file.name}, {part}" if part and part != preparation.sheet else file.name, file, part)
        for file in files
        for part in _parts(file, preparation, limits)
    ]
    if len(named) == 1:
        return _table(*named[0][1:], preparation, limits)
    tables = [_of_several(name, file, part, preparation, limits) for name, file, part in named]
    return raters.mean_of(tables, [name for name, _, _ in named])


def _of_several(
    name: str, file: RawFile, part: str, preparation: Preparation, limits: Limits
) -> RawTable:
    """One of several tables; what is wrong with it is said under its name."""
    try:
        return _table(file, part, preparation, limits)
    except ConditionalMappingError as error:
        raise type(error)(f"In {name}: {error.fact}", remedy=error.remedy) from None


def _parts(file: RawFile, preparation: Preparation, limits: Limits) -> tuple[str, ...]:
    if preparation.sheet != ALL_PARTS:
        return (preparation.sheet,)
    return reading.parts(file.content(), limits) or ("",)


def _found(
    file: RawFile, part: str, preparation: Preparation, limits: Limits
) -> RawTable | FeatureTable:
    return reading.read(
        file.content(),
        name=file.name,
        format=preparation.format,
        sheet=part,
        limits=limits,
        manner=preparation.manner,
    )


def _table(file: RawFile, part: str, preparation: Preparation, limits: Limits) -> RawTable:
    found = _found(file, part, preparation, limits)
    if isinstance(found, RawTable):
        return found
    if not preparation.metric:
        raise UnreadableFile(
            f"{file.name!r} is a table of measurements: it says nothing of pairs by itself.",
            remedy="Choose how objects are to be compared.",
        )
    return measures.compared(found, preparation.metric, preparation.scaling, preparation.columns)
