"""The methods, in the order in which they are shown: a line for each module."""

from __future__ import annotations

from cml_core.peers.method import Method
from cml_core.peers.methods import classical, isomap, metric, ordinal, sammon

METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        classical.METHOD,
        metric.METHOD,
        sammon.METHOD,
        ordinal.METHOD,
        isomap.METHOD,
    )
}
