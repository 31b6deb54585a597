"""What is compared: which methods, of the data or of what is hidden, and with which settings."""

from __future__ import annotations

from typing import Any, NamedTuple

import streamlit as st

from cml_app import messages
from cml_app.panels.evidence import ahead
from cml_app.peer_scenes import CONDITIONED, PLAIN, Place
from cml_app.question import offered_features
from cml_app.views_job import CHOSEN
from cml_app.views_requests import DIMENSIONS
from cml_app.views_work import Wanted
from cml_app.workspace import Workspace
from cml_core import Feature
from cml_core.fitting.remarks import rank_of
from cml_core.peers import GROUPS, METHODS
from cml_core.peers.conditioned import dimensions_to_take
from cml_core.values.words import counted

BOTH = "both"
FEWEST, MOST = 2, 12
MOST_HIDDEN = 8
# So long, in seconds, the conditioned pictures may wait until held-out pairs have chosen.
SOON = 8.0
USUAL_NEIGHBOURS = 5
_K = (
    "How many nearest objects the methods join that make a graph of neighbours, and how many lines "
    "lead from the object that is pointed at. Left empty, each method takes as many as is usual."
)
_PERPLEXITY = "About how many neighbours t-SNE gives each object. Left empty, it takes a usual one."
_HIDDEN = (
    "The known is taken out of a map with so many hidden dimensions, and its distances are what "
    "conditioned pictures show. Too many are worse than too few: surplus dimensions take back "
    "what was known."
)


class Choices(NamedTuple):
    """What a visitor wants to see.

    Parameters
    ----------
    which : PLAIN, CONDITIONED or BOTH.
    methods : by name, in the order of the registry.
    hidden : dimensions, or as many as are `CHOSEN`; None where nothing is taken out.
    chooses : whether held-out pairs are still choosing.
    n_neighbors, perplexity : None leaves them to each method.
    """

    which: str
    methods: tuple[str, ...]
    hidden: int | None
    chooses: bool
    n_neighbors: int | None
    perplexity: float | None
    colour: Feature | None

    @property
    def places(self) -> tuple[Place, ...]:
        """Plain ones first."""
        plain = [Place(name, None) for name in self.methods] if self.which != CONDITIONED else []
        taken = [] if self.which == PLAIN or self.hidden is None else self.methods
        return (*plain, *(Place(name, self.hidden) for name in taken))

    def wanted(self, place: Place, seed: int) -> Wanted:
        """The picture of a place with a seed."""
        own = {setting.name for setting in METHODS[place.method].settings}
        given: dict[str, Any] = {
            "n_neighbors": self.n_neighbors,
            "perplexity": self.perplexity,
            # From where it usually begins another try would end in the same picture.
            "start": "random" if seed else None,
        }
        settings = tuple((k, v) for k, v in given.items() if k in own and v is not None)
        return Wanted(place.method, place.hidden, seed, settings)


def show(workspace: Workspace) -> Choices:
    """The controls; what they stand at."""
    known = bool(workspace.step.problem.known.names)
    which = st.segmented_control(
        "Pictures",
        [PLAIN, CONDITIONED, BOTH],
        default=BOTH if known else PLAIN,
        required=True,
        format_func=str.capitalize,
        help="Plain: of the dissimilarities as given. Conditioned: the known is taken out first.",
        key=f"compare-which-{workspace.step.id}",
    )
    if not known and which != PLAIN:
        st.caption("Nothing is known yet, so nothing can be taken out: tick features on Discover.")
    hidden, chooses = (None, False) if which == PLAIN else _hidden(workspace)
    methods = _methods()
    most = len(workspace.step.fit.labels) - 1
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="bottom"):
        n_neighbors = st.number_input(
            "Neighbours", 1, most, None, key="compare-k", placeholder="usual", help=_K
        )
        perplexity = st.number_input(
            "Perplexity", 1.0, float(most), None, 1.0, format="%g", key="compare-perplexity",
            placeholder="usual", help=_PERPLEXITY,
        )  # fmt: skip
    colour = _colour(workspace)
    return Choices(which, methods, hidden, chooses, n_neighbors, perplexity, colour)


def _hidden(workspace: Workspace) -> tuple[int | None, bool]:
    """How many hidden dimensions, and whether held-out pairs are still to choose them."""
    step = workspace.step
    most = len(step.fit.labels) - 1 - rank_of(step.problem.known)
    found = step.result(DIMENSIONS)
    asked = (step.id, DIMENSIONS)
    soon = ahead.DIMENSIONS.seconds(workspace) <= SOON
    if found is None and soon and asked not in workspace.in_vain:
        likely = workspace.views.likely
        so_far = f"{likely} so far: held-out" if likely else "Held-out"
        st.caption(f"{so_far} pairs are choosing the number of hidden dimensions.")
        return likely or CHOSEN, True
    chosen = found.chosen if found is not None else step.problem.n_components
    usual = min(dimensions_to_take(step.problem, chosen), MOST_HIDDEN)
    count = st.slider(
        "Hidden dimensions",
        1,
        max(min(MOST_HIDDEN, most), 2),
        usual,
        help=_HIDDEN,
        # Another choice by held-out pairs moves it there.
        key=f"compare-hidden-{step.id}-{usual}",
    )
    if found is None:
        _offer_to_choose(workspace)
    elif count == usual:
        st.caption(f"{counted(found.chosen, 'dimension')} chosen by held-out pairs.")
    else:
        st.caption(f"Held-out pairs chose {found.chosen}.")
    return int(count), False


def _offer_to_choose(workspace: Workspace) -> None:
    how_long = ahead.DIMENSIONS.how_long(workspace)
    st.button(
        "Choose by held-out pairs",
        help=messages.plain(f"As many as the map has, so far. {how_long}"),
        disabled=workspace.evidence is not None or not workspace.may_change,
        on_click=workspace.attempt,
        args=(ahead.DIMENSIONS.ask, workspace),
    )


def _methods() -> tuple[str, ...]:
    """From two methods up to twelve; the usual ones, and the others by who fills in distances."""
    first = [name for name, method in METHODS.items() if method.at_first]
    chosen = set(_pick("Methods", first, first))
    others = [name for name in METHODS if name not in first]
    if others:
        with st.expander("More methods"):
            st.caption("Who fills in the distances between objects that are far apart?")
            for group in GROUPS:
                of_group = [name for name in others if METHODS[name].filled_in_by == group]
                if of_group:
                    chosen |= set(_pick(group.capitalize(), of_group, []))
    methods = tuple(name for name in METHODS if name in chosen)
    if len(methods) < FEWEST:
        st.caption(f"Choose {FEWEST} methods at least, to compare.")
    if len(methods) > MOST:
        left_out = ", ".join(METHODS[name].title for name in methods[MOST:])
        st.caption(messages.plain(f"{MOST} are shown at most, so not: {left_out}."))
    return methods[:MOST]


def _pick(label: str, names: list[str], default: list[str]) -> list[str]:
    return st.pills(
        label,
        names,
        selection_mode="multi",
        default=default,
        format_func=lambda name: METHODS[name].title,
        key=f"compare-{label}",
    )


def _colour(workspace: Workspace) -> Feature | None:
    """The same as on the Discover page; before one was chosen there, what is not known."""
    table = offered_features(workspace.journey)
    own = ["", *table.names]
    known = workspace.step.problem.known
    usual = next((name for name in table.names if name not in known), "")
    held = workspace.colour if workspace.colour in own else usual
    chosen = st.selectbox(
        "Colour",
        own,
        index=own.index(held),
        format_func=lambda name: name or "none",
        key=f"compare-colour-{workspace.journey.created}",
    )
    if chosen != held:
        workspace.colour = chosen
    return table[chosen] if chosen else None
