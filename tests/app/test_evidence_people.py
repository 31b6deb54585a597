"""Do people differ: the panel, its pictures, and when it cannot be asked, without a browser."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from page_tools import SECONDS, computed, press, said, workspace_of
from scipy.spatial.distance import pdist, squareform
from streamlit.testing.v1 import AppTest

from cml_app.panels import drafting
from cml_app.pictures.evidence_people import people_by_weights
from cml_app.pictures.figures import ink
from cml_core.drawing.arrow import Arrow
from cml_core.evidence.individuals import Individuals, individuals
from cml_core.evidence.result import ResultKind
from cml_core.report.tables import bundle
from cml_core.values.arrays import frozen

INK = ink(dark=False)
Look = Callable[..., AppTest]


def stacked(people: int = 6, objects: int = 9) -> bytes:
    """A table for each person, who stretch two dimensions in ways of their own."""
    random = np.random.default_rng(0)
    places = random.normal(size=(objects, 2))
    weights = random.uniform(0.3, 1.5, size=(people, 2))
    tables = [squareform(np.round(pdist(places * own), 3)) for own in weights]
    saved = io.BytesIO()
    np.save(saved, np.array(tables))
    return saved.getvalue()


def page(content: bytes | None, beside_the_map: bool = False) -> None:
    """The script of a page about a map of answers, or of a single table: one topic, or the map."""
    import streamlit as st

    from cml_app import this_server, visits
    from cml_app.panels import map_view
    from cml_app.panels.evidence import chips, topics
    from cml_app.shell import open_page
    from cml_core import FeatureTable
    from cml_core.files.source import RawFile, Source
    from cml_core.journey.journey import Journey

    if "begun" not in st.session_state:
        st.session_state["begun"] = True
        if content is None:
            visits.begin_example("kinship14")
        else:
            source = Source((RawFile("people.npy", content),))
            values = source.dissimilarities()
            known = FeatureTable(values.labels)
            visits.begin(Journey.begun("People", values, known, this_server.now(), source=source))
    with open_page("Discover" if beside_the_map else "Evidence") as workspace:
        if beside_the_map:
            map_view.show(workspace)
            chips.show(workspace)
        else:
            topics.show(workspace, "Do people differ?")


@pytest.fixture
def look(begun_anew: None) -> Look:
    def at(content: bytes | None, beside_the_map: bool = False) -> AppTest:
        asked = (content, beside_the_map)
        return AppTest.from_function(page, default_timeout=SECONDS, args=asked).run()

    return at


def of_weights(weights: list[list[float]], with_others: list[float]) -> Individuals:
    count = len(weights)
    values = frozen(np.array(weights))
    some = frozen(np.full(count, 0.2))
    return Individuals(
        people=tuple(f"person <{k}>" for k in range(count)),
        dimensions=("Dimension 1", "Dimension 2", "Size"),
        weights=values,
        shares=frozen(values**2 / (values**2).sum(axis=1, keepdims=True)),
        places=frozen(np.eye(5, 2)),
        unexplained=some,
        unexplained_alike=some,
        not_told=some,
        not_told_alike=some,
        between=0.6,
        with_others=frozen(np.array(with_others)),
        common=frozen(np.full(count, 100)),
        not_fitted=(),
        coarse=False,
        folds=5,
        seed=0,
        rotations=4,
        agreeing=4,
    )


def test_people_stand_at_their_weights_on_axes_of_one_scale_from_nought() -> None:
    found = of_weights([[1.0, 0.5, 0.2], [0.3, 1.4, 0.9], [1.1, 1.0, 0.7]], [0.8, 0.8, 0.8])
    figure = people_by_weights(found, 2, 0, INK)
    people = next(one for one in figure.data if one.mode == "markers")
    assert list(people.x) == [0.2, 0.9, 0.7]
    assert list(people.y) == [1.0, 0.3, 1.1]
    assert figure.layout.xaxis.title.text == "Weight of Size"
    assert figure.layout.xaxis.range == figure.layout.yaxis.range
    assert figure.layout.xaxis.range[0] == 0
    assert figure.layout.yaxis.scaleanchor == "x"
    # Names are texts, never markup, and shares are told of each.
    assert all("person &lt;" in text for text in people.text)
    assert "77.5 %" in people.text[0].replace("\u00a0", " ")


def test_who_is_unlike_the_others_has_a_ring() -> None:
    weights = [[1.0, 0.5, 0.2]] * 4
    alike = of_weights(weights, [0.8, 0.8, 0.8, 0.8])
    assert not [one for one in people_by_weights(alike, 0, 1, INK).data if one.showlegend]
    one_off = replace(alike, with_others=frozen(np.array([0.8, 0.1, 0.8, 0.8])))
    (ring,) = [one for one in people_by_weights(one_off, 0, 1, INK).data if one.showlegend]
    assert ring.name == "Unlike the others"
    assert list(ring.x) == [1.0]


@pytest.mark.slow
def test_of_one_table_it_cannot_be_asked_and_the_way_on_is_said(look: Look) -> None:
    app = look(None)
    assert not app.exception
    assert "single people answered is not known" in said(app)
    assert not [one for one in app.button if one.key == "run-Individuals"]


@pytest.mark.slow
def test_people_are_weighed_and_shown_one_by_one(look: Look) -> None:
    app = look(stacked())
    assert not app.exception
    assert "Gives each of 6 people weights" in said(app)
    app.number_input(key="count-Individuals").set_value(2).run()
    computed(app.button(key="run-Individuals").click().run())
    assert not app.exception
    assert not app.error
    found = workspace_of(app).step.result(ResultKind(Individuals))
    assert found is not None
    assert all(part in said(app) for part in found.verdicts)
    rows = next(one.value for one in app.dataframe if "Agrees with the others" in one.value)
    assert list(rows["Person"]) == list(found.people)
    assert list(rows["Dimension 1"]) == pytest.approx(list(100 * found.shares[:, 0]))
    alts = [one.proto.alt for one in app.get("plotly_chart")]
    assert any(alt.startswith("The map that all share") for alt in alts)
    app.selectbox(key="people-Across").set_value(1).run()
    assert not app.exception
    assert b"people.csv" in bundle(workspace_of(app).journey)


@pytest.mark.slow
def test_beside_the_map_one_chooses_between_people_on_average_and_weighted_people(
    look: Look,
) -> None:
    app = look(stacked(), beside_the_map=True)
    held = workspace_of(app)
    answers = held.journey.answers
    assert answers is not None
    found = individuals(held.step.fit, answers, folds=2)
    held.change(held.journey.found(held.step.id, found, "2026-01-31T12:00:00+00:00"))
    app.run()
    assert all(part in said(app) for part in found.verdicts)
    whose = next(one for one in app.selectbox if one.label == "Whose map")
    assert whose.value == "Map: people on average"
    whose.set_value("Map: weighted people").run()
    assert not app.exception
    assert (workspace_of(app).shown == found.places).all()
    assert "Map that 6 people share, each with weights of their own" in said(app)
    assert "cannot be turned" in said(app)
    places = found.places
    drawn = drafting.read_off(workspace_of(app), Arrow(tuple(places[0]), tuple(places[1])))
    assert "on the map that 6 people share, each with weights of their own" in drawn.origin
    assert drawn.read_off_map
    press(app, "Back to the map")
    held = workspace_of(app)
    assert held.shown is held.step.embedding
    press(app, "Show the map of weighted people")
    assert (workspace_of(app).shown == found.places).all()


@pytest.mark.slow
def test_of_one_table_there_is_nobody_to_choose_beside_the_map(look: Look) -> None:
    app = look(None, beside_the_map=True)
    assert not app.exception
    assert "Whose map" not in [one.label for one in app.selectbox]
    assert "Do people differ?" not in said(app)
