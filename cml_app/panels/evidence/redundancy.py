"""Asked without a map: what the known features explain by two regressions."""

from __future__ import annotations

from cml_app.panels.evidence.panel import Panel, nothing_known, numbers
from cml_app.panels.evidence.running import AtOnce
from cml_app.workspace import Workspace
from cml_core.evidence.redundancy import Redundancy, redundancy, why_not_asked
from cml_core.evidence.result import ResultKind

# More objects take longer to deal out, and fewer dealings.
MANY, DEALINGS, FEWER_DEALINGS = 200, 999, 199
_HOW = r"""
Two ways to ask the same table of dissimilarities that ecologists and neuroscientists know.

- **Redundancy analysis** (dbRDA; Legendre and Anderson 1999): with
  $G = -\frac12 J \Delta^{(2)} J$ of the squared dissimilarities and $H$ the projection on the
  columns of what is known, $\mathrm{tr}(HG)/\mathrm{tr}(G)$ is explained. A feature is judged by
  what it adds to all others, $F = \frac{\mathrm{tr}(H_k G)/q_k}{\mathrm{tr}((I-H)G)/(N-1-q)}$; by
  chance: residuals of the others are dealt out to the objects (Freedman and Lane 1983), $m$ times,
  and $p = (1 + \text{as large by chance}) / (1 + m)$.
- **Matrix regression** (MRM; the regression of representational similarity analysis):
  dissimilarities of pairs are regressed on how far apart the objects are in each feature. Its
  slopes get no chance: distances in several features do not add up, so objects dealt out gave 9
  to 17 false alarms in 100 for features that hang together with others.

Objects that lie together are dealt out together. Both take the dissimilarities as they were given,
whatever the scale of the map, and need those of all pairs.
"""


def _why_not(workspace: Workspace) -> str:
    return nothing_known(workspace) or why_not_asked(workspace.step.problem)


def _redundancy(workspace: Workspace) -> Redundancy:
    many = workspace.journey.dissimilarities.n_objects > MANY
    return redundancy(workspace.step.fit, permutations=FEWER_DEALINGS if many else DEALINGS)


ASKED = AtOnce(ResultKind(Redundancy), _redundancy)
PANEL = Panel(
    Redundancy,
    ASKED.found,
    why_not=_why_not,
    body=lambda _, found: numbers(found),
    how=_HOW,
)
