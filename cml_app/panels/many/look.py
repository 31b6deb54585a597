"""The map, its colours, what is drawn on it, and how that gets a name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import streamlit as st

from cml_app import messages
from cml_app.discovery_map import Colouring
from cml_app.many.held import held
from cml_app.many.visit import Visit
from cml_app.point_map import Names, NewPoints, PointMapState, PointScene, point_map
from cml_app.scenes import colouring
from cml_core import Feature
from cml_core.drawing.region import Region
from cml_core.errors import ConditionalMappingError
from cml_core.many.loop import Loop
from cml_core.many.maps import ManyMap, feature
from cml_core.many.newcomers import PlacedNewcomers
from cml_core.values.arrays import BoolArray
from cml_core.values.words import in_a_sentence, percent

KEY = "points"
HOW_CLOSE = ""
UNEXPLAINED = "\N{ZERO WIDTH SPACE}unexplained"
TRUTH = "\N{ZERO WIDTH SPACE}truth: "


def show(visit: Visit) -> PointMapState | None:
    """The map of the current step; while it is made, the objects that are placed so far."""
    loop, found = visit.loop, visit.map
    assert loop is not None
    arriving = visit.job.arriving if visit.job is not None else None
    places = found.places if found is not None else arriving
    if places is None:
        return None
    colour = _colour(visit, found)
    scene = PointScene(
        map_id=f"{visit.token}/{loop.current}",
        places=places,
        title=loop.whence.name,
        colour=colour,
        names=visit.once("names", loop.table(), lambda: _names(loop, len(places))),
        newcomers=_newcomers(visit) if found is not None and found.whole else None,
        revision=visit.revision_of_map,
    )
    state = point_map(scene, key=KEY, height="stretch")
    _pointed(visit, found, state)
    return state


def _names(loop: Loop, n_objects: int) -> Names | None:
    """What objects are called, where a column says so."""
    at_hand = held()
    return Names(lambda few: at_hand.opened(loop).called(few), n_objects) if loop.called else None


def _newcomers(visit: Visit) -> NewPoints | None:
    """New objects as the map shows them."""
    placed, about = visit.newcomers.found, f"{visit.newcomers.number} {visit.newcomers.about}"
    if not isinstance(placed, PlacedNewcomers):
        return None
    new: NewPoints = visit.once("newcomers", about, lambda: _drawn_new(placed))
    return new


def _drawn_new(placed: PlacedNewcomers) -> NewPoints:
    names = tuple(
        f"{name}, further off" if beyond else name
        for name, beyond in zip(placed.names, placed.beyond, strict=True)
    )
    return NewPoints(placed.drawn, placed.found.far, names)


def _colour(visit: Visit, found: ManyMap | None) -> Colouring | None:
    loop = visit.loop
    assert loop is not None
    whole = found is not None and found.whole
    names = [*loop.names, *([UNEXPLAINED] if whole else [])]
    if visit.uncovered:
        names += [f"{TRUTH}{one.name}" for one in held().opened(loop).truth()]
    chosen: str = st.selectbox(
        "Colour by",
        [HOW_CLOSE, *names],
        index=[HOW_CLOSE, *names].index(visit.colour) if visit.colour in names else 0,
        format_func=_in_words,
        key=f"many-colour-{visit.revision}",
    )
    visit.colour = chosen
    if not chosen or found is None:
        return None
    of = f"{chosen} {loop.question(loop.current)}"
    try:
        painted: Colouring = visit.once("colour", of, lambda: _painted(visit, found, chosen))
    except ConditionalMappingError as error:
        messages.show(error)
        return None
    return painted


def _in_words(name: str) -> str:
    if not name:
        return "How close they lie"
    if name == UNEXPLAINED:
        return "What is unexplained of each"
    return name.replace(TRUTH, "Hidden in truth: ")


def _painted(visit: Visit, found: ManyMap, name: str) -> Colouring:
    if name == UNEXPLAINED:
        return colouring(Feature.numeric("unexplained", found.fit.placed.unexplained))
    if name.startswith(TRUTH):
        hidden = held().opened(visit.made).truth()
        return colouring(next(one for one in hidden if name == f"{TRUTH}{one.name}"))
    return colouring(_feature(visit, name))


def _feature(visit: Visit, name: str) -> Feature:
    """A feature of all objects, of maps that are at hand."""
    return feature(held().opened(visit.made), visit.made, name, visit.map_at)


def _pointed(visit: Visit, found: ManyMap | None, state: PointMapState) -> None:
    """What is known of the object that was clicked."""
    i = state.pointed
    if i is None or found is None:
        return
    loop, opened = visit.made, held().opened(visit.made)
    told = [opened.called(np.array([i]))[0]]
    for one in loop.candidates:
        column = opened.column(one)
        told.append(f"{one.name} {column.taken(np.array([i])).shown()[0]}")
    share = found.fit.placed.unexplained[i]
    if not np.isnan(share):
        told.append(f"{percent(float(share))} unexplained")
    st.caption(messages.plain(", ".join(map(str, told))))


def discovery(visit: Visit, state: PointMapState | None) -> None:
    """What was drawn becomes a feature of all objects once it has a name."""
    found = visit.map
    if state is None or found is None or not found.whole:
        return
    drawn = _drawn(state)
    with st.container(key="discovery", border=True):
        st.header("Discovery")
        if drawn is None:
            st.caption(
                "Draw an arrow or a curve along which objects differ, or encircle some of them: "
                "every object gets its value."
            )
            return
        try:
            _told(visit, found, drawn)
        except ConditionalMappingError as error:
            messages.show(error)
            return
        _naming(visit, drawn)


def _drawn(state: PointMapState) -> Mapping[str, Any] | None:
    if state.drawing is not None:
        return state.drawing.to_wire()
    if state.region is not None:
        return {"kind": "region", "points": np.asarray(state.region).tolist()}
    return None


def _told(visit: Visit, found: ManyMap, drawn: Mapping[str, Any]) -> None:
    """What the drawing says of all objects."""
    if drawn["kind"] != "region":
        st.markdown(f"Each of {len(found.places):,} objects gets its place along it.")
        return
    region = Region(tuple((x, y) for x, y in drawn["points"]))
    inside = region.inside(found.places)
    st.markdown(f"**{int(inside.sum()):,}** of {inside.size:,} objects lie inside.")
    if lines := visit.once("inside", f"{drawn}", lambda: _differs(visit, inside)):
        st.caption(messages.plain(f"More often inside than elsewhere: {'; '.join(lines)}."))


def _differs(visit: Visit, inside: BoolArray) -> list[str]:
    """Groups of the columns that are more frequent inside, most of all first."""
    opened, found = held().opened(visit.made), []
    for one in visit.made.candidates:
        column = opened.column(one)
        for code, level in enumerate(column.levels):
            here = float((column.values[inside] == code).mean())
            there = float((column.values[~inside] == code).mean())
            shares = f"{percent(here)} inside, {percent(there)} elsewhere"
            found.append((here - there, f"{one.name} {in_a_sentence(level)} ({shares})"))
    return [words for more, words in sorted(found, reverse=True)[:3] if more > 0.05]


def _naming(visit: Visit, drawn: Mapping[str, Any]) -> None:
    with st.form("many-naming", border=False):
        name = st.text_input("Name", key=f"many-name-{visit.revision}", placeholder="What is it?")
        if st.form_submit_button("Add to known", type="primary"):
            visit.attempt(visit.add, name, drawn)
            st.rerun()
