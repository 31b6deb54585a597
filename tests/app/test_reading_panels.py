"""The Data page asks what a file leaves open, and helps where it cannot be read."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from page_tools import button, field, intake, made, page_of, press
from streamlit.testing.v1 import AppTest

from cml_app.panels import bring as panel

pytestmark = pytest.mark.slow

LIST = "wer,links,rechts,wieviel\n" + "".join(
    f"{who},{a},{b},{value + k}\n"
    for k, who in enumerate("ABC")
    for a, b, value in (("x", "y", 1), ("x", "z", 4), ("y", "z", 5), ("w", "x", 2), ("w", "y", 3))
)
MILES = ",a,b,c,d\na,0,587,1.212,701\nb,587,0,920,940\nc,1.212,920,0,879\nd,701,940,879,0\n"
GAPS = MILES.replace("1.212", "k. A.")
TOWNS = ",Москва,Київ,Львів\nМосква,0,1,2\nКиїв,1,0,3\nЛьвів,2,3,0\n".encode("cp1251")
ABOVE = "A title,\n\n" + MILES.replace("1.212", "odd")


@pytest.fixture
def app(begun_anew: None) -> AppTest:
    return page_of().run().switch_page("pages/1_Data.py").run()


def bring(app: AppTest, name: str, data: str | bytes, at: int = 0) -> AppTest:
    content = data.encode() if isinstance(data, str) else data
    upload = (name, content, "text/plain")
    return app.file_uploader[at].set_value([upload] if at == 0 else upload).run()


def said(app: AppTest) -> str:
    shown = (*app.markdown, *app.caption, *app.error)
    return "\n".join(str(one.value).replace("\\", "") for one in shown)


def choose(app: AppTest, label: str, title: str) -> AppTest:
    radio = next(one for one in app.radio if one.label == label)
    return radio.set_value(SimpleNamespace(title=title)).run()


def role(app: AppTest, column: str, name: str) -> AppTest:
    box = next(one for one in app.selectbox if one.label.startswith(column))
    return box.set_value(name).run()


def test_columns_of_a_list_are_said_with_a_preview_and_people_stay_people(app: AppTest) -> None:
    bring(app, "list.csv", LIST)
    assert "no column is said to be" in said(app) or "Long list of pairs" in said(app)
    for column, name in (
        ("wer", "person"),
        ("links", "first"),
        ("rechts", "second"),
        ("wieviel", "value"),
    ):
        role(app, column, name)
    assert "List of ratings by several people: 4 objects (x, y, z and 1 more), 3 people" in said(
        app
    )
    press(app, "Read it so")
    assert intake(app).preparation.roles[0] == ("wer", "person")
    choose(app, "Is that right?", "Right")
    held = made(app)
    assert held.journey.answers is not None
    assert held.journey.answers.people == ("A", "B", "C")


def test_columns_that_make_no_list_say_what_lacks_and_cannot_be_read_so(app: AppTest) -> None:
    bring(app, "list.csv", LIST)
    role(app, "rechts", "ignore")
    assert "no column is said to be: second object" in said(app)
    assert button(app, "Read it so").disabled


def test_which_mark_is_for_decimals_is_asked_before_anything_else(app: AppTest) -> None:
    bring(app, "distances.csv", MILES)
    assert "1.212 is 1.212 or 1212" in said(app)
    assert button(app, "Make a map").disabled
    choose(app, "The decimal mark", "1.212 is 1212")
    assert intake(app).preparation.decimal == "comma"
    assert made(app).journey.dissimilarities.between("a", "c") == 1212


def test_a_way_out_of_a_refusal_is_a_button(app: AppTest) -> None:
    bring(app, "distances.csv", GAPS)
    assert "'k. A.', not a number" in said(app)
    assert "Line 2, column D, is marked." in said(app)
    press(app, "Take 'k\\. A\\.' as unknown")
    assert intake(app).preparation.missing == ("k. A.",)
    assert "5 of 6 pairs" in said(app)


def test_the_code_page_is_told_and_can_be_changed(app: AppTest) -> None:
    bring(app, "towns.csv", TOWNS)
    assert "Letters were taken for Cyrillic (Windows): Москва, Київ, Львів." in said(app)
    radio = next(one for one in app.radio if one.label == "How letters are read")
    other = radio.options[1].replace("\\", "")
    choose(app, "How letters are read", other)
    assert intake(app).preparation.encoding not in ("", "cp1251")
    assert other.split(", ")[0] in said(app)


def test_the_cells_of_the_table_can_be_typed(app: AppTest) -> None:
    bring(app, "above.csv", ABOVE)
    field(app, "Cells of the table").set_value("some of it")
    app.run()
    assert "as in B3:N15" in said(app)
    field(app, "Cells of the table").set_value("A3:C5")
    app.run()
    assert intake(app).preparation.area == "A3:C5"


def test_features_are_joined_by_the_column_that_names_objects(app: AppTest) -> None:
    bring(app, "distances.csv", MILES.replace("1.212", "1212"))
    bring(app, "facts.csv", ",place,size\n1,a,5\n2,b,6\n3,c,7\n4,d,8\n", at=1)
    assert "Rows are named by the column place" in said(app)
    assert made(app).journey.features["size"].shown() == [5, 6, 7, 8]


def test_a_file_that_is_dropped_while_the_page_is_drawn_anew_is_taken_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taken: list[str] = []
    held = {"files-0": [SimpleNamespace(name="a.csv", getvalue=lambda: b"1")]}
    monkeypatch.setattr(panel.st, "session_state", held)
    monkeypatch.setattr(panel, "_bring", lambda files: taken.extend(file.name for file in files))
    for field_of_before in ("files-0", "files-1"):
        panel._took_files(field_of_before)
    assert taken == ["a.csv"]
