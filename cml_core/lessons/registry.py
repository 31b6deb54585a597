"""The lessons in their order: a line for each module."""

from __future__ import annotations

from cml_core.lessons import (
    crowding,
    did_it_help,
    dimensions,
    faithful,
    filling_in,
    not_proof,
    stress,
    surface,
    taking_out,
    traps,
)
from cml_core.lessons.lesson import AnyLesson

LESSONS: dict[str, AnyLesson] = {
    lesson.name: lesson
    for lesson in (
        stress.LESSON,
        faithful.LESSON,
        traps.LESSON,
        taking_out.LESSON,
        did_it_help.LESSON,
        surface.LESSON,
        crowding.LESSON,
        dimensions.LESSON,
        not_proof.LESSON,
        filling_in.LESSON,
    )
}
