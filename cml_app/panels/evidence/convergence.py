"""Has the fit arrived: the path of the stress."""

from __future__ import annotations

from cml_app.panels.evidence.panel import Panel, Picture
from cml_app.panels.evidence.pictures import page_ink
from cml_app.panels.evidence.running import AtOnce
from cml_app.pictures.evidence_convergence import stress_path
from cml_app.workspace import Workspace
from cml_core.evidence.convergence import Convergence, convergence
from cml_core.evidence.result import ResultKind

_HOW = r"""
A fit begins with many arrangements of the objects and improves each step by step (L-BFGS). Drawn is
the run that ended lowest: after each step the **normalised stress**
$\sum w_{ij} (\delta_{ij} - d_{ij})^2 / \sum w_{ij} \delta_{ij}^2$, the share unexplained. It has
arrived where the gradient vanishes, or a step lowers the stress by less than a billionth of it. It
falls steeply at first and then slowly; a map that is broken off on the way is no optimum.
"""


def _picture(_: Workspace, found: Convergence) -> Picture | None:
    if not found.steps:
        return None
    return Picture(stress_path(found, page_ink()), "stress-path", found.verdict)


# The fit itself keeps the path.
_ASKED = AtOnce(
    ResultKind(Convergence), lambda workspace: convergence(workspace.step.fit), keep=False
)
PANEL = Panel(Convergence, _ASKED.found, picture=_picture, how=_HOW)
