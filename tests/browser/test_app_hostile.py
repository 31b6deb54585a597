"""Whatever things are called, a browser shows it as text: nothing runs, nothing is injected."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from app_driver import AppDriver
from hostile import CANARY, HOSTILE
from playwright.sync_api import Page, expect
from runs import answered
from scipy.spatial.distance import pdist

from cml_app import messages
from cml_core import Dissimilarities, Feature, FeatureTable, Problem, fit
from cml_core.journey.file import to_json
from cml_core.journey.journey import Journey

AT = "2026-01-31T12:00:00Z"
INJECTED = f"""() => [
  window.{CANARY},
  ...[...document.querySelectorAll('iframe[srcdoc], img[src="x"], [onload], [onerror]'),
      ...document.querySelectorAll('[onmouseover], a[href^="javascript"]'),
      ...document.querySelectorAll('img[src*="example.org"]')].map((one) => one.outerHTML),
].filter(Boolean)"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project file in which everything that can be named is named by someone hostile."""
    n = len(HOSTILE)
    random = np.random.default_rng(3)
    data = Dissimilarities.from_condensed(pdist(random.normal(size=(n, 3))), HOSTILE)
    shown = [HOSTILE[k] for k in (17, 18, 24, 25)]
    features = FeatureTable(
        HOSTILE,
        (
            *(Feature.numeric(f"{name}!", random.normal(size=n), origin=name) for name in shown),
            Feature.categorical("kind", [shown[k % 4] for k in range(n)]),
        ),
    )
    journey = Journey.begun(" ".join(shown), data, features, AT)
    for known in ([], [f"{shown[0]}!"]):
        found = fit(Problem(data, features.select(known)), n_init=1, seed=1)
        journey = journey.after(found, found.embedding, AT)
        journey = journey.noted(journey.current_id, " ".join(HOSTILE), AT)
        journey = journey.renamed(journey.current_id, shown[1], AT)
    file = tmp_path_factory.mktemp("hostile") / f"{CANARY}.json"
    file.write_text(to_json(journey), "utf-8")
    return file


def harmless(page: Page, dialogs: list[str]) -> None:
    answered(page)
    assert page.evaluate(INJECTED) == []
    assert dialogs == []


def test_hostile_names_are_text_on_every_page(page: Page, address: str, project: Path) -> None:
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    app = AppDriver(page, address, "Data")
    fields = page.get_by_test_id("stFileUploaderDropzoneInput")
    expect(fields).to_have_count(4)
    fields.nth(3).set_input_files(project)
    app.button("Open the project").click()
    expect(app.headline).to_contain_text(f"{HOSTILE[17]} {HOSTILE[18]}", timeout=60_000)
    app.idle()
    harmless(page, dialogs)
    for name in (HOSTILE[17], HOSTILE[20]):
        place = app.places()[name]
        page.mouse.move(*place)
        expect(page.locator(".st-key-map .card")).to_contain_text(name)
        harmless(page, dialogs)
    expect(page.get_by_test_id("stIconMaterial").filter(has_text="delete")).to_have_count(0)
    app.tick(messages.plain(f"{HOSTILE[18]}!"))
    app.has_run()
    harmless(page, dialogs)
    for name, said in (("Data", "Data"), ("Evidence", "Evidence"), ("Compare", "other eyes")):
        page.get_by_test_id("stSidebarNav").get_by_role("link", name=name).click()
        expect(app.headline).to_contain_text(said)
        harmless(page, dialogs)
