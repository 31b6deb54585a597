"""How each lesson is shown: a line for each module."""

from __future__ import annotations

from cml_app.panels.learn import did_it_help, faithful, stress, taking_out, traps
from cml_app.panels.learn.panel import AnyLessonPanel

PANELS: dict[str, AnyLessonPanel] = {
    panel.lesson.name: panel
    for panel in (
        stress.PANEL,
        faithful.PANEL,
        traps.PANEL,
        taking_out.PANEL,
        did_it_help.PANEL,
    )
}
