"""An error becomes what happened, where, and how to mend it; one form for all of them."""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from cml_app.log import number as numbered
from cml_core.errors import ConditionalMappingError
from cml_core.values.words import unbroken

log = logging.getLogger("cml_app")

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:&^=])")
# What Streamlit turns into a picture, escaped or not.
_PICTURE = "material/"


class Unexpected(ConditionalMappingError):
    """Something that should not have happened; its number finds it in the log."""


def plain(text: object) -> str:
    """Text that Markdown shows as it is, on one line, with numbers beside their percent."""
    escaped = _MARKDOWN.sub(r"\\\1", " ".join(str(text).split()))
    return unbroken(escaped.replace(_PICTURE, f"\N{WORD JOINER}{_PICTURE}"))


# How often which kind of error was shown since the server began.
_shown: Counter[str] = Counter()


def shown() -> dict[str, int]:
    """How often errors were shown, by their kind."""
    return dict(_shown)


def show(error: ConditionalMappingError) -> None:
    """What is wrong and where, and how to mend it."""
    _shown[type(error).__name__] += 1
    st.error(f"**{plain(error.fact)}** {plain(error.remedy)}", icon=":material/error:")


def unexpected(error: Exception) -> Unexpected:
    """Log an error under the number of this run, and say that number instead of what it says."""
    number = numbered()
    log.error("unexpected error %s", number, exc_info=error)
    return Unexpected(
        f"Something went wrong that should not have (reference {number}).",
        remedy="Your work is kept. Go on from an earlier step, or reload the page.",
    )


@contextmanager
def explained() -> Iterator[None]:
    """Show the program's own errors; give any other a number that finds it in the log."""
    try:
        yield
    except ConditionalMappingError as error:
        show(error)
    except Exception as error:
        show(unexpected(error))


def explain(error: Exception) -> bool:
    """Show an error that no page has caught; for Streamlit, which asks whether that was done."""
    show(error if isinstance(error, ConditionalMappingError) else unexpected(error))
    return True
