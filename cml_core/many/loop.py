"""What someone made of very many objects, as a recipe: all else can be made of it again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from cml_core.drawing.drawing import Drawing
from cml_core.drawing.on_map import wire_points
from cml_core.drawing.region import Region
from cml_core.drawing.registry import drawing_from_wire
from cml_core.errors import ConditionalMappingError, UnknownFeature, UnreadableFile, check_option
from cml_core.evidence.result import Result
from cml_core.many.findings import findings_content, findings_from, with_finding
from cml_core.many.origins import Whence
from cml_core.values.kinds.registry import KINDS
from cml_core.values.measures.registry import MEASURES

VERSION = 1
KIND = "many objects"


@dataclass(frozen=True)
class Candidate:
    """A column of the table that may be known.

    Parameters
    ----------
    name : of the column.
    kind : one of `KINDS`.
    period : after how much a circular one begins again; months and days need none.
    order : the levels of an ordinal one, lowest first; without it numbers rise, and well-known
        words keep their order.
    """

    name: str
    kind: str
    period: float | None = None
    order: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_option("kind", self.kind, tuple(KINDS))
        object.__setattr__(self, "order", tuple(self.order))


@dataclass(frozen=True)
class Discovery:
    """A feature that was read off a map: what was drawn, and on the map of which step.

    Parameters
    ----------
    drawn : an arrow or a curve as the map sends it; or a region, {"kind": "region", "points": …}.
    """

    name: str
    step: str
    drawn: Mapping[str, Any]

    def drawing(self) -> Drawing | Region:
        """What was drawn."""
        return drawn_on_map(self.drawn)


@dataclass(frozen=True)
class LoopStep:
    """One map: what it knows.

    Parameters
    ----------
    id : names it.
    known : the features that are taken out, by name.
    parent : the step that it follows; its map is turned to match that one.
    turn : (p, p) by which its map was turned then; none before it was made.
    unexplained : the share of the stress, once the map is there; NaN before.
    found : what was found about its map.
    """

    id: str
    known: tuple[str, ...] = ()
    parent: str = ""
    turn: tuple[tuple[float, ...], ...] = ()
    unexplained: float = float("nan")
    found: tuple[Result, ...] = field(default=(), compare=False)


@dataclass(frozen=True)
class Loop:
    """Where the objects come from, what was chosen of them, what was drawn, and every step.

    Parameters
    ----------
    whence : where the rows are.
    vectors : the columns that objects are compared by.
    measure : how, as `Measurements` has it.
    candidates : the columns that may be known.
    called : the column of what objects are called by; empty for their numbers.
    seed, n_landmarks : of the fits.
    current : the step that is shown.
    """

    whence: Whence
    vectors: tuple[str, ...]
    measure: str = "euclidean"
    candidates: tuple[Candidate, ...] = ()
    called: str = ""
    seed: int = 0
    n_landmarks: int | str = "auto"
    discoveries: tuple[Discovery, ...] = ()
    steps: tuple[LoopStep, ...] = field(default=(LoopStep("1"),))
    current: str = "1"

    def __post_init__(self) -> None:
        check_option("measure", self.measure, tuple(MEASURES))

    @property
    def step(self) -> LoopStep:
        """Where one is."""
        return self.at(self.current)

    @property
    def names(self) -> tuple[str, ...]:
        """All that may be known: columns, and what was drawn."""
        columns = (one.name for one in self.candidates)
        return (*columns, *(one.name for one in self.discoveries))

    def at(self, step: str) -> LoopStep:
        """A step by its id."""
        found = next((one for one in self.steps if one.id == step), None)
        if found is None:
            raise UnknownFeature(f"There is no step {step!r}.", remedy="Choose one of the list.")
        return found

    def discovery(self, name: str) -> Discovery | None:
        """What was drawn under this name; None for a column."""
        return next((one for one in self.discoveries if one.name == name), None)

    def knowing(self, names: Sequence[str]) -> Loop:
        """At a step with these known: one that is there already, or a new one."""
        for name in names:
            self._check_is_there(name)
        # In one order, so that the same question is the same step.
        known = tuple(name for name in self.names if name in names)
        same = next((one for one in self.steps if one.known == known), None)
        if same is not None:
            return replace(self, current=same.id)
        new = LoopStep(str(len(self.steps) + 1), known, self.current)
        return replace(self, steps=(*self.steps, new), current=new.id)

    def visiting(self, step: str) -> Loop:
        """At another step."""
        return replace(self, current=self.at(step).id)

    def with_discovery(self, name: str, drawn: Mapping[str, Any]) -> Loop:
        """With what was drawn on the current map under a name, known in a further step."""
        name = " ".join(name.split())
        if not name or name in self.names:
            raise UnknownFeature(
                f"{name} is there already." if name else "It has no name.",
                remedy="Give it a name of its own.",
            )
        drawn_on_map(drawn)
        more = replace(
            self, discoveries=(*self.discoveries, Discovery(name, self.current, dict(drawn)))
        )
        return more.knowing((*self.step.known, name))

    def made(self, step: str, turn: tuple[tuple[float, ...], ...], unexplained: float) -> Loop:
        """With what was found of a step."""
        told = replace(self.at(step), turn=turn, unexplained=unexplained)
        return replace(self, steps=tuple(told if s.id == step else s for s in self.steps))

    def judged(self, step: str, result: Result) -> Loop:
        """With what was found about the map of a step."""
        told = replace(self.at(step), found=with_finding(self.at(step).found, result))
        return replace(self, steps=tuple(told if s.id == step else s for s in self.steps))

    def without_findings(self) -> Loop:
        """Without what was found about the maps."""
        return replace(self, steps=tuple(replace(one, found=()) for one in self.steps))

    def table(self) -> str:
        """What the table that is read depends on."""
        told = [asdict(self.whence), self.vectors, self.measure, self.called]
        return json.dumps(told)

    def question(self, step: str) -> str:
        """What the map of a step depends on, and nothing else; the same for the same map."""
        known = [self._behind(name) for name in self.at(step).known]
        asked = [asdict(self.whence), self.vectors, self.measure, self.seed, self.n_landmarks]
        return json.dumps([*asked, known])

    def _behind(self, name: str) -> object:
        drawn = self.discovery(name)
        if drawn is not None:
            at = self.at(drawn.step)
            return [drawn.name, dict(drawn.drawn), at.turn, self.question(drawn.step)]
        return asdict(next(one for one in self.candidates if one.name == name))

    def _check_is_there(self, name: str) -> None:
        if name not in self.names:
            raise UnknownFeature(
                f"Nothing is called {name!r}.", remedy="Choose among the columns and drawings."
            )

    def to_json(self) -> str:
        """To be kept; a few kilobytes, whatever the number of objects."""
        told = asdict(self.without_findings())
        for step, one in zip(told["steps"], self.steps, strict=True):
            step["found"] = findings_content(one.found)
        return json.dumps({"kind": KIND, "version": VERSION, **told}, indent=0)

    @classmethod
    def from_json(cls, text: str) -> Loop:
        """What `to_json` gave.

        Raises
        ------
        UnreadableFile : it is nothing of this sort.
        """
        try:
            told = json.loads(text)
            if told.pop("kind") != KIND or told.pop("version") > VERSION:
                raise ValueError
            return cls(
                whence=Whence.of(told.pop("whence")),
                vectors=tuple(told.pop("vectors")),
                candidates=tuple(Candidate(**one) for one in told.pop("candidates")),
                discoveries=tuple(Discovery(**one) for one in told.pop("discoveries")),
                steps=tuple(_step(one) for one in told.pop("steps")),
                **told,
            )
        except (ConditionalMappingError, ValueError, TypeError, KeyError, AttributeError):
            raise UnreadableFile(
                "This is no recipe of a map of many objects.", remedy="Begin anew."
            ) from None


def drawn_on_map(drawn: Mapping[str, Any]) -> Drawing | Region:
    """A drawing, or a region, as the map sends it.

    Raises
    ------
    UnsuitableFeature : it is neither.
    """
    found = drawing_from_wire(drawn)
    return Region(wire_points(drawn.get("points"))) if found is None else found


def _step(told: dict[str, Any]) -> LoopStep:
    known, turn = tuple(told.pop("known")), tuple(tuple(row) for row in told.pop("turn"))
    found = findings_from(told.pop("found", []))
    return LoopStep(known=known, turn=turn, found=found, **told)
