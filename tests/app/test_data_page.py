"""The Data page, run without a browser: what is brought, chosen, and made of it."""

from __future__ import annotations

import gc
import json
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from page_tools import button, intake, made, page_of, press, workspace_of
from streamlit.runtime.state.session_state import SessionState
from streamlit.runtime.uploaded_file_manager import UploadedFile
from streamlit.testing.v1 import AppTest

from cml_app import off_the_page
from cml_core import Feature, load_dataset
from cml_core.files import writing
from cml_core.journey.file import from_json, to_json

# Together they take longer than `make quick` has.
pytestmark = pytest.mark.slow

ONE_WAY = b",a,b,c,d\na,0,1,2,3\nb,1.5,0,1,2\nc,2,1,0,1\nd,3,2,1,0\n"
GROUPS = b"name,size,sort\na,1,x\nb,2,y\nc,3,x\nd,4,y\n"
MONTHS = b"name,month\na,January\nb,May\nc,March\nd,July\n"
WEIGHTED = b"from,to,value,weight\na,b,1,2\na,c,2,1\nb,c,3,4\na,d,1,1\nb,d,2,1\nc,d,2,1\n"


@pytest.fixture
def app(begun_anew: None) -> AppTest:
    return page_of().run().switch_page("pages/1_Data.py").run()


def bring(app: AppTest, *files: tuple[str, bytes], field: int = 0) -> AppTest:
    uploads = [(name, data, "text/plain") for name, data in files]
    return app.file_uploader[field].set_value(uploads if field == 0 else uploads[0]).run()


def choose(app: AppTest, label: str, title: str) -> AppTest:
    radio = next(one for one in app.radio if one.label == label)
    # The test harness formats what it is given as the page formats its choices.
    return radio.set_value(SimpleNamespace(title=title)).run()


def edit(app: AppTest, changes: dict[int, dict[str, Any]]) -> AppTest:
    """What the browser sends when cells of the table of features are changed."""
    source = intake(app).features
    assert source is not None
    key = f"kinds-{source.file.digest[:12]}-{source.sheet}-0"
    app.session_state[key] = {"edited_rows": changes, "added_rows": [], "deleted_rows": []}
    return app.run()


def said(app: AppTest) -> str:
    shown = (*app.markdown, *app.caption, *app.error, *app.info)
    return "\n".join(str(one.value).replace("\\", "") for one in shown)


def test_any_file_may_be_brought_and_what_holds_no_table_is_answered(app: AppTest) -> None:
    tables, features, _, _ = (field.allowed_type for field in app.file_uploader)
    assert not tables
    assert not features
    bring(app, ("tree.nwk", b"((a:0.1,b:0.2):0.3,c:0.4);"))
    assert "a tree (Newick)" in said(app)


def test_a_name_with_half_a_character_is_shown_with_a_mark_in_its_place(app: AppTest) -> None:
    names = ("x\ud800", "b", "c", "d")
    table = {one: {other: float(one != other) for other in names} for one in names}
    bring(app, ("halves.json", json.dumps(table).encode()))
    assert "went wrong" not in said(app)
    assert made(app).journey.dissimilarities.labels == ("x\ufffd", "b", "c", "d")


def test_nothing_is_chosen_silently(app: AppTest) -> None:
    bring(app, ("distances.csv", ONE_WAY))
    assert button(app, "Make a map").disabled
    assert "d(a, b) = 1 but d(b, a) = 1.5" in said(app)
    choose(app, "Where the two directions differ", "Average both directions")
    assert not button(app, "Make a map").disabled
    held = made(app)
    assert held.journey.dissimilarities.between("a", "b") == 1.25
    assert held.journey.source.preparation.asymmetry == "average"


def test_of_a_file_whose_field_is_gone_nothing_is_held(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("_remove_stale_widgets", "_widget_changed"):
        # As it was, once the test has ended.
        monkeypatch.setattr(SessionState, name, getattr(SessionState, name))
    off_the_page.remember()

    def held() -> bool:
        gc.collect()
        uploaded = (one for one in gc.get_objects() if type(one) is UploadedFile)
        return any(one.name == "held distances.csv" for one in uploaded)

    bring(app, ("held distances.csv", ONE_WAY.replace(b"1.5", b"1")))
    assert held()
    made(app)
    assert not held()


def test_a_title_and_a_mend_given_at_once_both_hold(app: AppTest) -> None:
    bring(app, ("distances.csv", ONE_WAY))
    next(one for one in app.text_input if one.label == "Title").set_value("Four letters")
    choose(app, "Where the two directions differ", "Average both directions")
    assert (intake(app).title, intake(app).preparation.asymmetry) == ("Four letters", "average")
    assert made(app).journey.title == "Four letters"


@pytest.mark.slow
def test_choices_of_features_survive_a_look_at_another_page(app: AppTest) -> None:
    bring(app, ("distances.csv", ONE_WAY.replace(b"1.5", b"1")))
    bring(app, ("groups.csv", GROUPS), field=1)
    edit(app, {0: {"used": False}, 1: {"called": "type"}})
    before = intake(app).features.choices
    assert len(before) == 2
    app.switch_page("pages/2_Discover.py").run()
    app.switch_page("pages/1_Data.py").run()
    assert intake(app).features.choices == before
    assert made(app).journey.features.names == ("type",)


@pytest.mark.slow
def test_an_order_may_be_written_with_commas(app: AppTest) -> None:
    bring(app, ("distances.csv", ONE_WAY.replace(b"1.5", b"1")))
    bring(app, ("groups.csv", GROUPS), field=1)
    edit(app, {1: {"kind": "ordinal", "order": "y, x"}})
    assert made(app).journey.features["sort"].levels == ("y", "x")


def test_what_is_wrong_with_features_keeps_the_map_from_being_made(app: AppTest) -> None:
    bring(app, ("distances.csv", ONE_WAY.replace(b"1.5", b"1")))
    bring(app, ("groups.csv", GROUPS), field=1)
    edit(app, {1: {"kind": "ordinal", "order": "y"}})
    assert len(app.error) == 1
    assert button(app, "Make a map").disabled
    edit(app, {1: {"kind": "ordinal", "order": "y < x"}})
    assert not button(app, "Make a map").disabled


def test_months_become_circular_with_a_period_of_their_own(app: AppTest) -> None:
    bring(app, ("distances.csv", ONE_WAY.replace(b"1.5", b"1")))
    bring(app, ("months.csv", MONTHS), field=1)
    edit(app, {0: {"kind": "circular"}})
    month = made(app).journey.features["month"]
    assert (month.kind, month.period) == ("circular", 12.0)


def test_a_column_that_names_every_object_is_offered_as_their_names(app: AppTest) -> None:
    bring(app, ("distances.csv", ONE_WAY.replace(b"1.5", b"1")))
    named = GROUPS.replace(b"sort", b"sort,tree").replace(b"1,x", b"1,x,Ash")
    for row, tree in ((b"2,y", b"Beech"), (b"3,x", b"Cedar"), (b"4,y", b"Dogwood")):
        named = named.replace(row, row + b"," + tree)
    bring(app, ("groups.csv", named), field=1)
    box = next(one for one in app.checkbox if one.label.startswith("Call the objects by tree"))
    box.set_value(True).run()
    held = made(app)
    assert held.journey.dissimilarities.labels == ("Ash", "Beech", "Cedar", "Dogwood")
    assert held.journey.features.names == ("size", "sort")
    assert held.journey.source.dissimilarities().between("Ash", "Dogwood") == 3


@pytest.mark.slow
def test_features_alone_are_asked_for_their_dissimilarities(app: AppTest) -> None:
    bring(app, ("groups.csv", GROUPS), field=1)
    assert "bring the dissimilarities as well" in said(app)
    bring(app, ("distances.csv", ONE_WAY.replace(b"1.5", b"1")))
    assert made(app).journey.features.names == ("size", "sort")


def test_one_more_file_keeps_the_choices_made(app: AppTest) -> None:
    first = ("ann, distances.csv", ONE_WAY)
    bring(app, first)
    choose(app, "Where the two directions differ", "Average both directions")
    bring(app, first, ("bob.csv", ONE_WAY.replace(b"3", b"4")))
    assert intake(app).preparation.asymmetry == "average"
    held = made(app)
    assert held.journey.title == "2 tables"
    assert held.journey.dissimilarities.between("a", "d") == 3.5
    assert any("mean" in step.lower() for step in held.journey.source.choices_in_words())


def test_weights_of_the_file_count_and_are_told(app: AppTest) -> None:
    bring(app, ("distances.csv", WEIGHTED))
    held = made(app)
    assert np.array_equal(held.step.problem.weights, held.journey.pair_weights)
    assert held.question.weights == "own"
    assert "Pairs were weighted as the file says." in held.journey.source.choices_in_words()
    assert from_json(to_json(held.journey)).source == held.journey.source


@pytest.mark.parametrize("key", [key for key in writing.TEMPLATES if key != "features"])
def test_every_template_can_be_brought(app: AppTest, key: str) -> None:
    kind = writing.TEMPLATES[key]
    bring(app, (f"template{kind.extension}", writing.template(key)))
    if key == "measurements":
        box = next(one for one in app.selectbox if one.label == "Compare by")
        box.set_value("euclidean").run()
    if "Is that right?" in said(app):
        choose(app, "Is that right?", "Right")
    assert made(app).journey.dissimilarities.n_objects == 5


def test_similarities_need_one_choice_and_give_the_map_of_the_example(app: AppTest) -> None:
    data = load_dataset("ekman")
    raw = data.raw.to_csv().encode()
    bring(app, ("ekman.csv", raw))
    assert "These are similarities" in said(app)


def test_what_is_not_certain_is_asked_and_may_be_answered_later(app: AppTest) -> None:
    rated = ONE_WAY.replace(b"1.5", b"1")
    bring(app, ("four.csv", rated))
    assert "Most alike: a and b. Is that right?" in said(app)
    assert button(app, "Make a map").disabled
    choose(app, "Is that right?", "The other way round")
    assert "Most alike: a and d." in said(app)
    held = made(app)
    assert held.journey.source.preparation.conversion == "from_max"
    app.switch_page("pages/2_Discover.py").run()
    size = Feature.of("numeric", "size", [1.0, 2.0, 4.0, 3.0])
    held.journey = held.journey.with_feature(size, held.journey.changed)
    press(app, "The other way round")
    turned = workspace_of(app)
    assert turned.journey.source.preparation.conversion == "dissimilarities"
    assert turned.journey.features.names == ("size",)
    assert turned.journey.dissimilarities.between("a", "d") == 3
    assert turned.token != held.token
    again = from_json(to_json(turned.journey))
    assert again.source.dissimilarities().between("a", "d") == 3
    assert "large values are for pairs that differ" in " ".join(again.source.choices_in_words())


def test_of_an_example_and_of_computed_distances_no_way_round_is_asked(app: AppTest) -> None:
    app.switch_page("pages/2_Discover.py").run()
    assert "The other way round" not in [one.label for one in app.button]


def test_too_many_objects_are_refused_with_the_limit(
    begun_anew: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CML_MAX_OBJECTS", "3")
    app = page_of("pages/1_Data.py").run()
    assert "3 objects" in said(app)
    bring(app, ("distances.csv", ONE_WAY))
    assert "3" in app.error[0].value
    assert not [one for one in app.button if one.label == "Make a map"]


def test_a_discarded_file_leaves_nothing(app: AppTest) -> None:
    bring(app, ("distances.csv", ONE_WAY))
    press(app, "Discard")
    assert "intake" not in app.session_state
    assert not [one for one in app.button if one.label == "Make a map"]
