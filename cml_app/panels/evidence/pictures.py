"""Pictures on the Evidence page, the tables beside them, and how it was all computed."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

ROW_HEIGHT = 35
MOST_ROWS_SHOWN = 12
SHARE = "percent"
NUMBER = "%.4g"


def picture(figure: go.Figure, key: str, says: str) -> None:
    """A picture, and what it shows for those who do not see it."""
    st.plotly_chart(figure, key=key, theme=None, config={"displayModeBar": False}, alt=says)


def table(
    rows: pd.DataFrame, key: str, formats: Mapping[str, str], meanings: Mapping[str, str] = {}
) -> None:
    """The numbers of a picture; those formatted as shares are shown in percent."""
    columns = {
        name: st.column_config.NumberColumn(format=form, help=meanings.get(name))
        for name, form in formats.items()
    } | {
        name: st.column_config.Column(help=meaning)
        for name, meaning in meanings.items()
        if name not in formats
    }
    shown = min(len(rows), MOST_ROWS_SHOWN) + 1
    st.dataframe(
        rows,
        key=key,
        column_config=columns,
        hide_index=True,
        width="stretch",
        height=ROW_HEIGHT * shown + 3,
        placeholder="–",
    )


def how(text: str) -> None:
    """The mathematics, one click away."""
    with st.expander("How this is computed"):
        st.markdown(text)
