"""A journey as a text that can be kept, sent and opened again with the same maps, bit for bit.

The text is JSON: numbers in full, a missing number as null, features once each and steps
referring to them by their place. What does not change has lines of its own, so that whoever
keeps the text by line writes little of it again.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from cml_core.errors import UnreadableFile
from cml_core.evidence.result import Result
from cml_core.files.source import Source
from cml_core.fitting.configuration import Solution
from cml_core.fitting.geodesics import Neighbourhood
from cml_core.fitting.problem import Problem
from cml_core.fitting.result import Fit
from cml_core.journey.entry import Entry
from cml_core.journey.features import NumberedFeatures, feature_of, listed, referred_to
from cml_core.journey.journey import Journey
from cml_core.journey.lines import Line
from cml_core.journey.migrations import FORMAT, VERSION, brought_up_to_date
from cml_core.journey.moves import history_of, move_text
from cml_core.journey.remarks import remarks_content, remarks_of
from cml_core.journey.results import result_content, results_from
from cml_core.journey.source import (
    origin_content,
    origin_of,
    picture_content,
    pictures_of,
    source_content,
    source_of,
)
from cml_core.journey.step import JourneyStep
from cml_core.values.arrays import FloatArray, RealArray, frozen
from cml_core.values.dissimilarities import Dissimilarities
from cml_core.values.features import Feature, FeatureTable
from cml_core.values.whole_characters import of_whole_characters

# What is refused unread; whoever opens files of strangers has limits of their own.
MOST_CHARACTERS = 250_000_000
MOST_OBJECTS = 10_000
MOST_STEPS = 1_000
# So many numbers are written as text in 10 ms.
PART = 10_000
# Stands for the weights that came with the data.
OWN = "pair_weights"

_TYPES = {"float32": np.float32, "float64": np.float64}


def to_json(journey: Journey) -> str:
    """The journey as a project file."""
    return "\n".join(map(str, lines_of(journey)))


def lines_of(journey: Journey) -> list[str | Line]:
    """The lines of the project file; what is most of it and never changes is not written yet."""
    # The map itself is kept, not only what it takes to fit it again: another version, machine or
    # linear algebra would end at another last digit, and at times at another minimum.
    numbered = NumberedFeatures()
    own = journey.pair_weights
    now = numbered.places(journey.features)
    steps = [_step_lines(step, numbered, own) for step in journey.steps]
    past, future = (
        [[move_text(move, numbered)] for move in moves]
        for moves in (journey.history.past, journey.history.future)
    )
    content = {
        "format": FORMAT,
        "version": VERSION,
        "title": journey.title,
        "created": journey.created,
        "changed": journey.changed,
        "objects": list(journey.dissimilarities.labels),
        "now": now,
        "current": journey.current_id,
        "origin": origin_content(journey.origin),
    }
    features = [[json.dumps(each, allow_nan=False)] for each in numbered.contents]
    pictures = [[json.dumps(picture_content(*one))] for one in journey.pictures.of]
    return [
        json.dumps(content, allow_nan=False)[:-1],
        *_listed(', "features": ', features),
        f', "pair_weights": {"null" if own is None else _numbers_text(own)}',
        *_listed(', "steps": ', steps),
        *_listed(', "history": {"past": ', past),
        *_listed(', "future": ', future, "}"),
        Line(journey.dissimilarities, partial(_pairs_text, journey.dissimilarities)),
        ', "source": null'
        if journey.source is None
        else Line(journey.source, partial(_source_text, journey.source)),
        *_listed(', "pictures": ', pictures, "}"),
    ]


def _listed(name: str, entries: Sequence[Sequence[str | Line]], end: str = "") -> list[str | Line]:
    """A list whose entries begin with a text of their own."""
    # The comma leads: a line stays as it was when another follows.
    first, *others = entries or [[""]]
    rest = [line for head, *more in others for line in (f", {head}", *more)]
    return [f"{name}[", *first, *rest, f"]{end}"]


def _pairs_text(dissimilarities: Dissimilarities) -> str:
    condensed = dissimilarities.condensed
    content = f'{{"type": "{condensed.dtype}", "values": {_numbers_text(condensed)}}}'
    return f', "dissimilarities": {content}'


def _numbers_text(values: RealArray) -> str:
    """A list that may be long; between its parts other threads get their turn."""
    parts = (
        json.dumps(listed(values[k : k + PART]), allow_nan=False)[1:-1]
        for k in range(0, values.size, PART)
    )
    return f"[{', '.join(parts)}]"


def _source_text(source: Source) -> str:
    return f', "source": {json.dumps(source_content(source), allow_nan=False)}'


def from_json(
    text: str,
    *,
    most_characters: int = MOST_CHARACTERS,
    most_objects: int = MOST_OBJECTS,
    most_steps: int = MOST_STEPS,
) -> Journey:
    """A journey from a project file.

    Parameters
    ----------
    text : what `to_json` gave.
    most_characters, most_objects, most_steps : refuse what is larger.

    Raises
    ------
    UnreadableFile : says what is wrong, and where in the file.
    """
    _check_size(len(text), "characters", most_characters)
    content = Entry(brought_up_to_date(_parsed(text)), "")
    labels = tuple(entry.text() for entry in content.at("objects").items())
    steps = content.at("steps").items()
    _check_size(len(labels), "objects", most_objects)
    _check_size(len(steps), "steps", most_steps)
    dissimilarities = _dissimilarities(content.at("dissimilarities"), labels)
    features = [feature_of(entry, most_objects) for entry in content.at("features").items()]
    own = content.at("pair_weights")
    own_weights = None if own.value is None else frozen(own.numbers())
    now = referred_to(content.at("now"), features, labels)
    taken = tuple(_step(entry, dissimilarities, features, own_weights) for entry in steps)
    with content.blamed():
        return Journey(
            title=content.at("title").text(),
            dissimilarities=dissimilarities,
            features=now,
            created=content.at("created").text(),
            changed=content.at("changed").text(),
            steps=taken,
            current_id=content.at("current").text_or_none(),
            source=source_of(content.at("source")),
            pair_weights=own_weights,
            origin=origin_of(content.at("origin")),
            pictures=pictures_of(content.at("pictures")),
            history=history_of(
                content.at("history"), features, labels, {step.id for step in taken}
            ),
        )


def _step_lines(
    step: JourneyStep, numbered: NumberedFeatures, own: FloatArray | None
) -> list[str | Line]:
    content = json.dumps(_step_content(step, numbered, own), allow_nan=False)
    results = [("", Line(one, partial(_result_text, one))) for one in step.results]
    found = Line(step.fit, partial(_found_text, step.fit))
    return [content[:-1], *_listed(', "findings": ', results), found]


def _result_text(found: Result) -> str:
    return json.dumps(result_content(found), allow_nan=False)


def _found_text(fit: Fit) -> str:
    """The end of a step, and most of it."""
    content = {
        "best": _solution_content(fit.best, None),
        "alternatives": [_solution_content(other, fit.best) for other in fit.alternatives],
        "stress_path": listed(fit.stress_path),
    }
    return f", {json.dumps(content, allow_nan=False)[1:]}"


def _step_content(
    step: JourneyStep, numbered: NumberedFeatures, own: FloatArray | None
) -> dict[str, Any]:
    fit, problem = step.fit, step.problem
    near = problem.neighbourhood
    return {
        "id": step.id,
        "parent": step.parent,
        "name": step.given_name,
        "note": step.note,
        "changed": step.changed,
        "known": numbered.places(problem.known),
        "n_components": problem.n_components,
        "coef": _coef_content(problem.coef),
        "weights": _weights_content(problem.weights, own),
        "neighbourhood": near and _written_neighbourhood(near),
        "scale": problem.scale,
        "ties": problem.ties,
        "power": fit.power,
        "stopped": fit.stopped,
        "converged": fit.converged,
        "solver": fit.solver,
        "n_starts": fit.n_starts,
        "seed": fit.seed,
        "remarks": remarks_content(fit.remarks),
    }


def _weights_content(
    weights: str | FloatArray | None, own: FloatArray | None
) -> str | list[float | None] | None:
    if not isinstance(weights, np.ndarray):
        return weights
    return OWN if own is not None and np.array_equal(weights, own) else listed(weights)


def _solution_content(solution: Solution, best: Solution | None) -> dict[str, Any]:
    """A solution; `known` is null where it is the best one's."""
    same = best is not None and np.array_equal(solution.known_values, best.known_values)
    return {
        "embedding": solution.embedding.tolist(),
        "coef": solution.coef.tolist(),
        "known": None if same else solution.known_values.tolist(),
        "stress": float(solution.stress),
        "starts": solution.starts,
    }


def _parsed(text: str) -> object:
    if of_whole_characters(text) != text:
        raise UnreadableFile(
            "The project file holds half a character.", remedy="Use the file as it was saved."
        )
    # NaN and Infinity are words of Python's JSON alone.
    try:
        return json.loads(text, parse_constant=_refused)
    except json.JSONDecodeError as error:
        raise UnreadableFile(
            f"The project file cannot be read from line {error.lineno}, column {error.colno} on.",
            remedy="Use the whole file as it was saved; this one may be cut off.",
        ) from None
    except (ValueError, RecursionError):
        raise UnreadableFile(
            "The project file holds numbers or nesting that no project has.",
            remedy="Use the file as it was saved.",
        ) from None


def _refused(constant: str) -> float:
    raise ValueError(constant)


def _check_size(count: int, what: str, most: int) -> None:
    if count > most:
        raise UnreadableFile(
            f"The project file has {count} {what}; at most {most} are read.",
            remedy="Open a smaller project.",
        )


def _dissimilarities(entry: Entry, labels: tuple[str, ...]) -> Dissimilarities:
    kind = _TYPES[entry.at("type").one_of(tuple(_TYPES))]
    values = entry.at("values").numbers(gaps=True)
    with entry.blamed(), np.errstate(over="ignore"):
        return Dissimilarities(labels, values.astype(kind))


def _step(
    entry: Entry,
    dissimilarities: Dissimilarities,
    features: list[Feature],
    own_weights: FloatArray | None,
) -> JourneyStep:
    known = referred_to(entry.at("known"), features, dissimilarities.labels)
    fit = _fit(entry, dissimilarities, known, own_weights)
    return JourneyStep(
        id=entry.at("id").text(),
        parent=entry.at("parent").text_or_none(),
        fit=fit,
        changed=entry.at("changed").text(),
        given_name=entry.at("name").text(),
        note=entry.at("note").text(),
        results=results_from(
            entry.at("findings"), n_objects=len(fit.labels), n_components=fit.embedding.shape[1]
        ),
    )


def _fit(
    entry: Entry,
    dissimilarities: Dissimilarities,
    known: FeatureTable,
    own_weights: FloatArray | None,
) -> Fit:
    n, p = len(known.labels), entry.at("n_components").whole()
    # The size of B is compared before features are encoded: few levels can be many columns.
    q = sum(len(feature.column_names()) for feature in known.features)
    best = _solution(entry.at("best"), n, p, q, None)
    others = [_solution(other, n, p, q, best) for other in entry.at("alternatives").items()]
    with entry.blamed():
        problem = Problem(
            dissimilarities,
            known,
            n_components=p,
            coef=_coef(entry.at("coef"), q),
            weights=_weights(entry.at("weights"), own_weights),
            neighbourhood=_neighbourhood(entry.at("neighbourhood")),
            scale=entry.at("scale").text(),
            ties=entry.at("ties").text(),
        )
    return Fit(
        problem=problem,
        best=best,
        alternatives=tuple(others),
        stress_path=frozen(entry.at("stress_path").numbers()),
        stopped=entry.at("stopped").text(),
        converged=entry.at("converged").truth(),
        solver=entry.at("solver").text(),
        n_starts=entry.at("n_starts").whole(),
        seed=entry.at("seed").whole(),
        remarks=remarks_of(entry.at("remarks")),
        power=entry.at("power").number(),
    )


def _solution(entry: Entry, n: int, p: int, q: int, best: Solution | None) -> Solution:
    known = entry.at("known")
    shared = best is not None and known.value is None
    return Solution(
        embedding=entry.at("embedding").matrix(n, p),
        coef=entry.at("coef").matrix(q, q),
        known_values=best.known_values if best is not None and shared else known.matrix(n, q),
        stress=entry.at("stress").number(),
        starts=entry.at("starts").whole(),
    )


def _coef_content(coef: str | FloatArray) -> Any:
    return coef if isinstance(coef, str) else coef.tolist()


def _coef(entry: Entry, q: int) -> str | FloatArray:
    return entry.text() if isinstance(entry.value, str) else entry.matrix(q, q)


def _weights(entry: Entry, own: FloatArray | None) -> Any:
    if entry.value == OWN and own is not None:
        return own
    if entry.value is None or isinstance(entry.value, str):
        return entry.value
    return entry.numbers()


def _written_neighbourhood(near: Neighbourhood) -> dict[str, Any]:
    written = {"n_neighbors": near.n_neighbors, "epsilon": near.epsilon}
    # Files without mutual neighbours stay as they were before there were any.
    return {**written, "mutual": True} if near.mutual else written


def _neighbourhood(entry: Entry) -> Neighbourhood | None:
    if entry.value is None:
        return None
    count = entry.at("n_neighbors")
    return Neighbourhood(
        n_neighbors=None if count.value is None else count.whole(),
        epsilon=entry.at("epsilon").number_or_none(),
        mutual="mutual" in entry.mapping() and entry.at("mutual").truth(),
    )
