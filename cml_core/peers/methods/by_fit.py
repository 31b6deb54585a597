"""Maps that the program's own fit makes, with nothing known."""

from __future__ import annotations

from typing import Any

from cml_core.fitting.fit import fit
from cml_core.fitting.plan import Progress
from cml_core.fitting.problem import Problem
from cml_core.fitting.solvers import run
from cml_core.peers.method import Asked, Drawn, OnStep, Step
from cml_core.values.features import FeatureTable


def drawn_by_fit(asked: Asked, **question: Any) -> Drawn:
    """The best map that the fit finds; its objective is the normalised stress."""
    labels = asked.data.labels
    problem = Problem(asked.data, FeatureTable(labels), asked.n_components, **question)
    found = fit(problem, seed=asked.seed, on_step=watched(asked.on_step))
    stopped = found.stopped == run.CANCELLED
    remarks = tuple(remark.text for remark in found.remarks)
    return Drawn(found.embedding, found.stress, found.converged, stopped, remarks)


def watched(on_step: OnStep) -> Any:
    """What a fit reports, as steps of a view."""

    def told(at: Progress) -> bool:
        return on_step(Step(at.start, at.n_starts, at.stress))

    return told
