"""The evidence questions, each by the class of its answer: a line for each module.

Steps keep, projects store and reports show whatever stands here.
"""

from __future__ import annotations

from cml_core.evidence.advised_scale import AdvisedScale
from cml_core.evidence.curvature import Curvature
from cml_core.evidence.dimensions import Dimensions
from cml_core.evidence.hidden_feature import HiddenFeature
from cml_core.evidence.importance import Helped
from cml_core.evidence.importance_as_chosen import HelpedAsChosen
from cml_core.evidence.individuals import Individuals
from cml_core.evidence.known_weights import KnownWeights
from cml_core.evidence.neighbourhoods import Neighbourhoods
from cml_core.evidence.other_optima import OtherOptima
from cml_core.evidence.ranking import Ranking
from cml_core.evidence.redundancy import Redundancy
from cml_core.evidence.result import Result
from cml_core.evidence.stability import Stability
from cml_core.evidence.structure import Structure
from cml_core.evidence.told_pairs import ToldPairs
from cml_core.evidence.uncovered import Uncovered
from cml_core.peers.views import Views

QUESTIONS: tuple[type[Result], ...] = (
    HiddenFeature,
    Dimensions,
    Helped,
    HelpedAsChosen,
    Redundancy,
    Curvature,
    KnownWeights,
    Ranking,
    Uncovered,
    Individuals,
    AdvisedScale,
    ToldPairs,
    Neighbourhoods,
    OtherOptima,
    Stability,
    Structure,
    Views,
)
