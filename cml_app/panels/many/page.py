"""The page of very many objects: bring them, choose columns, and then the loop."""

from __future__ import annotations

import streamlit as st

from cml_app import messages
from cml_app.compute import places
from cml_app.many import visit as visits
from cml_app.many.visit import Visit
from cml_app.panels.many import (
    begin,
    columns,
    evidence,
    headline,
    home,
    known,
    look,
    newcomers,
    steps,
)


def show() -> None:
    """What there is for this visitor to do."""
    visit = visits.current()
    visit.attempt_quietly(visit.take)
    visit.attempt_quietly(visit.take_findings)
    visit.attempt_quietly(visit.ensure)
    visit.attempt_quietly(visit.watch)
    visit.attempt_quietly(visit.place_newcomers)
    if visit.loop is not None:
        _loop(visit)
    else:
        st.title("Many objects")
        if visit.trouble:
            messages.show(visit.trouble)
        if visit.choosing is not None:
            columns.show(visit, *visit.choosing)
        else:
            begin.show(visit)


def _loop(visit: Visit) -> None:
    with places().courtesy.going_first():
        map_column, side = st.columns([2.7, 1], gap="medium")
        look_at, aside = map_column.container(key="look"), side.container(key="aside")
        with aside.container(key="ticks"):
            known.show(visit)
        with look_at.container(key="heading"):
            headline.show(visit)
        with look_at:
            state = look.show(visit)
        with aside:
            look.discovery(visit, state)
            evidence.show(visit)
            newcomers.show(visit)
        with st.sidebar:
            steps.show(visit)
            home.show(visit)
