"""Every format with an example of it, and the example data in every format."""

from __future__ import annotations

import streamlit as st

from cml_app import messages
from cml_core import load_dataset
from cml_core.datasets import dataset_names
from cml_core.files import writing


def show() -> None:
    """Formats in a list, each with a small file to look at; then examples to download."""
    with st.expander("Formats that can be read, with templates", key="templates"):
        for kind in writing.TEMPLATES.values():
            _format(kind)
        st.markdown("**An example dataset as a file**")
        _dataset()


def _format(kind: writing.FileKind) -> None:
    button, words = st.columns([1, 2], vertical_alignment="center")
    words.markdown(messages.plain(kind.about))
    button.download_button(
        kind.title,
        data=lambda: writing.template(kind.key),
        file_name=f"template-{kind.key}{kind.extension}",
        mime=kind.mime,
        key=f"template-{kind.key}",
        on_click="ignore",
        help="A small file in this format.",
        width="stretch",
    )


def _dataset() -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        titles = {name: load_dataset(name).title for name in dataset_names()}
        name = st.selectbox("Dataset", titles, format_func=lambda key: titles[key])
        values = load_dataset(name).values()
        formats = writing.formats_for(values)
        key = st.selectbox("Format", formats, format_func=lambda key: writing.WRITERS[key].title)
        writer = writing.WRITERS[key]
        st.download_button(
            "Download",
            data=lambda: writing.written(values, key),
            file_name=f"{name}{writer.extension}",
            mime=writer.mime,
            on_click="ignore",
        )
        features = load_dataset(name).feature_table()
        st.download_button(
            "Its features",
            data=lambda: writing.written_features(features),
            file_name=f"{name}-features.csv",
            mime="text/csv",
            on_click="ignore",
        )
