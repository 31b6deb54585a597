"""What a visitor is told of errors, and what the log is told of visitors."""

from __future__ import annotations

import io
import logging
import re
import threading
import warnings
from collections.abc import Iterator
from typing import NoReturn

import pytest
from streamlit import error_util
from streamlit.testing.v1 import AppTest

from cml_app import log, messages
from cml_core.errors import NotSquare

SECRET = "Aunt Bea, 12.5, token=abc"


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    """What all loggers write while the log is installed; everything is as before afterwards."""
    factory, hook = logging.getLogRecordFactory(), threading.excepthook
    warned = warnings.showwarning
    access, server = logging.getLogger("uvicorn.access"), logging.getLogger("uvicorn.error")
    twice = logging.getLogger("streamlit.error_util")
    own, root = logging.getLogger(log.OWN), logging.getLogger()
    kept = own.handlers[:], own.propagate, own.level, access.disabled, server.level
    stream = io.StringIO()
    own.handlers = [logging.StreamHandler(stream)]
    handler = logging.StreamHandler(stream)
    root.addHandler(handler)
    log.install()
    yield stream
    root.removeHandler(handler)
    warnings.showwarning = warned
    logging.setLogRecordFactory(factory)
    threading.excepthook = hook
    twice.removeFilter(log._is_new)
    own.handlers, own.propagate, own.level, access.disabled, server.level = kept


def fail() -> NoReturn:
    try:
        raise KeyError(SECRET)
    except KeyError as error:
        raise ValueError(f"cannot read {SECRET}") from error


def failure() -> ValueError:
    try:
        fail()
    except ValueError as error:
        return error


def test_a_trace_names_types_and_places_and_nothing_else() -> None:
    text = log.trace(failure())
    assert SECRET not in text
    assert "builtins.ValueError" in text
    assert "builtins.KeyError" in text
    assert f"{__file__}:" in text
    assert len(re.findall(r":\d+ fail$", text, re.MULTILINE)) == 2
    # Nor is there source code, in which a message may stand.
    assert "cannot read" not in text


def test_a_trace_of_errors_that_lead_to_one_another_ends() -> None:
    first, second = ValueError("a"), ValueError("b")
    first.__cause__, second.__cause__ = second, first
    assert log.trace(first).count("ValueError") == 2


def test_all_that_a_run_of_a_page_logs_bears_its_number_which_its_visitor_is_told(
    written: io.StringIO,
) -> None:
    own = logging.getLogger(log.OWN)
    own.handlers[0].setFormatter(logging.Formatter(log.FORMAT))
    # What a control did, before its page was run.
    said = [messages.unexpected(failure()).fact]
    with log.page("Discover"):
        said.append(messages.unexpected(failure()).fact)
    with log.page("Data"):
        said.append(messages.unexpected(failure()).fact)
    own.warning("nobody's")
    control, first, second = (re.findall("[0-9a-f]{8}", fact)[0] for fact in said)
    assert control == first != second
    lines = written.getvalue()
    found = re.findall(r"(\w+) cml_app (\S+): (unexpected|Discover|Data|nobody's)", lines)
    assert found == [
        ("ERROR", first, "unexpected"),
        ("ERROR", first, "unexpected"),
        ("INFO", first, "Discover"),
        ("ERROR", second, "unexpected"),
        ("INFO", second, "Data"),
        ("WARNING", "-", "nobody's"),
    ]


def test_an_unexpected_error_is_logged_under_the_number_that_the_visitor_gets(
    written: io.StringIO,
) -> None:
    said = messages.unexpected(failure())
    number = said.fact.partition("reference ")[2].rstrip(").")
    assert len(number) == 8
    assert f"unexpected error {number}" in written.getvalue()
    assert "builtins.ValueError" in written.getvalue()
    assert SECRET not in written.getvalue() + str(said)
    assert "Your work is kept" in said.remedy


def test_what_other_packages_are_given_does_not_reach_the_log(written: io.StringIO) -> None:
    other, told = logging.getLogger("some.package"), "test_what_other_packages_are_given"
    other.warning("Rejected %s from %s", SECRET, SECRET)
    other.error("first line\n%s", SECRET)
    other.error("it failed", exc_info=failure())
    other.error(failure())
    other.error(f"already filled in with {SECRET}")
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.warn(SECRET, stacklevel=1)
    assert f"Rejected %s from %s in {told}" in written.getvalue()
    assert f"UserWarning at {__file__}:" in written.getvalue()
    assert "builtins.KeyError" in written.getvalue()
    assert SECRET not in written.getvalue()


def test_an_error_that_ends_a_thread_is_logged_without_its_message(written: io.StringIO) -> None:
    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    assert "an error ended a thread" in written.getvalue()
    assert SECRET not in written.getvalue()


def test_streamlit_does_not_write_an_error_that_is_written_under_a_number(
    written: io.StringIO,
) -> None:
    error_util._log_uncaught_app_exception(failure())
    assert not written.getvalue()


def page(place: str) -> None:
    """A page that fails where it is told to."""
    import streamlit as st

    from cml_app import messages

    def strange() -> None:
        raise RuntimeError("Aunt Bea")

    with messages.explained():
        st.text("before")
        if place == "page":
            strange()
        st.button("Fail", on_click=strange)


def test_an_unexpected_error_of_a_page_is_shown_as_a_number(written: io.StringIO) -> None:
    app = AppTest.from_function(page, args=("page",)).run()
    assert not app.exception
    (error,) = app.error
    assert "reference" in error.value
    assert "Aunt Bea" not in error.value
    assert "RuntimeError" in written.getvalue()
    assert "Aunt Bea" not in written.getvalue()


def test_an_error_that_no_page_has_caught_is_explained_too() -> None:
    def uncaught() -> None:
        from cml_app import messages
        from cml_core.errors import NotSquare

        assert messages.explain(RuntimeError("Aunt Bea"))
        assert messages.explain(NotSquare("The table has 2 rows.", remedy="Mend it."))

    app = AppTest.from_function(uncaught).run()
    strange, own = app.error
    assert "reference" in strange.value
    assert "Aunt Bea" not in strange.value
    assert "The table has 2 rows" in own.value


def test_text_of_a_visitor_is_shown_as_it_is() -> None:
    assert messages.plain("*a*\n[b](c)") == r"\*a\* \[b\]\(c\)"
    # Streamlit would draw a picture.
    assert ":material/" not in messages.plain(":material/delete:").replace("\\", "")
    assert NotSquare("a", remedy="b").remedy == "b"
