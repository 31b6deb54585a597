"""What is stored of a cell becomes the text that people write: numbers, dates, errors."""

from __future__ import annotations

import datetime as dt
import math
import re

from cml_core.errors import UnreadableFile

# From here on Python writes floats with an exponent.
_WITH_EXPONENT = 1e16
# The last day of spreadsheets is 9999-12-31.
_AFTER_LAST_DAY = 2_958_466
# In milliseconds: the fraction of a day that is stored has been rounded beyond that.
_DAY = 86_400_000
# Days from the beginning of 1900 to that of 1904, where old Macintoshes began to count.
_BETWEEN_SYSTEMS = 1_462
# Spreadsheets call this day 1900-02-29, which never was; those before it are counted from it.
_LEAP_DAY_OF_1900 = 60
_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")
_SURROGATES = re.compile("[\ud800-\udfff]")
_NO_CHARACTER = re.compile("[^\t\n\r\u0020-\ufffd]")
_TRUTH = {"1": "TRUE", "true": "TRUE", "0": "FALSE", "false": "FALSE"}

# Formats that are never spelled out in a file; 27 to 36 and 50 to 58 are those of East Asia.
DATE, TIME, SPAN = "date", "time", "span"
BUILT_IN = dict.fromkeys((*range(14, 18), 22, *range(27, 37), *range(50, 59)), DATE)
BUILT_IN |= dict.fromkeys((18, 19, 20, 21, 45, 47), TIME)
BUILT_IN |= {46: SPAN}
# Quoted, escaped, padding and filling characters, and brackets that hold no hours or minutes.
_LITERAL = re.compile(
    r'"[^"]*(?:"|$)|[\\_*].|\[(?!h+\]|m+\]|s+\])[^\]]*(?:\]|$)', re.IGNORECASE | re.DOTALL
)


class UnreadableCell(UnreadableFile):
    """A cell holds what cannot be read; the fact lacks its beginning, the cell's place."""

    def at(self, place: str) -> UnreadableFile:
        """The same of the cell at a place."""
        return UnreadableFile(f"{place} {self.fact}", remedy=self.remedy)


def number_text(stored: str) -> str:
    """A number as people write it, in full precision."""
    value = finite_number(stored)
    # The shortest text that is read back as the same float; a spreadsheet shows 15 digits of 17.
    if not value.is_integer():
        return repr(value)
    whole = stored.strip()
    if whole.removeprefix("-").isdecimal():
        return str(int(whole))
    return str(int(value)) if abs(value) < _WITH_EXPONENT else repr(value)


def finite_number(stored: str) -> float:
    """A number that is finite; Python's own spellings of others are none."""
    try:
        value = float(stored)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or not stored.isascii() or "_" in stored:
        raise UnreadableCell(
            f"is marked as a number, but holds {stored[:40]!r}.",
            remedy="Type the number anew, or clear the cell if it is unknown.",
        )
    return value


def truth_text(stored: str) -> str:
    """TRUE or FALSE."""
    text = _TRUTH.get(stored.strip())
    if text is None:
        raise UnreadableCell(
            f"is marked as true or false, but holds {stored[:40]!r}.",
            remedy="Type TRUE or FALSE anew, or clear the cell if it is unknown.",
        )
    return text


def error_text(stored: str) -> str:
    """Empty for #N/A, by which spreadsheets say that a value is not available."""
    if stored.strip() == "#N/A":
        return ""
    raise UnreadableCell(
        f"shows the error {stored.strip()[:40]}.",
        remedy="Correct its formula, or clear the cell if the value is unknown.",
    )


def plain_text(stored: str) -> str:
    """A text without the blanks around it; _x000A_ stands for the character of that number."""
    if "_x" in stored:
        stored = _ESCAPE.sub(_character, stored)
        # Two escapes may be the halves of one character.
        if _SURROGATES.search(stored):
            stored = stored.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return stored.strip()


def _character(escape: re.Match[str]) -> str:
    character = chr(int(escape[1], 16))
    return escape[0] if _NO_CHARACTER.match(character) else character


def iso_text(stored: str) -> str:
    """A date that is stored as one, without the time where that is midnight."""
    text = stored.strip()
    try:
        return moment_text(dt.datetime.fromisoformat(text))
    except ValueError:
        return text


def moment_text(moment: dt.datetime) -> str:
    """2024-12-31, or 2024-12-31T13:05:07 where it is not midnight."""
    if moment.time() == dt.time():
        return moment.date().isoformat()
    return moment.isoformat(timespec="milliseconds" if moment.microsecond else "seconds")


def kind_of_format(code: str) -> str:
    """`DATE`, `TIME` or `SPAN` for a format with their letters, empty for one of numbers."""
    letters = _LITERAL.sub("", code).partition(";")[0].lower()
    if re.search("[dy]", letters):
        return DATE
    if "[" in letters:
        return SPAN
    if re.search("[hs]", letters):
        return TIME
    return DATE if "m" in letters else ""


def serial_text(stored: str, kind: str, since_1904: bool) -> str:
    """The date or time that a number stands for.

    Parameters
    ----------
    stored : days, since the beginning of 1900 or of 1904.
    kind : of its format: `DATE`, `TIME`, or `SPAN` for hours beyond 24.
    """
    days = finite_number(stored)
    last = _AFTER_LAST_DAY - (_BETWEEN_SYSTEMS if since_1904 else 0)
    passed = round(days * _DAY) if 0 <= days < last else -1
    if not 0 <= passed < last * _DAY:
        raise UnreadableCell(
            f"is formatted as a date, but {stored.strip()[:40]} is none.",
            remedy="Format it as a number, or correct the date.",
        )
    if kind == SPAN:
        minutes, seconds = divmod(round(passed / 1000), 60)
        return f"{minutes // 60}:{minutes % 60:02d}:{seconds:02d}"
    if passed < _DAY and not (since_1904 and kind == DATE):
        return _time_text(passed)
    return _since_1904(passed) if since_1904 else _since_1900(passed)


def _since_1904(passed: int) -> str:
    return moment_text(dt.datetime(1904, 1, 1) + dt.timedelta(milliseconds=passed))


def _since_1900(passed: int) -> str:
    day = passed // _DAY
    if day == _LEAP_DAY_OF_1900:
        return "1900-02-29" + (f"T{_time_text(passed % _DAY)}" if passed % _DAY else "")
    origin = dt.datetime(1899, 12, 31 if day < _LEAP_DAY_OF_1900 else 30)
    return moment_text(origin + dt.timedelta(milliseconds=passed))


def _time_text(passed: int) -> str:
    time = (dt.datetime.min + dt.timedelta(milliseconds=passed)).time()
    return time.isoformat(timespec="milliseconds" if time.microsecond else "seconds")
