"""The lesson on maps of nothing."""

from __future__ import annotations

import numpy as np
import pytest

from cml_core.datasets import load_dataset
from cml_core.evidence.refits import refit
from cml_core.lessons import not_proof
from cml_core.lessons.not_proof import MAPS, kinship, line_up, shuffled_stresses

REAL, MEANING = not_proof.LESSON.checks
SHUFFLED = 40
# Each end of forty is .002 to .008 off in another forty.
ENDS = 5e-4


@pytest.mark.parametrize(
    ("known", "real", "low", "high"),
    [(False, 0.0713, 0.0639, 0.0935), (True, 0.0261, 0.0486, 0.0758)],
)
def test_kinship_is_told_from_shuffled_kinship_only_with_gender_known(
    known: bool, real: float, low: float, high: float
) -> None:
    found = line_up(0, known=known)
    shuffled = shuffled_stresses(kinship(known), SHUFFLED)
    assert found.stress[found.real] == pytest.approx(real, abs=5e-5)
    assert shuffled.min() == pytest.approx(low, abs=ENDS)
    assert shuffled.max() == pytest.approx(high, abs=ENDS)
    assert bool(shuffled.min() > real) is known


def test_faces_are_told_from_shuffled_faces() -> None:
    problem = not_proof.problem_of(load_dataset("faces"))
    shuffled = shuffled_stresses(problem, SHUFFLED)
    assert refit(problem, fresh=not_proof.STARTS).stress == pytest.approx(0.030, abs=5e-4)
    assert shuffled.min() == pytest.approx(0.0580, abs=ENDS)
    assert shuffled.max() == pytest.approx(0.0903, abs=ENDS)


@pytest.mark.parametrize(("count", "stress"), [(10, 0.10), (20, 0.17), (40, 0.23), (100, 0.28)])
def test_random_numbers_leave_more_stress_the_more_there_are(count: int, stress: float) -> None:
    assert not_proof.stress_of_random(count) == pytest.approx(stress, abs=0.011)


def test_which_map_is_real_is_drawn_by_lot_and_all_are_found_alike() -> None:
    assert len({line_up(seed).real for seed in range(8)}) > 3
    found = line_up(0)
    assert found.places.shape == (MAPS, 14, 2)
    # The real one stands at the same place among the maps in what can be told of it.
    assert found.as_low == int((found.stress < found.stress[found.real]).sum())
    assert "Map " in not_proof.uncovered(found)
    assert f"**Map {found.real + 1} " in not_proof.uncovered(found)


def test_noise_has_clumps_at_a_low_perplexity() -> None:
    places = {p: not_proof.noise_by_tsne(p) for p in not_proof.PERPLEXITIES}
    assert all(np.isfinite(each).all() for each in places.values())
    nearest = {p: _nearest(each) for p, each in places.items()}
    # As a share of the width of the picture: neighbours cling together where few count.
    assert nearest[2.0] < nearest[5.0] < nearest[30.0]


def test_the_real_map_is_the_right_answer_and_finding_it_may_be_luck() -> None:
    for known in (False, True):
        state = line_up(0, known=known)
        right = REAL.right(state, str(state.real + 1))
        assert right.right
        assert "p = 0.05" in right.words
        assert ("does not tell it apart" in right.words) is not known
        others = [REAL.right(state, said) for said in REAL.choices if said != str(state.real + 1)]
        assert not any(verdict.right for verdict in others)
        assert all(("fewer spots" in verdict.words) is known for verdict in others)


def test_a_map_that_nobody_finds_proves_nothing() -> None:
    state = line_up(0)
    assert MEANING.right(state, not_proof.NO_PROOF).right
    nothing, longer = (MEANING.right(state, said) for said in (not_proof.NOTHING, not_proof.LONGER))
    assert not nothing.right
    assert "hid it" in nothing.words
    assert not longer.right
    assert f"{state.stress.min():.4f}" in longer.words
    assert not MEANING.right(line_up(0, known=True), not_proof.NO_PROOF).right


def _nearest(places: np.ndarray) -> float:
    apart = np.linalg.norm(places[:, None] - places, axis=2)
    np.fill_diagonal(apart, np.inf)
    return float(np.median(apart.min(axis=1)) / np.ptp(places, axis=0).max())
