"""Features on their way in: which rows belong to which objects, and what kind each one is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from cml_app import bringing, messages, this_server
from cml_app.intake import Intake, raw_of
from cml_core import Feature, FeatureTable
from cml_core.errors import ConditionalMappingError
from cml_core.files import reading
from cml_core.files.joining.by_name import Join, joined, named_like
from cml_core.files.joining.inferred_kinds import FeatureChoice, chosen, naming
from cml_core.files.joining.oddities import feature_facts
from cml_core.files.reading.question import Choice, Question
from cml_core.files.source import FeatureSource
from cml_core.values.kinds.registry import KINDS

BELOW = " < "


def show(intake: Intake) -> bool:
    """What became of the file of features, and what can be corrected; whether it can be used."""
    source = intake.features
    if source is None:
        return True
    st.markdown(f"**Features** from {messages.plain(source.file.name)}")
    try:
        _sheet(source)
        answered = _questions(source)
        table = _as_written(source)
        raw = raw_of(intake, this_server.limits(), bringing.memory())
        labels = [label for label in raw.labels if label not in intake.preparation.without]
        named = named_like(table, labels)
        table = named.table
        if named.column:
            st.markdown(
                f"Rows are named by the column {messages.plain(named.column)}: in the first "
                "column there is no object."
            )
        _kinds(source, table)
        join = joined(chosen(table, source.choices), labels, dict(source.accepted))
    except ConditionalMappingError as error:
        messages.show(error)
        return False
    _call(intake, table, labels)
    st.markdown("\n".join(f"- {messages.plain(line)}" for line in join.report))
    _suggestions(source, join)
    for fact in feature_facts(join.table, source.choices):
        st.markdown(f":material/info: {messages.plain(fact.fact)}")
        st.caption(messages.plain(fact.meaning))
    return answered


def _sheet(source: FeatureSource) -> None:
    """Which sheet of a workbook holds the features."""
    parts: tuple[str, ...] = bringing.memory().of(
        "sheets of features",
        source.file.digest,
        lambda: reading.parts(source.file.content(), this_server.limits()),
    )
    if len(parts) < 2:
        return
    key = f"features-sheet-{source.file.digest[:12]}-{source.sheet}-{bringing.turn()}"
    st.selectbox(
        "Sheet",
        parts,
        index=parts.index(source.sheet) if source.sheet in parts else 0,
        key=key,
        on_change=lambda: bringing.change(
            lambda held: _with(held, sheet=st.session_state[key], choices=(), accepted=())
        ),
    )


def _questions(source: FeatureSource) -> bool:
    """What the file leaves open, to be said; whether all was that has to be."""
    answered = True
    questions: tuple[Question, ...] = bringing.memory().of(
        "questions of features",
        (source.file.digest, source.sheet, source.manner),
        lambda: source.questions(this_server.limits()),
    )
    for question in questions:
        now = getattr(source, question.field)
        values = [choice.value for choice in question.choices]
        key = f"features-{question.key}-{source.file.digest[:12]}-{now}-{bringing.turn()}"
        st.markdown(f":material/info: {messages.plain(question.fact)}")
        st.radio(
            messages.plain(question.meaning),
            question.choices,
            index=values.index(now) if now in values else None,
            format_func=lambda choice: messages.plain(choice.title),
            captions=[messages.plain(choice.about) for choice in question.choices],
            key=key,
            on_change=_answered,
            args=(question.field, key),
        )
        answered = answered and not question.open
    return answered


def _answered(field: str, key: str) -> None:
    choice: Choice | None = st.session_state[key]
    if choice is not None:
        bringing.change(lambda held: _with(held, **{field: choice.value}))


def _as_written(source: FeatureSource) -> FeatureTable:
    limits = this_server.limits()
    table: FeatureTable = bringing.memory().of(
        "features",
        (source.file.digest, source.sheet, source.manner),
        lambda: source.as_written(limits),
    )
    return table


def _kinds(source: FeatureSource, table: FeatureTable) -> None:
    """One line for each column of the file: whether it is used, its name and its kind."""
    key = f"kinds-{source.file.digest[:12]}-{source.sheet}-{bringing.turn()}"
    memory = bringing.memory()
    if key not in st.session_state:
        # The editor was not on the page: it begins with what was chosen before.
        memory.forget("kinds")
    names = naming(table)
    others = [feature for feature in table.features if feature not in names]
    begun = memory.of("kinds", key, lambda: _as_chosen(source, others))
    columns = _columns()
    edited = st.data_editor(
        begun,
        key=key,
        hide_index=True,
        num_rows="fixed",
        column_config=columns,
        column_order=list(columns),
    )
    made = tuple(
        choice
        for feature, row in zip(others, edited.to_dict("records"), strict=True)
        if (choice := _choice(row, feature)) is not None
    )
    made = (*made, *_naming_choices(source, names))
    if made != source.choices:
        bringing.change(lambda held: _with(held, choices=made))
        st.rerun()


def _naming_choices(source: FeatureSource, names: Sequence[Feature]) -> Iterator[FeatureChoice]:
    """Whether objects are to be called by a column that names each differently; one may."""
    now = next((choice.name for choice in source.choices if choice.names_objects), None)
    for feature in names:
        examples = ", ".join(feature.levels[:3])
        called = st.checkbox(
            messages.plain(f"Call the objects by {feature.name} ({examples}, …)"),
            value=feature.name == now,
            disabled=now not in (None, feature.name),
            key=f"names-{source.file.digest[:12]}-{feature.name}-{bringing.turn()}",
            help="It names every object differently: as a feature it would explain everything.",
        )
        yield FeatureChoice(feature.name, used=False, names_objects=called)


def _call(intake: Intake, table: FeatureTable, labels: Sequence[str]) -> None:
    """Give the objects the names that were chosen for them, and no others."""
    source = intake.features
    assert source is not None
    now = next((choice.name for choice in source.choices if choice.names_objects), None)
    names: tuple[tuple[str, str], ...] = ()
    if now is not None:
        row = joined(table.select([now]), labels, dict(source.accepted)).table[now]
        names = tuple(
            (label, row.levels[int(value)])
            for label, value in zip(labels, row.values, strict=True)
            if not np.isnan(value) and label != row.levels[int(value)]
        )
    if names != intake.preparation.names:
        bringing.change(lambda held: held.choosing(names=names))
        st.rerun()


def _columns() -> dict[str, Any]:
    """What can be corrected of each feature."""
    return {
        "used": st.column_config.CheckboxColumn("Use", width="small"),
        "name": st.column_config.TextColumn("In the file", disabled=True),
        "called": st.column_config.TextColumn("Call it", max_chars=120),
        "kind": st.column_config.SelectboxColumn(
            "Kind",
            options=list(KINDS),
            required=True,
            help="\n".join(f"- {kind.name}: {kind.meaning}" for kind in KINDS.values()),
        ),
        "period": st.column_config.NumberColumn(
            "Period",
            min_value=0.0,
            width="small",
            help="Of what begins again: 360 for degrees, 12 for months.",
        ),
        "order": st.column_config.TextColumn(
            "Order",
            width="medium",
            help="Of what has levels, lowest first: low < middle < high.",
        ),
    }


def _with(intake: Intake, **changes: Any) -> Intake:
    """The intake with its features read in another way."""
    assert intake.features is not None
    return replace(intake, features=replace(intake.features, **changes))


def _as_chosen(source: FeatureSource, features: Sequence[Feature]) -> pd.DataFrame:
    choices = {choice.name: choice for choice in source.choices}
    return pd.DataFrame([_row(feature, choices.get(feature.name)) for feature in features])


def _row(feature: Feature, choice: FeatureChoice | None) -> dict[str, Any]:
    choice = choice or FeatureChoice(feature.name)
    order = choice.order or (feature.levels if KINDS[feature.kind].is_order else ())
    return {
        "used": choice.used,
        "name": feature.name,
        "called": choice.called or feature.name,
        "kind": choice.kind or feature.kind,
        "period": choice.period or feature.period,
        "order": BELOW.join(order),
    }


def _choice(row: Mapping[Any, Any], feature: Feature) -> FeatureChoice | None:
    """What a line of the table says; None where it says nothing new."""
    order = in_order(str(row["order"] or ""))
    kind = KINDS[row["kind"]]
    own_order = kind.is_order and order and order != feature.levels
    period = None if pd.isna(row["period"]) else float(row["period"])
    called = str(row["called"] or "").strip()
    choice = FeatureChoice(
        feature.name,
        kind=kind.name if kind.name != feature.kind or own_order else "",
        order=order if own_order else (),
        period=period if kind.has_period else None,
        called="" if called == feature.name else called,
        used=bool(row["used"]),
    )
    return None if choice == FeatureChoice(feature.name) else choice


def in_order(text: str) -> tuple[str, ...]:
    """Levels as people list them: low < middle < high, or with commas."""
    parts = text.split("<" if "<" in text else ",")
    return tuple(part.strip() for part in parts if part.strip())


def _suggestions(source: FeatureSource, join: Join) -> None:
    """Names that might mean the same; none is taken for another unless someone says so."""
    for match in join.suggestions:
        st.button(
            f"{messages.plain(match.given)} is {messages.plain(match.object)}",
            key=f"accept-{source.file.digest[:8]}-{match.given}",
            icon=":material/link:",
            on_click=_accept,
            args=(match.given, match.object),
            help=messages.plain(match.why),
        )


def _accept(given: str, meant: str) -> None:
    def accepting(held: Intake) -> Intake:
        assert held.features is not None
        others = (pair for pair in held.features.accepted if pair[0] != given)
        return _with(held, accepted=(*others, (given, meant)))

    bringing.change(accepting)
