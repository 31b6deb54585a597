"""From what a file says to dissimilarities: what is odd, what it means, and how it is mended."""

from cml_core.doctor.conversions import CONVERSIONS, Conversion
from cml_core.doctor.examine import examine
from cml_core.doctor.findings import Choice, Finding
from cml_core.doctor.mend import prepared, prepared_weights
from cml_core.doctor.ordering import ordered
from cml_core.doctor.recognition import Recognition, recognised
from cml_core.doctor.steps import steps

__all__ = [
    "CONVERSIONS",
    "Choice",
    "Conversion",
    "Finding",
    "Recognition",
    "examine",
    "ordered",
    "prepared",
    "prepared_weights",
    "recognised",
    "steps",
]
