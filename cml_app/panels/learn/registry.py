"""How each lesson is shown: a line for each module."""

from __future__ import annotations

from cml_app.panels.learn import (
    crowding,
    did_it_help,
    dimensions,
    faithful,
    filling_in,
    not_proof,
    stress,
    surface,
    taking_out,
    traps,
)
from cml_app.panels.learn.panel import AnyLessonPanel

PANELS: dict[str, AnyLessonPanel] = {
    panel.lesson.name: panel
    for panel in (
        stress.PANEL,
        faithful.PANEL,
        traps.PANEL,
        taking_out.PANEL,
        did_it_help.PANEL,
        surface.PANEL,
        crowding.PANEL,
        dimensions.PANEL,
        not_proof.PANEL,
        filling_in.PANEL,
    )
}
