"""Features come to a project that exists, and nothing it has is lost."""

from __future__ import annotations

import pytest
from page_tools import page_of, press, said, tick, workspace_of
from streamlit.testing.v1 import AppTest

pytestmark = pytest.mark.usefixtures("begun_anew")

FACTS = (
    b"term;Degree;letters;code\n"
    b"Aunt;1;4;a\nBrother;1;7;b\nDaughter;1;8;c\nFather;1;6;d\nGranddaughter;2;13;e\n"
    b"Grandfather;2;11;f\nGrandmother;2;11;g\nGrandson;2;8;h\nMother;1;6;i\nNephew;1;6;j\n"
    b"Niece;1;5;k\nSister;1;6;l\nSon;1;3;m\n"
)


def bring(app: AppTest, name: str, content: bytes) -> AppTest:
    field = next(one for one in app.file_uploader if one.label.startswith("Further features"))
    return field.set_value((name, content, "text/csv")).run()


def test_new_features_are_joined_by_name_and_can_be_ticked_at_once() -> None:
    app = tick(page_of("pages/2_Discover.py").run(), "Gender")
    before = workspace_of(app).journey
    app = bring(app, "facts.csv", FACTS)
    journey = workspace_of(app).journey
    assert set(journey.features.names) == {*before.features.names, "letters"}
    # What was there stays as it was, although the file has a feature of that name.
    assert journey.features["Degree"].identity() == before.features["Degree"].identity()
    assert journey.steps == before.steps
    for words in (
        "1 feature from facts.csv: letters.",
        "'Degree' is there already, so it was left out.",
        "'code' names every object differently, so it was left out.",
        "13 of 14 objects have a row of exactly their name.",
        "No row was found for 'Uncle'",
    ):
        assert words in said(app)
    app = tick(app, "letters")
    assert workspace_of(app).step.problem.known.names == ("Gender", "letters")
    assert workspace_of(app).step.problem.known["letters"].missing.sum() == 1


def test_features_that_came_are_taken_back_by_undo() -> None:
    app = bring(tick(page_of("pages/2_Discover.py").run(), "Gender"), "facts.csv", FACTS)
    held = workspace_of(app)
    held.undo()
    assert "letters" not in held.journey.features
    held.redo()
    assert "letters" in held.journey.features


def test_a_file_about_other_objects_changes_nothing_and_says_so() -> None:
    app = page_of("pages/2_Discover.py").run()
    before = workspace_of(app).journey
    app = bring(app, "cities.csv", b"city,size\nOslo,1\nRome,2\nParis,3\n")
    assert workspace_of(app).journey == before
    assert app.error[0].value.startswith("**")
    assert "Oslo" in app.error[0].value
    app = bring(app, "facts.pdf", b"%PDF-1.7\n")
    assert workspace_of(app).journey == before
    assert len(app.error) == 1
    app = press(app, "All")
    assert not app.error
