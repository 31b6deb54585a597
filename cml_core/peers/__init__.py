"""The same data through other eyes: other methods, before and after the known is taken out."""

from cml_core.peers.conditioned import Conditioned, conditioned
from cml_core.peers.lot import drawn_by_lot, lot_size
from cml_core.peers.method import GROUPS, Method, Step
from cml_core.peers.quality import Quality, quality
from cml_core.peers.registry import METHODS
from cml_core.peers.round_a_circle import (
    CIRCLES,
    CircleMethod,
    RoundACircle,
    radviz,
    star_coordinates,
)
from cml_core.peers.setting import Setting
from cml_core.peers.shown import ShownFeature
from cml_core.peers.view import Objective, View, view
from cml_core.peers.views import KeptView, Views

__all__ = [
    "CIRCLES",
    "GROUPS",
    "METHODS",
    "CircleMethod",
    "Conditioned",
    "KeptView",
    "Method",
    "Objective",
    "Quality",
    "RoundACircle",
    "Setting",
    "ShownFeature",
    "Step",
    "View",
    "Views",
    "conditioned",
    "drawn_by_lot",
    "lot_size",
    "quality",
    "radviz",
    "star_coordinates",
    "view",
]
