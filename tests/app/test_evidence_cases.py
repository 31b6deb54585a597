"""A file of measurements: the page draws its cases anew, and says so; so does what goes home."""

from __future__ import annotations

import io
import zipfile

import numpy as np
from page_tools import SECONDS, computed, press, said, workspace_of
from streamlit.testing.v1 import AppTest

from cml_core.evidence.hidden_feature import HiddenFeature
from cml_core.evidence.result import ResultKind
from cml_core.evidence.stability import Stability
from cml_core.report.report import report_html
from cml_core.report.tables import bundle


def measured(objects: int = 16, cases: int = 40) -> bytes:
    """Two hidden features, which every case weighs in a way of its own, and unit errors."""
    random = np.random.default_rng(0)
    said = random.normal(size=(objects, 2)) @ random.normal(size=(2, cases))
    values = said + random.normal(size=said.shape)
    table = io.StringIO()
    np.savetxt(
        table,
        np.column_stack([np.arange(objects), values]),
        fmt=["object %d", *["%.4f"] * cases],
        delimiter=",",
        header=",".join(["name", *(f"case {k}" for k in range(cases))]),
        comments="",
    )
    return table.getvalue().encode()


def page(content: bytes, metric: str = "correlation", topic: str = "Is anything left?") -> None:
    """The script of a page about what was computed from measurements."""
    import streamlit as st

    from cml_app import this_server, visits
    from cml_app.panels.evidence import topics
    from cml_app.shell import open_page
    from cml_core import FeatureTable
    from cml_core.files.preparation import Preparation
    from cml_core.files.source import RawFile, Source
    from cml_core.journey.journey import Journey
    from cml_core.values.origin import Origin

    if "begun" not in st.session_state:
        st.session_state["begun"] = True
        choices = Preparation(format="measurements", metric=metric)
        source = Source((RawFile("measured.csv", content),), choices)
        values = source.dissimilarities()
        known = FeatureTable(values.labels)
        origin = Origin("measurements")
        visits.begin(
            Journey.begun(
                "Measured", values, known, this_server.now(), source=source, origin=origin
            )
        )
    with open_page("Evidence") as workspace:
        topics.show(workspace, topic)


def test_cases_are_drawn_anew_on_the_page_and_that_is_said(begun_anew: None) -> None:
    app = AppTest.from_function(page, default_timeout=SECONDS, args=(measured(),)).run()
    app.number_input(key="count-HiddenFeature").set_value(19).run()
    computed(press(app, "Test for one more"))
    held = workspace_of(app)
    found = held.step.result(ResultKind(HiddenFeature))
    assert isinstance(found, HiddenFeature)
    assert found.cases == 40
    words = "The 40 cases of which the numbers were computed were drawn anew."
    assert words in said(app)
    assert words in report_html(held.journey)
    with zipfile.ZipFile(io.BytesIO(bundle(held.journey))) as files:
        program = files.read(next(name for name in files.namelist() if name.endswith("map.py")))
    assert b"cases = SOURCE.cases()" in program


def test_the_steadiness_of_euclidean_distances_is_that_of_their_cases(begun_anew: None) -> None:
    arguments = (measured(), "euclidean", "Can I trust this map?")
    app = AppTest.from_function(page, default_timeout=SECONDS, args=arguments).run()
    assert app.radio(key="steady-what").options[0] == "Cases drawn again"
    assert "over 40 cases (columns) drawn again" in said(app)
    app.number_input(key="count-Stability/cases").set_value(20).run()
    computed(press(app, "Test the steadiness"))
    held = workspace_of(app)
    found = held.step.result(ResultKind(Stability, "cases"))
    assert isinstance(found, Stability)
    assert found.cases == 40
    # As plain distances: errors of measurement have pushed all objects apart.
    assert 'ask it of the map that counts them as "Differences"' in said(app)
    assert "Cases drawn again" in report_html(held.journey)
