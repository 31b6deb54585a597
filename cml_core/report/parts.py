"""What a report is made of: names, numbers and tables as safe HTML."""

from __future__ import annotations

from collections.abc import Iterable

from cml_core.report.map_svg import escaped

# Of shares; what is less is rounding error.
SMALLEST = 1e-6


def safe_name(text: str) -> str:
    """A name from outside, kept from turning the words around it."""
    return f"<bdi>{escaped(text)}</bdi>"


def safe_names(names: Iterable[str]) -> str:
    """Names from outside, one after the other."""
    return ", ".join(map(safe_name, names))


def as_percent(share: float) -> str:
    """Three digits, in one piece: 1.43 %, 0.0862 %; what is next to nothing is 0 %."""
    percent = 0.0 if abs(share) < SMALLEST else 100 * share
    return f"{percent:.3g}\u00a0%" if abs(percent) < 999.5 else f"{percent:.0f}\u00a0%"


def unbroken(text: str) -> str:
    """A sentence without a line break between a number and its percent."""
    return text.replace(" %", "\u00a0%")


def counted(count: int, what: str) -> str:
    """One step, two steps."""
    return f"{count} {what}{'' if count == 1 else 's'}"


def safe_value(value: object) -> str:
    """A value of a feature; nothing where it is missing."""
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else safe_name(str(value))


def as_table(head: Iterable[str], lines: Iterable[Iterable[str]]) -> str:
    """A table of safe HTML; the first cell of a line names it."""
    top = "".join(f"<th scope='col'>{name}</th>" for name in head)
    body = "".join(
        f"<tr><th scope='row'>{first}</th>{''.join(f'<td>{cell}</td>' for cell in rest)}</tr>"
        for first, *rest in lines
    )
    whole = f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"
    return f"<div class='wide'>{whole}</div>"
