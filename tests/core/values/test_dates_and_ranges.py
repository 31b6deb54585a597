"""Dates, times and ranges as people write them; words of other languages."""

from __future__ import annotations

import numpy as np
import pytest

from cml_core.values.dates import days_of, hours_of
from cml_core.values.quantities import DAYS as UNIT_OF_DATES
from cml_core.values.quantities import quantity_of
from cml_core.values.ranges import order_of_labelled, order_of_ranges
from cml_core.values.vocabularies import order_of, turn_of

# 2024-05-03 and 2024-12-25, in days since 1970 (the `date` command of coreutils).
DAYS = [19846.0, 20082.0]


@pytest.mark.parametrize(
    "texts",
    [
        ["03.05.2024", "25.12.2024"],
        ["3. 5. 2024", "25. 12. 2024"],
        ["3/5/2024", "25/12/2024"],
        ["5/3/2024", "12/25/2024"],
        ["2024/05/03", "2024/12/25"],
        ["3 May 2024", "25 Dec 2024"],
        ["3. Mai 2024", "25. Dezember 2024"],
        ["3 mai 2024", "25 décembre 2024"],
        ["3 de mayo de 2024", "25 de diciembre de 2024"],
        ["May 3, 2024", "December 25th, 2024"],
        ["03.05.24", "25.12.24"],
        ["5/3/24", "12/25/24"],
    ],
    ids=lambda texts: texts[0],
)
def test_dates_are_read_in_the_usual_orders(texts: list[str]) -> None:
    found = days_of(texts)
    assert found is not None
    assert found.tolist() == DAYS


@pytest.mark.parametrize(
    "texts",
    [
        ["3/5/2024", "4/6/2024"],
        ["24/01/15", "23/02/16"],
        ["31.02.2024"],
        ["3.5.2024", "soon"],
        ["3 Foo 2024"],
    ],
)
def test_dates_that_can_be_read_in_two_orders_or_in_none_are_not(texts: list[str]) -> None:
    assert days_of(texts) is None


@pytest.mark.parametrize(
    ("texts", "hours"),
    [
        (["14:30", "0:15"], [14.5, 0.25]),
        (["2:30 pm", "12:15 am", "12 p.m."], [14.5, 0.25, 12]),
        (["14 Uhr", "9 Uhr"], [14, 9]),
        (["14h", "9h"], [14, 9]),
        (["14h30", "9h05"], [14.5, 9 + 5 / 60]),
        (["10:00:36"], [10.01]),
    ],
)
def test_times_are_hours_of_the_day(texts: list[str], hours: list[float]) -> None:
    found = hours_of(texts)
    assert found is not None
    np.testing.assert_allclose(found, hours)


@pytest.mark.parametrize("texts", [["25:00"], ["14:75"], ["13 pm"], ["14", "15"], ["noon"]])
def test_what_is_no_time_is_none(texts: list[str]) -> None:
    assert hours_of(texts) is None


@pytest.mark.parametrize(
    "levels",
    [
        ("under 18", "18-24", "25–34", "35 to 64", "65+"),
        ("<18", "18 bis 24", "25 bis 34", "über 34"),
        ("$0-$99", "$100-$199", "more than $199"),
        ("moins de 10", "10 à 19", "20 à 29"),
    ],
    ids=lambda levels: levels[0],
)
def test_ranges_that_do_not_overlap_have_an_order(levels: tuple[str, ...]) -> None:
    assert order_of_ranges(tuple(reversed(levels))) == levels


@pytest.mark.parametrize(
    "levels", [("1-3", "2-4"), ("7-3", "3-7"), ("18-24", "old"), ("18-24",), ("2020-01", "2020-02")]
)
def test_what_overlaps_or_falls_is_no_range(levels: tuple[str, ...]) -> None:
    assert order_of_ranges(levels) == ()


@pytest.mark.parametrize(
    "levels",
    [
        ("trifft gar nicht zu", "trifft eher nicht zu", "trifft eher zu", "trifft voll zu"),
        ("nie", "selten", "manchmal", "oft", "immer"),
        ("jamais", "rarement", "parfois", "souvent", "toujours"),
        ("pas du tout d'accord", "plutôt d'accord", "tout à fait d'accord"),
        ("nunca", "a veces", "siempre"),
        ("totalmente en desacuerdo", "de acuerdo", "totalmente de acuerdo"),
    ],
    ids=lambda levels: levels[0],
)
def test_degrees_are_known_in_german_french_and_spanish(levels: tuple[str, ...]) -> None:
    assert order_of(tuple(reversed(levels))) == levels


def test_months_and_days_are_known_in_german_french_and_spanish() -> None:
    assert turn_of(("März", "Januar")) == (12, (3, 1))
    assert turn_of(("août", "février")) == (12, (8, 2))
    assert turn_of(("miércoles", "domingo")) == (7, (3, 7))
    assert order_of(("Okt", "Jan"))[0] == "Jan"


def test_points_of_the_compass_are_degrees_where_the_language_is_clear() -> None:
    assert turn_of(("N", "E", "S", "W")) == (360, (0, 90, 180, 270))
    assert turn_of(("N", "O", "S", "W")) == (360, (0, 90, 180, 270))
    assert turn_of(("N", "E", "S", "O")) == (360, (0, 90, 180, 270))
    assert turn_of(("north-east", "south-west", "west")) == (360, (45, 225, 270))
    # East in German, west in French.
    assert turn_of(("N", "O", "S")) == (0, ())
    assert turn_of(("N", "S")) == (0, ())


@pytest.mark.parametrize(
    "levels",
    [
        ("< 10k", "10k-20k", "> 20k"),
        ("18-24 años", "25-34 años", "35 o más"),
        ("18 à 24 ans", "25 à 34 ans", "35 ans ou plus"),
        ("18 bis 24 Jahre", "25 bis 34 Jahre", "35 Jahre oder älter"),
    ],
)
def test_classes_have_their_order_in_four_languages(levels: tuple[str, ...]) -> None:
    assert order_of_ranges(levels[::-1]) == levels


@pytest.mark.parametrize(
    ("levels", "ordered"),
    [
        (("1 = never", "2", "3", "4 = always"), True),
        (("1 - not at all", "2 - a little", "3 - very"), True),
        (("1", "2", "3"), False),
        (("1: a", "3: b"), False),
        (("1. Bezirk", "2. Bezirk"), False),
    ],
)
def test_points_of_a_scale_with_labels_rise_with_their_numbers(
    levels: tuple[str, ...], ordered: bool
) -> None:
    assert order_of_labelled(levels[::-1]) == (levels if ordered else ())


@pytest.mark.parametrize(
    "levels",
    [
        ("High school", "Associate's degree", "Bachelor's degree", "Master's degree"),
        ("small", "medium", "large", "extra large"),
        ("not at all important", "moderately important", "extremely important"),
        ("mangelhaft", "ausreichend", "gut", "sehr gut"),
        ("Q1", "Q2", "Q3", "Q4"),
    ],
)
def test_words_of_surveys_have_their_order(levels: tuple[str, ...]) -> None:
    assert order_of(levels[::-1]) == levels


@pytest.mark.parametrize(
    "texts",
    [
        ["2024-05-03T12:00:00Z", "2024-12-25T00:00:00Z"],
        ["2024-05-03T14:00:00+02:00", "2024-12-25T01:00:00.000+01:00"],
    ],
)
def test_times_with_a_zone_are_those_of_greenwich(texts: list[str]) -> None:
    found = quantity_of(texts)
    assert found is not None
    assert (found.values.tolist(), found.unit) == ([DAYS[0] + 0.5, DAYS[1]], UNIT_OF_DATES)
    assert quantity_of([*texts, "2024-05-03T12:00:00"]) is None
