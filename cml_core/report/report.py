"""The report of a journey: one HTML page that needs nothing else, to read or to print."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from cml_core.errors import listing
from cml_core.fitting.problem import GIVEN, Problem
from cml_core.fitting.result import Fit, ImputedValue
from cml_core.fitting.scales.registry import RATIO, SCALES
from cml_core.journey.journey import Journey, Row
from cml_core.journey.step import JourneyStep
from cml_core.report.curve_svg import curve_in_words, curve_svg
from cml_core.report.drawn import drawn_on_maps, group_colours, grouped, lines_on, said_of
from cml_core.report.evidence import results_html
from cml_core.report.map_svg import escaped, map_svg
from cml_core.report.page import page
from cml_core.report.parts import (
    as_table,
    safe_name,
    safe_names,
    safe_share,
    safe_value,
)
from cml_core.values.arrays import FloatArray
from cml_core.values.columns import coincide
from cml_core.values.features import Feature
from cml_core.values.kinds.registry import KINDS
from cml_core.values.words import counted

MOST_MAPS = 3
MOST_IMPUTED = 20
# Named of those whose single answers are there.
MOST_PEOPLE = 10


def report_html(journey: Journey) -> str:
    """All steps of a journey with their maps, and the tables they were made from.

    Names and notes are escaped; the page asks for nothing from elsewhere, and forbids itself to.
    """
    # One file without a script, to be sent, archived and printed; its policy forbids whatever a
    # name that was not escaped could still try.
    rows, drawn = journey.as_rows(), drawn_on_maps(journey)
    body = "".join(
        (
            f"<h1>{safe_name(journey.title)}</h1>",
            _data(journey),
            _making(journey),
            _preparation(journey),
            _contents(rows),
            *(
                _section(number, row, drawn.get(row.step.id, ()))
                for number, row in enumerate(rows, 1)
            ),
            _features(journey),
            _objects(journey),
            _HOW_TO_READ,
        )
    )
    return page(journey.title, body)


def _data(journey: Journey) -> str:
    data = journey.dissimilarities
    gaps = int(data.missing.sum())
    missing = f"{gaps} of them missing" if gaps else "none of them missing"
    return (
        f"<p>{data.n_objects} objects, {data.condensed.size} dissimilarities, {missing}; "
        f"{counted(len(journey.features), 'feature')}; {counted(len(journey.steps), 'step')}. "
        f"Begun {_day(journey.created)}, last changed {_day(journey.changed)}.</p>"
    )


def _making(journey: Journey) -> str:
    """How the dissimilarities were made, and by whom."""
    told = journey.origin.in_words
    answers = journey.answers
    if answers is not None:
        told += (
            f" What each of {answers.n_people} people said is kept beside the mean: "
            f"{listing(answers.people, MOST_PEOPLE)}."
        )
    return f"<p>{safe_name(told.strip())}</p>" if told else ""


def _preparation(journey: Journey) -> str:
    """From which files the data were made, and by which choices."""
    source = journey.source
    if source is None:
        return ""
    files = [*source.files, *([source.features.file] if source.features else [])]
    lines = ((safe_name(file.name), f"<code>{escaped(file.digest)}</code>") for file in files)
    choices = "".join(f"<li>{safe_name(choice)}</li>" for choice in source.choices_in_words())
    return (
        "<section><h2>Where the data came from</h2>"
        f"{as_table(('File', 'SHA-256'), lines)}"
        f"{f'<ol>{choices}</ol>' if choices else '<p>They were taken as they are.</p>'}"
        "</section>"
    )


def _day(at: str) -> str:
    return escaped(at[:16].replace("T", " "))


def _contents(rows: tuple[Row, ...]) -> str:
    if not rows:
        return "<p>No step has been taken yet.</p>"
    items = "".join(
        f'<li style="margin-left:{1.5 * row.depth:g}em">'
        f'<a href="#step-{number}">{safe_name(row.name)}</a> '
        f"<small>{safe_share(row.step.fit.stress)} unexplained"
        f"{' · looked at last' if row.is_current else ''}</small></li>"
        for number, row in enumerate(rows, 1)
    )
    return f"<h2>The steps</h2><ol>{items}</ol>"


def _section(number: int, row: Row, drawn: tuple[Feature, ...]) -> str:
    """One step: its maps with what was drawn on them, and what there is to know about them."""
    step = row.step
    note = f'<p class="note">{safe_name(step.note)}</p>' if step.note else ""
    facts = "".join(
        f"<tr><th scope='row'>{what}</th><td>{value}</td></tr>" for what, value in _facts(step)
    )
    return (
        f'<section id="step-{number}"><h2>{safe_name(row.name)}</h2>{note}'
        f"{_maps(step, row.name, drawn)}{_curve(step.fit)}<table>{facts}</table>"
        f"{results_html(step.results, step.fit)}</section>"
    )


def _maps(step: JourneyStep, name: str, drawn: tuple[Feature, ...]) -> str:
    """The first dimension against each of the next ones, and those that were drawn upon."""
    points = step.embedding
    if not points.shape[1]:
        return "<p>No hidden dimension was asked for, so there is no map.</p>"
    if points.shape[1] == 1:
        points = np.pad(points, ((0, 0), (0, 1)))
    usual = [(0, k) for k in range(1, min(points.shape[1], MOST_MAPS + 1))]
    upon = [one.line.axes for one in drawn if one.line is not None]
    pairs = dict.fromkeys([*usual, *(axes for axes in upon if max(axes) < points.shape[1])])
    return "".join(_figure(points, axes, step, name, drawn) for axes in pairs)


def _figure(
    points: FloatArray,
    axes: tuple[int, int],
    step: JourneyStep,
    name: str,
    drawn: tuple[Feature, ...],
) -> str:
    first, second = axes
    alone = step.fit.embedding.shape[1] == 1
    title = f"{name}: dimension 1" if alone else f"{name}: dimensions {first + 1} and {second + 1}"
    here = tuple(one for one in drawn if one.line is None or one.line.axes == axes)
    groups = grouped(here)
    picture = map_svg(
        points[:, list(axes)],
        step.fit.labels,
        title,
        lines_on(here, axes),
        () if groups is None else group_colours(groups),
    )
    left_out = counted(picture.without_label, "place has", "places have")
    unit = "the dissimilarities"
    if step.problem.scale != RATIO:
        unit = "what the dissimilarities count as, whose mean square is one"
    room = f" {left_out} no label for want of room." if picture.without_label else ""
    return (
        f"<figure>{picture.svg}<figcaption>{safe_name(title)}. The line at the lower right is a "
        f"length in the units of {unit}.{said_of(here)}{room}</figcaption></figure>"
    )


def _curve(fit: Fit) -> str:
    """What the dissimilarities count as, where they are not taken for distances."""
    if fit.problem.scale == RATIO:
        return ""
    power = f" The numbers to the power {fit.power:.3g}." if fit.power != 1.0 else ""
    return (
        f'<figure class="small">{curve_svg(fit)}<figcaption>'
        f"{escaped(curve_in_words(fit))}{power} Shares unexplained can be compared only between "
        "steps on the same scale.</figcaption></figure>"
    )


def _facts(step: JourneyStep) -> Iterator[tuple[str, str]]:
    """What a person should know about a map: headings and safe HTML."""
    fit, problem = step.fit, step.problem
    yield "Known", safe_names(problem.known.names) or "nothing"
    yield "Unexplained", f"{safe_share(fit.stress, decimals=2)} of the squared dissimilarities"
    yield "Settings", _settings(problem)
    yield "What makes the distances", _shares(fit)
    imputed = fit.imputed()
    if imputed:
        yield "Filled in", _filled_in(imputed)
    yield "Search", _search(fit)
    if fit.alternatives:
        yield "Other maps", _alternatives(fit)
    if fit.remarks:
        yield "Remarks", " ".join(escaped(remark.text) for remark in fit.remarks)


def _filled_in(imputed: tuple[ImputedValue, ...]) -> str:
    """The values found for missing entries, and which of them the map does not bear out."""
    told = imputed[:MOST_IMPUTED]
    filled = "; ".join(
        f"{safe_name(one.feature)} of {safe_name(one.label)}: {safe_value(one.value)}"
        f"{' (unsure)' if one.unsure else ''}"
        for one in told
    )
    more = len(imputed) - MOST_IMPUTED
    why = (
        ". Unsure: the map has it far from any value there is, and this is the nearest."
        if any(one.unsure for one in told)
        else ""
    )
    return filled + (f"; and {more} more" if more > 0 else "") + why


_ACTING = {
    "full": "features act freely",
    "diagonal": "each feature by itself",
    GIVEN: "features act as they were told to",
}


def _settings(problem: Problem) -> str:
    weights = "weights that came with the data"
    if problem.weights is None:
        weights = "every pair counts once"
    elif isinstance(problem.weights, str):
        weights = "Sammon weights: a pair counts the more, the smaller its dissimilarity"
    near, paths = problem.neighbourhood, "dissimilarities as they are"
    if near is not None:
        who = f"the {near.n_neighbors} nearest neighbours"
        if near.epsilon is not None:
            who = f"neighbours within {near.epsilon:g}"
        paths = f"shortest paths through {who} (Isomap)"
    dimensions = counted(problem.n_components, "hidden dimension")
    acting = _ACTING[problem.coef_kind]
    scale = SCALES[problem.scale]
    return (
        f"{dimensions}; {acting} ({problem.coef_kind} B); {weights}; {paths}; "
        f"{problem.scale} scale: {scale.believed.rstrip('.').lower()}"
    )


def _shares(fit: Fit) -> str:
    """B in words: what share of the squared distances each known feature makes."""
    if coincide(fit.points):
        return "All objects coincide."
    shares = fit.contributions()
    parts = [f"{safe_name(name)} {safe_share(share)}" for name, share in shares.items()]
    return "; ".join([*parts, f"what is hidden {safe_share(1 - sum(shares.values()))}"])


def _search(fit: Fit) -> str:
    starts = f"best of {counted(fit.n_starts, 'start')} with seed {fit.seed}"
    solver = f"solver {escaped(fit.solver)}"
    if fit.converged:
        return f"converged after {counted(fit.n_iter, 'iteration')}; {starts}; {solver}"
    warning = "the map may differ from the best one"
    return f"<strong>not converged</strong> ({escaped(fit.stopped)}): {warning}; {starts}; {solver}"


def _alternatives(fit: Fit) -> str:
    count = len(fit.alternatives)
    first = f"with {safe_share(fit.alternatives[0].stress, decimals=2)} unexplained"
    return f"1 other minimum, {first}" if count == 1 else f"{count} other minima, the next {first}"


def _features(journey: Journey) -> str:
    if not len(journey.features):
        return ""
    lines = [
        (
            safe_name(feature.name),
            _kind(feature),
            str(int(feature.missing.sum())),
            safe_name(feature.origin),
        )
        for feature in journey.features.features
    ]
    table = as_table(("Feature", "Kind", "Missing", "Where it came from"), lines)
    return f"<section><h2>Features</h2>{table}</section>"


def _kind(feature: Feature) -> str:
    kind = KINDS[feature.kind]
    if feature.levels:
        order = "lowest first: " if kind.is_order else ""
        return f"{kind.name} ({order}{safe_names(feature.levels)})"
    return f"{kind.name}, period {feature.period:g}" if kind.has_period else kind.name


def _objects(journey: Journey) -> str:
    """Each object's features, and its place on the map that was looked at last."""
    head = [safe_name(name) for name in journey.features.names]
    columns = [[safe_value(v) for v in feature.shown()] for feature in journey.features.features]
    if journey.current is not None:
        places = journey.current.embedding
        head = [f"dimension {k + 1}" for k in range(places.shape[1])] + head
        columns = [[f"{v:.4g}" for v in column] for column in places.T.tolist()] + columns
    names = [safe_name(label) for label in journey.dissimilarities.labels]
    lines = zip(names, *columns, strict=True)
    return f"<section><h2>Objects</h2>{as_table(('Object', *head), lines)}</section>"


_HOW_TO_READ = """
<section><h2>How to read this</h2>
<p>Each map shows what is left of the dissimilarities once the known features are taken out:
objects are far apart on it where they differ for reasons that are not known yet. The share
unexplained is the normalised stress, the squared differences between the fitted distances and
the dissimilarities as a share of the squared dissimilarities.</p>
<p>A feature that was read off a map always lowers the share unexplained when it is added, so
that a lower share does not prove it. Whether a feature helps is judged on pairs held out of the
fit, where that was asked for. A feature that was read off a map has seen these pairs as well: it is
read off anew without them where that can be done, and gets no p-value.</p>
<p>The directions of the axes mean nothing by themselves; only distances do. What two known
features make of the distances together is halved between them.</p>
</section>"""
