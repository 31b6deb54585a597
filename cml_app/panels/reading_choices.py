"""How a file is read: its format, its sheet, and how measurements are compared."""

from __future__ import annotations

import streamlit as st

from cml_app import bringing, messages, this_server
from cml_app.intake import Intake, look_of
from cml_core import FeatureTable
from cml_core.files import reading
from cml_core.files.measures import METRICS, SCALINGS, scaling_title
from cml_core.files.source import ALL_PARTS
from cml_core.values.words import counted

_AUTO = "auto"


def show(intake: Intake) -> None:
    """The format that was recognised, to be corrected; the sheet, where there are several."""
    look = look_of(intake, this_server.limits(), bringing.memory())
    parts, likely, chosen = look.parts, look.formats, intake.preparation
    with st.container(horizontal=True):
        if len(parts) > 1:
            _select(intake, "sheet", "Part of the file", ["", *parts[1:], ALL_PARTS],
                    {"": parts[0], ALL_PARTS: "All, as several raters"})  # fmt: skip
        _format(intake, likely)
    if len(parts) > 1 and chosen.sheet != ALL_PARTS:
        read = messages.plain(chosen.sheet or parts[0])
        st.markdown(
            f":material/info: **Worth knowing.** The file has {len(parts)} parts; only {read} is "
            "read. If each is one person's judgements, choose *All, as several raters*."
        )


def _format(intake: Intake, likely: tuple[str, ...]) -> None:
    others = [key for key in reading.FORMATS if key not in likely]
    first = f"Recognised: {reading.FORMATS[likely[0]].title}" if likely else "Not recognised"
    _select(
        intake,
        "format",
        "Read as",
        [_AUTO, *likely[1:], *others] if likely else [_AUTO, *others],
        {_AUTO: first, **{key: _title(key, likely) for key in reading.FORMATS}},
    )


def _title(key: str, likely: tuple[str, ...]) -> str:
    return f"{reading.FORMATS[key].title}{' (possible)' if key in likely else ''}"


def measurements(intake: Intake, table: FeatureTable) -> None:
    """Which of the measurements count, and how objects are compared by them."""
    st.markdown(
        f"{':material/check_circle:'} **Understood.** A table of measurements: "
        f"{counted(len(table.labels), 'object')}, {counted(len(table), 'column')}. Objects are as "
        "far apart as their measurements differ; say how to compare them."
    )
    with st.container(horizontal=True):
        titles = {key: metric.title for key, metric in METRICS.items()}
        _select(intake, "metric", "Compare by", list(METRICS), titles, scaling="none")
        metric = METRICS.get(intake.preparation.metric)
        if metric is None or metric.scaling_matters:
            titles = {key: scaling_title(key) for key in SCALINGS}
            _select(intake, "scaling", "Columns", list(SCALINGS), titles)
    if metric is not None:
        st.caption(messages.plain(metric.described))
    key = f"columns-{intake.key}-{bringing.turn()}"
    st.multiselect(
        "Columns that count (all, if none is chosen)",
        table.names,
        default=[name for name in intake.preparation.columns if name in table],
        key=key,
        on_change=lambda: bringing.change(
            lambda held: held.choosing(columns=tuple(st.session_state[key]))
        ),
    )


def _select(
    intake: Intake,
    field: str,
    title: str,
    options: list[str],
    names: dict[str, str],
    **anew: str,
) -> None:
    """A choice of the preparation from a list; `anew` is what goes back with every change."""
    now = getattr(intake.preparation, field)
    titles = bringing.titled(names.get(option, option) for option in options)
    key = f"{field}-{intake.key}-{now}-{titles}-{bringing.turn()}"
    st.selectbox(
        title,
        options,
        index=options.index(now) if now in options else None,
        format_func=lambda option: names.get(option, option),
        key=key,
        placeholder="Choose",
        on_change=lambda: bringing.change(
            lambda held: held.choosing(**{field: st.session_state[key] or ""}, **anew)
        ),
    )
