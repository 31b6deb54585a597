"""Marks for thousands, per cent, errors, stars and units are taken off numbers, and said."""

from __future__ import annotations

import pytest

from cml_core.errors import ConditionalMappingError
from cml_core.files.reading import RawTable, read

MARKED = {
    "apostrophes": (["3'313", "12’345", "817"], [3313, 12345, 817], "3'313 is 3313"),
    "narrow blanks": (["3\u202f313", "1 204", "817"], [3313, 1204, 817], "thousands"),
    "thousands and decimals": (["3'313.5", "1'204.25", "7.5"], [3313.5, 1204.25, 7.5], "3313.5"),
    "lakhs": (
        ["1,38,170.5", "1,00,000", "43,209"],
        [138170.5, 100000, 43209],
        "Marks for thousands",
    ),
    "rupees": (["Rs. 1,38,170", "Rs. 817", "Rs. 43,209"], [138170, 817, 43209], "in Rs."),
    "per cent": (["37 %", "8.5%", "0 %"], [0.37, 0.085, 0], "37 % is 0.37"),
    "plus and minus": (["4.4 ± 0.4", "5 ± 1", "6.1 ± .5"], [4.4, 5, 6.1], "read as 4.4"),
    "errors in brackets": (["4.4 (0.4)", "5 (1)", "6.1 (.5)"], [4.4, 5, 6.1], "read as 4.4"),
    "stars": ([".34**", "-.12", ".5***"], [0.34, -0.12, 0.5], ".34** is read as .34"),
    "a unit": (["12 km", "7.5 km", "9km"], [12, 7.5, 9], "in km"),
    "a currency": (["€ 12", "€7.5", "€ 9"], [12, 7.5, 9], "in €"),
}


@pytest.mark.parametrize(("cells", "values", "note"), MARKED.values(), ids=MARKED)
def test_numbers_are_read_without_their_marks(
    cells: list[str], values: list[float], note: str
) -> None:
    one, two, three = cells
    lines = (";a;b;c", f"a;0;{one};{two}", f"b;{one};0;{three}", f"c;{two};{three};0", "")
    table = read("\n".join(lines).encode(), name="marked.csv")
    assert isinstance(table, RawTable)
    assert [table.values[0, 1], table.values[0, 2], table.values[1, 2]] == values
    assert any(note in told for told in table.notes), table.notes


def test_different_units_are_no_unit() -> None:
    with pytest.raises(ConditionalMappingError, match="12 km"):
        read(b";a;b;c\na;0;12 km;7 mi\nb;12 km;0;3 ft\nc;7 mi;3 ft;0\n", name="units.csv")


def test_nothing_is_done_to_plain_numbers() -> None:
    table = read(b",a,b,c\na,0,1,2\nb,1,0,3\nc,2,3,0\n")
    assert isinstance(table, RawTable)
    assert table.notes == ()
