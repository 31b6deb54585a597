"""Our docstrings as Sphinx wants them.

They are plain text: `name : meaning` under a heading such as Parameters, code in single
backquotes, formulas as one types them. Napoleon would take a meaning for a type, and
reStructuredText would see markup in |u_i - u_j| and in coef_.
"""

import re
from collections.abc import Iterator
from typing import Any

from sphinx.application import Sphinx

HEADINGS = ("Parameters", "Returns", "Raises", "Attributes")
_CODE_OR_MARK = re.compile(r"(`[^`]*`)|([\\*_|])")
_ENTRY = re.compile(r"(?P<names>\S.*?) : (?P<meaning>.*)")


def setup(app: Sphinx) -> dict[str, bool]:
    """Rewrite every docstring as it is read."""
    app.connect("autodoc-process-docstring", _rewrite)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _rewrite(*event: Any) -> None:
    lines: list[str] = event[-1]
    lines[:] = list(_restructured(lines))


def _restructured(lines: list[str]) -> Iterator[str]:
    listing = False
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if line in HEADINGS and following.startswith("---"):
            listing = True
            yield f".. rubric:: {line}"
        elif listing and line.startswith("---"):
            yield ""
        elif listing and (entry := _ENTRY.fullmatch(line)):
            yield f"``{entry['names']}``"
            yield f"    {_escaped(entry['meaning'])}"
        else:
            yield _escaped(line)


def _escaped(line: str) -> str:
    return _CODE_OR_MARK.sub(lambda found: found[1] or f"\\{found[2]}", line)
