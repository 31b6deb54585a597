"""What statistics programs print around an aligned table, taken away from it."""

from __future__ import annotations

import re

_BEGIN = 1_000
# Around the triangle of R's daisy().
_DAISY = "Dissimilarities :"
_AROUND = re.compile(r"^(?:Dissimilarities|Metric|Number of objects) :.*$", re.MULTILINE)
# SPSS puts numbers before the names of cases; the names may hold blanks.
_CASES = re.compile(r"^[ ]*(?:[^\W\d]\w*)?[ ]+\d{1,4}:\S.*?[ ]\d{1,4}:\S")
_FIRST_CASE = re.compile(r"^[ ]*(?:[^\W\d]\w*[ ]+)?(?=\d{1,4}:\S)")
# Below the names above, Stata draws a line, and a bar behind those before.
_RULE = re.compile(r"^ *-+\+-+ *$")


def table_alone(text: str) -> str:
    """The names above, which stand further right than all else, and the rows; gaps elsewhere."""
    if _DAISY in text[:_BEGIN]:
        text = _AROUND.sub("", text)
    lines = text.split("\n")
    if any(map(_CASES.match, lines[:_BEGIN])):
        return _of_cases(lines)
    if any(map(_RULE.match, lines[:_BEGIN])):
        return _of_stata(lines)
    return _without_sides(lines) or _of_flat(lines) or text


def _of_cases(lines: list[str]) -> str:
    """SPSS's matrix without its titles and notes; heads stand further right than rows."""
    begins = [_FIRST_CASE.match(line) for line in lines]
    margin = min(found.end() for found in begins if found)
    kept = []
    for line, found in zip(lines, begins, strict=True):
        begin = found.end() if found else 0
        head = " " * (begin - margin)
        kept.append(head + line[begin:] if found else "")
    return "\n".join(kept)


def _of_stata(lines: list[str]) -> str:
    """Stata's correlations and matrices, whose names stand right-aligned before a bar."""
    parts = [line.partition("|") for line in lines]
    return "\n".join(
        f"{name.strip():{len(name)}} {values}" if bar else "" for name, bar, values in parts
    )


def _of_flat(lines: list[str]) -> str:
    """R's flat table of two sides, whose names stand in the corner; empty for any other."""
    filled = [line for line in lines if line.strip()]
    if len(filled) > 1 and all(line.startswith('"') for line in filled[1:]):
        filled = [line[1:].replace('"', " ") for line in filled]
    above, below, *rows = (*filled, "", "")
    side = (above.split() or [""])[0]
    if above[:1] != " " or len(below.split()) != 1 or below[:1] == " " or rows[0][:1] == " ":
        return ""
    return "\n".join((above.replace(side, " " * len(side), 1), *rows))


def _without_sides(lines: list[str]) -> str:
    """What R prints of a table whose sides have a name each; empty where they have none."""
    first = next((k for k, line in enumerate(lines) if line.strip()), 0)
    above, head, *rows = (*lines[first : first + 3], "", "")
    side = head.partition(" ")[0]
    if not side or len(above.split()) != 1 or above[:1] != " " or rows[0][:2] != "  ":
        return ""
    kept = []
    for line in lines[first:]:
        if line == above:
            line = ""
        elif line.startswith(f"{side} "):
            line = line.replace(side, " " * len(side), 1)
        elif line.startswith("  "):
            line = line[2:]
            kept.append(line)
            continue
        kept.append(line[2:])
    return "\n".join(kept)
