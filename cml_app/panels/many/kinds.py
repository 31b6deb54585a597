"""Of which kind each column is that may be known: groups, orders, amounts, or round a circle."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from cml_app import messages
from cml_app.panels.bring_features import BELOW, in_order
from cml_core.errors import listing
from cml_core.many.likely import known_order, likely_period, own_period
from cml_core.many.loop import Candidate
from cml_core.many.sight import AMOUNTS, GROUPS, Seen

# Levels that are spelled out.
MOST_LISTED = 12


def show(left: Sequence[Seen]) -> tuple[Candidate, ...] | None:
    """What may be known, as chosen; None where something has yet to be said of it."""
    seen = {one.name: one for one in left}
    numbers = [one.name for one in left if one.holds == AMOUNTS]
    likely = [one.name for one in left if one.holds == GROUPS or one.few]
    groups = st.multiselect(
        "May be known, as groups",
        list(seen),
        default=likely,
        help="Topic, language, batch: all groups are equally far apart.",
    )
    ordered = _of_these(
        "Of these, with an order",
        groups,
        [name for name in groups if known_order(seen[name])],
        "Grades, sizes, answers from never to always: spaced evenly, from the lowest to the "
        "highest. Numbers rise.",
    )
    rest = [name for name in numbers if name not in groups]
    amounts = st.multiselect(
        "May be known, as amounts",
        rest,
        default=rest,
        help="Dates, sizes, places: what is further apart differs more.",
    )
    bent = _of_these(
        "Of these, along a curve",
        amounts,
        [],
        "An amount that may count more at one end than at the other.",
    )
    turning = _of_these(
        "Of all these, beginning again",
        [*groups, *amounts],
        [],
        "Hours, months, degrees: after its period it is where it began.",
    )
    chosen = [name for name in seen if name in groups or name in amounts]
    found: list[Candidate | None] = []
    for name in chosen:
        if name in turning:
            found.append(_circular(seen[name]))
        elif name in ordered:
            found.append(_ordinal(seen[name]))
        elif name in groups:
            found.append(Candidate(name, "categorical"))
        else:
            found.append(Candidate(name, "curved" if name in bent else "numeric"))
    said = tuple(one for one in found if one is not None)
    return said if len(said) == len(found) else None


def _of_these(label: str, names: Sequence[str], likely: Sequence[str], told: str) -> list[str]:
    return st.multiselect(label, names, default=likely, help=told) if names else []


def _circular(seen: Seen) -> Candidate | None:
    if own_period(seen) is not None:
        return Candidate(seen.name, "circular")
    if seen.holds == GROUPS:
        st.caption(
            messages.plain(
                f"{seen.name} holds {_listed(seen.levels)}: no months, days of the week or points "
                "of the compass, of which it would be known after how many they begin again."
            )
        )
        return None
    period = st.number_input(
        messages.plain(f"{seen.name} begins again after"),
        min_value=0.0,
        value=likely_period(seen),
        format="%g",
        key=f"many-period-{seen.name}",
        help="24 for hours, 12 for months, 360 for degrees, 365.25 for days of the year.",
    )
    return Candidate(seen.name, "circular", period=period) if period else None


def _ordinal(seen: Seen) -> Candidate | None:
    # Numbers rise by themselves.
    if not seen.levels:
        return Candidate(seen.name, "ordinal")
    known = known_order(seen)
    text = st.text_input(
        messages.plain(f"Order of {seen.name}, lowest first"),
        BELOW.join(known),
        key=f"many-order-{seen.name}",
        placeholder=BELOW.join(seen.levels[:MOST_LISTED]),
    )
    order = in_order(text)
    if known and order == known:
        return Candidate(seen.name, "ordinal")
    left_out = [level for level in seen.levels if level not in order]
    if left_out:
        st.caption(
            messages.plain(f"The order of {seen.name} still leaves out {_listed(left_out)}.")
        )
        return None
    return Candidate(seen.name, "ordinal", order=order)


def _listed(levels: Sequence[str]) -> str:
    return listing(tuple(levels), MOST_LISTED)
