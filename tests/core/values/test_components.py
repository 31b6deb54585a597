"""Which objects hang together, against scipy's graphs."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import squareform

from cml_core.values.components import components, hang_together


@settings(max_examples=60)
@given(n=st.integers(2, 12), share=st.floats(0, 1), seed=st.integers(0, 2**32 - 1))
def test_components_are_those_of_the_graph_numbered_by_their_first_objects(
    n: int, share: float, seed: int
) -> None:
    pairs = np.random.default_rng(seed).random(n * (n - 1) // 2) < share
    count, expected = connected_components(squareform(pairs.astype(float)), directed=False)
    assert np.array_equal(components(pairs, n), expected)
    assert hang_together(pairs, n) == (count == 1)


def test_a_long_way_round_is_a_way() -> None:
    last_to_first = np.zeros((50, 50))
    order = np.random.default_rng(0).permutation(50)
    last_to_first[order[1:], order[:-1]] = last_to_first[order[:-1], order[1:]] = 1.0
    chain = squareform(last_to_first) > 0
    assert hang_together(chain, 50)
    chain[np.flatnonzero(chain)[20]] = False
    assert components(chain, 50).max() == 1
