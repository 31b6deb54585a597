"""What is to be believed of a map of very many objects."""

from __future__ import annotations

from cml_app.many.visit import Visit


def show(visit: Visit) -> None:
    """What is known of the map."""
    del visit
