"""Vectors and what is known of them in two tables, joined on the page of many objects."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from many_tools import bytes_of, choices, settled, table, upload, visit_of
from page_tools import field, page_of, press, said, tick
from streamlit.testing.v1 import AppTest

from cml_app.many.held import held
from cml_core.many import loop as loops
from cml_core.many import take_home

TABLE = table()
VECTORS = np.array(TABLE["embedding"].to_pylist())
TEXT = "\n".join(
    ["topic,year", *(f"{topic},{year}" for topic, year in zip(
        TABLE["topic"].to_pylist(), TABLE["year"].to_pylist(), strict=True,
    ))]
).encode()  # fmt: skip


def npy() -> bytes:
    written = io.BytesIO()
    np.save(written, VECTORS)
    return written.getvalue()


def join(app: AppTest, name: str, content: bytes) -> AppTest:
    """A file is joined by being there; no button has to be found first."""
    return app.file_uploader[0].set_value((name, content, "application/octet-stream")).run()


def test_columns_of_a_second_table_may_be_known_and_are_found_again(
    many: AppTest, tmp_path: Path
) -> None:
    upload(many, "vectors.npy", npy())
    assert "No column is left" in said(many)
    join(many, "about.csv", TEXT)
    assert "Beside it about.csv, row by row." in said(many).replace("\\", "")
    assert choices(many, "May be known, as groups") == ["topic"]
    assert choices(many, "May be known, as amounts") == ["year"]
    settled(press(many, "Make the map"))
    settled(tick(many, "topic"))
    assert "With topic taken out" in said(many)
    visit = visit_of(many)
    found = visit.map
    assert found is not None
    held.clear()
    again = page_of("pages/6_Many.py")
    again.query_params["many"] = visit.token
    settled(again.run())
    assert visit_of(again).made == visit.made
    assert "With topic taken out" in said(again)
    (tmp_path / "vectors.npy").write_bytes(npy())
    (tmp_path / "about.csv").write_bytes(TEXT)
    (tmp_path / "map.py").write_text(
        take_home.program(visit.made, found.fit.stress), encoding="utf-8"
    )
    ran = subprocess.run(
        [sys.executable, "map.py"], cwd=tmp_path, capture_output=True, text=True, check=False,
        env={"PYTHONPATH": str(Path(loops.__file__).parents[2]), "PATH": ""},
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    np.testing.assert_allclose(np.load(tmp_path / "places.npy"), found.places, atol=1e-6)


def test_a_key_joins_tables_in_any_order_and_can_be_chosen(many: AppTest) -> None:
    keyed = TABLE.append_column("id", [[f"p{k}" for k in range(60)]])
    upload(many, "papers.parquet", bytes_of(keyed.select(["id", "embedding"])))
    order = np.random.default_rng(2).permutation(60)[:50]
    other = keyed.select(["id", "topic", "year"]).take(order)
    join(many, "about.parquet", bytes_of(other))
    assert "which has 50 of the 60 objects" in said(many)
    press(many, "Leave it out")
    assert choices(many, "May be known, as groups") == ["id"]
    join(many, "about.parquet", bytes_of(other))
    chosen = next(one for one in many.selectbox if one.label == "They are joined")
    chosen.set_value("").run()
    assert re.search("50 rows, papers.parquet 60", many.error[0].value.replace("\\", ""))
    settled(press(many, "Make the map"))
    settled(tick(many, "topic"))
    assert "With topic taken out" in said(many)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("short.csv", b"topic\nart\nlaw\n", "short.csv has 2 rows, vectors.npy 60"),
        ("cut.parquet", bytes_of(TABLE)[:-40], "damaged, cut short"),
        ("empty.csv", b"", "empty.csv is empty"),
    ],
)
def test_a_table_that_does_not_go_with_the_first_is_told_and_the_choice_stays(
    many: AppTest, name: str, content: bytes, words: str
) -> None:
    upload(many, "vectors.npy", npy())
    join(many, name, content)
    assert words in many.error[0].value.replace("\\", "")
    assert "vectors.npy" in [one.value.replace("\\", "") for one in many.subheader]


def test_a_second_table_is_found_by_its_path(many: AppTest, tmp_path: Path) -> None:
    np.save(tmp_path / "rows.npy", VECTORS)
    (tmp_path / "about.parquet").write_bytes(bytes_of(TABLE.select(["topic", "year"])))
    field(many, "Or a file or folder on this computer").set_value(str(tmp_path / "rows.npy"))
    press(many, "Look at it")
    field(many, "Or its path on this computer").set_value(str(tmp_path / "about.parquet")).run()
    assert choices(many, "May be known, as amounts") == ["year"]


def test_a_word_among_the_numbers_of_a_vector_is_told_with_its_place(many: AppTest) -> None:
    lines = [",".join(f"{value:.3f}" for value in row) for row in VECTORS]
    lines[41] = lines[41].replace(lines[41].split(",")[1], "n.a.")
    upload(many, "vectors.csv", "\n".join(["v1,v2,v3,v4", *lines]).encode())
    (warning,) = many.warning
    assert "v2 (“n.a.” of object 42)" in warning.value.replace("\\", "")
    assert choices(many, "Columns that they are compared by") == ["v1", "v3", "v4"]


def choose(app: AppTest, label: str, *names: str) -> AppTest:
    found = next(one for one in app.multiselect if one.label == label)
    return found.set_value(list(names)).run()


def test_hours_and_orders_are_chosen_and_taken_out(many: AppTest) -> None:
    random = np.random.default_rng(4)
    more = TABLE.append_column("hour", [random.integers(0, 24, 60)])
    more = more.append_column("grade", [random.choice(["high", "low", "medium"], 60)])
    more = more.append_column("size", [random.choice(["S1", "S2"], 60)])
    upload(many, "papers.parquet", bytes_of(more))
    assert choices(many, "Of these, with an order") == ["grade"]
    assert field(many, "Order of grade, lowest first").value == "low < medium < high"
    choose(many, "Of these, with an order", "grade", "size")
    make = next(one for one in many.button if one.label == "Make the map")
    assert make.disabled
    assert "still leaves out" in said(many)
    field(many, "Order of size, lowest first").set_value("S2 < S1").run()
    choose(many, "Of all these, beginning again", "hour", "topic")
    assert "topic holds" in said(many)
    choose(many, "Of all these, beginning again", "hour")
    (period,) = many.number_input
    assert period.value == 24
    settled(press(many, "Make the map"))
    visit = visit_of(many)
    kinds = {one.name: (one.kind, one.period, one.order) for one in visit.made.candidates}
    assert kinds == {
        "topic": ("categorical", None, ()),
        "year": ("numeric", None, ()),
        "hour": ("circular", 24.0, ()),
        "grade": ("ordinal", None, ()),
        "size": ("ordinal", None, ("S2", "S1")),
    }
    for name in ("hour", "grade", "size"):
        settled(tick(many, name))
        assert not many.error
    assert "With hour, grade and size taken out" in said(many)
    for name in ("hour", "grade"):
        next(one for one in many.selectbox if one.label == "Colour by").set_value(name).run()
        assert not many.exception
    settled(press(many, "Judge this map"))
    assert not many.exception
    assert not many.error
