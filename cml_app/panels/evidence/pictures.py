"""Pictures on the Evidence page, the tables beside them, and how it was all computed."""

from __future__ import annotations

from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from cml_app import help_pages, messages
from cml_app.pictures import figures
from cml_app.pictures.figures import Ink
from cml_app.shell import is_dark
from cml_core.evidence.table import Column, Table
from cml_core.values.words import unbroken

ROW_HEIGHT = 35
MOST_ROWS_SHOWN = 12
# Columns in pixels. One or two names that would take more are cut: they leave no room on a
# telephone.
LETTER_WIDTH, CELL_EDGES, MOST_NAME_WIDTH = 6.6, 22, (200, 140)
# More letters than this do not widen a column of numbers.
LONG_HEAD, NUMBER_WIDTH = 28, 110


def page_ink() -> Ink:
    """The colours of the visitor's theme."""
    return figures.ink(is_dark())


def picture(figure: go.Figure, key: str, says: str) -> None:
    """A picture, and what it shows for those who do not see it."""
    st.plotly_chart(figure, key=key, theme=None, config={"displayModeBar": False}, alt=says)


def verdict(text: str) -> None:
    """What a result comes down to."""
    st.markdown(f"**{messages.plain(text)}**")


def table(shown: Table, key: str) -> None:
    """The numbers of a picture, those first that say what a row is about; they stay in sight."""
    frame = shown.frame()
    columns = dict(zip(frame.columns, shown.columns, strict=True))
    names = list(columns)[: shown.names]
    numbers = {name: _in_its_unit(frame[name], c) for name, c in columns.items() if c.form}
    st.dataframe(
        frame.assign(**numbers),
        key=key,
        column_config={
            name: _name_column(frame[name], shown.names) if name in names else _column(column)
            for name, column in columns.items()
        },
        hide_index=True,
        width="stretch",
        height=ROW_HEIGHT * (min(len(frame), MOST_ROWS_SHOWN) + 1) + 3,
        placeholder="–",
    )


def upright(shown: Table) -> None:
    """The numbers of a single row, one below the other."""
    rows = "\n".join(
        f"| {unbroken(what)} | {unbroken(number)} |" for what, number in shown.upright()
    )
    st.markdown(f"| What | Number |\n|---|---:|\n{rows}")


def how(text: str) -> None:
    """The mathematics, one click away."""
    with st.expander("How this is computed"):
        st.markdown(text)
        if more := help_pages.link(help_pages.MATHEMATICS, "All of the mathematics on one page"):
            st.markdown(more)


def _column(column: Column) -> Any:
    if not column.form:
        return st.column_config.Column(help=column.meaning or None)
    width = NUMBER_WIDTH if len(column.head) > LONG_HEAD else None
    return st.column_config.NumberColumn(
        format=column.form, help=column.meaning or None, width=width
    )


def _name_column(values: pd.Series[Any], names: int) -> Any:
    letters = max(len(str(one)) for one in (values.name, *values))
    width = min(CELL_EDGES + int(LETTER_WIDTH * letters), MOST_NAME_WIDTH[names - 1])
    return st.column_config.Column(pinned=True, width=width)


def _in_its_unit(values: pd.Series[Any], column: Column) -> pd.Series[Any]:
    """As it is written, shares in percent; nothing is written as minus zero."""
    numbers = values.astype(float) * (100.0 if column.of_shares else 1.0)
    if column.decimals is None:
        return numbers
    small = numbers.abs() < 0.5 * 10.0**-column.decimals
    return numbers.mask(small, 0.0)
