"""Is anything left: how many dimensions, and whether one more feature is hidden."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from cml_app import messages
from cml_app.panels.evidence import running
from cml_app.panels.evidence.pictures import SHARE, how, picture, table, unbroken, verdict
from cml_app.pictures import evidence_figures, figures
from cml_app.shell import is_dark
from cml_app.workspace import Workspace
from cml_core.evidence.dimensions import Dimensions, dimensions
from cml_core.evidence.hidden_feature import HiddenFeature, hidden_feature_test
from cml_core.report.evidence import hidden_feature_numbers

USUAL_RESAMPLES, USUAL_FOLDS = 199, 10
# How long that takes, in seconds, as `running.how_long` wants it.
TESTED, TRIED = (2.0, 6.0, 30.0), (3.0, 15.0, 120.0)
_HIDDEN, _FITTED, _HELD_OUT = "Dimensions", "Unexplained", "Held out"
_ERROR = "Give or take"
_MEANINGS = {
    _FITTED: "Of all pairs, by a fit of all pairs. It falls with every dimension, needed or not.",
    _HELD_OUT: "Unexplained of pairs that the fit did not see. It falls only as long as a "
    "dimension says something about pairs in general; after that it rises.",
    _ERROR: "The standard error of the number before: how much it would differ with other pairs.",
}
_HOW_MANY = r"""
The pairs are dealt into parts at random, so that every object stays connected. For each number of
hidden dimensions the map is fitted to all pairs but those of one part, and then asked for their
dissimilarities. What it does not explain of them is
$\sum w (\delta - d)^2 / \sum w \delta^2$ over the held-out pairs; shown are the mean over the
parts and its standard error.

Chosen are the fewest dimensions whose error lies within one standard error of the lowest. All
that lie as near are told as open: the data cannot tell them apart.
"""
_HOW_TESTED = r"""
One more dimension always lowers what is unexplained, for it fits some of the noise. So the same
is done to data that have no further feature: the distances of this map, with its residuals
shuffled among the pairs. Residuals that grow with the distance $d$ are divided by $d^g$ before and
multiplied again after, with $g$ estimated from the data.

The chance (p-value) is the share of such data, these data counted among them, in which one more
dimension takes away as much. A small one says that something systematic is left. It does not say
what: a feature, but also **errors in the known features** show in this way. A large one does not
prove that nothing is left.

How often it raises a false alarm, and how often it finds a feature that is there, was measured on
simulated data; see `benchmarks/CALIBRATION.md`.
"""


def show(workspace: Workspace) -> None:
    """Two ways to ask whether something is left."""
    st.header("Is anything left?")
    with messages.explained():
        _is_one_more_hidden(workspace)
    with messages.explained():
        _how_many(workspace)


def _is_one_more_hidden(workspace: Workspace) -> None:
    st.subheader("Is one more feature hidden?")
    fit = workspace.step.fit
    resamples, seed = running.choices(
        workspace,
        "HiddenFeature",
        "Data sets to compare with",
        usual=USUAL_RESAMPLES,
        least=19,
        most=1999,
    )
    found = running.run(
        workspace,
        "Test for one more",
        "HiddenFeature",
        partial(hidden_feature_test, fit, resamples=resamples, seed=seed),
        about=f"Asks whether {_dimensions(fit.problem.n_components)} enough, by comparing with "
        f"{resamples} data sets that have no more. "
        + running.how_long(workspace, TESTED, share=resamples / USUAL_RESAMPLES),
    )
    if found is not None:
        _tested(found)


def _tested(found: HiddenFeature) -> None:
    verdict(found.verdict)
    left, right = st.columns([1.6, 1], gap="medium")
    if found.null.size:
        with left:
            picture(
                evidence_figures.null_histogram(
                    found.lowered,
                    found.null,
                    figures.ink(is_dark()),
                    "Share of the unexplained that one more dimension takes away",
                ),
                "hidden-null",
                "What one more dimension takes away here, beside data without a further feature; "
                "the numbers are in the table.",
            )
    with right:
        rows = "\n".join(
            f"| {unbroken(what)} | {unbroken(number)} |"
            for what, number in hidden_feature_numbers(found)
        )
        st.markdown(f"| What | Number |\n|---|---:|\n{rows}")
    how(_HOW_TESTED)


def _how_many(workspace: Workspace) -> None:
    st.subheader("How many dimensions are left?")
    folds, seed = running.choices(
        workspace, "Dimensions", "Parts held out in turn", usual=USUAL_FOLDS, least=3, most=20
    )
    found = running.run(
        workspace,
        "Try 0, 1, 2, …",
        "Dimensions",
        partial(dimensions, workspace.step.problem, folds=folds, seed=seed),
        about=f"Fits maps of more and more dimensions with the same features known, and asks each "
        f"about pairs that it has not seen, {folds} times. "
        + running.how_long(workspace, TRIED, share=folds / USUAL_FOLDS),
    )
    if found is not None:
        _scree(found)


def _scree(found: Dimensions) -> None:
    verdict(found.verdict)
    left, right = st.columns([1.6, 1], gap="medium")
    with left:
        picture(
            evidence_figures.scree(found, figures.ink(is_dark())),
            "scree",
            "The unexplained share by hidden dimensions; the numbers are in the table.",
        )
    with right:
        rows = pd.DataFrame(
            {
                _HIDDEN: found.n_components,
                _FITTED: found.unexplained,
                _HELD_OUT: found.held_out,
                _ERROR: found.held_out_error,
            }
        )
        table(rows, "scree-table", dict.fromkeys((_FITTED, _HELD_OUT, _ERROR), SHARE), _MEANINGS)
    how(_HOW_MANY)


def _dimensions(count: int) -> str:
    return f"{count} hidden dimension{' is' if count == 1 else 's are'}"
