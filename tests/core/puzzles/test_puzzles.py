"""Puzzles: what is hidden shows as much as is promised, and answers are scored exactly."""

from __future__ import annotations

import json
from dataclasses import asdict, replace

import numpy as np
import pytest
from scipy.stats import spearmanr

from cml_core import Feature
from cml_core.datasets import CAR_FEATURES
from cml_core.drawing.arrow import Arrow
from cml_core.drawing.likeness import predictability
from cml_core.errors import LabelMismatch, UnknownOption, UnsuitableFeature
from cml_core.puzzles.clues import SAID, thirds
from cml_core.puzzles.puzzle import LEVELS, MOST, Puzzle
from cml_core.puzzles.scatter import scatter
from cml_core.puzzles.scoring import Hint, Score, best_arrow, orders, score

MIDDLE = Puzzle.at("middle", 7)


def arrow_at(puzzle: Puzzle, degrees: float, found: tuple[str, ...] = ()) -> Feature:
    """What is read off an arrow across the puzzle's own map."""
    turn = np.radians(degrees)
    arrow = Arrow((0.0, 0.0), (float(np.cos(turn)), float(np.sin(turn))))
    return arrow.feature("drawn", puzzle.map(found).embedding)


def scores(puzzle: Puzzle, found: tuple[str, ...] = ()) -> list[Score]:
    """Of arrows all around."""
    return [
        score(puzzle, arrow_at(puzzle, turn, found), puzzle.labels, found) for turn in range(180)
    ]


@pytest.mark.parametrize("level", LEVELS)
def test_in_twelve_puzzles_of_a_level_an_arrow_follows_what_is_hidden_as_promised(
    level: str,
) -> None:
    reached = []
    for seed in range(12):
        puzzle = Puzzle.at(level, seed)
        embedding = puzzle.map().embedding
        reached.append(max(predictability(one, embedding) for one in puzzle.truth.features))
    assert min(reached) >= LEVELS[level].visible


def test_a_puzzle_is_made_again_from_its_numbers_alone() -> None:
    again = Puzzle(**json.loads(json.dumps(asdict(MIDDLE))))
    assert again == MIDDLE
    assert again.cards == MIDDLE.cards
    assert again.labels == MIDDLE.labels
    assert again.dissimilarities.fingerprint == MIDDLE.dissimilarities.fingerprint


def test_what_is_given_and_what_is_hidden_are_all_features_and_by_lot() -> None:
    hidden = set()
    for seed in range(30):
        puzzle = Puzzle.at("easy", seed)
        assert set(puzzle.hidden_names) | set(puzzle.given.names) == set(CAR_FEATURES)
        assert not set(puzzle.hidden_names) & set(puzzle.given.names)
        hidden.update(puzzle.hidden_names)
    assert hidden == set(CAR_FEATURES)


def test_cars_have_different_invented_names_up_to_the_largest_puzzle() -> None:
    labels = Puzzle.at("easy", 3, n_objects=MOST).labels
    assert len(set(labels)) == MOST
    assert labels != Puzzle.at("easy", 4, n_objects=MOST).labels


@pytest.mark.parametrize(("level", "n_cards", "n_wrong"), [("middle", 7, 0), ("hard", 12, 1)])
def test_clue_cards_say_in_which_third_a_brand_is_and_so_many_are_wrong(
    level: str, n_cards: int, n_wrong: int
) -> None:
    for seed in range(10):
        puzzle = Puzzle.at(level, seed)
        wrong = 0
        for card in puzzle.cards:
            brand = puzzle.labels.index(card.brand)
            name = next(name for name, said in SAID.items() if card.said in said)
            third = thirds(puzzle.truth[name].values)[brand]
            wrong += SAID[name][third] != card.said
        assert (len({card.brand for card in puzzle.cards}), wrong) == (n_cards, n_wrong)


def test_thirds_are_counted_from_the_lowest() -> None:
    assert thirds(np.array([0.9, 0.1, 0.5, 0.2, 0.6, 0.8])) == [2, 0, 1, 0, 1, 2]


@pytest.mark.parametrize(
    "wrong",
    [{"level": "absurd"}, {"n_objects": 5}, {"n_objects": 61}, {"hidden": 0}, {"hidden": 4},
     {"seed": -1}, {"clues": 2.0}, {"noise": float("nan")}],
)  # fmt: skip
def test_a_puzzle_that_cannot_be_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(UnknownOption):
        replace(MIDDLE, **wrong)  # type: ignore[arg-type]


def test_the_score_is_spearmans_as_a_share_of_the_best_arrows() -> None:
    random = np.random.default_rng(0)
    values = MIDDLE.truth.features[0].values + 0.2 * random.standard_normal(24)
    found = score(MIDDLE, Feature.numeric("mine", -values), MIDDLE.labels)
    fitting = {one.name: abs(spearmanr(values, one.values)[0]) for one in MIDDLE.truth.features}
    assert found.fits == max(fitting, key=lambda name: fitting[name])
    best = best_arrow(MIDDLE)
    assert found.share == pytest.approx(fitting[found.fits] / best, abs=1e-12)


def test_no_arrow_does_better_than_the_best_and_one_does_as_well() -> None:
    points = MIDDLE.map().embedding
    reached = [
        abs(spearmanr(along, one.values)[0])
        for turn in np.linspace(0, np.pi, 5000)
        for along in [points @ [np.cos(turn), np.sin(turn)]]
        for one in MIDDLE.truth.features
    ]
    assert max(reached) == pytest.approx(best_arrow(MIDDLE), abs=1e-12)


def test_every_order_of_four_points_is_met() -> None:
    points = np.array([[0.0, 0.0], [1.0, 0.2], [0.3, 1.1], [1.7, 1.9]])
    seen = {
        tuple(np.argsort(points @ [np.cos(turn), np.sin(turn)]).tolist())
        for turn in np.linspace(0, np.pi, 20_000, endpoint=False)
    }
    met = {tuple(np.argsort(ranks).tolist()) for ranks in orders(points)}
    assert {min(one, one[::-1]) for one in met} == {min(one, one[::-1]) for one in seen}


def test_the_loop_finds_one_hidden_feature_after_the_other() -> None:
    first = max(scores(MIDDLE), key=lambda one: one.share)
    assert (first.percent, first.hint) == (100, Hint.NEXT)
    found = (first.fits,)
    second = max(
        (one for one in scores(MIDDLE, found) if one.fits not in found), key=lambda one: one.share
    )
    assert second.solved
    assert {first.fits, second.fits} == set(MIDDLE.hidden_names)
    assert second.hint is Hint.ALL


def test_what_was_found_before_is_said_to_be_that_and_scored_as_it_was() -> None:
    all_around = scores(MIDDLE)
    best = max(range(180), key=lambda turn: all_around[turn].share)
    drawn = arrow_at(MIDDLE, best)
    before = score(MIDDLE, drawn, MIDDLE.labels)
    again = score(MIDDLE, drawn, MIDDLE.labels, (before.fits,))
    assert (again.share, again.fits, again.hint) == (before.share, before.fits, Hint.AGAIN)


def test_the_hint_is_to_turn_the_arrow_a_little_or_a_long_way() -> None:
    easy = Puzzle.at("easy", 0)
    found = scores(easy)
    best = max(range(180), key=lambda turn: found[turn].share)
    assert found[(best + 90) % 180].hint is Hint.FAR
    hints = [found[(best + turn) % 180].hint for turn in range(91)]
    assert hints.index(Hint.NEAR) < hints.index(Hint.FAR)


def test_two_objects_that_are_far_off_are_said_to_be() -> None:
    easy = Puzzle.at("easy", 0)
    values = easy.truth.features[0].values.copy()
    low, high = values.argmin(), values.argmax()
    values[[low, high]] = values[[high, low]]
    found = score(easy, Feature.numeric("swapped", values), easy.labels)
    assert (found.solved, found.hint) == (False, Hint.TWO)


def test_leaving_out_what_one_is_unsure_of_does_not_pay() -> None:
    easy = Puzzle.at("easy", 0)
    truth = easy.truth.features[0].values
    few = np.where(np.argsort(np.argsort(truth)) < 4, truth, np.nan)
    assert score(easy, Feature.numeric("few", few), easy.labels).share < 0.5
    assert score(easy, Feature.numeric("all", truth), easy.labels).share == 1.0


def test_an_answer_about_other_objects_or_without_an_order_is_refused() -> None:
    other = Puzzle.at("middle", 8)
    drawn = arrow_at(other, 0)
    with pytest.raises(LabelMismatch, match="not about the objects of this puzzle"):
        score(MIDDLE, drawn, other.labels)
    groups = Feature.categorical("groups", ["a", "b", "c"] * 8)
    with pytest.raises(UnsuitableFeature, match="no order"):
        score(MIDDLE, groups, MIDDLE.labels)


def test_arrows_of_a_class_stand_on_one_map_with_how_far_they_scatter() -> None:
    easy = Puzzle.at("easy", 0)
    name = easy.hidden_names[0]
    true = scatter(easy, name, []).truth
    ahead = np.degrees(np.arctan2(true[1], true[0]))
    drawn = [arrow_at(easy, ahead + off).values for off in (10, -20, 180)]
    found = scatter(easy, name, drawn)
    np.testing.assert_allclose(found.turned, [10, -20, 0], atol=1e-9)
    np.testing.assert_allclose(np.hypot(*found.arrows.T), 1.0)
    said = "half of the arrows are at most 10° off, all at most 20°."
    assert found.verdict == f"3 answers tell {name}: {said}"
    embedding = easy.map().embedding
    assert np.hypot(*true) == pytest.approx(predictability(easy.truth[name], embedding))
