"""Known: a tick for each feature, and how to fit."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from html import escape

import streamlit as st

from cml_app import background, lesson_links, messages
from cml_app.elsewhere import Elsewhere
from cml_app.panels import features, near
from cml_app.panels.projects import READING
from cml_app.question import OWN, offered_features, own_weights
from cml_app.workspace import Workspace
from cml_core import Fit
from cml_core.drawing.likeness import predictability
from cml_core.errors import DegenerateComparison, listing
from cml_core.evidence.dimensions import Dimensions
from cml_core.evidence.result import ResultKind
from cml_core.journey.step import COEF_IN_WORDS
from cml_core.values.words import counted, percent, unbroken

# Below this share a bar looks empty, and a person wonders why.
NEXT_TO_NOTHING = 0.005
# The share of a feature's variance that the map leaves open, with what chance tells given back.
UNTOLD = 0.4
_SHARE_HELP = (
    "The bar tells how much of the squared distances in this map's model comes from the feature."
)
_DIMENSIONS_HELP = (
    "In how many directions objects may still differ beyond what is known. Two can be looked at "
    "as a map; three can be turned."
)
EQUALLY = ""
_WEIGHTS_HELP = (
    "Equal: every pair counts once. Sammon: pairs that are much alike count more, so that small "
    "differences are kept better."
)
_ACTING = {"full": "Freely", "diagonal": "Each by itself"}
_COEF_HELP = (
    "Freely: features may act together or against each other. Each by itself: every feature has "
    "one weight, which is steadier when there are many."
)


def show(workspace: Workspace) -> None:
    """The ticks, the settings, and the progress of a fit that takes its time."""
    st.header("Known", help=_SHARE_HELP)
    if not workspace.may_change:
        st.caption(READING)
    # What is wrong with a draft is said beside its button.
    if workspace.trouble and workspace.draft is None:
        messages.show(workspace.trouble)
    _ticks(workspace)
    _all_or_none(workspace)
    _settings(workspace)
    if workspace.job:
        _progress(workspace)


def _key(workspace: Workspace, name: str) -> str:
    return f"{name}-{workspace.revision}"


def _ticks(workspace: Workspace) -> None:
    table = offered_features(workspace.journey)
    if not len(table):
        st.caption("No features yet. Bring some by Features, or discover one on the map.")
    shares = workspace.step.fit.contributions()
    rows = st.container(key="known-ticks", gap="xxsmall")
    for feature in table.features:
        tick, share = rows.columns([1.3, 1], vertical_alignment="center", gap="xsmall")
        key = _key(workspace, f"known-{feature.name}")
        tick.checkbox(
            messages.plain(feature.name),
            value=feature.name in workspace.question.known_names,
            key=key,
            on_change=_ticked,
            args=(workspace, key),
            help=messages.plain(f"{feature.kind}; {feature.origin}"),
            disabled=not workspace.may_change,
        )
        share.html(_bar(shares.get(feature.name)))
    _not_taken_out(workspace, shares)


def _not_taken_out(workspace: Workspace, shares: Mapping[str, float]) -> None:
    """Features that change little, or are on the map all the same, and what shows more."""
    idle = [name for name, share in shares.items() if share < NEXT_TO_NOTHING]
    if idle:
        st.caption(
            f"{messages.plain(listing(idle))}: next to nothing here. Either the dissimilarities "
            "do not follow it, or other features and the hidden dimensions say the same."
        )
    seen = _still_seen(workspace.step.fit)
    if seen:
        st.caption(
            f"{messages.plain(listing(seen))}: still seen on the map, which may have more "
            "dimensions than are left; or it acts along a curve, which “What weighs how much?” on "
            "the Evidence page tries."
        )
    fewer = workspace.step.problem.n_components - 1
    found = workspace.step.result(ResultKind(Dimensions))
    # Not against what held-out pairs choose.
    surplus = found is None or found.bent or found.chosen <= fewer
    if (idle or seen) and fewer >= 0 and surplus:
        st.button(
            f"Show with {counted(fewer, 'dimension') if fewer else 'no dimension'}",
            key="one-dimension-fewer",
            help="A feature that takes the place of a dimension then has a share of its own.",
            disabled=not workspace.may_change,
            on_click=workspace.attempt,
            args=(show_with, workspace, fewer),
        )


def _still_seen(fit: Fit) -> list[str]:
    """Known features of one column that the hidden dimensions tell as well, beyond chance.

    Of several columns the best combination would be told well by chance alone.
    """
    dimensions = fit.embedding.shape[1]
    found = []
    for feature in fit.problem.known.features if dimensions else ():
        with suppress(DegenerateComparison):
            untold = 1 - predictability(feature, fit.embedding) ** 2
            seen = feature.n_objects - int(feature.missing.sum()) - 1
            if feature.columns().shape[1] == 1 and untold * seen / (seen - dimensions) < UNTOLD:
                found.append(feature.name)
    return found


def show_with(workspace: Workspace, n_components: int) -> None:
    """The same question with another number of hidden dimensions."""
    workspace.revision += 1
    workspace.ask(replace(workspace.question, n_components=n_components))


def _ticked(workspace: Workspace, key: str) -> None:
    workspace.hear(key, _ask_what_is_ticked, workspace)


def _ask_what_is_ticked(workspace: Workspace) -> None:
    # All ticks are read, for one that follows at once breaks off what the one before began.
    names = tuple(
        name
        for name in offered_features(workspace.journey).names
        if st.session_state[_key(workspace, f"known-{name}")]
    )
    workspace.ask(replace(workspace.question, known_names=names))


def _bar(share: float | None) -> str:
    if share is None:
        return '<span class="share">not used</span>'
    width = min(max(share, 0.0), 1.0)
    told = escape(unbroken(percent(share, decimals=0)))
    return (
        f'<div class="share" role="img" aria-label="{told} of the squared distances">'
        f'<span><span style="width:{width:.1%}"></span></span>{told}</div>'
    )


def _all_or_none(workspace: Workspace) -> None:
    names = offered_features(workspace.journey).names
    with st.container(horizontal=True, gap="xsmall"):
        st.button(
            "All",
            key="known-all",
            help="Tick every feature.",
            disabled=not workspace.may_change or set(names) == set(workspace.question.known_names),
            on_click=_set_known,
            args=(workspace, names),
        )
        st.button(
            "None",
            key="known-none",
            help="Untick every feature.",
            disabled=not workspace.may_change or not workspace.question.known_names,
            on_click=_set_known,
            args=(workspace, ()),
        )
        fixed = not workspace.may_change
        with st.popover("Settings", help="Dimensions, weights, geodesics", disabled=fixed):
            _details(workspace)
        about = "Bring more; correct, bend, rename or remove one"
        with st.popover("Features", help=about, disabled=fixed):
            features.show(workspace)


def _set_known(workspace: Workspace, names: tuple[str, ...]) -> None:
    workspace.revision += 1
    workspace.attempt(workspace.ask, replace(workspace.question, known_names=tuple(names)))


def _settings(workspace: Workspace) -> None:
    question = workspace.question
    changed = [
        text
        for text, usual in (
            (counted(question.n_components, "dimension"), question.n_components == 2),
            ("Sammon weights", question.weights != "sammon"),
            ("weights of the file", question.weights != OWN),
            (COEF_IN_WORDS[question.coef_kind].lower(), question.coef == "full"),
            (near.in_words(question.neighbourhood), question.neighbourhood is None),
        )
        if not usual
    ]
    if changed:
        st.caption(", ".join(changed).capitalize())


def _details(workspace: Workspace) -> None:
    question = workspace.question
    n_objects = workspace.journey.dissimilarities.n_objects
    dimensions = st.number_input(
        f"Hidden dimensions (0 to {n_objects - 1})",
        min_value=0,
        max_value=n_objects - 1,
        value=question.n_components,
        key=_key(workspace, "dimensions"),
        help=f"{_DIMENSIONS_HELP}\n\n{lesson_links.link('dimensions')}",
    )
    # None would be no choice at all.
    weightings = {EQUALLY: "Equally", "sammon": "Sammon"}
    if own_weights(workspace.journey) is not None:
        weightings[OWN] = "As the file says"
    weights = st.radio(
        "Pairs count",
        list(weightings),
        index=list(weightings).index(question.weights or EQUALLY),
        format_func=lambda kind: weightings[kind],
        key=_key(workspace, "weights"),
        horizontal=True,
        help=_WEIGHTS_HELP,
    )
    coefs = list(dict.fromkeys(("full", "diagonal", question.coef)))
    coef = st.radio(
        "Known features act",
        coefs,
        index=coefs.index(question.coef),
        format_func=lambda coef: _ACTING.get(coef, "As given"),
        key=_key(workspace, "coef"),
        horizontal=True,
        help=_COEF_HELP,
    )
    neighbourhood = near.show(workspace, f"{workspace.revision}")
    wanted = replace(
        question,
        n_components=int(dimensions),
        coef=coef,
        weights=weights or None,
        neighbourhood=neighbourhood,
    )
    if workspace.may_change and wanted != question:
        workspace.attempt(workspace.ask, wanted)
        st.rerun()


@st.fragment(run_every=0.5)
def _progress(workspace: Workspace) -> None:
    job = workspace.job
    if job is None:
        return
    if job.done:
        workspace.attempt(workspace.take_answer)
        st.rerun()
    job.seen_by(background.presence())
    workspace.share_job()
    if isinstance(job, Elsewhere):
        st.caption(messages.plain(f"{job.label} is being made; it was asked for on another page."))
    share, words = job.progress
    st.progress(share, messages.plain(words))
    st.button(
        "Stop and keep the best so far",
        key="cancel-fit",
        on_click=workspace.attempt,
        args=(job.cancel,),
    )
