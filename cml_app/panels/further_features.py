"""Features that a file brings to a project that exists."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from cml_app import bringing, messages, this_server
from cml_app.workspace import Workspace
from cml_core import Feature
from cml_core.errors import listing
from cml_core.files.joining.by_name import joined
from cml_core.files.joining.inferred_kinds import naming
from cml_core.files.source import FeatureSource, RawFile
from cml_core.values.words import counted

_REPORT = "further-features"


def show(workspace: Workspace) -> None:
    """The field, and what became of the file brought last."""
    key = f"further-features-{workspace.revision}"
    st.file_uploader(
        "Further features, from a file",
        max_upload_size=this_server.settings().max_upload_mb,
        key=key,
        on_change=workspace.attempt,
        args=(_take, workspace, key),
        help="One row for each object, its name first, then one column for each feature.",
    )
    about, report = st.session_state.get(_REPORT, (None, ()))
    if about == workspace.journey.created:
        st.markdown("\n".join(f"- {messages.plain(line)}" for line in report))


def _take(workspace: Workspace, key: str) -> None:
    (file,) = bringing.files_in(key) or [None]
    if file is None:
        return
    source = FeatureSource(RawFile(file.name, file.getvalue()))
    table = source.as_written(this_server.limits())
    names = [feature.name for feature in naming(table)]
    others = [name for name in table.names if name not in names]
    join = joined(table.select(others), workspace.journey.dissimilarities.labels)
    there = set(workspace.journey.features.names)
    new = [feature for feature in join.table.features if feature.name not in there]
    workspace.bring(new)
    report = (
        _brought(new, file.name),
        *_left([name for name in join.table.names if name in there], "is there already"),
        *_left(names, "names every object differently"),
        *join.report,
    )
    st.session_state[_REPORT] = workspace.journey.created, report


def _brought(new: Sequence[Feature], file: str) -> str:
    if not new:
        return f"{file} has no feature that is new here."
    return f"{counted(len(new), 'feature')} from {file}: {listing([one.name for one in new])}."


def _left(names: Sequence[str], why: str) -> tuple[str, ...]:
    return tuple(f"{name!r} {why}, so it was left out." for name in names)
