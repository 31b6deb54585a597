"""What a server makes ready once: in turn, told while it lasts, and never in a page's way."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from cml_app import readiness
from cml_app.panels import preparing
from cml_app.readiness import Readiness
from cml_core.fitting.beforehand import Stage


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """Opens what a stage waits for."""
    gate = threading.Event()
    yield gate
    gate.set()
    readiness._here.clear()


def nothing() -> None:
    """A stage without work."""


def test_progress_tells_the_share_that_is_done_and_what_is_under_way(
    gate: threading.Event,
) -> None:
    begun = threading.Event()

    def slow() -> None:
        begun.set()
        gate.wait(10)

    made = Readiness([Stage("quick", 0.3, nothing), Stage("slow", 0.1, slow)])
    thread = threading.Thread(target=made.work)
    thread.start()
    begun.wait(10)
    assert made.progress == (pytest.approx(0.75), "slow")
    assert not made.wait(0)
    gate.set()
    thread.join(10)
    assert made.wait(0)
    assert made.progress[0] == pytest.approx(1.0)


def test_a_stage_that_fails_is_logged_and_pages_open_all_the_same(
    caplog: pytest.LogCaptureFixture,
) -> None:
    done = []

    def broken() -> None:
        raise OSError("no disk")

    made = Readiness([Stage("broken", 1, broken), Stage("next", 1, lambda: done.append(1))])
    made.work()
    assert made.wait(0)
    assert done == [1]
    assert "could not make ready broken" in caplog.text


def a_page() -> None:
    import streamlit as st

    from cml_app.shell import open_page

    with open_page("Discover"):
        st.write("Here is the page.")


def test_a_page_waits_says_why_and_goes_on_by_itself(
    gate: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    monkeypatch.setattr(preparing, "PATIENCE", 0.0)
    monkeypatch.setattr(preparing.st, "title", lambda words: (seen.append(words), gate.set()))
    made = Readiness([Stage("the first map", 1, lambda: gate.wait(10) and None)])
    readiness.begin(made)
    thread = threading.Thread(target=made.work)
    thread.start()
    page = AppTest.from_function(a_page).run(timeout=20)
    thread.join(10)
    assert seen == [preparing.TITLE]
    assert "Here is the page." in [one.value for one in page.markdown]
    assert preparing.WHY not in [one.value for one in page.markdown]
    assert readiness.under_way() is None
