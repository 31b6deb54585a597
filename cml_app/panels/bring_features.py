"""Features on their way in: which rows belong to which objects, and what kind each one is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from cml_app import messages, workspace
from cml_app.intake import Intake, prepared_of
from cml_core import FeatureTable
from cml_core.errors import ConditionalMappingError
from cml_core.features import KINDS
from cml_core.given.facts import examined
from cml_core.given.joining import Join, joined
from cml_core.given.kinds import FeatureChoice, chosen
from cml_core.source import FeatureSource

_BELOW = " < "
_COLUMNS = {
    "used": st.column_config.CheckboxColumn("Use", width="small"),
    "name": st.column_config.TextColumn("In the file", disabled=True),
    "called": st.column_config.TextColumn("Call it", max_chars=120),
    "kind": st.column_config.SelectboxColumn("Kind", options=list(KINDS), required=True),
    "order": st.column_config.TextColumn(
        "Order", help="Of an ordinal feature, lowest first: low < middle < high."
    ),
    "period": st.column_config.NumberColumn(
        "Period", min_value=0.0, help="Of a circular feature: 360 for degrees, 12 for months."
    ),
}


def show(intake: Intake) -> None:
    """What became of the file of features, and what can be corrected."""
    source = intake.features
    if source is None:
        return
    st.markdown(f"**Features** from {messages.plain(source.file.name)}")
    try:
        table = _as_written(source)
        _kinds(intake, source, table)
        labels = prepared_of(intake, workspace.limits(), workspace.memory()).labels
        join = joined(chosen(table, source.choices), labels, dict(source.accepted))
    except ConditionalMappingError as error:
        messages.show(error)
        return
    st.markdown("\n".join(f"- {messages.plain(line)}" for line in join.report))
    _suggestions(intake, source, join)
    for fact in examined(join.table):
        st.markdown(f":material/info: {messages.plain(fact.fact)}")
        st.caption(messages.plain(fact.meaning))


def _as_written(source: FeatureSource) -> FeatureTable:
    limits = workspace.limits()
    table: FeatureTable = workspace.memory().of(
        "features", (source.file.digest, source.sheet), lambda: source.as_written(limits)
    )
    return table


def _kinds(intake: Intake, source: FeatureSource, table: FeatureTable) -> None:
    """One line for each column of the file: whether it is used, its name and its kind."""
    choices = {choice.name: choice for choice in source.choices}
    rows = [
        _row(feature.name, choices.get(feature.name), feature.kind, feature.levels, feature.period)
        for feature in table.features
    ]
    key = f"kinds-{source.file.digest[:12]}-{source.sheet}"
    begun = workspace.memory().of("kinds", key, lambda: pd.DataFrame(rows))
    edited = st.data_editor(
        begun, key=key, hide_index=True, num_rows="fixed", column_config=_COLUMNS
    )
    made = tuple(
        choice
        for feature, row in zip(table.features, edited.to_dict("records"), strict=True)
        if (choice := _choice(row, feature.name, feature.kind)) is not None
    )
    if made != source.choices:
        workspace.take_in(replace(intake, features=replace(source, choices=made)))
        st.rerun()


def _row(
    name: str,
    choice: FeatureChoice | None,
    kind: str,
    levels: tuple[str, ...],
    period: float | None,
) -> dict[str, Any]:
    choice = choice or FeatureChoice(name)
    order = choice.order or (levels if kind == "ordinal" else ())
    return {
        "used": choice.used,
        "name": name,
        "called": choice.called or name,
        "kind": choice.kind or kind,
        "order": _BELOW.join(order),
        "period": choice.period or period,
    }


def _choice(row: dict[str, Any], name: str, kind: str) -> FeatureChoice | None:
    """What a line of the table says; None where it says nothing new."""
    order = tuple(part.strip() for part in str(row["order"] or "").split("<") if part.strip())
    changed = row["kind"] != kind
    ordinal = row["kind"] == "ordinal"
    period = None if pd.isna(row["period"]) else float(row["period"])
    called = str(row["called"] or "").strip()
    choice = FeatureChoice(
        name,
        kind=row["kind"] if changed or (ordinal and order) else "",
        order=order if ordinal else (),
        period=period if row["kind"] == "circular" else None,
        called="" if called == name else called,
        used=bool(row["used"]),
    )
    return None if choice == FeatureChoice(name) else choice


def _suggestions(intake: Intake, source: FeatureSource, join: Join) -> None:
    """Names that might mean the same; none is taken for another unless someone says so."""
    for match in join.suggestions:
        st.button(
            f"{messages.plain(match.given)} is {messages.plain(match.object)}",
            key=f"accept-{source.file.digest[:8]}-{match.given}",
            icon=":material/link:",
            on_click=_accept,
            args=(intake, source, match.given, match.object),
            help=messages.plain(match.why),
        )


def _accept(intake: Intake, source: FeatureSource, given: str, meant: str) -> None:
    accepted = (*(pair for pair in source.accepted if pair[0] != given), (given, meant))
    workspace.take_in(replace(intake, features=replace(source, accepted=accepted)))
