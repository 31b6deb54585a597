"""The journeys that projects begin with, and their first maps."""

from __future__ import annotations

from dataclasses import replace

from cml_app import compute
from cml_app.question import Question
from cml_app.this_server import now
from cml_core import load_dataset
from cml_core.datasets import Dataset
from cml_core.journey.journey import Journey

OPENING_EXAMPLE = "kinship14"
# What its guided journey lets people find by themselves.
TO_BE_FOUND = "Generation"


def of_example(name: str, known: tuple[str, ...] = (), *, guided: bool = False) -> Journey:
    """An example with its first maps.

    Parameters
    ----------
    guided : whether what is to be found on a guided journey is not there yet.
    """
    journey = begun_with(load_dataset(name))
    if guided and name == OPENING_EXAMPLE:
        journey = journey.without_feature(TO_BE_FOUND, now())
    return shared(journey, known)


def shared(journey: Journey, known: tuple[str, ...] = ()) -> Journey:
    """A journey with its first map, and a second where features are known.

    Both are computed once for all who begin with them.
    """
    journey = added(journey, shared=True)
    if not known:
        return journey
    question = replace(_first_question(journey), known_names=known)
    fit = compute.first_fit(question.about(journey))
    assert journey.current is not None
    turned = compute.turned_to_match(fit.embedding, journey.current.embedding)
    return journey.after(fit, turned, now())


def added(journey: Journey, *, shared: bool = False) -> Journey:
    """The journey with its first map, on which nothing is known."""
    problem = _first_question(journey).about(journey)
    fit = compute.first_fit(problem) if shared else compute.fitted(problem)
    return journey.after(fit, fit.embedding, now())


def opening() -> None:
    """Have the first map of whoever comes without a project; all of them share it."""
    of_example(OPENING_EXAMPLE)


def begun_with(data: Dataset) -> Journey:
    """An example before its first map."""
    return Journey.begun(data.title, data.values(), data.feature_table(), now(), origin=data.origin)


def _first_question(journey: Journey) -> Question:
    most = min(2, journey.dissimilarities.n_objects - 1)
    return Question(n_components=most, weights="own" if journey.pair_weights is not None else None)
