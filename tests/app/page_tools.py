"""What tests of pages share: a page that runs without a browser, and what a visitor does on it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from cml_app.intake import Intake
from cml_app.workspace import Workspace

ROOT = Path(__file__).parents[2]
# Only a test that fails waits so long, even where the machine is busy.
SECONDS = 300


def page_of(script: str = "app.py") -> AppTest:
    """The app, or one of its pages alone, before it has run."""
    return AppTest.from_file(str(ROOT / script), default_timeout=SECONDS)


def workspace_of(app: AppTest) -> Workspace:
    held = app.session_state["workspace"]
    assert isinstance(held, Workspace)
    return held


def intake(app: AppTest) -> Intake:
    """What is on its way in."""
    held = app.session_state["intake"].now
    assert isinstance(held, Intake)
    return held


def made(app: AppTest) -> Workspace:
    """What is there once the map of what was brought is made."""
    press(app, "Make a map")
    assert not app.exception
    return workspace_of(app)


def unguided(app: AppTest) -> AppTest:
    """The page of a newcomer who sent the guide away, for whom no feature is hidden."""
    app.query_params["tour"] = "off"
    del app.session_state["workspace"]
    return app.run()


def tick(app: AppTest, name: str) -> AppTest:
    box = next(box for box in app.checkbox if box.label == name)
    return box.set_value(not box.value).run()


def button(app: AppTest, label: str) -> Any:
    return next(one for one in app.button if one.label == label)


def field(app: AppTest, label: str) -> Any:
    return next(one for one in app.text_input if one.label == label)


def name_and_add(app: AppTest, name: str) -> AppTest:
    """A form is sent as a whole: what was typed goes along with the button."""
    field(app, "Name").set_value(name)
    return press(app, "Add to known")


def press(app: AppTest, label: str) -> AppTest:
    button(app, label).click()
    return app.run()


def said(app: AppTest) -> str:
    """All that stands on the page as text, its blanks such as break a line."""
    shown: tuple[Any, ...] = (*app.markdown, *app.caption, *app.info)
    return "\n".join(one.value for one in shown).replace("\\", "").replace("\u00a0", " ")


def computed(app: AppTest) -> AppTest:
    """The page once its computation has ended."""
    last = time.monotonic() + SECONDS
    while (job := workspace_of(app).evidence) is not None and time.monotonic() < last:
        if job.done:
            app.run()
        time.sleep(0.02)
    return app
