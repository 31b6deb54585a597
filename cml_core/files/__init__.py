"""From files to values and back: raw bytes and choices become dissimilarities and features."""

from cml_core.files import doctor, reading
from cml_core.files.preparation import Preparation

__all__ = ["Preparation", "doctor", "reading"]
