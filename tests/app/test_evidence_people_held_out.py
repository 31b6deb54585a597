"""Where people answered one by one, they are held out with the pairs."""

from __future__ import annotations

import io

import numpy as np
import pytest

from cml_app.evidence_job import Chosen
from cml_app.panels.evidence import dimensions, importance
from cml_app.workspace import Workspace
from cml_core import Feature, FeatureTable, Problem, fit
from cml_core.files.source import RawFile, Source
from cml_core.journey.journey import Journey

AT = "2026-01-31T12:00:00+00:00"
N, PEOPLE = 8, 5


def of_people() -> Workspace:
    """A map of what five people say of eight objects along a line, with one feature known."""
    random = np.random.default_rng(0)
    places = random.normal(size=(N, 2))
    square = np.linalg.norm(places[:, None] - places, axis=2)
    errors = np.triu(random.normal(size=(PEOPLE, N, N)), 1)
    stack = square * np.exp(0.1 * (errors + errors.transpose(0, 2, 1)))
    saved = io.BytesIO()
    np.save(saved, stack)
    source = Source((RawFile("people.npy", saved.getvalue()),))
    values = source.dissimilarities()
    known = FeatureTable(values.labels, (Feature.numeric("Side", places[:, 0]),))
    begun = Journey.begun("People", values, known, AT, source=source)
    found = fit(Problem(values, known, n_components=1), n_init=3, seed=0)
    return Workspace(begun.after(found, found.embedding, AT))


@pytest.mark.parametrize("panel", [importance, dimensions])
def test_their_answers_are_handed_on_and_it_is_said_that_they_are_held_out(panel) -> None:
    workspace = of_people()
    found = panel.ASKED.work(workspace, Chosen(3, 0))(folds=3, workers=1, on_step=None)
    assert found.people == PEOPLE
    assert "parts of the 5 people are held out" in panel.ASKED.about(workspace, 3)
