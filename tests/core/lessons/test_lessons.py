"""What holds for every lesson."""

from __future__ import annotations

import re

import pytest

from cml_core.lessons import LESSONS
from cml_core.lessons.lesson import AnyLesson

MOST_WORDS = 60
EACH = pytest.mark.parametrize("lesson", LESSONS.values(), ids=list(LESSONS))


@EACH
def test_a_lesson_says_what_to_do_in_sixty_words_without_a_number(lesson: AnyLesson) -> None:
    assert len(lesson.words.split()) <= MOST_WORDS
    # What is found is computed where it is shown.
    assert not re.search(r"\d", lesson.words)


@EACH
def test_a_lesson_asks_cures_and_helps_a_teacher(lesson: AnyLesson) -> None:
    assert lesson.checks
    assert lesson.cures
    assert lesson.asks
    assert lesson.goes_wrong
    assert "$" in lesson.mathematics
    names = [check.name for check in lesson.checks]
    assert len(set(names)) == len(names)


def test_a_lesson_stands_in_an_address_as_it_is_called() -> None:
    assert all(re.fullmatch(r"[a-z-]+", name) for name in LESSONS)
    assert [lesson.name for lesson in LESSONS.values()] == list(LESSONS)


def test_three_lessons_end_with_a_question_that_has_no_number_for_an_answer() -> None:
    reviews = {name: lesson.review for name, lesson in LESSONS.items() if lesson.review}
    assert list(reviews) == ["stress", "surface", "crowding"]
    for review in reviews.values():
        assert review.ask.endswith("?")
        assert not re.search(r"\d", review.answer)
