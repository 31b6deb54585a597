"""Who is nearest and farthest by the data."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cml_core import Dissimilarities
from cml_core.values.nearest import ends


@given(st.integers(3, 12), st.integers(1, 4), st.integers(0, 10_000))
def test_the_ends_are_those_of_the_sorted_row(n: int, count: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    # Few different values, so that there are ties, and one pair that no one compared.
    condensed = random.integers(1, 5, n * (n - 1) // 2).astype(float)
    condensed[0] = np.nan
    data = Dissimilarities.from_condensed(condensed, [f"o{i}" for i in range(n)])
    square = data.square()
    for i, found in enumerate(ends(data, count)):
        others = [j for j in range(n) if j != i and not np.isnan(square[i, j])]
        near = sorted(others, key=lambda j: (square[i, j], j))
        far = sorted(others, key=lambda j: (-square[i, j], j))
        assert [j for j, _ in found.nearest] == near[: min(count, -(-len(near) // 2))]
        assert [j for j, _ in found.farthest] == far[: min(count, len(far) // 2)]
        assert all(value == square[i, j] for j, value in (*found.nearest, *found.farthest))


def test_of_few_objects_nobody_is_at_both_ends() -> None:
    data = Dissimilarities.from_condensed(np.array([0.5, 2, 1], dtype=np.float32), ["a", "b", "c"])
    assert ends(data, 3)[0] == (((1, 0.5),), ((2, 2.0),))
