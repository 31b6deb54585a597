"""Other maps that fit, too: a gallery of where else the starts of the fit ended."""

from __future__ import annotations

import streamlit as st

from cml_app import messages
from cml_app.panels.evidence.panel import Panel, no_map, numbers
from cml_app.panels.evidence.pictures import page_ink, picture
from cml_app.panels.evidence.running import AtOnce
from cml_app.pictures.evidence_maps import half_width, in_rows, small_map
from cml_app.scenes import plane
from cml_app.workspace import Workspace
from cml_core.evidence.other_optima import OtherOptima, other_optima
from cml_core.evidence.result import ResultKind

# Of other maps; those that follow are far worse.
MOST_SMALL_MAPS = 5
ACROSS = 3


def _body(workspace: Workspace, found: OtherOptima) -> None:
    if not found.optima:
        return
    fit = workspace.step.fit
    shown = found.optima[:MOST_SMALL_MAPS]
    maps = in_rows(
        [plane(other.embedding) for other in (fit.best, *fit.alternatives[: len(shown)])]
    )
    place = {label: i for i, label in enumerate(fit.labels)}
    moved = [[], *([place[name] for name in one.most_moved] for one in shown)]
    words = [f"{found.starts} starts led to it.", *(one.verdict for one in shown)]
    half, columns = half_width(maps), []
    for k, name in enumerate(found.names[: len(maps)]):
        # A row at a time: so that they stand in line, and on a telephone in order.
        if k % ACROSS == 0:
            columns = st.columns(ACROSS, gap="small")
        with columns[k % ACROSS]:
            figure = small_map(fit.labels, maps[k], half, page_ink(), moved[k])
            picture(figure, f"other-map-{k}", f"{name}: {words[k]}")
            st.caption(f"**{name}.** {messages.plain(words[k])}")
    if fit.embedding.shape[1] == 1:
        st.caption("Each object has its row, in the order of the best map, the first on top.")
    if len(found.optima) > len(shown):
        st.caption(
            f"Of {len(found.optima)} other maps the best {len(shown)} are drawn; all are in the "
            "table."
        )
    numbers(found)


ASKED = AtOnce(ResultKind(OtherOptima), lambda workspace: other_optima(workspace.step.fit))
PANEL = Panel(OtherOptima, ASKED.found, why_not=no_map, body=_body, lesson="traps")
