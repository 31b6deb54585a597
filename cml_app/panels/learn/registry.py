"""How each lesson is shown: a line for each module."""

from __future__ import annotations

from cml_app.panels.learn import stress
from cml_app.panels.learn.panel import AnyLessonPanel

PANELS: dict[str, AnyLessonPanel] = {panel.lesson.name: panel for panel in (stress.PANEL,)}
