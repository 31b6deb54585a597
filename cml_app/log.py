"""The log: what happened and where in the program, never what a visitor brought.

Messages of errors quote labels, values, file names and addresses; a library's log messages quote
whatever they were given. So of an error or a warning only its type and the places in the
program are written; of what other packages log, the place, and the text before anything was
filled in. This program's own messages are written as they are. Each bears the number of the run of
a page that it belongs to, which a visitor is told to whom something unexpected happens.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TextIO

OWN = "cml_app"
FORMAT = "%(asctime)s %(levelname)s %(name)s %(run)s: %(message)s"
LONGEST_LINE = 200

# Streamlit writes what its handler of unexpected errors writes again, under a number.
_SAID_TWICE = "_log_uncaught_app_exception"

# Stands for a number where no page is run.
_NONE = "-"
_run: ContextVar[str] = ContextVar("run", default=_NONE)


def number() -> str:
    """That of the run of a page that is under way; it says nothing of who asked for it.

    What a control does comes before its page is run, and has the number already.
    """
    if _run.get() == _NONE:
        _run.set(secrets.token_hex(4))
    return _run.get()


@contextmanager
def page(name: str) -> Iterator[None]:
    """Write which page was run, under which number, and how long that took."""
    number()
    began = time.perf_counter()
    try:
        yield
    finally:
        logging.getLogger(OWN).info("%s in %.2f s", name, time.perf_counter() - began)
        _run.set(_NONE)


def trace(error: BaseException) -> str:
    """The types of an error and of what led to it, and where each was; no message, no value."""
    return "\nafter:\n".join(_one(link) for link in _chain(error))


def install() -> None:
    """Make every log record of this process discreet, whoever writes it and wherever it goes."""
    logging.setLogRecordFactory(discreet)
    warnings.showwarning = _warned
    threading.excepthook = _in_thread
    own = logging.getLogger(OWN)
    if not own.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter(FORMAT))
        own.addHandler(handler)
    own.setLevel(logging.INFO)
    own.propagate = False
    logging.getLogger("streamlit.error_util").addFilter(_is_new)
    # Each line about a connection is one about a visitor.
    logging.getLogger("uvicorn.access").disabled = True
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)


def discreet(*arguments: Any, **options: Any) -> logging.LogRecord:
    """A log record without the message of an error, or the arguments of other packages."""
    record = logging.LogRecord(*arguments, **options)
    record.run = _run.get()
    if record.exc_info:
        error = record.exc_info[1]
        record.exc_text = trace(error) if error else None
        record.exc_info = None
    if record.name.partition(".")[0] != OWN:
        record.msg, record.args = _told(record), None
    return record


def _told(record: logging.LogRecord) -> str:
    place = f"{record.funcName} at {record.pathname}:{record.lineno}"
    if not (record.args and isinstance(record.msg, str)):
        # Perhaps it was filled in before it came here.
        return place
    first, *_ = record.msg.strip().splitlines() or [""]
    return f"{first[:LONGEST_LINE]} in {place}"


def _is_new(record: logging.LogRecord) -> bool:
    return record.funcName != _SAID_TWICE


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    link: BaseException | None = error
    while link is not None and id(link) not in seen:
        seen.add(id(link))
        yield link
        link = link.__cause__ or (None if link.__suppress_context__ else link.__context__)


def _one(error: BaseException) -> str:
    kind = type(error)
    places = [
        f"  {frame.filename}:{frame.lineno} {frame.name}"
        for frame in traceback.extract_tb(error.__traceback__)
    ]
    return "\n".join([f"{kind.__module__}.{kind.__qualname__}", *places])


def _in_thread(happened: threading.ExceptHookArgs) -> None:
    if happened.exc_type is SystemExit:
        return
    error = happened.exc_value or happened.exc_type()
    logging.getLogger(OWN).error("an error ended a thread", exc_info=error)


def _warned(
    message: Warning | str,  # noqa: ARG001
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,  # noqa: ARG001
    line: str | None = None,  # noqa: ARG001
) -> None:
    logging.getLogger(OWN).warning("%s at %s:%s", category.__qualname__, filename, lineno)
