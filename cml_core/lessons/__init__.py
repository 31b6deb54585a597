"""Ten short lessons: what they show is computed when it is shown, and so are their answers."""

from cml_core.lessons.lesson import Check, Lesson, Verdict
from cml_core.lessons.registry import LESSONS

__all__ = ["LESSONS", "Check", "Lesson", "Verdict"]
