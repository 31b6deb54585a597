"""What kind of feature a column is: inferred, explained, corrected, and kept with the project."""

import json
import math
from dataclasses import replace
from datetime import date, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cml_core import Feature, FeatureTable
from cml_core.errors import (
    UnknownFeature,
    UnknownOption,
    UnreadableFile,
    UnsuitableFeature,
)
from cml_core.files.joining.inferred_kinds import (
    FeatureChoice,
    chosen,
    inferred,
    retyped,
)
from cml_core.files.joining.oddities import feature_facts, remarks
from cml_core.files.reading import read_features
from cml_core.values.kinds.registry import KINDS
from cml_core.values.quantities import DAYS, GAPS_AMONG_WORDS
from cml_core.values.vocabularies import CALENDARS, SCALES, order_of

NUMBERS = {
    "plain": (["1", "2.5", "-3e2"], [1, 2.5, -300]),
    "decimal commas": (["1,5", "2", "0,125"], [1.5, 2, 0.125]),
    "thousands with commas": (["1,234.5", "2,000,000", "7"], [1234.5, 2e6, 7]),
    "thousands with points": (["1.234,5", "2.000.000,0"], [1234.5, 2e6]),
    "thousands with blanks": (["1 234", "12\u202f345,5"], [1234, 12345.5]),
    "thousands with apostrophes": (["1'234", "12’345"], [1234, 12345]),
    "per cent": (["5%", "12.5 %"], [5, 12.5]),
    "a unit": (["12 kg", "9kg"], [12, 9]),
    "a unit with a slash": (["12 km/h", "9.5 km/h"], [12, 9.5]),
    "a currency": (["€ 5", "€1,234.50"], [5, 1234.5]),
    "real minus signs": (["−3", "–4.5", "1"], [-3, -4.5, 1]),
    "dates": (["1970-01-02", "1969-12-31"], [1, -1]),
    "dates with times": (["1970-01-01 12:00", "1970-01-02T06:00:00"], [0.5, 1.25]),
}
WORDS = {
    "yes and no": ["yes", "no", "no"],
    "truth": ["TRUE", "FALSE", "TRUE"],
    "different units": ["12 kg", "900 g"],
    "a unit in some": ["12 kg", "9"],
    "one thousand or one": ["1,234", "5,678"],
    "codes with zeros in front": ["007", "010"],
    "no such day": ["2020-02-30", "2020-01-01"],
    "infinite": ["1", "inf"],
    "too large": ["1e999", "2"],
    "numbers and a word": ["1", "2", "about 3"],
    "underscores": ["1_000", "2"],
    "other digits": ["١", "٢"],
}


@pytest.mark.parametrize(("cells", "values"), NUMBERS.values(), ids=NUMBERS)
def test_numbers_are_read_however_people_write_them(cells: list[str], values: list[float]) -> None:
    feature = inferred("x", cells)
    assert feature.kind == "numeric"
    assert feature.shown() == values


@pytest.mark.parametrize("cells", WORDS.values(), ids=WORDS)
def test_what_is_not_surely_a_number_is_a_group(cells: list[str]) -> None:
    feature = inferred("x", cells)
    assert feature.kind == "categorical"
    assert feature.shown() == cells


def test_a_decimal_comma_of_the_file_decides_what_a_column_leaves_open() -> None:
    assert inferred("x", ["1,234", "5,678"], decimal_comma=True).shown() == [1.234, 5.678]
    assert inferred("x", ["1.5", "2"], decimal_comma=True).shown() == [1.5, 2.0]
    assert inferred("x", ["1.234", "2.345"], decimal_comma=True).kind == "categorical"
    assert inferred("x", ["1.234", "2.345"]).shown() == [1.234, 2.345]


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=8))
def test_numbers_in_full_are_read_back_exactly(numbers: list[float]) -> None:
    points = inferred("x", [repr(number) for number in numbers])
    commas = inferred("x", [repr(n).replace(".", ",") for n in numbers], decimal_comma=True)
    assert points.shown() == commas.shown() == numbers


@pytest.mark.slow
@given(st.lists(st.text(max_size=12), min_size=1, max_size=8), st.booleans())
def test_no_column_raises_any_error_but_the_programs_own(cells: list[str], comma: bool) -> None:
    if set(map(str.strip, cells)) <= GAPS_AMONG_WORDS:
        with pytest.raises(UnsuitableFeature, match="no value"):
            inferred("x", cells, decimal_comma=comma)
        return
    feature = inferred("x", cells, decimal_comma=comma)
    assert feature.n_objects == len(cells)
    assert all(fact.features == ("x",) for fact in remarks(feature))


def test_a_very_long_cell_is_a_text_and_costs_nothing() -> None:
    assert inferred("x", ["1" + " " * 1_000_000 + "!", "2"]).kind == "categorical"


@pytest.mark.parametrize("word", ["", "NA", "n/a", "NaN", "null", "?", "."])
def test_missing_stays_missing_among_numbers_and_among_words(word: str) -> None:
    assert inferred("x", ["1", word, "2"]).shown() == [1.0, None, 2.0]
    assert inferred("x", ["a", word, "b"]).shown() == ["a", None, "b"]


@pytest.mark.parametrize("word", ["none", "-", "missing"])
def test_what_may_be_an_answer_is_missing_only_among_numbers(word: str) -> None:
    assert inferred("x", ["1", word, "2"]).shown() == [1.0, None, 2.0]
    assert inferred("x", ["a", word, "b"]).shown() == ["a", word, "b"]


def test_a_column_without_any_value_is_refused() -> None:
    with pytest.raises(UnsuitableFeature, match="no value at all"):
        inferred("x", ["", "NA"])


@pytest.mark.parametrize(
    ("cells", "levels"),
    [
        (["high", "low", "Medium"], ("low", "Medium", "high")),
        (["always", "never", "often", "never"], ("never", "often", "always")),
        (["Agree", "strongly  disagree"], ("strongly  disagree", "Agree")),
        (["L", "S", "M"], ("S", "M", "L")),
        (["large", "small"], ("small", "large")),
    ],
)
def test_words_with_a_known_order_become_ordinal(cells: list[str], levels: tuple[str]) -> None:
    feature = inferred("x", cells)
    assert feature.kind == "ordinal"
    assert feature.levels == levels
    assert feature.shown() == cells


@pytest.mark.parametrize(
    "cells", [["low", "red"], ["low", "low"], ["low", "Low"], ["low", "", "NA"], ["often", "high"]]
)
def test_words_without_one_common_order_stay_groups(cells: list[str]) -> None:
    assert inferred("x", cells).kind == "categorical"


def test_months_keep_the_place_of_those_that_do_not_occur() -> None:
    feature = inferred("month", ["Dec", "Jan", "Mar"])
    assert feature.kind == "ordinal"
    assert feature.values.tolist() == [11, 0, 2]
    assert len(feature.levels) == 12
    assert inferred("month", ["March", "January"]).levels[1] == "February"


def test_gar_nicht_is_the_least_of_what_germans_agree_to() -> None:
    words = ["stimme voll zu", "stimme gar nicht zu", "teils/teils", "stimme eher zu"]
    assert inferred("Zustimmung", words).levels == (words[1], words[2], words[3], words[0])


def test_no_word_has_two_places_in_a_vocabulary() -> None:
    for scale in (*SCALES, *(places for _, places in CALENDARS)):
        assert len(scale) > 2
        assert sorted(set(scale.values())) == list(range(max(scale.values()) + 1))
        assert all(word == word.casefold() == word.strip() for word in scale)


@given(st.sampled_from(SCALES), st.randoms(use_true_random=False))
def test_every_part_of_a_vocabulary_has_an_order(scale: dict[str, int], random: object) -> None:
    by_rank = {rank: word for word, rank in scale.items()}
    words = random.sample(list(by_rank.values()), k=random.randint(3, len(by_rank)))  # type: ignore[attr-defined]
    order = order_of(words)
    assert sorted(order) == sorted(words)
    ranks = [next(s for s in SCALES if all(w in s for w in words))[word] for word in order]
    assert ranks == sorted(ranks)


# Corrections ------------------------------------------------------------------------------------


def test_codes_become_groups_written_as_they_were_and_numbers_again() -> None:
    codes = Feature.numeric("Sex", [2, 1, np.nan, 1.5])
    groups = retyped(codes, "categorical")
    assert groups.shown() == ["2", "1", None, "1.5"]
    assert groups.levels == ("1", "1.5", "2")
    assert retyped(groups, "numeric").shown() == codes.shown()


def test_dates_as_groups_are_written_as_dates_and_become_numbers_again() -> None:
    days = inferred("day", ["2020-05-01", "", "2019-01-31"])
    groups = retyped(days, "categorical")
    assert groups.shown() == ["2020-05-01", None, "2019-01-31"]
    back = retyped(groups, "numeric")
    assert (back.shown(), back.origin) == (days.shown(), days.origin)


def test_codes_with_zeros_in_front_can_be_made_numbers() -> None:
    assert retyped(inferred("x", ["007", "010"]), "numeric").shown() == [7.0, 10.0]


def test_groups_get_the_order_that_a_person_gives() -> None:
    groups = Feature.categorical("size", ["mid", "big", None, "wee"])
    ordered = retyped(groups, "ordinal", order=("wee", "mid", "big"))
    assert ordered.levels == ("wee", "mid", "big")
    assert ordered.shown() == groups.shown()
    assert retyped(ordered, "ordinal").levels == ordered.levels
    turned = retyped(ordered, "ordinal", order=("big", "mid", "wee"))
    assert turned.shown() == groups.shown()
    assert turned.values[0] == 1
    assert turned.values[1] == 0


def test_without_an_order_numbers_rise_and_known_words_keep_theirs() -> None:
    assert retyped(Feature.numeric("x", [10, 9, 2]), "ordinal").levels == ("2", "9", "10")
    assert retyped(Feature.categorical("x", ["10", "9"]), "ordinal").levels == ("9", "10")
    words = Feature.categorical("x", ["high", "low"])
    assert retyped(words, "ordinal").levels == ("low", "high")


def test_a_level_that_no_object_has_may_stand_in_the_order() -> None:
    ordered = retyped(Feature.categorical("x", ["a", "c"]), "ordinal", order=["a", "b", "c"])
    assert ordered.values.tolist() == [0, 2]


def test_angles_get_their_period_and_calendars_have_one() -> None:
    hours = retyped(Feature.numeric("hour", [0, np.nan, 23]), "circular", period=24)
    assert (hours.period, hours.shown()) == (24.0, [0.0, None, 23.0])
    assert retyped(hours, "circular").period == 24.0
    days = retyped(inferred("day", ["Sun", "Mon", ""]), "circular")
    assert (days.period, days.shown()) == (7.0, [7.0, 1.0, None])
    months = retyped(inferred("month", ["December", "January"]), "circular")
    gap = np.linalg.norm(np.diff(months.columns(), axis=0))
    # A chord of a twelfth of the unit circle; rounding only.
    assert gap == pytest.approx(2 * math.sin(math.pi / 12), abs=1e-12)
    assert retyped(hours, "numeric").shown() == [0.0, None, 23.0]


REFUSED = {
    "words as numbers": (["a", "b"], "numeric", {}, ["x", "'a'"]),
    "unclear numbers": (["1,234", "2,345"], "numeric", {}, ["1,234", "thousands"]),
    "words as angles": (["a", "b"], "circular", {"period": 360}, ["'a'"]),
    "no period": (["1", "2"], "circular", {}, ["period"]),
    "no positive period": (["1", "2"], "circular", {"period": -1}, ["-1"]),
    "a calendar without turn": (["Mon", "Tue"], "circular", {"period": 0}, ["0"]),
    "an endless period": (["1", "2"], "circular", {"period": math.inf}, ["inf"]),
    "no order": (["red", "blue"], "ordinal", {}, ["'red'", "lowest first"]),
    "an order that leaves one out": (["p", "q"], "ordinal", {"order": ["q"]}, ["'p'"]),
    "an order with one twice": (["p", "q"], "ordinal", {"order": ["q", "p", "q"]}, ["twice"]),
}


@pytest.mark.parametrize(("cells", "kind", "options", "words"), REFUSED.values(), ids=REFUSED)
def test_a_correction_that_cannot_be_made_says_why(
    cells: list[str], kind: str, options: dict[str, object], words: list[str]
) -> None:
    with pytest.raises(UnsuitableFeature) as caught:
        retyped(inferred("x", cells), kind, **options)  # type: ignore[arg-type]
    assert all(word in str(caught.value) for word in words)
    assert caught.value.remedy.endswith(".")


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(UnknownOption):
        retyped(inferred("x", ["1"]), "wavy")


@pytest.mark.slow
@given(
    st.lists(st.sampled_from(["1", "2", "3.5", "", "x", "low", "Mon"]), min_size=2, max_size=9),
    st.lists(st.sampled_from(list(KINDS)), max_size=4),
)
def test_missing_stays_missing_whatever_is_corrected(cells: list[str], kinds: list[str]) -> None:
    try:
        feature = inferred("x", cells)
    except UnsuitableFeature:
        return
    gaps = feature.missing.tolist()
    for kind in kinds:
        try:
            feature = retyped(feature, kind, period=5.0)
        except UnsuitableFeature:
            continue
        assert feature.kind == kind
        assert feature.missing.tolist() == gaps


@given(st.dates(min_value=date(1, 1, 2)), st.integers(0, 86_399))
def test_a_moment_is_kept_to_the_second(day: date, second: int) -> None:
    clock = str(timedelta(seconds=second)).zfill(8)
    feature = inferred("x", [f"{day.isoformat()} {clock}"])
    # A day has 86,400 seconds; a float holds days of our calendar to about 1e-10.
    expected = (day - date(1970, 1, 1)).days + second / 86_400
    assert feature.values[0] == pytest.approx(expected, abs=1e-9)


# What was chosen --------------------------------------------------------------------------------

TABLE = FeatureTable(
    ("a", "b", "c"),
    (
        Feature.numeric("code", [1, 2, 1]),
        Feature.categorical("size", ["wee", "big", None]),
        Feature.numeric("hour", [0, 12, 23]),
    ),
)
CHOICES = (
    FeatureChoice("code", "categorical", called="Sex"),
    FeatureChoice("size", "ordinal", order=("wee", "big")),
    FeatureChoice("hour", "circular", period=24.0),
)


def test_choices_are_applied_to_the_features_they_name() -> None:
    table = chosen(TABLE, CHOICES)
    assert table.names == ("Sex", "size", "hour")
    assert [feature.kind for feature in table.features] == ["categorical", "ordinal", "circular"]
    assert chosen(TABLE, ()).names == TABLE.names
    assert chosen(TABLE, [FeatureChoice("size", used=False)]).names == ("code", "hour")


def test_a_choice_for_a_feature_that_is_not_there_is_refused() -> None:
    with pytest.raises(UnknownFeature, match="age"):
        chosen(TABLE, [FeatureChoice("age", used=False)])


@pytest.mark.parametrize("choice", [*CHOICES, FeatureChoice("x", used=False), FeatureChoice("y")])
def test_a_choice_is_kept_as_json(choice: FeatureChoice) -> None:
    assert FeatureChoice.from_dict(json.loads(json.dumps(choice.to_dict()))) == choice


@pytest.mark.parametrize(
    "content",
    [
        {"name": 1},
        {"kind": "wavy"},
        {"kind": ["numeric"]},
        {"order": "abc"},
        {"order": [1]},
        {"period": "7"},
        {"used": 1},
        {"colour": "red"},
    ],
)
def test_a_damaged_choice_is_refused(content: dict[str, object]) -> None:
    with pytest.raises(UnreadableFile, match="damaged"):
        FeatureChoice.from_dict(content)


# What is odd ------------------------------------------------------------------------------------


def kinds_of(*features: Feature) -> list[str]:
    labels = tuple(f"object {k}" for k in range(features[0].n_objects))
    return [fact.kind for fact in feature_facts(FeatureTable(labels, features))]


ODD = {
    "constant": Feature.numeric("x", [3, 3, np.nan, 3]),
    "nearly constant": Feature.categorical("x", ["a", "a", "a", "a", "b"]),
    "a name": Feature.categorical("x", ["a", "b", "c", None]),
    "perhaps groups": Feature.numeric("x", [1, 2, 1, 2, 2]),
    "perhaps circular": inferred("x", ["Mon", "Tue", "Tue", "Mon"]),
    "read as numbers": inferred("x", ["1.5 kg", "2.5 kg", "7 kg"]),
    "perhaps numbers": inferred("x", ["1", "2", "3", "1", "2", "about 2"]),
    "perhaps the same": Feature.categorical("x", ["red", "Red ", "blue", "red", "blue"]),
    "mostly missing": Feature.numeric("x", [1.5, 2.5, 9.1, np.nan, np.nan, np.nan]),
}


@pytest.mark.parametrize(("kind", "feature"), ODD.items(), ids=ODD)
def test_what_is_odd_about_one_feature_is_said_with_what_it_means(
    kind: str, feature: Feature
) -> None:
    facts = remarks(feature)
    assert [fact.kind for fact in facts] == [kind]
    assert facts[0].features == ("x",)
    for sentence in (facts[0].fact, facts[0].meaning):
        assert sentence.endswith(".")
        assert "np." not in sentence


def test_a_kind_that_was_chosen_is_not_doubted_again() -> None:
    table = FeatureTable(tuple("abcde"), (Feature.numeric("Codes", [1, 2, 1, 2, 2]),))
    assert [fact.kind for fact in feature_facts(table)] == ["perhaps groups"]
    assert feature_facts(table, [FeatureChoice("Codes", "numeric")]) == ()
    assert feature_facts(table, [FeatureChoice("x", "numeric", called="Codes")]) == ()
    assert len(feature_facts(table, [FeatureChoice("x", called="Codes")])) == 1
    constant = FeatureTable(tuple("abc"), (Feature.numeric("Codes", [1, 1, 1]),))
    assert len(feature_facts(constant, [FeatureChoice("Codes", "numeric")])) == 1


def test_codes_that_look_like_numbers_are_told_to_be_groups() -> None:
    (fact,) = remarks(inferred("x", ["1,234", "5,678", "1,234", "5,678"]))
    assert fact.kind == "perhaps numbers"
    assert "thousand" in fact.meaning


def test_a_date_beyond_all_calendars_is_still_shown() -> None:
    days = replace(Feature.numeric("day", [1.0, 1e9]), unit=DAYS)
    assert retyped(days, "categorical").levels == ("1970-01-02", "1000000000.0 days")


def test_only_the_unit_and_no_words_tell_that_numbers_are_dates() -> None:
    plain = Feature.numeric("day", [1.0, 2.0], f"Dates, as {DAYS}")
    assert retyped(plain, "categorical").levels == ("1", "2")
    assert not [fact for fact in kinds_of(plain) if fact == "read as numbers"]


def test_an_ordinary_feature_gives_no_cause_for_remarks() -> None:
    assert kinds_of(Feature.numeric("x", [1.5, 2.5, 9.1, 4.2])) == []
    assert kinds_of(Feature.categorical("x", ["a", "b", "a", "b", "c"])) == []
    assert kinds_of(Feature.ordinal("x", ["a", "b", "a", "b"], ["a", "b"])) == []


def test_features_that_repeat_each_other_are_found_whatever_their_units_and_sign() -> None:
    values = np.array([1.5, 2.5, 9.1, 4.2, np.nan])
    same = Feature.numeric("same", 1e6 - 1e-3 * values)
    (fact,) = feature_facts(FeatureTable(tuple("abcde"), (Feature.numeric("x", values), same)))
    assert (fact.kind, fact.features) == ("the same", ("x", "same"))
    assert "opposite" in fact.fact
    near = Feature.numeric("near", values + np.array([0.3, 0, -0.3, 0.2, 0]))
    assert kinds_of(Feature.numeric("x", values), near) == ["nearly the same"]
    other = Feature.numeric("other", [3.5, 0.5, 1.1, 9.2, 5.4])
    assert kinds_of(Feature.numeric("x", values), other) == []


def test_groups_under_other_names_are_the_same_groups() -> None:
    sex = Feature.categorical("sex", ["m", "f", "f", "m", "m"])
    code = Feature.numeric("code", [0.5, 1.5, 1.5, 0.5, 0.5])
    facts = feature_facts(FeatureTable(tuple("abcde"), (sex, code)))
    assert [(fact.kind, fact.features) for fact in facts] == [("the same groups", ("sex", "code"))]
    other = Feature.categorical("other", ["p", "q", "q", "p", "q"])
    assert kinds_of(sex, other) == []


def test_more_features_than_can_be_compared_are_not_compared_silently() -> None:
    random = np.random.default_rng(0)
    features = tuple(Feature.numeric(f"x{k}", random.normal(size=12)) for k in range(310))
    facts = feature_facts(FeatureTable(tuple(f"o{k}" for k in range(12)), features))
    assert facts[-1].kind == "not compared"
    assert "300 of 310" in facts[-1].fact


@pytest.mark.parametrize(
    ("name", "cells", "period"),
    [
        ("wind direction", ["0", "90", "355"], 360),
        ("hour", ["0", "12", "23"], 24),
        ("when", ["14:30", "0:15", "23:00"], 24),
        ("Monat", ["1", "7", "12"], 12),
        ("weekday", ["1", "5", "7"], 7),
        ("longitude", ["-170", "12.5", "179"], 360),
        ("facing", ["N", "E", "SW", "W"], 360),
        ("turned", ["10°", "200°"], 360),
    ],
)
def test_what_begins_again_is_told_with_its_period(
    name: str, cells: list[str], period: int
) -> None:
    feature = inferred(name, cells)
    (fact,) = (fact for fact in remarks(feature) if fact.kind == "perhaps circular")
    assert f"period {period}" in fact.meaning
    assert retyped(feature, "circular", period=period).period == period


@pytest.mark.parametrize(
    ("name", "cells"),
    [("size", ["0", "90", "355"]), ("hour", ["0", "12", "30"]), ("month", ["1.5", "2"])],
)
def test_other_amounts_do_not_begin_again(name: str, cells: list[str]) -> None:
    assert "perhaps circular" not in {fact.kind for fact in remarks(inferred(name, cells))}


def test_a_mark_or_nothing_is_yes_or_no() -> None:
    feature = inferred("flies", ["x", "", "X", ""])
    assert feature.shown() == ["yes", "no", "yes", "no"]
    assert "ticked" in {fact.kind for fact in remarks(feature)}
    assert inferred("flies", ["x", "x"]).shown() == ["x", "x"]


def test_ranges_and_currencies_and_dates_are_read_by_themselves() -> None:
    assert inferred("age", ["25-34", "18-24", "65+"]).levels == ("18-24", "25-34", "65+")
    assert inferred("price", ["12.50 €", "3 €"]).shown() == [12.5, 3]
    assert inferred("price", ["USD 5", "USD 7"]).shown() == [5, 7]
    assert inferred("born", ["03.05.2024", "25.12.2024"]).unit == DAYS


def test_what_r_writes_has_no_head_above_the_names() -> None:
    table = read_features(b'"town" "pop"\n"1" "Bern" 3\n"2" "Lyon" 5\n"3" "Ulm" 1\n')
    assert table.labels == ("1", "2", "3")
    assert [feature.name for feature in table.features] == ["town", "pop"]
