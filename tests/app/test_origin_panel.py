"""Where the numbers come from: told by files of people, asked of a table, kept in the project."""

from __future__ import annotations

import numpy as np
import pytest
from page_tools import page_of, said, workspace_of
from streamlit.testing.v1 import AppTest

from cml_app import this_server
from cml_core.evidence.hidden_feature import HiddenFeature
from cml_core.files import writing
from cml_core.journey.file import from_json
from cml_core.journey.journey import Journey
from cml_core.values.arrays import frozen
from cml_core.values.origin import Origin

# Together they take longer than `make quick` has.
pytestmark = pytest.mark.slow

ALARM = HiddenFeature(2, 0.547, frozen(np.array([0.1, 0.2, 0.3])), 0.005, 0.5, 7)
TABLE = b",a,b,c,d\na,0,1,2,3\nb,1,0,1,2\nc,2,1,0,1\nd,3,2,1,0\n"


@pytest.fixture
def app(begun_anew: None) -> AppTest:
    return page_of().run().switch_page("pages/1_Data.py").run()


def brought(app: AppTest, name: str, data: bytes) -> AppTest:
    app.file_uploader[0].set_value([(name, data, "text/plain")]).run()
    next(one for one in app.button if one.label == "Make a map").click()
    app.run()
    assert not app.exception
    return app.switch_page("pages/1_Data.py").run()


def asked(app: AppTest) -> AppTest:
    return next(one for one in app.expander if one.label == "Where do the numbers come from?")


def choose(app: AppTest, kind: str) -> AppTest:
    box = next(one for one in app.selectbox if one.label == "How the numbers were made")
    return box.set_value(kind).run()


def number(app: AppTest, label: str):
    return next(one for one in app.number_input if one.label.startswith(label))


def stored(app: AppTest) -> Journey:
    held = workspace_of(app)
    assert held.token is not None
    saved = this_server.store().load(held.token, this_server.moment())
    return from_json(saved.document)


def test_a_list_of_ratings_says_who_answered_and_how_much_they_agree(app: AppTest) -> None:
    brought(app, "distances.csv", writing.template("ratings"))
    assert "There are answers of 3 people, each on 10 pairs; their mean is mapped." in said(app)
    assert "correlate by" in said(app)
    assert "3 people rated pairs on a scale." in said(app)
    assert stored(app).origin == Origin("ratings", people=3)
    assert not asked(app).proto.expanded
    assert not [one for one in app.number_input if one.label.startswith("How many")]


def test_a_sorting_is_kept_person_by_person(app: AppTest) -> None:
    brought(app, "sorting.csv", writing.template("sorting"))
    assert "3 people sorted objects into groups." in said(app)
    answers = stored(app).answers
    assert answers is not None
    assert answers.people == ("Anna", "Otto", "Zoe")


def test_of_a_plain_table_it_is_asked_and_what_is_said_is_kept(app: AppTest) -> None:
    brought(app, "distances.csv", TABLE)
    assert asked(app).proto.expanded
    choose(app, "ratings")
    number(app, "How many people").set_value(16).run()
    number(app, "The lowest").set_value(1.0).run()
    assert stored(app).origin == Origin("ratings", people=16)
    number(app, "The highest").set_value(7.0).run()
    assert stored(app).origin == Origin("ratings", people=16, lowest=1, highest=7)
    assert "16 people rated pairs on a scale from 1 to 7." in said(app)
    choose(app, "correlations")
    number(app, "Over how many cases").set_value(60).run()
    assert stored(app).origin == Origin("correlations", cases=60)
    choose(app, "unknown")
    assert stored(app).origin == Origin()


def test_a_scale_that_ends_below_its_beginning_is_refused(app: AppTest) -> None:
    brought(app, "distances.csv", TABLE)
    choose(app, "ratings")
    number(app, "The lowest").set_value(7.0).run()
    number(app, "The highest").set_value(1.0).run()
    assert "ends at 1, below 7" in "\n".join(one.value for one in app.error)
    assert workspace_of(app).journey.origin == Origin("ratings")


def test_an_example_says_what_is_known_and_asks_nothing(app: AppTest) -> None:
    assert "People sorted objects into groups." in said(app)
    assert not asked(app).proto.expanded
    assert workspace_of(app).token is None


def test_what_was_said_speaks_for_a_scale_on_the_discover_page(app: AppTest) -> None:
    brought(app, "distances.csv", TABLE)
    choose(app, "counts")
    app.switch_page("pages/2_Discover.py").run()
    assert 'speaks for "A power"' in said(app)


def test_of_ones_own_table_it_is_asked_beside_the_map_and_what_it_decides_is_asked_anew(
    app: AppTest,
) -> None:
    brought(app, "distances.csv", TABLE)
    app.switch_page("pages/2_Discover.py").run()
    held = workspace_of(app)
    held.journey = held.journey.found(held.step.id, ALARM, this_server.now())
    held.keep()
    choose(app, "sorting")
    assert not app.exception
    assert 'speaks for "Only the order"' in said(app)
    assert workspace_of(app).step.results == ()
    assert stored(app).current.results == ()
    # Who answered wrongly mends it in the same place.
    choose(app, "pairs")
    assert stored(app).origin == Origin("pairs")


def test_beside_the_map_nothing_is_asked_of_examples_and_of_what_people_said(app: AppTest) -> None:
    for name, content in (("", b""), ("distances.csv", writing.template("ratings"))):
        if name:
            brought(app, name, content)
        app.switch_page("pages/2_Discover.py").run()
        assert "How the numbers were made" not in [one.label for one in app.selectbox]
        app.switch_page("pages/1_Data.py").run()
