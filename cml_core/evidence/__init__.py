"""Is anything left, did it help, what might it be, and can this map be trusted."""

from cml_core.evidence.advised_scale import AdvisedScale, advised_scale
from cml_core.evidence.convergence import Convergence, convergence
from cml_core.evidence.curvature import Curvature, curvature
from cml_core.evidence.dimensions import Dimensions, dimensions
from cml_core.evidence.expected import Expected, expected
from cml_core.evidence.fitted_curve import FittedCurve, fitted_curve
from cml_core.evidence.hidden_feature import HiddenFeature, hidden_feature_test
from cml_core.evidence.importance import Helped, did_it_help
from cml_core.evidence.individuals import Individuals, individuals
from cml_core.evidence.known_weights import KnownWeights, known_weights
from cml_core.evidence.lowered import Lowered, left_by_chance
from cml_core.evidence.neighbourhoods import Neighbourhoods, neighbourhoods
from cml_core.evidence.other_optima import OtherOptima, other_optima
from cml_core.evidence.ranking import Ranking, candidates_among, what_might_it_be
from cml_core.evidence.redundancy import Redundancy, redundancy
from cml_core.evidence.shepard import Shepard, shepard
from cml_core.evidence.stability import Stability, stability
from cml_core.evidence.structure import Structure, without_structure
from cml_core.evidence.surface import Surface, surface
from cml_core.evidence.told_pairs import ToldPairs, told_pairs
from cml_core.evidence.uncovered import Uncovered, uncovered
from cml_core.evidence.work import Cancelled, Stage

__all__ = [
    "AdvisedScale",
    "Cancelled",
    "Convergence",
    "Curvature",
    "Dimensions",
    "Expected",
    "FittedCurve",
    "Helped",
    "HiddenFeature",
    "Individuals",
    "KnownWeights",
    "Lowered",
    "Neighbourhoods",
    "OtherOptima",
    "Ranking",
    "Redundancy",
    "Shepard",
    "Stability",
    "Stage",
    "Structure",
    "Surface",
    "ToldPairs",
    "Uncovered",
    "advised_scale",
    "candidates_among",
    "convergence",
    "curvature",
    "did_it_help",
    "dimensions",
    "expected",
    "fitted_curve",
    "hidden_feature_test",
    "individuals",
    "known_weights",
    "left_by_chance",
    "neighbourhoods",
    "other_optima",
    "redundancy",
    "shepard",
    "stability",
    "surface",
    "told_pairs",
    "uncovered",
    "what_might_it_be",
    "without_structure",
]
