"""What tests of computations share: one that goes on until it is let go of."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from cml_app.settings import Settings
from cml_core.evidence.structure import Structure
from cml_core.evidence.work import Stage, each
from cml_core.values.arrays import frozen

SETTINGS = replace(
    Settings.from_environment({"HOME": "/nowhere"}), evidence_workers=2, evidence_waiting=1
)
# Waiting for an event that is sure to come; only a test that fails waits so long.
SECONDS = 60
FOUND = Structure(0.25, frozen(np.array([0.5, 0.75])), 0)


class Gate:
    """Work that goes on until it is let go, or told to stop."""

    def __init__(self, parts: int = 2) -> None:
        self.parts = parts
        self.open = threading.Event()
        self.begun = threading.Event()

    def work(self, *, on_step: Callable[[Stage], bool], **_: Any) -> Any:
        def step(_: int) -> None:
            self.begun.set()
            self.open.wait(0.001)

        while not self.open.is_set():
            each(step, range(self.parts), doing="Waiting", on_step=on_step)
        return FOUND
