"""What a report is made of: names, numbers and tables as safe HTML."""

from __future__ import annotations

from collections.abc import Iterable

from cml_core.scatter import escaped


def safe_name(text: str) -> str:
    """A name from outside, kept from turning the words around it."""
    return f"<bdi>{escaped(text)}</bdi>"


def safe_names(names: Iterable[str]) -> str:
    """Names from outside, one after the other."""
    return ", ".join(map(safe_name, names))


def as_percent(share: float) -> str:
    """Three digits: 1.43 %, 0.0862 %."""
    return f"{100 * share:.3g} %"


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
