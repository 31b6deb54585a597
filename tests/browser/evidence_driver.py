"""The Evidence page as a test uses it, and the same questions asked of the library."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from playwright.sync_api import Locator, Page, expect
from runs import answered

from cml_app.keeping.store import Store
from cml_core import Fit, Problem, fit, load_dataset
from cml_core.evidence.advised_scale import advised_scale
from cml_core.evidence.dimensions import dimensions
from cml_core.evidence.hidden_feature import hidden_feature_test
from cml_core.evidence.importance import Helped, did_it_help
from cml_core.evidence.result import Result
from cml_core.evidence.stability import stability
from cml_core.evidence.structure import without_structure
from cml_core.journey.file import from_json, to_json
from cml_core.journey.journey import Journey
from cml_core.values.origin import Origin

# Each question of the page, which is its heading as well.
QUESTIONS = (
    "Is anything left?",
    "Did it help?",
    "What weighs how much?",
    "What might it be?",
    "Do people differ?",
    "Can I trust this map?",
)
MILLISECONDS_TO_COMPUTE = 300_000


@dataclass(frozen=True)
class Asked:
    """A long computation: its question, its button, what is set to how much, what then is said."""

    question: str
    button: str
    field: str
    count: int
    says: str


ASKED = {
    "HiddenFeature": Asked(
        "Is anything left?", "Test for one more", "Data sets to compare with", 19, "19 data sets"
    ),
    "Dimensions": Asked(
        "Is anything left?", "Try 0, 1, 2, …", "Parts held out in turn", 3, "not seen, 3 times"
    ),
    "Helped": Asked(
        "Did it help?", "Judge the known features", "Shuffles", 19, "with 19 shuffled ones"
    ),
    "AdvisedScale": Asked(
        "Can I trust this map?",
        "Try every scale",
        "Parts held out in turn",
        3,
        "on every scale, 3 times",
    ),
    "Stability/pairs": Asked(
        "Can I trust this map?", "Test the steadiness", "Refits", 20, "the map 20 times"
    ),
    "Stability/people": Asked(
        "Can I trust this map?", "Test the steadiness", "Refits", 20, "the map 20 times"
    ),
    "Individuals": Asked("Do people differ?", "Weigh by person", "Parts held out in turn", 3, "3 "),
    "Structure": Asked(
        "Can I trust this map?", "Compare with shuffled data", "Shuffles", 5, "dissimilarities 5"
    ),
}


def of_the_library(fitted: Fit, origin: Origin) -> dict[str, Result]:
    """What `cml_core` finds when it is asked the same of a map; known features are as given."""
    count = {kind: asked.count for kind, asked in ASKED.items()}
    return {
        "HiddenFeature": hidden_feature_test(
            fitted, origin=origin, resamples=count["HiddenFeature"], workers=1
        ),
        "Dimensions": dimensions(fitted.problem, folds=count["Dimensions"], workers=1),
        "Helped": did_it_help(fitted.problem, shuffles=count["Helped"], workers=1),
        "AdvisedScale": advised_scale(fitted.problem, folds=count["AdvisedScale"], workers=1),
        "Stability/pairs": stability(fitted, refits=count["Stability/pairs"], workers=1),
        "Structure": without_structure(fitted, shuffles=count["Structure"], workers=1),
    }


class EvidenceDriver:
    """A tab with the Evidence page in it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.main = page.get_by_test_id("stMain")

    def comes_from_discover(self) -> None:
        self.page.get_by_test_id("stSidebarNav").get_by_role("link", name="Evidence").click()
        expect(self.main.get_by_role("heading", level=1)).to_have_text(re.compile("^Evidence: "))

    def idle(self) -> None:
        answered(self.page)

    def open(self, question: str) -> None:
        choice = self.page.get_by_role("radio", name=question, exact=True)
        expect(choice).to_be_visible(timeout=60_000)
        choice.click()
        expect(self.main.get_by_role("heading", level=2)).to_have_text(question)
        self.idle()

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def says(self, words: str) -> None:
        """A sentence is on the page, whole."""
        expect(self.main.get_by_text(told(words), exact=True).first).to_be_visible()

    def set(self, kind: str, count: int = 0) -> None:
        """Ask for so few repetitions that a test can wait for them, or for so many."""
        asked = ASKED[kind]
        says = asked.says.replace(str(asked.count), str(count or asked.count))
        self.page.locator(f".st-key-settings-{kind.replace('/', '-')}").get_by_role(
            "button"
        ).click()
        field = self.page.get_by_label(asked.field, exact=True)
        field.fill(str(count or asked.count))
        field.press("Enter")
        expect(self.main.get_by_text(re.compile(says))).to_be_visible()
        self.page.keyboard.press("Escape")
        expect(field).to_be_hidden()
        self.idle()

    def run(self, kind: str) -> None:
        """Begin a computation and wait until it has ended."""
        self.set(kind)
        button = ASKED[kind].button
        self.button(button).click()
        expect(self.button(f"{button} again")).to_be_visible(timeout=MILLISECONDS_TO_COMPUTE)
        self.idle()

    def table_with(self, heading: str) -> Locator:
        """The table that has this column."""
        column = self.page.locator(f'th:text-is("{heading}")')
        return self.main.get_by_test_id("stDataFrame").filter(has=column)

    def rows_with(self, heading: str) -> list[dict[str, str]]:
        """That table as it is read aloud."""
        table = self.table_with(heading)
        # It is filled in once it is in sight.
        table.scroll_into_view_if_needed()
        expect(table.locator("td").first).to_be_attached()
        names = table.locator("th").all_text_contents()
        lines = table.locator("tbody tr").all()
        cells = [line.locator("td").all_text_contents() for line in lines]
        return [dict(zip(names, texts, strict=True)) for texts in cells]


def told(text: str) -> str:
    """Text as a page tells it, with one space between words."""
    return " ".join(text.split())


def read(report: str) -> str:
    """What a reader of a report sees."""
    return told(html.unescape(re.sub(r"<[^>]+>", " ", report)))


def verdicts(found: Mapping[str, Result]) -> list[str]:
    """The sentences that results come down to; one for each feature that was judged."""
    said = []
    for result in found.values():
        parts = result.features if isinstance(result, Helped) else (result,)
        said += [told(part.verdict) for part in parts]
    return said


def kept(database: str, address: str) -> Journey:
    """What the store has under the token of an address."""
    store = Store(database, keep_days=1)
    token = re.findall("project=([^&]+)", address)[0]
    document = store.load(token, datetime.now(UTC)).document
    store.close()
    return from_json(document)


def stored(database: str) -> str:
    """The token of a project with the kinship terms, two known features, and all results."""
    moment = datetime.now(UTC)
    at = moment.isoformat(timespec="seconds")
    data = load_dataset("kinship14")
    journey = Journey.begun(data.title, data.values(), data.feature_table(), at)
    known = journey.features.select(["Gender", "Degree"])
    fitted = fit(Problem(journey.dissimilarities, known, n_components=2))
    journey = journey.after(fitted, fitted.embedding, at)
    for result in of_the_library(journey.steps[0].fit, journey.origin).values():
        journey = journey.found(journey.steps[0].id, result, at)
    store = Store(database, keep_days=1)
    token = store.create(to_json(journey), moment)
    store.close()
    return token
