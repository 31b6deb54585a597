"""Which columns objects are compared by, which may be known, and of what kind they are."""

from __future__ import annotations

import streamlit as st

from cml_app import messages
from cml_app.many.visit import Visit
from cml_app.panels.many import companion, kinds
from cml_core.many.loop import Candidate, Loop
from cml_core.many.origins import Whence
from cml_core.many.sight import AMOUNTS, GROUPS, TEXTS, VECTORS, Sight
from cml_core.values.measures.registry import MEASURES
from cml_core.values.words import counted

_MEASURES = {
    "euclidean": "Euclidean: straight distance",
    "cosine": "Cosine: by direction, as for embeddings",
    "cityblock": "City-block: the sum of differences",
    "correlation": "Correlation: by profile",
    "gower": "Gower: amounts and groups mixed",
}
# From so many numbers on a list of numbers is likely to be an embedding.
EMBEDDING = 64
# Of so many columns not each is shown.
MANY = 12
# So many columns with words among numbers are named.
MOST_ODD = 3


def show(visit: Visit, whence: Whence, seen: Sight) -> None:
    """The choices, already made as well as the table tells, and the button that goes on."""
    st.subheader(messages.plain(whence.name))
    st.markdown(f"{seen.n_objects:,} objects, {counted(len(seen.columns), 'column')}.")
    companion.show(visit, whence)
    _odd(seen)
    measure = _measure(seen)
    vectors = _vectors(seen, measure)
    candidates = _candidates(seen, vectors)
    called = ""
    if seen.texts:
        names = ["", *seen.texts]
        likely = next((one.name for one in seen.columns if one.holds == TEXTS), "")
        called = st.selectbox(
            "Objects are called by", names, index=names.index(likely), format_func=_or_number
        )
    loop = Loop(whence, tuple(vectors), measure, candidates or (), called)
    with st.container(horizontal=True):
        st.button(
            "Make the map",
            type="primary",
            on_click=visit.attempt,
            args=(visit.begin, loop),
            disabled=not vectors or candidates is None,
        )
        st.button("Something else", on_click=_leave, args=(visit,))


def _odd(seen: Sight) -> None:
    """Columns that a few words keep from being numbers."""
    odd = [(one.name, *one.odd) for one in seen.columns if one.odd is not None]
    if not odd:
        return
    told = [f"{name} (“{word}” of object {row + 1:,})" for name, word, row in odd[:MOST_ODD]]
    more = len(odd) - len(told)
    what = ", ".join([*told, *([f"{more:,} more"] if more else [])])
    they = "they are" if len(odd) > 1 else "it is"
    st.warning(
        messages.plain(
            f"Words stand among the numbers of {what}: so {they} taken for words, and nothing is "
            "compared by them. If numbers are meant, correct these cells and bring the table again."
        )
    )


def _leave(visit: Visit) -> None:
    visit.choosing, visit.trouble = None, None


def _measure(seen: Sight) -> str:
    lists = any(one.holds == VECTORS for one in seen.columns)
    likely = "cosine" if lists or len(seen.vectors) >= EMBEDDING else "euclidean"
    measures = [name for name in _MEASURES if name in MEASURES]
    return st.selectbox(
        "Objects are compared by",
        measures,
        index=measures.index(likely),
        format_func=_MEASURES.__getitem__,
    )


def _vectors(seen: Sight, measure: str) -> list[str]:
    mixed = MEASURES[measure].mixed
    allowed = (AMOUNTS, VECTORS, GROUPS) if mixed else (AMOUNTS, VECTORS)
    names = [one.name for one in seen.columns if one.holds in allowed]
    first, *others = seen.vectors
    said = f"{first} to {others[-1]} ({len(seen.vectors)} columns)" if others else first
    # Hundreds of columns would fill the page.
    with st.expander(f"Compared by {messages.plain(said)}", expanded=len(seen.vectors) < MANY):
        return st.multiselect(
            "Columns that they are compared by", names, default=seen.vectors, key="many-vectors"
        )


def _candidates(seen: Sight, vectors: list[str]) -> tuple[Candidate, ...] | None:
    left = [
        one for one in seen.columns if one.holds in (AMOUNTS, GROUPS) and one.name not in vectors
    ]
    if not left:
        st.caption("No column is left that may be known; what you draw on the map may.")
        return ()
    return kinds.show(left)


def _or_number(name: str) -> str:
    return name or "Their number"
