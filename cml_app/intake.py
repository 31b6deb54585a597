"""Data on their way in: the files brought and the choices made, until they become a project."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from cml_app.small_pictures import Given, given_to
from cml_core import Dissimilarities, FeatureTable
from cml_core.errors import ConditionalMappingError, TooManyObjects
from cml_core.files import doctor, reading
from cml_core.files.doctor.examine import Telling, silent
from cml_core.files.preparation import Preparation
from cml_core.files.reading.raw import Limits, RawTable
from cml_core.files.source import ALL_PARTS, FeatureSource, RawFile, Source, raw_table
from cml_core.files.told_origin import told_origin
from cml_core.journey.journey import Journey
from cml_core.values.pictures import Pictures

PASTED = "pasted table"

_Outcome = TypeVar("_Outcome")


@dataclass(frozen=True)
class Intake:
    """Files and choices; every change makes another intake.

    Parameters
    ----------
    files : of dissimilarities, similarities or measurements; several are several raters.
    preparation : how they are to become dissimilarities.
    features : the file of features, where there is one.
    pictures : under the names of their files.
    title : what the project is to be called; empty takes the file's name.
    """

    files: tuple[RawFile, ...]
    preparation: Preparation = field(default_factory=Preparation)
    features: FeatureSource | None = None
    title: str = ""
    pictures: Pictures = field(default_factory=Pictures)

    @property
    def key(self) -> str:
        """Names the files, so that controls of other files are other controls."""
        names = "".join(file.digest for file in self.files)
        return hashlib.sha256(names.encode()).hexdigest()[:12]

    @property
    def name(self) -> str:
        """The title as it would be."""
        if self.title.strip():
            return self.title.strip()
        if len(self.files) > 1:
            return f"{len(self.files)} tables"
        return self.files[0].name.rpartition(".")[0] or self.files[0].name

    def choosing(self, **choices: Any) -> Intake:
        """With some choices made anew; another conversion has a scale of its own."""
        if "conversion" in choices:
            choices = {"scale": 0.0, **choices}
        return replace(self, preparation=replace(self.preparation, **choices))

    def brought(self, files: tuple[RawFile, ...]) -> Intake:
        """Other files; the choices were about the old ones, and hold where only more came."""
        if set(self.files) <= set(files):
            return replace(self, files=files)
        return Intake(files, features=self.features, pictures=self.pictures)

    @property
    def source(self) -> Source:
        return Source(self.files, self.preparation, self.features)


class LastResults:
    """The last result of each piece of work, so that a control redraws only what it changes."""

    def __init__(self) -> None:
        self._held: dict[str, tuple[object, Any]] = {}

    def of(self, name: str, key: object, make: Callable[[], _Outcome]) -> _Outcome:
        """What `make` gave for this key, or gives now; what it raises is remembered as well."""
        if name not in self._held or self._held[name][0] != key:
            self._held[name] = (key, _outcome(make))
        outcome: _Outcome | ConditionalMappingError = self._held[name][1]
        if isinstance(outcome, ConditionalMappingError):
            raise outcome.with_traceback(None)
        return outcome

    def forget(self, name: str) -> None:
        """Have it worked out again."""
        self._held.pop(name, None)


def _outcome(make: Callable[[], _Outcome]) -> _Outcome | ConditionalMappingError:
    try:
        return make()
    except ConditionalMappingError as error:
        return error


def look_of(intake: Intake, limits: Limits, memory: LastResults) -> reading.Look:
    """The first file, read once: its parts, the formats it may be in, and its table."""
    chosen, file = intake.preparation, intake.files[0]
    return memory.of(
        "look",
        (intake.key, chosen.format, chosen.sheet, chosen.manner),
        lambda: reading.look(
            file.content(),
            name=file.name,
            format=chosen.format,
            sheet="" if chosen.sheet == ALL_PARTS else chosen.sheet,
            limits=limits,
            manner=chosen.manner,
        ),
    )


def read_with(
    intake: Intake, preparation: Preparation, limits: Limits, memory: LastResults
) -> RawTable | FeatureTable:
    """What the first file would be with other choices, before anything is changed."""
    file = intake.files[0]
    return memory.of(
        "tried",
        (intake.key, preparation),
        lambda: reading.read(
            file.content(),
            name=file.name,
            format=preparation.format,
            sheet="" if preparation.sheet == ALL_PARTS else preparation.sheet,
            limits=limits,
            manner=preparation.manner,
        ),
    )


def table_of(intake: Intake, limits: Limits, memory: LastResults) -> RawTable | FeatureTable:
    """What the first file holds: pairs, or measurements that are yet to be compared."""
    return look_of(intake, limits, memory).read()


def raw_of(intake: Intake, limits: Limits, memory: LastResults) -> RawTable:
    """The values of pairs before anything is mended."""
    chosen = intake.preparation
    if len(intake.files) == 1 and chosen.sheet != ALL_PARTS:
        content = table_of(intake, limits, memory)
        if isinstance(content, RawTable):
            return content
    made_by = (
        chosen.format,
        chosen.sheet,
        chosen.manner,
        chosen.metric,
        chosen.scaling,
        chosen.columns,
    )
    return memory.of("raw", (intake.key, *made_by), lambda: raw_table(intake.files, chosen, limits))


def examined(
    intake: Intake, limits: Limits, memory: LastResults, telling: Telling = silent
) -> tuple[doctor.Finding, ...]:
    """What the doctor has to say; what it looks at is told while it does."""
    raw = raw_of(intake, limits, memory)
    return memory.of(
        "findings",
        (intake.key, intake.preparation),
        lambda: doctor.examine(raw, intake.preparation, telling),
    )


def prepared_of(intake: Intake, limits: Limits, memory: LastResults) -> Dissimilarities:
    """The dissimilarities that the choices lead to."""
    raw = raw_of(intake, limits, memory)
    return memory.of(
        "prepared",
        (intake.key, intake.preparation),
        lambda: doctor.prepared(raw, intake.preparation),
    )


def journey_of(intake: Intake, limits: Limits, memory: LastResults, at: str) -> Journey:
    """The project that the choices lead to."""
    values = prepared_of(intake, limits, memory)
    check_size(values, limits)
    features = FeatureTable(values.labels)
    if intake.features is not None:
        features = intake.features.features(values.labels, limits)
    raw = raw_of(intake, limits, memory)
    weights = doctor.prepared_weights(raw, intake.preparation)
    notes = raw.notes if weights is None else (*raw.notes, "Pairs were weighted as the file says.")
    source = replace(intake.source, notes=notes)
    journey = Journey.begun(
        intake.name,
        values,
        features,
        at,
        source=source,
        pair_weights=weights,
        origin=told_origin(raw, intake.preparation),
    )
    return replace(journey, pictures=pictures_of(intake, values.labels).pictures)


def pictures_of(intake: Intake, labels: Sequence[str]) -> Given:
    """The pictures of these objects."""
    return given_to(labels, intake.pictures) if intake.pictures.of else Given(Pictures(), ())


def turned_round(journey: Journey, limits: Limits, at: str) -> Journey:
    """The same files with similarities taken for dissimilarities, or the other way round.

    All features are kept, the discovered too; steps are answers about other numbers, and are not.
    """
    source = journey.source
    assert source is not None
    raw = raw_table(source.files, source.preparation, limits)
    preparation = doctor.turned_round(raw, source.preparation)
    intake = Intake(source.files, preparation, source.features, journey.title)
    made = journey_of(intake, limits, LastResults(), at)
    # The ends of a scale were said of the numbers as they were.
    origin = replace(journey.origin, lowest=0.0, highest=0.0)
    return replace(made, features=journey.features, origin=origin, pictures=journey.pictures)


def check_size(values: Dissimilarities, limits: Limits) -> None:
    """Refuse what a server does not take."""
    if values.n_objects > limits.objects:
        raise TooManyObjects(
            f"The table has {values.n_objects} objects.",
            remedy=f"This server takes up to {limits.objects}; "
            "the package cml_core has no such limit.",
        )
