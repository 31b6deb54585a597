"""The page of many objects without a browser: the loop, a reload, files, paths, and bad input."""

from __future__ import annotations

import io
import os
import re
import resource
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as parquet
import pytest
from many_tools import (
    DRAWN,
    N,
    buyers,
    bytes_of,
    choices,
    settled,
    table,
    upload,
    visit_of,
)
from page_tools import SECONDS, button, field, page_of, press, said, tick
from streamlit.testing.v1 import AppTest

from cml_app.many import job as jobs
from cml_app.many import local, uploads
from cml_app.many.held import Held, held
from cml_app.panels.many import begin, look
from cml_core.drawing.arrow import Arrow
from cml_core.errors import ConditionalMappingError, UnreadableFile
from cml_core.many import loop as loops
from cml_core.many import take_home
from cml_core.many.loop import Loop
from cml_core.many.maps import ManyMap, make_map


def test_the_loop_goes_round_and_a_reload_finds_it_as_it_was(many: AppTest) -> None:
    buyers(many)
    assert "With nothing taken out, this map leaves" in said(many)
    for name in ("Age", "Region", "Channel"):
        settled(tick(many, name))
    assert "With Age, Region and Channel taken out" in said(many)
    DRAWN["drawing"] = Arrow((0.0, 0.0), (1.0, 0.0))
    field(many.run(), "Name").set_value("What I saw")
    settled(press(many, "Add to known"))
    DRAWN.clear()
    assert not many.exception
    visit = visit_of(many)
    assert visit.made.step.known == ("Age", "Region", "Channel", "What I saw")
    assert len(visit.made.steps) == 5
    before = visit.map
    assert before is not None
    held.clear()
    again = page_of("pages/6_Many.py")
    again.query_params["many"] = visit.token
    settled(again.run())
    assert visit_of(again).made == visit.made
    after = visit_of(again).map
    assert after is not None
    assert after is not before
    np.testing.assert_allclose(after.places, before.places, atol=1e-5)
    next(one for one in again.button if one.label.startswith("**Nothing known**")).click()
    settled(again.run())
    assert "With nothing taken out" in said(again)


def test_those_inside_of_a_line_are_counted_told_apart_and_known(many: AppTest) -> None:
    buyers(many)
    found = visit_of(many).map
    assert found is not None
    x, y = found.places.T
    corners = np.array([[x.min(), y.min()], [0, y.min()], [0, y.max()], [x.min(), y.max()]])
    DRAWN["region"] = corners - [1.0, 0.0]
    inside = int(((x < -1) & (y > y.min()) & (y < y.max())).sum())
    assert f"**{inside}** of {N} objects lie inside" in said(many.run())
    shares = r"(Region|Channel) \w+ \([\d.]+ % inside, [\d.]+ % elsewhere\)"
    assert re.search(rf"More often inside than elsewhere: {shares}(; {shares})*\.", said(many))
    field(many, "Name").set_value("Left")
    settled(press(many, "Add to known"))
    assert visit_of(many).made.step.known == ("Left",)


def test_the_map_is_judged_and_the_hidden_uncovered(many: AppTest) -> None:
    buyers(many)
    for name in ("Age", "Region", "Channel"):
        settled(tick(many, name))
    settled(press(many, "Judge this map"))
    assert not many.exception
    for words in ("none to judge by", "by the map", "ne more direction", "help"):
        assert words in said(many)
    found = visit_of(many).made.step.found
    assert [type(one).__name__ for one in found] == [
        "UnseenPairs", "Baseline", "ColumnsTold", "SampleHelp",
    ]  # fmt: skip
    again = page_of("pages/6_Many.py")
    again.query_params["many"] = visit_of(many).token
    settled(again.run())
    for one in found:
        assert one.verdict[:40] in said(again).replace("\\", "").replace("\u202f", " ")
    assert button(again, "Judge it again")
    next(one for one in again.button if one.label.startswith("**Nothing known**")).click()
    settled(again.run())
    assert button(again, "Judge this map")
    press(many, "Uncover what is hidden")
    assert "Thrift and Curiosity are hidden" in said(many)
    for name in ("Age", "Region", look.UNEXPLAINED, f"{look.TRUTH}Thrift"):
        next(one for one in many.selectbox if one.label == "Colour by").set_value(name).run()
        assert not many.exception
        assert not many.error
        painted = visit_of(many).looked_up["colour"][1]
        assert painted.values.size == N


def test_an_object_that_is_clicked_is_told(many: AppTest) -> None:
    buyers(many)
    DRAWN["pointed"] = 41
    assert "object 42, Age" in said(many.run())


def test_a_file_that_is_brought_is_kept_and_read_again(many: AppTest) -> None:
    upload(many, "papers.parquet", bytes_of(table()))
    assert choices(many, "Columns that they are compared by") == ["embedding"]
    assert choices(many, "May be known, as groups") == ["topic"]
    assert choices(many, "May be known, as amounts") == ["year"]
    settled(press(many, "Make the map"))
    settled(tick(many, "topic"))
    assert "With topic taken out" in said(many)
    kept = list(uploads.folder().glob("*.parquet"))
    assert len(kept) == 1
    kept[0].unlink()
    held.clear()
    again = page_of("pages/6_Many.py")
    again.query_params["many"] = visit_of(many).token
    settled(again.run())
    assert "no longer kept here" in again.error[0].value.replace("\\", "")
    uploads.bring("papers.parquet", io.BytesIO(bytes_of(table())))
    settled(press(again, "Try again"))
    assert not again.error
    assert "With topic taken out" in said(again)


def test_text_and_paths_lead_to_the_same_map(many: AppTest, tmp_path: Path) -> None:
    values = np.random.default_rng(1).normal(size=(50, 4))
    text = "\n".join(["a,b,c,d", *(",".join(map(repr, row)) for row in values.tolist())])
    upload(many, "rows.csv", text.encode())
    settled(press(many, "Make the map"))
    first = visit_of(many).map
    press(many, "Other objects")
    np.save(tmp_path / "rows.npy", values)
    field(many, "Or a file or folder on this computer").set_value(str(tmp_path / "rows.npy"))
    press(many, "Look at it")
    settled(press(many, "Make the map"))
    second = visit_of(many).map
    assert first is not None
    assert second is not None
    np.testing.assert_allclose(first.places, second.places, atol=1e-9)


GAPS = np.where(np.arange(40).reshape(10, 4) == 21, np.nan, 1.0 * np.arange(40).reshape(10, 4))


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("cut.parquet", bytes_of(table())[:-40], "damaged, cut short"),
        ("empty.parquet", bytes_of(table().slice(0, 0)), "empty"),
        ("words.csv", b"a,b\nx,y\n", "no column of numbers"),
        ("ragged.csv", b"a,b\n1,2\n3\n", "no table that can be read"),
        ("nothing.csv", b"", "is empty"),
        ("picture.png", b"\x89PNG", "says nothing of its format"),
    ],
)
def test_what_cannot_be_read_is_told_in_words_and_nothing_is_lost(
    many: AppTest, name: str, content: bytes, words: str
) -> None:
    visit, brought = visit_of(many), io.BytesIO(content)
    with pytest.raises(ConditionalMappingError, match=words):
        begin.choose(visit, uploads.bring(name, brought))
    assert visit_of(many).choosing is None


def test_rows_that_cannot_be_compared_are_told_and_the_choice_may_be_made_again(
    many: AppTest,
) -> None:
    for values, words in (
        (GAPS, r"column 2 is missing"),
        (np.ones((10, 4)), "dissimilarities are zero|same place|do not differ|all zero"),
    ):
        written = io.BytesIO()
        np.save(written, values)
        upload(many, "rows.npy", written.getvalue())
        settled(press(many, "Make the map"))
        assert not many.exception
        assert many.error, words
        press(many, "Other objects")
        assert "Try it" in [one.value for one in many.header]


def test_paths_are_refused_in_words_and_only_tables_are_read(
    many: AppTest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    (tmp_path / "folder").mkdir()
    for path, words in (
        (tmp_path / "secret.txt", "only tables are read"),
        (tmp_path / "folder", "holds no file with rows"),
        (tmp_path / "none.npy", "There is no file"),
        ("", "There is no path"),
    ):
        with pytest.raises(UnreadableFile, match=words) as caught:
            local.checked(str(path))
        assert "secret" not in caught.value.fact.replace("secret.txt", "")
    monkeypatch.setattr(local, "allowed", lambda: False)
    with pytest.raises(UnreadableFile, match="reads no files"):
        local.checked(str(tmp_path / "rows.npy"))
    assert "Or a file or folder on this computer" not in [
        one.label for one in many.run().text_input
    ]


@pytest.mark.parametrize(
    ("address", "reached", "headless", "own"),
    [
        ("localhost", "localhost", False, True),
        ("127.0.0.1", "maps.example.org", False, False),
        ("127.0.0.1", "localhost", True, False),
        ("", "localhost", False, False),
    ],
)
def test_paths_are_for_ones_own_computer_alone(
    monkeypatch: pytest.MonkeyPatch, address: str, reached: str, headless: bool, own: bool
) -> None:
    set_up = {
        "server.address": address,
        "browser.serverAddress": reached,
        "server.headless": headless,
    }
    monkeypatch.setattr(local.st, "get_option", set_up.__getitem__)
    assert local._for_one_person() is own


def test_files_make_room_for_new_ones_and_the_last_stays(
    begun_anew: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "MEGABYTE", 1)
    monkeypatch.setenv("CML_UPLOADS_MB", "1500")
    for number in range(3):
        written = io.BytesIO()
        np.save(written, np.full((20, 4), float(number)))
        uploads.bring("rows.npy", written)
    assert len(list(uploads.folder().glob("*.npy"))) == 1500 // len(written.getvalue())
    with pytest.raises(uploads.NoRoom, match="are kept of all files"):
        uploads.bring("large.npy", io.BytesIO(bytes(2000)))


@pytest.mark.parametrize("name", ["rows.npy", "rows.csv"])
def test_a_file_that_the_disk_does_not_take_is_refused_with_a_remedy(
    name: str, many: AppTest
) -> None:
    values = np.random.default_rng(1).normal(size=(200, 4))
    written = io.BytesIO()
    np.save(written, values)
    text = "\n".join(["a,b,c,d", *(",".join(f"{one:.1f}" for one in row) for row in values)])
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    # Of the table of text there is room for the text, and not for what is made of it.
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(text) + 100, hard))
    try:
        upload(many, name, written.getvalue() if name == "rows.npy" else text.encode())
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    (error,) = many.error
    told = error.value.replace("\\", "")
    assert f"{name} cannot be kept on this server (File too large)." in told
    assert "free space on its disk" in told
    assert not list(uploads.folder().glob("*"))


def test_files_lie_beside_the_projects_and_go_with_the_days(
    begun_anew: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert uploads.folder() == tmp_path / "uploads"
    uploads.bring("papers.parquet", io.BytesIO(bytes_of(table())))
    uploads.expire()
    (kept,) = uploads.folder().glob("*.parquet")
    os.utime(kept, (0, 0))
    uploads.expire()
    assert not kept.exists()
    monkeypatch.setenv("CML_KEEP_PROJECTS", "off")
    uploads.settings.clear()
    own = uploads.folder()
    assert own.stat().st_mode & 0o077 == 0
    own.rmdir()


def test_what_was_not_looked_at_for_longest_is_let_go(begun_anew: None, tmp_path: Path) -> None:
    loop = Loop(begin.Whence("buyers", n_objects=50), ("thing 1", "thing 2", "thing 3"))
    at_hand = Held(1, 100, tmp_path)
    opened = at_hand.opened(loop)
    assert at_hand.opened(loop) is opened
    for seed in (1, 2, 3):
        other = replace(loop, seed=seed)
        at_hand.keep(other, "1", make_map(opened, other, "1", {}.__getitem__))
    assert [at_hand.map_of(replace(loop, seed=seed), "1") is None for seed in (1, 2, 3)] == [
        True, False, False,
    ]  # fmt: skip


def test_the_program_makes_the_map_again(many: AppTest, tmp_path: Path) -> None:
    upload(many, "papers.parquet", bytes_of(table()))
    settled(press(many, "Make the map"))
    settled(tick(many, "topic"))
    visit = visit_of(many)
    found = visit.map
    assert found is not None
    table_home = parquet.read_table(
        io.BytesIO(
            take_home.coordinates_parquet(
                held().opened(visit.made), visit.made, found, visit.map_at
            )
        )
    )
    assert table_home.column_names == [
        "object", "dimension 1", "dimension 2", "unexplained", "topic", "year",
    ]  # fmt: skip
    assert table_home["topic"].to_pylist() == table()["topic"].to_pylist()
    (tmp_path / "papers.parquet").write_bytes(bytes_of(table()))
    (tmp_path / "map.py").write_text(
        take_home.program(visit.made, found.fit.stress), encoding="utf-8"
    )
    ran = subprocess.run(
        [sys.executable, "map.py"], cwd=tmp_path, capture_output=True, text=True, check=False,
        env={"PYTHONPATH": str(Path(loops.__file__).parents[2]), "PATH": ""},
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    again, saved = (float(line.split(":")[1]) for line in ran.stdout.splitlines())
    assert again == pytest.approx(saved, abs=1e-9)
    np.testing.assert_allclose(np.load(tmp_path / "places.npy"), found.places, atol=1e-6)


def test_a_map_that_was_stopped_keeps_what_it_has_and_goes_on(
    many: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped = threading.Event()

    # Else it may have ended before anyone can stop it.
    def once_stopped(*arguments: Any, **options: Any) -> ManyMap:
        assert stopped.wait(SECONDS)
        return make_map(*arguments, **options)

    monkeypatch.setattr(jobs, "make_map", once_stopped)
    press(many, f"{N} simulated buyers")
    press(many, "Make the map")
    job = visit_of(many).job
    assert job is not None
    job.cancel()
    stopped.set()
    settled(many)
    assert not many.exception
    label = "Try again" if many.error else "Go on"
    if label in [one.label for one in many.button]:
        settled(press(many, label))
    assert "With nothing taken out, this map leaves" in said(many)


def test_of_a_step_without_a_map_yet_nothing_is_told_but_where_one_is(many: AppTest) -> None:
    visit = visit_of(buyers(many))
    (step,) = visit.made.steps
    visit.loop = replace(visit.made, steps=(replace(step, unexplained=np.nan),))
    assert "**Nothing known**  \n:small[you are here]" in [one.label for one in many.run().button]


def test_an_address_that_opens_nothing_is_told(many: AppTest) -> None:
    again = page_of("pages/6_Many.py")
    again.query_params["many"] = "nonsense"
    again.run()
    assert again.error
    assert "Try it" in [one.value for one in again.header]
    assert button(again, f"{N} simulated buyers")
