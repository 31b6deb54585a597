"""Did it help: what each known feature does for pairs that the fit has not seen."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from cml_app import messages
from cml_app.panels.evidence import running
from cml_app.panels.evidence.pictures import SHARE, how, picture, table, verdict
from cml_app.pictures import evidence_figures, figures
from cml_app.shell import is_dark
from cml_app.workspace import Workspace
from cml_core.evidence.importance import Helped, did_it_help

USUAL_SHUFFLES = 99
# How long one feature takes with these, in seconds, as `running.how_long` wants it.
EACH_JUDGED = (8.0, 15.0, 120.0)
_FEATURE, _GAIN, _ERROR = "Feature", "Gain", "Give or take"
_WITH, _WITHOUT = "With it", "Without it"
_ADJUSTED, _ALONE, _KNOWN = "By chance", "By chance, judged alone", "Already in the others"
_READ = "Read off a map"
_MEANINGS = {
    _WITH: "The share of the held-out pairs' dissimilarities that is not explained.",
    _WITHOUT: "The same, with all features but this one.",
    _GAIN: "By how much the feature lowers that share. Below zero it does harm.",
    _ERROR: "The standard error of the gain: how much it would differ with other pairs.",
    _ADJUSTED: "How often a shuffled feature does as well (the p-value), made stricter because all "
    "these features were judged at once (Benjamini and Hochberg). Below 5 % is hardly chance.",
    _ALONE: "The same, had only this feature been judged. Of many, some look good by luck.",
    _KNOWN: "The share of the feature that the other known features predict.",
    _READ: "Read off a map that has seen all pairs. It is judged by reading it off again without "
    "the held-out pairs, where that can be done, and gets no chance: none would be fair.",
}
_HOW = r"""
A feature that is added always lowers what is unexplained, above all one that was read off the very
map. So the pairs are dealt into parts, each is held out of the fit in turn, and what counts is the
share of *its* squared dissimilarities that the fit does not explain,
$\sum w (\delta - d)^2 / \sum w \delta^2$, averaged over the parts.

- **Shuffled in its place**: the same with the feature's values dealt out to the objects at random,
  as far as the other known features do not predict them, $m$ times. By chance:
  $p = (1 + \text{as good by chance}) / (1 + m)$, the p-value.
- **Read off a map**: the feature is read off anew from the map of the other pairs, for each part.
- **Already in the others**: the share of its variation that the other known features predict. What
  nearly all is said by the others cannot be judged by itself.
"""


def show(workspace: Workspace) -> None:
    """What each known feature does for pairs that were held out."""
    st.header("Did it help?")
    problem = workspace.step.problem
    if not problem.known.names:
        st.info("Nothing is known on this map yet. Tick a feature on the Discover page first.")
        return
    with messages.explained():
        shuffles, seed = running.choices(
            workspace, "Helped", "Shuffles", usual=USUAL_SHUFFLES, least=19, most=999
        )
        drawn = workspace.journey.drawn_on()
        read_off = {name: drawn[name] for name in problem.known.names if name in drawn}
        much = len(problem.known.names) * shuffles / USUAL_SHUFFLES
        found = running.run(
            workspace,
            "Judge the known features",
            "Helped",
            partial(did_it_help, problem, shuffles=shuffles, seed=seed, read_off=read_off),
            about=f"Holds pairs out of the fit, with each feature, without it, and with "
            f"{shuffles} shuffled ones in its place. "
            + running.how_long(workspace, EACH_JUDGED, share=much),
        )
        if found is not None:
            _found(found)


def _found(found: Helped) -> None:
    for one in found.features:
        verdict(one.verdict)
    picture(
        evidence_figures.helped(found, figures.ink(is_dark())),
        "helped",
        "Held-out pairs unexplained with and without each feature; the numbers are in the table.",
    )
    rows = pd.DataFrame(
        {
            _FEATURE: [one.name for one in found.features],
            _GAIN: [one.gain for one in found.features],
            _ADJUSTED: [one.adjusted for one in found.features],
            _ERROR: [one.gain_error for one in found.features],
            _WITH: [one.held_out_with for one in found.features],
            _WITHOUT: [one.held_out_without for one in found.features],
            _ALONE: [one.p_value for one in found.features],
            _KNOWN: [one.already_known for one in found.features],
            _READ: [one.read_off_map for one in found.features],
        }
    )
    shares = (_GAIN, _ADJUSTED, _ERROR, _WITH, _WITHOUT, _ALONE, _KNOWN)
    table(rows, "helped-table", dict.fromkeys(shares, SHARE), _MEANINGS)
    how(f"{_HOW}\nHere $m$ is {found.shuffles}, with {found.folds} parts and seed {found.seed}.")
