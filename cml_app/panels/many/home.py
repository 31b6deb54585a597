"""Taking home what was made of very many objects."""

from __future__ import annotations

from cml_app.many.visit import Visit


def show(visit: Visit) -> None:
    """One button each."""
    del visit
