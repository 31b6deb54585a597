"""From what a file says to dissimilarities: what is odd, what it means, and how it is mended."""

from cml_core.files.doctor.conversions import CONVERSIONS, Conversion
from cml_core.files.doctor.examine import examine
from cml_core.files.doctor.findings import Choice, Finding
from cml_core.files.doctor.in_words import choices_in_words
from cml_core.files.doctor.mend import prepared, prepared_weights
from cml_core.files.doctor.ordering import ordered
from cml_core.files.doctor.recognition import Recognition, recognised
from cml_core.files.doctor.which_way import ends_of, most_alike, turned_round

__all__ = [
    "CONVERSIONS",
    "Choice",
    "Conversion",
    "Finding",
    "Recognition",
    "choices_in_words",
    "ends_of",
    "examine",
    "most_alike",
    "ordered",
    "prepared",
    "prepared_weights",
    "recognised",
    "turned_round",
]
