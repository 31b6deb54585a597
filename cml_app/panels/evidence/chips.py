"""Evidence beside the map: a line for each question, which opens to the answer and what to do.

What is cheap is looked into by itself (`ahead`); what is not has a button. Every chip has its place
from the beginning, so that nothing moves when an answer comes.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitPageNotFoundError

from cml_app import evidence_requests, messages
from cml_app.panels.evidence import ahead
from cml_app.panels.evidence.ahead import (
    AS_CHOSEN,
    DIMENSIONS,
    HELPED,
    HIDDEN,
    LOOK_EVERY,
    PEOPLE,
    Unasked,
)
from cml_app.panels.known import show_with
from cml_app.panels.scale import count_as
from cml_app.panels.whose_map import is_of_weighted, look_at_weighted
from cml_app.scenes import main_direction
from cml_app.workspace import Workspace
from cml_core.evidence.dimensions import Dimensions
from cml_core.evidence.feature_help import FeatureHelp
from cml_core.evidence.hidden_feature import HiddenFeature
from cml_core.evidence.importance import Helped
from cml_core.evidence.individuals import Individuals
from cml_core.fitting.scales.ordinal import SCALE as ORDINAL
from cml_core.values.words import counted

EVIDENCE = "pages/3_Evidence.py"


@dataclass(frozen=True)
class Chip:
    """One question beside the map.

    Parameters
    ----------
    key : names it.
    asks : the question in two or three words.
    topic : under which the Evidence page answers it.
    looks_into : what is computed for it; its first is what it is about.
    brief : what the first has found, in a few words.
    actions : the buttons that it calls for.
    """

    key: str
    asks: str
    topic: str
    looks_into: tuple[Unasked, ...]
    brief: Callable[[Workspace, Any], str]
    actions: Callable[[Workspace, Any], None]


def show(workspace: Workspace) -> None:
    """The chips of the map that is shown, kept up to date while something is under way."""
    ahead.go_on(workspace)
    watching = _is_under_way(workspace)
    st.fragment(_row, run_every=LOOK_EVERY if watching else None)(workspace, watching)


def under_way(workspace: Workspace) -> None:
    """A line on what was asked on the Evidence page, and no chip tells."""
    job = workspace.evidence
    told = [one.kind for chip in CHIPS for one in chip.looks_into]
    if job is not None and not any(job.is_about(workspace.step.id, kind) for kind in told):
        st.caption(messages.plain(f"Under way: {job.label}."))


def _is_under_way(workspace: Workspace) -> bool:
    return workspace.ahead is not None or workspace.evidence is not None


def _row(workspace: Workspace, watching: bool) -> None:
    with messages.explained():
        job = evidence_requests.watch(workspace)
        if job is not None and job.done:
            # The page takes what was asked for, and says that it is there.
            st.rerun()
        ahead.go_on(workspace)
        with st.container(horizontal=True, gap="xsmall", key="chips"):
            for chip in CHIPS:
                if chip.looks_into[0].makes_sense(workspace):
                    _show(workspace, chip)
    if watching and not _is_under_way(workspace):
        # The page as a whole stops looking, and has what was found.
        st.rerun()


def _show(workspace: Workspace, chip: Chip) -> None:
    found = chip.looks_into[0].found(workspace)
    looking = any(one.is_under_way(workspace) for one in chip.looks_into)
    icon = ":material/hourglass_empty:" if looking else ":material/help:"
    if found is not None:
        label, icon = chip.brief(workspace, found), icon if looking else ":material/lightbulb:"
    else:
        label = f"{chip.asks} {'Looking …' if looking else 'Ask'}"
    place = st.popover(messages.plain(label), icon=icon, key=f"chip-{chip.key}", width="stretch")
    with place:
        _answer(workspace, chip)


def _answer(workspace: Workspace, chip: Chip) -> None:
    """All of it, what to do about it, and the way to its numbers."""
    for one in chip.looks_into:
        if not one.makes_sense(workspace):
            continue
        found = one.found(workspace)
        if found is not None:
            for verdict in found.verdicts:
                st.markdown(messages.plain(verdict))
        else:
            _not_yet(workspace, one)
    first = chip.looks_into[0].found(workspace)
    if first is not None:
        chip.actions(workspace, first)
    # A page that runs by itself has no other to lead to.
    with suppress(StreamlitPageNotFoundError):
        st.page_link(
            EVIDENCE,
            label="Numbers and pictures",
            icon=":material/query_stats:",
            query_params={"question": chip.topic},
        )


def _not_yet(workspace: Workspace, one: Unasked) -> None:
    heading = messages.plain(one.kind.of.heading)
    if one.is_under_way(workspace):
        st.caption(f"{heading} This is being looked into; you can go on meanwhile.")
        return
    why = one.why_in_vain(workspace)
    if why is not None:
        st.caption(f"{heading} {messages.plain(why.fact)} {messages.plain(why.remedy)}")
        return
    st.caption(f"{heading} {one.how_long(workspace)}")
    if workspace.evidence is not None:
        st.caption(messages.plain(f"First “{workspace.evidence.label}” has to end."))
    else:
        _action(workspace, one.request.button, f"ask-{one.kind}", one.ask)


def _action(
    workspace: Workspace, label: str, key: str, do: Callable[..., None], *what: object
) -> None:
    # Not by a callback: after one of those only the chips would be drawn anew.
    fixed = not workspace.may_change
    if st.button(messages.plain(label), key=f"do-{key}", type="primary", disabled=fixed):
        workspace.attempt(do, workspace, *what)
        st.rerun()


def _dimensions(count: int) -> str:
    return counted(count, "dimension") if count else "no dimension"


def _offer_dimensions(workspace: Workspace, count: int, key: str) -> None:
    _action(workspace, f"Show with {_dimensions(count)}", key, show_with, count)


def _offer_their_order(workspace: Workspace, key: str) -> None:
    label = f"Count them as “{ORDINAL.title}”"
    _action(workspace, label, f"order-{key}", count_as, ORDINAL.name)


def _take_out(workspace: Workspace, name: str) -> None:
    workspace.revision += 1
    workspace.ask(workspace.question.without(name))


def _draw(workspace: Workspace) -> None:
    workspace.proposed = main_direction(workspace)
    workspace.map_revision += 1


def _after_hidden(workspace: Workspace, found: HiddenFeature) -> None:
    if found.likely:
        _offer_dimensions(workspace, found.n_components + 1, "hidden")
    elif found.ask_their_order:
        _offer_their_order(workspace, "hidden")


def _after_dimensions(workspace: Workspace, found: Dimensions) -> None:
    if found.bent:
        _offer_their_order(workspace, "dimensions")
        return
    shown = workspace.step.problem.n_components
    if found.chosen != shown:
        _offer_dimensions(workspace, found.chosen, "dimensions")
    if found.chosen == 1 and shown in (1, 2):
        _action(workspace, "Draw this direction", "draw", _draw)


def _after_people(workspace: Workspace, found: Individuals) -> None:
    if found.places.shape[1] and not is_of_weighted(workspace):
        _action(workspace, "Show the map of weighted people", "weighted", look_at_weighted)


def _is_settled(workspace: Workspace) -> bool:
    """Whether features were judged beside as many dimensions as held-out pairs choose."""
    if DIMENSIONS.found(workspace) is None:
        return False
    return not AS_CHOSEN.makes_sense(workspace) or AS_CHOSEN.found(workspace) is not None


def _after_helped(workspace: Workspace, _: Helped) -> None:
    settled = _is_settled(workspace)
    as_chosen = {one.name: one for one in _judged(workspace, AS_CHOSEN)}
    for one in _judged(workspace, HELPED):
        other = as_chosen.get(one.name)
        if other is not None and other.helps and not one.helps:
            _offer_dimensions(workspace, other.n_components or 0, "as-chosen")
        elif settled and one.judged and not (one.is_worth_it or (other and other.is_worth_it)):
            _action(workspace, f"Take {one.name} out again", f"out-{one.name}", _take_out, one.name)


def _judged(workspace: Workspace, question: Unasked) -> list[FeatureHelp]:
    """What was added last, as far as it was judged."""
    found = question.found(workspace) if question.makes_sense(workspace) else None
    new = ahead.newest(workspace)
    return [one for one in found.features if one.name in new] if found is not None else []


def _brief_help(workspace: Workspace, _: Helped) -> str:
    judged, as_chosen = _judged(workspace, HELPED), _judged(workspace, AS_CHOSEN)
    if len(judged) > 1:
        worth = sum(one.is_worth_it for one in judged)
        return f"{worth} of {len(judged)} features help"
    one = judged[0]
    if not as_chosen or as_chosen[0].brief == one.brief:
        return f"{one.name} {one.brief}"
    # It depends on the dimensions: the number that held-out pairs choose is named.
    return f"{one.name} {as_chosen[0].brief} beside {_dimensions(as_chosen[0].n_components or 0)}"


CHIPS = (
    Chip(
        "hidden",
        "Anything left?",
        "Is anything left?",
        (HIDDEN,),
        lambda _, found: str(found.brief),
        _after_hidden,
    ),
    Chip(
        "dimensions",
        "How many dimensions?",
        "Is anything left?",
        (DIMENSIONS,),
        lambda _, found: str(found.brief),
        _after_dimensions,
    ),
    Chip("helped", "Did it help?", "Did it help?", (HELPED, AS_CHOSEN), _brief_help, _after_helped),
    Chip(
        "people",
        "Do people differ?",
        "Do people differ?",
        (PEOPLE,),
        lambda _, found: str(found.brief),
        _after_people,
    ),
)
