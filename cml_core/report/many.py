"""The report of a loop with very many objects: one HTML page that needs nothing else."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from cml_core.many.loop import Candidate, Loop, LoopStep
from cml_core.many.maps import ManyMap
from cml_core.many.origins import Whence
from cml_core.report.evidence import sections_html
from cml_core.report.map_svg import POINT
from cml_core.report.page import page
from cml_core.report.parts import as_table, safe_name, safe_names, safe_share, safe_words
from cml_core.values.arrays import FloatArray

SIDE, EDGE, DOT = 640, 12, 1.8
# So many objects show the shape of a map, and a report stays small.
MOST_DOTS = 2000


def many_report(loop: Loop, found: ManyMap) -> str:
    """All steps, what was found about each, and the landmarks of the current map.

    Parameters
    ----------
    found : the map of the current step.
    """
    name = loop.whence.name
    sections = (_section(loop, number, step, found) for number, step in enumerate(loop.steps, 1))
    body = "".join([f"<h1>{safe_name(name)}</h1>", *_data(loop, found), *sections, _HOW_TO_READ])
    return page(name, body)


def _data(loop: Loop, found: ManyMap) -> Iterator[str]:
    compared = loop.vectors[0]
    if len(loop.vectors) > 1:
        compared = f"{compared} to {loop.vectors[-1]} ({len(loop.vectors)} columns)"
    yield (
        f"<p>{found.fit.problem.n_objects:,} objects, compared by {safe_name(compared)} "
        f"({safe_words(loop.measure)}).{_beside(loop.whence)} {len(found.fit.chosen):,} of them, "
        f"the landmarks, were fitted with all their pairs, the others placed among them; seed "
        f"{loop.seed}.</p>"
    )
    if loop.candidates:
        lines = ((safe_name(one.name), safe_words(_kind(one))) for one in loop.candidates)
        yield f"<h2>What may be known</h2>{as_table(('Column', 'Kind'), lines)}"


def _beside(whence: Whence) -> str:
    if whence.beside is None:
        return ""
    how = f"joined by {safe_name(whence.key)}" if whence.key else "row by row"
    return f" Further columns come from {safe_name(whence.beside.name)}, {how}."


def _kind(one: Candidate) -> str:
    period = f", beginning again after {one.period:g}" if one.period else ""
    order = f", {' < '.join(one.order)}" if one.order else ""
    return f"{one.kind}{period}{order}"


def _section(loop: Loop, number: int, step: LoopStep, found: ManyMap) -> str:
    known = f"Without {safe_names(step.known)}" if step.known else "Nothing known"
    left = "" if math.isnan(step.unexplained) else f"{safe_share(step.unexplained)} unexplained. "
    here = step.id == loop.current
    drawn = [one.name for one in loop.discoveries if one.step == step.id]
    told = f"Drawn on this map: {safe_names(drawn)}." if drawn else ""
    picture = f"<figure>{_landmarks(found)}</figure>" if here else ""
    judged = sections_html(step.found) or "<p>It was not judged.</p>"
    return (
        f"<section id='step-{number}'><h2>{number}. {known}</h2>"
        f"<p>{left}{told}{' Looked at last.' if here else ''}</p>{picture}{judged}</section>"
    )


def _landmarks(found: ManyMap) -> str:
    """Where the landmarks lie; lengths are the same in both directions."""
    points = found.places[found.fit.chosen[:MOST_DOTS]]
    places, height = _on_paper(points)
    dots = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{DOT}" fill="{POINT}" fill-opacity="0.7"/>'
        for x, y in places.tolist()
    )
    return (
        f'<svg viewBox="0 0 {SIDE} {height:.0f}" role="img" '
        f'aria-label="{len(points)} landmarks on the map">{dots}</svg>'
    )


def _on_paper(points: FloatArray) -> tuple[FloatArray, float]:
    low, high = points.min(axis=0), points.max(axis=0)
    scale = (SIDE - 2 * EDGE) / max(float((high - low).max()), 1e-300)
    places = np.column_stack([points[:, 0] - low[0], high[1] - points[:, 1]]) * scale + EDGE
    return places, float(places[:, 1].max()) + EDGE


_HOW_TO_READ = """<section><h2>How to read this</h2>
<p>What is known is taken out of how the objects differ; the map shows what is left. Unexplained is
the share of the squared dissimilarities that map and known features leave, estimated from a sample
of objects. The directions of the axes mean nothing by themselves; only distances do.</p>
</section>"""
