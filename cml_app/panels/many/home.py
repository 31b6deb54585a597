"""Taking home what was made of very many objects: tables, the weights, and a program."""

from __future__ import annotations

import re
from collections.abc import Callable

import streamlit as st

from cml_app.many.held import held
from cml_app.many.visit import Visit
from cml_core.many import take_home
from cml_core.many.maps import ManyMap
from cml_core.report.many import many_report
from cml_core.report.tables import coef_csv


def show(visit: Visit) -> None:
    """One button each; a file is made when it is asked for."""
    found = visit.map
    if found is None or not found.whole:
        return
    loop, name = visit.made, re.sub(r"\W+", "-", visit.made.whence.name).strip("-").lower()[:60]
    st.header("Take it home")
    with st.container(horizontal=True, gap="xsmall"):
        _file("Report", f"{name}.html", lambda: many_report(loop, found),
              "All steps, what was found about each, and the landmarks of this map.")  # fmt: skip
        _file("Parquet", f"{name}.parquet", _of_all(visit, found, take_home.coordinates_parquet),
              "Where all objects are on this map, with all features.")  # fmt: skip
        _file("CSV", f"{name}.csv", _of_all(visit, found, take_home.coordinates_csv),
              "The same as text.")  # fmt: skip
        if loop.step.known:
            _file("Weights", f"{name}-B.csv", lambda: coef_csv(found.fit.landmarks),
                  "How much the known features count on this map: the matrix B.")  # fmt: skip
        _file("Python", f"{name}.py", lambda: take_home.program(loop, found.fit.stress),
              "A program that makes this map again, from your table.")  # fmt: skip


def _of_all(visit: Visit, found: ManyMap, made: Callable[..., bytes]) -> Callable[[], bytes]:
    loop = visit.made
    return lambda: made(held().opened(loop), loop, found, visit.map_at)


def _file(label: str, name: str, made: Callable[[], bytes | str], meaning: str) -> None:
    st.download_button(label, data=made, file_name=name, on_click="ignore", help=meaning)
