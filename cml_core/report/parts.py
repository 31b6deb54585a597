"""What a report is made of: names, numbers and tables as safe HTML."""

from __future__ import annotations

from collections.abc import Iterable

from cml_core.report.map_svg import escaped
from cml_core.values.words import percent, unbroken


def safe_words(text: str) -> str:
    """Words of our own, with numbers in one piece with their percent."""
    return escaped(unbroken(text))


def safe_share(share: float, decimals: int | None = None) -> str:
    """A share in percent."""
    return safe_words(percent(share, decimals))


def safe_name(text: str) -> str:
    """A text with names from outside, kept from turning the words around it."""
    return f"<bdi>{safe_words(text)}</bdi>"


def safe_names(names: Iterable[str]) -> str:
    """Names from outside, one after the other."""
    return ", ".join(map(safe_name, names))


def safe_value(value: object) -> str:
    """A value of a feature; nothing where it is missing."""
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else safe_name(str(value))


def as_table(head: Iterable[str], lines: Iterable[Iterable[str]], names: int = 1) -> str:
    """A table of safe HTML; the first cells of a line name it."""
    top = "".join(f"<th scope='col'>{name}</th>" for name in head)
    body = "".join(f"<tr>{_line(list(line), names)}</tr>" for line in lines)
    whole = f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"
    return f"<div class='wide'>{whole}</div>"


def _line(cells: list[str], names: int) -> str:
    first = "".join(f"<th scope='row'>{cell}</th>" for cell in cells[:names])
    return first + "".join(f"<td>{cell}</td>" for cell in cells[names:])
