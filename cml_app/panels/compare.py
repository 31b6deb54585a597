"""The same data through other eyes: small maps side by side, each judged by the same numbers."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from cml_app import messages, scenes, views_job, views_requests
from cml_app.background import ServerBusy
from cml_app.evidence_requests import look_up
from cml_app.panels import compare_choices
from cml_app.panels.compare_choices import FEWEST, USUAL_NEIGHBOURS, Choices
from cml_app.panels.evidence import running, truth
from cml_app.peer_maps import AGAIN, BY_LOT, Asked, Grid, Panel, peer_maps
from cml_app.peer_scenes import (
    Place,
    number_in_words,
    panel,
    places_csv,
    still_visible,
    through,
)
from cml_app.question import offered_features
from cml_app.views_job import CHOOSING, HeldViews, Seen, ViewsJob
from cml_app.views_work import Wanted
from cml_app.workspace import Workspace
from cml_core.peers import METHODS, lot_size
from cml_core.values.nearest import Ends, ends
from cml_core.values.words import counted

KEY = "peers"
DISCOVER = "pages/2_Discover.py"
# How often the page looks whether another picture is there, in seconds.
LOOK_EVERY = 0.2
# Of a known feature that conditioned pictures show by more than this, a warning tells.
TOO_VISIBLE = 0.1


def show(workspace: Workspace) -> None:
    """Choices on the left, pictures on the right."""
    views_job.views().get_ready()
    views_requests.take(workspace)
    st.title(f"{messages.plain(workspace.journey.title)}, through other eyes")
    running.under_way(workspace)
    left, right = st.columns([1, 4], gap="small")
    with left.container(key="choices"):
        choices = compare_choices.show(workspace)
        visible = st.container()
        truth.beside_map(workspace)
        taken_home = st.container()
    with right.container(key="eyes"):
        if len(choices.methods) < FEWEST:
            st.info("Choose two methods at least, and see where they agree.")
            return
        panels = _pictures(workspace, choices)
    with visible:
        _known_and_visible(workspace, choices)
    with taken_home:
        _take_home(workspace, panels)


def _pictures(workspace: Workspace, choices: Choices) -> tuple[Panel, ...]:
    held = workspace.views
    wanted = {place: _wanted(held, choices, place) for place in choices.places}
    everything = [one for tries in wanted.values() for one in tries]
    try:
        job = views_requests.see(workspace, everything, chooses=choices.chooses)
    except ServerBusy as error:
        messages.show(error)
        st.button("Look again")
        job = None
    if job is not None:
        _progress_of(workspace, job)
    panels = tuple(_panel(workspace, held, place, tries) for place, tries in wanted.items())
    grid = Grid(
        step=workspace.step.id,
        labels=workspace.step.fit.labels,
        panels=panels,
        title=f"{workspace.journey.title}, {scenes.sentence(workspace.step)}",
        colour=scenes.colouring(choices.colour) if choices.colour else None,
        cards=_cards(workspace),
        ends=_nearest(workspace, choices.n_neighbors or USUAL_NEIGHBOURS),
        selected=workspace.selected,
        revision=f"{workspace.map_id}/{workspace.map_revision}",
    )
    state = peer_maps(grid, key=KEY)
    workspace.select(state.selected)
    if state.asked is not None:
        _answer(workspace, choices, state.asked)
    return panels


def _wanted(held: HeldViews, choices: Choices, place: Place) -> list[Wanted]:
    """The picture of a place, and those that were tried again."""
    asked = [choices.wanted(place, seed) for seed in range(held.tries.get(place.key, 0) + 1)]
    if place.key not in held.lots or held.subject is None:
        return asked
    lot = lot_size(METHODS[place.method], len(held.subject.fit.labels))
    return [one._replace(lot=lot) for one in asked]


def _panel(workspace: Workspace, held: HeldViews, place: Place, tries: Sequence[Wanted]) -> Panel:
    found = [(one, held.seen.get(one)) for one in tries]
    step, features = workspace.step, offered_features(workspace.journey)
    return panel(place, found, step.embedding, features, may_draw=workspace.may_change)


def _cards(workspace: Workspace) -> tuple[tuple[tuple[str, str], ...], ...]:
    """What is told of each object that is pointed at."""
    features = offered_features(workspace.journey)
    of = (workspace.step.id, *(one.identity() for one in features.features))
    fit = workspace.step.fit
    return look_up(workspace, "compare-cards", lambda: scenes.cards(fit, features), of=of)


def _nearest(workspace: Workspace, count: int) -> tuple[Ends, ...]:
    data = workspace.journey.dissimilarities
    return look_up(workspace, "compare-nearest", lambda: ends(data, count), of=count)


def _progress_of(workspace: Workspace, job: ViewsJob) -> None:
    if job.goes_on:
        with st.container(key="under-way-views"):
            _progress(workspace, job, job.parts_done)
        return
    if job.done and not job.is_kept:
        # It has ended since the page began.
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center"):
        pictures = counted(len(job.missing), "picture is", "pictures are")
        left = f"{pictures} not drawn, or not judged" if job.missing else f"it is open {CHOOSING}"
        st.caption(f"Stopped; {left}.")
        st.button("Go on", on_click=workspace.attempt, args=(_go_on, workspace, job))


def _go_on(workspace: Workspace, job: ViewsJob) -> None:
    views_requests.begin(workspace, job.missing, chooses=job.chooses)


@st.fragment(run_every=LOOK_EVERY)
def _progress(workspace: Workspace, job: ViewsJob, before: int) -> None:
    """How far the pictures are; each is shown as soon as it is there."""
    if job.parts_done != before or not job.goes_on:
        st.rerun()
    share, words = job.progress
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.progress(share, messages.plain(words))
        st.button(
            "Stop",
            key="stop-views",
            help="The pictures that are there stay.",
            on_click=workspace.attempt,
            args=(views_requests.stop, workspace),
        )


def _answer(workspace: Workspace, choices: Choices, asked: Asked) -> None:
    """Draw on a picture, or try it again."""
    ask = {AGAIN: views_requests.try_again, BY_LOT: views_requests.by_lot}.get(asked.what)
    if ask is not None:
        ask(workspace, asked.key)
        st.rerun()
    place = next(one for one in choices.places if one.key == asked.key)
    seen = workspace.views.seen.get(choices.wanted(place, asked.seed))
    if isinstance(seen, Seen):
        workspace.look_through(through(place, seen, workspace.step.embedding, asked.seed))
        st.switch_page(DISCOVER)


def _known_and_visible(workspace: Workspace, choices: Choices) -> None:
    """Beside the number of hidden dimensions: what conditioned pictures still show of the known."""
    held = workspace.views.seen
    pictures = [held.get(choices.wanted(place, 0)) for place in choices.places if place.hidden]
    seen = [one for one in pictures if isinstance(one, Seen)]
    if not seen or not workspace.step.problem.known.names:
        return
    worst = still_visible(seen)
    if worst is None:
        st.caption("Known and still visible: nothing beyond chance.")
        return
    share, chance = map(number_in_words, (worst.feature.share, worst.feature.high))
    how = f"{share}, by chance up to {chance}"
    words = f"Known and still visible: {worst.feature.name}, most by {worst.title} ({how})."
    if worst.feature.share <= TOO_VISIBLE:
        st.caption(messages.plain(words))
    else:
        fewer = " Fewer hidden dimensions may take it out." if (choices.hidden or 1) > 1 else ""
        st.warning(messages.plain(f"{words}{fewer}"))


def _take_home(workspace: Workspace, panels: Sequence[Panel]) -> None:
    if any(one.tries for one in panels):
        st.download_button(
            "Places as CSV",
            data=lambda: places_csv(workspace.step.fit.labels, panels),
            file_name="pictures.csv",
            mime="text/csv",
            on_click="ignore",
            help="Where the objects are on every picture, turned and scaled to match the map.",
        )
