"""Where points were put, in the address: as Rome,1.5,-2;Moscow,3,4."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import streamlit as st

AT = "at"


def places(names: Sequence[str], far: float) -> dict[str, tuple[float, float]]:
    """Where the address has them; whatever of it makes no sense, or is too far, is left out."""
    found = {}
    for part in st.query_params.get(AT, "").split(";"):
        name, _, place = part.partition(",")
        try:
            x, y = map(float, place.split(","))
        except ValueError:
            continue
        if name in names and np.isfinite([x, y]).all() and max(abs(x), abs(y)) < far:
            found[name] = (x, y)
    return found


def put(at: Mapping[str, tuple[float, float]]) -> None:
    """Into the address with every digit, so that the same is opened again."""
    if at:
        st.query_params[AT] = ";".join(f"{name},{x!r},{y!r}" for name, (x, y) in at.items())
    else:
        forget()


def forget() -> None:
    """Everything is where it was at first."""
    st.query_params.pop(AT, None)
