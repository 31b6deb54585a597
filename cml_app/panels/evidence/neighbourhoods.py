"""Are neighbours on the map alike, and those that are alike neighbours?"""

from __future__ import annotations

from cml_app.panels.evidence.panel import Panel, Picture, no_map
from cml_app.panels.evidence.pictures import page_ink
from cml_app.panels.evidence.running import AtOnce
from cml_app.pictures import evidence_figures
from cml_app.workspace import Workspace
from cml_core.evidence.neighbourhoods import Neighbourhoods, neighbourhoods
from cml_core.evidence.result import ResultKind

_HOW = r"""
What is left of a dissimilarity is $\sqrt{\max(\delta_{ij}^2 - \text{known}_{ij}^2, 0)}$.
**Trustworthiness** counts, for each object, those among its $k$ nearest on the map that are not
among its $k$ most alike, weighted by how far down that order they stand; **continuity** counts the
reverse. Both are 1 without such objects, and about 0.5 for a map drawn at random
(Venna and Kaski, 2001).
"""


def _picture(_: Workspace, found: Neighbourhoods) -> Picture:
    return Picture(
        evidence_figures.neighbourhood_curves(found, page_ink()),
        "near-curves",
        "Trustworthiness and continuity by neighbours; the numbers are in the table.",
    )


ASKED = AtOnce(ResultKind(Neighbourhoods), lambda workspace: neighbourhoods(workspace.step.fit))
PANEL = Panel(Neighbourhoods, ASKED.found, why_not=no_map, picture=_picture, how=_HOW)
