"""Taking it home: the report, tables, a program, and the whole project."""

from __future__ import annotations

import re

import streamlit as st

from cml_app.workspace import Workspace
from cml_core.files.writing import workbook
from cml_core.journey.file import to_json
from cml_core.report import tables
from cml_core.report.report import report_html


def show(workspace: Workspace) -> None:
    """One button each; a file is made when it is asked for."""
    journey, fit = workspace.journey, workspace.step.fit
    name = re.sub(r"\W+", "-", journey.title).strip("-").lower()[:60] or "project"
    st.header("Take it home")
    with st.container(horizontal=True, gap="xsmall"):
        _file("Report", f"{name}.html", "text/html", lambda: report_html(journey),
              "The journey with its maps and numbers, to be opened in any browser.")  # fmt: skip
        _file("Table", f"{name}.csv", "text/csv",
              lambda: tables.coordinates_csv(fit, journey.features),
              "Where the objects are on this map, and their features, as CSV for R, pandas and "
              "other programs. Names stand as they are; a spreadsheet would run one that begins "
              "with = as a formula, so take Excel for it.")  # fmt: skip
        _file("Excel", f"{name}.xlsx", workbook.MEDIA_TYPE,
              lambda: tables.coordinates_xlsx(fit, journey.features),
              "The same as a workbook, for Excel and LibreOffice: names are typed as texts there, "
              "so that none is run as a formula.")  # fmt: skip
        _file("Weights", f"{name}-B.csv", "text/csv", lambda: tables.coef_csv(fit),
              "How much the known features count on this map: the matrix B.")  # fmt: skip
        _file("Python", f"{name}.zip", "application/zip", lambda: tables.bundle(journey),
              "A program that makes this map again, with the files that it reads.")  # fmt: skip
        _file("Project", f"{name}.json", "application/json", lambda: to_json(journey),
              "Everything, to be opened again on the Data page.")  # fmt: skip


def _file(label: str, name: str, kind: str, made: object, meaning: str) -> None:
    st.download_button(label, data=made, file_name=name, mime=kind, on_click="ignore", help=meaning)  # type: ignore[arg-type]
