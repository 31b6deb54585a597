"""The lessons in their order: a line for each module."""

from __future__ import annotations

from cml_core.lessons import stress
from cml_core.lessons.lesson import AnyLesson

LESSONS: dict[str, AnyLesson] = {lesson.name: lesson for lesson in (stress.LESSON,)}
