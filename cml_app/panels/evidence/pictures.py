"""Pictures on the Evidence page, the tables beside them, and how it was all computed."""

from __future__ import annotations

from collections.abc import Mapping
from math import floor, log10
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st
from numpy.typing import ArrayLike

from cml_app import help_pages, messages

ROW_HEIGHT = 35
MOST_ROWS_SHOWN = 12
SHARE = "%.1f %%"
NUMBER = "%.4g"
NO_MAP = "No hidden dimension was asked for, so there is no map."
# Columns in pixels. One or two names that would take more are cut: they leave no room on a
# telephone.
LETTER_WIDTH, CELL_EDGES, MOST_NAME_WIDTH = 6.6, 22, (200, 140)
# More letters than this do not widen a column of numbers.
LONG_HEAD, NUMBER_WIDTH = 28, 110
# Digits of the largest of several numbers in one unit; and between what they are written out.
DIGITS, SMALL, LARGE = 4, 1e-3, 1e7


def picture(figure: go.Figure, key: str, says: str) -> None:
    """A picture, and what it shows for those who do not see it."""
    st.plotly_chart(figure, key=key, theme=None, config={"displayModeBar": False}, alt=says)


def verdict(text: str) -> None:
    """What a result comes down to."""
    st.markdown(f"**{unbroken(text)}**")


def unbroken(text: str) -> str:
    """Text that Markdown shows as it is, with no line break between a number and its percent."""
    return messages.plain(text).replace(" %", "\u00a0%")


def table(
    rows: pd.DataFrame,
    key: str,
    formats: Mapping[str, str],
    meanings: Mapping[str, str] = {},
    *,
    names: int = 1,
) -> None:
    """The numbers of a picture; those formatted as shares are shown in percent.

    Parameters
    ----------
    names : how many columns, from the left, say what a row is about, 1 or 2; they stay in sight.
    """
    columns = {
        name: _column(rows[name], formats.get(name), meanings.get(name))
        for name in map(str, rows.columns[names:])
    } | {name: _name_column(rows[name], names) for name in map(str, rows.columns[:names])}
    numbers = {name: _shown(rows[name], form) for name, form in formats.items()}
    shown = min(len(rows), MOST_ROWS_SHOWN) + 1
    st.dataframe(
        rows.assign(**numbers),
        key=key,
        column_config=columns,
        hide_index=True,
        width="stretch",
        height=ROW_HEIGHT * shown + 3,
        placeholder="–",
    )


def in_one_unit(values: ArrayLike) -> str:
    """The format of numbers to be compared: as many decimals as the largest needs."""
    finite = np.asarray(values, dtype=np.float64)
    largest = float(np.abs(finite[np.isfinite(finite)]).max(initial=0.0))
    if not SMALL <= largest < LARGE:
        return NUMBER
    return f"%.{max(DIGITS - 1 - floor(log10(largest)), 0)}f"


def how(text: str) -> None:
    """The mathematics, one click away."""
    with st.expander("How this is computed"):
        st.markdown(text)
        if more := help_pages.link(help_pages.MATHEMATICS, "All of the mathematics on one page"):
            st.markdown(more)


def _column(values: pd.Series[Any], form: str | None, meaning: str | None) -> Any:
    if form is None:
        return st.column_config.Column(help=meaning)
    width = NUMBER_WIDTH if len(str(values.name)) > LONG_HEAD else None
    return st.column_config.NumberColumn(format=form, help=meaning, width=width)


def _name_column(values: pd.Series[Any], names: int) -> Any:
    letters = max(len(str(one)) for one in (values.name, *values))
    width = min(CELL_EDGES + int(LETTER_WIDTH * letters), MOST_NAME_WIDTH[names - 1])
    return st.column_config.Column(pinned=True, width=width)


def _shown(values: pd.Series[Any], form: str) -> pd.Series[Any]:
    """In the unit of the format; nothing is written as minus zero."""
    numbers = values.astype(float) * (100.0 if form == SHARE else 1.0)
    if form == NUMBER:
        return numbers
    decimals = int(form[2 : form.index("f")])
    return numbers.where(numbers.abs() >= 0.5 * 10.0**-decimals, 0.0).where(numbers.notna())
