"""What is said of how often tests are right stands in the tables that were counted."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cml_core.evidence.calibrated import FALSE_ALARMS, HELD
from cml_core.evidence.dimensions import BENT, ROUGH
from cml_core.evidence.hidden_feature import COUNTED, COUNTED_OF_CASES
from cml_core.evidence.stability import OF_CASES

ROOT = Path(__file__).parents[3]
EVIDENCE = (ROOT / "docs" / "read-the-evidence.md").read_text(encoding="utf-8")
WRITTEN = (ROOT / "benchmarks" / "CALIBRATION.md").read_text(encoding="utf-8")
# Fewer data sets tell a share of .05 too roughly to be quoted.
ENOUGH = 40


def rows_of(section: str) -> list[dict[str, str]]:
    text = WRITTEN.split(f"\n## {section}\n")[1].split("\n## ")[0]
    tables = re.findall(r"(?:^\|.*\n)+", text + "\n", re.MULTILINE)
    lines = [[line[2:-2].split(" | ") for line in one.splitlines()] for one in tables]
    return [dict(zip(one[0], line, strict=True)) for one in lines for line in one[2:]]


ALARMS = rows_of("Is another feature hidden? By scale, and by how data were made")
CASES = rows_of("Is another feature hidden? Of measurements, cases drawn anew")
CURVES = rows_of("Does it act along a curve?")
WAYS = rows_of("Is another feature hidden? Of distances by way of neighbours")
OUTLINES = rows_of("Outlines by people and by pairs")
BY_CASES = rows_of("Outlines by cases")


def raised(n: int, what: str = "alarms", **asked: str) -> list[int]:
    """In per cent, of the rows that are like this."""
    return sorted(
        round(100 * float(re.findall(r"\((\d\.\d+) of", row[f"{what}, N = {n}"])[0]))
        for row in like(ALARMS, asked)
    )


def shown(n: int, what: str, **asked: str) -> list[int]:
    found = [row[f"{what}, N = {n}"] for row in like(ALARMS, asked)]
    return sorted(round(100 * float(cell[:4])) for cell in found if not cell.startswith("none"))


def like(rows: list[dict[str, str]], asked: dict[str, str]) -> list[dict[str, str]]:
    """The rows whose cells match; a pattern for each."""
    found = [
        row for row in rows if all(re.fullmatch(asked[name], row.get(name, "")) for name in asked)
    ]
    assert found
    return found


def test_false_alarms_for_which_no_chance_is_given_are_those_that_were_counted() -> None:
    sorting = {"data": "sortings of 30 people", "scale": "ordinal"}
    pairs, people = ({**sorting, "drawn": one} for one in ("pairs", "people"))
    assert (
        f"of 20 objects the test raised {raised(20, **pairs)[0]} % false alarms, with people drawn "
        f"anew {raised(20, **people)[-1]} %; of 40 objects {raised(40, **pairs)[0]} % and up to "
        f"{raised(40, **people)[-1]} %."
    ) in FALSE_ALARMS["sorting"]
    correlations = raised(20, data="correlations") + raised(40, data="correlations")
    assert set(correlations) == {100}
    assert "raised 100 % false alarms" in FALSE_ALARMS["correlations"]
    otherwise = {"data": "one rating.*|ratings of .*", "scale": "ratio|interval"}
    few, many = raised(20, **otherwise), raised(40, **otherwise)
    assert (
        f"of 20 objects raised {few[0]} to {few[-1]} % false alarms, of 40 objects {many[0]} to "
        f"{many[-1]} %."
    ) in FALSE_ALARMS["ratings"]
    confusions = {"data": "confusions.*|taken.*"}
    few, many = raised(20, **confusions), raised(40, **confusions)
    assert (
        f"of 20 objects it raised {few[0]} to {few[-1]} % false alarms, of 40 objects {many[0]} to "
        f"{many[-1]} %."
    ) in FALSE_ALARMS["confusions"]
    for why, asked in (
        ("triads", {"data": "triads.*"}),
        ("counts", {"data": "counts together"}),
    ):
        few = raised(20, **asked)
        assert f"raised {few[0]} to {few[-1]} % false" in FALSE_ALARMS[why]
    few, many = (
        sorted(round(100 * float(row["shown"])) for row in like(WAYS, {"objects": objects}))
        for objects in ("20", "40")
    )
    assert (
        f"in {few[0]} to {few[-1]} % of data sets of 20 objects, of 40 objects in {many[0]} to "
        f"{many[-1]} %."
    ) in FALSE_ALARMS["geodesics"]
    level = {"data": "clusters", "scale": "ordinal"}
    assert (
        f"of 20 objects it raised {raised(20, **level)[0]} % false alarms, of 40 objects "
        f"{raised(40, **level)[0]} %."
    ) in FALSE_ALARMS["level"]


@pytest.mark.parametrize(
    ("why", "asked"),
    [
        ("sorting", {"data": "sortings.*"}),
        ("correlations", {"data": "correlations"}),
        ("ratings", {"data": "one rating.*|.*ratings of.*|.*people who rate.*", "scale": "[^o].*"}),
        ("level", {"data": "clusters", "scale": "ordinal"}),
        ("confusions", {"data": "confusions.*|taken.*"}),
    ],
)
def test_outlines_that_are_not_drawn_held_what_was_counted(why: str, asked: dict[str, str]) -> None:
    rows = like(OUTLINES, asked)
    counted = [row[by] for row in rows for by in ("people", "pairs") if row[by] != "–"]
    held = sorted(100 * float(cell[:5]) for cell in counted)
    said = [int(number) for number in re.findall(r"\d+", HELD[why].split("for 95 % held")[-1])]
    said = [number for number in said if number != 95]
    assert said == pytest.approx([held[0], held[-1]][: len(said)], abs=0.51)


def test_outlines_of_measurements_held_what_was_counted() -> None:
    rows = like(BY_CASES, {"measure": "correlation|cosine"})
    held = sorted(round(100 * float(row["held"][:4])) for row in rows)
    assert f"held {held[0]} to {held[-1]} % of the true places" in HELD["measurements"]


def test_outlines_of_euclidean_cases_held_what_is_said_beside_them() -> None:
    rows = like(BY_CASES, {"measure": "euclidean", "drawn": "[^0].*|0.[1-9].*"})
    usual = like(rows, {"errors": "normal|heavy.*"})
    held = sorted(round(100 * float(row["held"][:4])) for row in usual)
    assert f"held {held[0]} to {held[-1]} % of the true places" in OF_CASES
    for errors, words in (("by object", "{} % where some"), (".*saturate", "{} % where meas")):
        found = round(100 * float(like(rows, {"errors": errors})[0]["held"][:4]))
        assert words.format(found) in OF_CASES


def test_no_alarm_that_is_shown_was_false_more_often_than_is_said() -> None:
    usual, far = {"data": "(?!two objects).*"}, {"data": "two objects far from all"}
    most = max(
        float(cell[:4])
        for row in like(ALARMS, usual)
        for n in (20, 40, 60)
        for cell in [row[f"alarms, N = {n}"]]
        if cell and not cell.startswith("none") and int(cell.split(" of ")[1][:-1]) >= ENOUGH
    )
    assert f"in at most {100 * most:.0f} of 100" in COUNTED
    by_lengths = shown(20, "alarms", **far)
    (by_order,) = shown(20, "alarms", **far, scale="ordinal")
    assert f"in {by_lengths[0]} to {by_lengths[-1]} where two of 20 objects are far" in COUNTED
    assert f"({by_order}: on their order)" in COUNTED
    squares = [row for row in CURVES if row["the first counts by"] == "its square"]
    either = ("alarms, straight", "alarms, curved")
    bent = max(float(row[how][:5]) for row in squares for how in either)
    assert f"in up to {100 * bent:.0f} where a known feature acts by its square" in COUNTED
    angles = [row for row in CASES if row["measure"] in ("correlation", "cosine")]
    saturated = [row for row in angles if "saturate" in row["errors"]]
    straight = max(float(row["alarms"][:4]) for row in angles if row not in saturated)
    assert f"at most {100 * straight:.0f} of 100" in COUNTED_OF_CASES
    assert f"in {100 * float(saturated[0]['alarms'][:4]):.0f} where" in COUNTED_OF_CASES


def test_the_power_that_the_documentation_tells_was_counted() -> None:
    usual = {"data": "distances|additive errors"}
    hard = shown(20, "power", data="errors by object|heavy-tailed errors")
    found, raised_usual = shown(20, "power", **usual), raised(20, "power", **usual)
    assert (
        f"in {found[0]} to {found[-1]} of 100 data sets instead of {raised_usual[0]} to "
        f"{raised_usual[-1]}, with errors that hang on objects or have heavy tails in {hard[0]} to "
        f"{hard[-1]}"
    ) in EVIDENCE
    only, second, by_more = (
        shown(20, "power", data=f"ratings of {n} .*|{n} people.*", drawn="people", hidden=hidden)
        for n, hidden in (("(16|30)", "1"), ("16", "2"), ("30", "2"))
    )
    assert (
        f"raters of 20 objects showed it in {only[0]} to {only[-1]} of 100; a second one 16 raters "
        f"in {second[0]} to {second[-1]}, 30 in {by_more[0]} to {by_more[-1]}."
    ) in EVIDENCE


def test_what_is_said_of_sortings_and_dimensions_was_counted() -> None:
    rows = rows_of("How many dimensions are left?")
    asked = {"data": "sortings of 30 people", "scale": "ordinal", "hidden": "1"}
    more = sum(float(like(rows, asked)[0][str(p)]) for p in range(2, 5))
    assert f"was chosen in {100 * more:.0f} of 100 data sets" in ROUGH


def test_what_is_said_of_dimensions_of_ratings_was_counted() -> None:
    rows = rows_of("How many dimensions are left?")
    asked = {"data": "ratings of 16 people", "hidden": "1"}
    straight, by_order = (
        sum(float(like(rows, {**asked, "scale": scale})[0][str(p)]) for p in range(2, 5))
        for scale in ("ratio", "ordinal")
    )
    assert f"in {20 * straight:.0f} of 20 data sets counted as distances" in BENT
    assert by_order == 0
    assert "in none by their order" in BENT
