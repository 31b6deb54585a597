"""The documentation: it is built without a warning, leads everywhere, and the app leads to it."""

from __future__ import annotations

import asyncio
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from streamlit import config
from streamlit.testing.v1 import AppTest

from cml_app import help_pages, server
from cml_app.this_server import settings, store

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
# What a browser asks for by itself when it shows a page, and by which attribute.
ASKED_FOR = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}


@pytest.fixture(scope="module")
def site() -> Path:
    """All of the documentation, built where it is not up to date; a warning is an error."""
    folder = Path("cml_app", "documentation")
    subprocess.run(["make", "--silent", folder / "index.html"], cwd=ROOT, check=True)
    return ROOT / folder


@pytest.fixture
def documented(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(help_pages, "SITE", site)


@dataclass
class Contents(HTMLParser):
    """What a page asks for, where its links lead, its anchors, and scripts within it."""

    asked_for: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    anchors: list[str] = field(default_factory=list)
    scripts: list[str] = field(default_factory=list)
    in_script: bool = False

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors += [given["id"]] if "id" in given else []
        self.links += [given["href"]] if tag == "a" and "href" in given else []
        self.asked_for += [given[ASKED_FOR[tag]]] if ASKED_FOR.get(tag) in given else []
        self.in_script = tag == "script"

    def handle_endtag(self, _tag: str) -> None:
        self.in_script = False

    def handle_data(self, data: str) -> None:
        self.scripts += [data] if self.in_script and data.strip() else []


def read(page: Path) -> Contents:
    contents = Contents()
    contents.feed(page.read_text(encoding="utf-8"))
    return contents


def test_every_link_of_the_documentation_leads_to_a_page_and_a_place_on_it(site: Path) -> None:
    pages = {page: read(page) for page in site.rglob("*.html")}
    assert len(pages) >= 20
    astray = []
    for page, contents in pages.items():
        for link in contents.links + contents.asked_for:
            address = urlsplit(link)
            if address.scheme:
                continue
            there = (page.parent / unquote(address.path)).resolve() if address.path else page
            if not there.is_file() or not (
                not address.fragment or unquote(address.fragment) in pages[there].anchors
            ):
                astray.append(f"{page.relative_to(site)}: {link}")
    assert astray == []


def test_no_page_needs_another_host_or_a_script_within_itself(site: Path) -> None:
    for page in site.rglob("*.html"):
        contents = read(page)
        assert contents.scripts == [], page
        assert [one for one in contents.asked_for if urlsplit(one).netloc] == [], page
    for sheet in site.rglob("*.css"):
        assert not re.search(r"url\(['\"]?(https?:)?//", sheet.read_text(encoding="utf-8")), sheet


def test_equations_are_numbered_and_need_no_script(site: Path) -> None:
    page = (site / "mathematics.html").read_text(encoding="utf-8")
    numbers = [int(number) for number in re.findall(r'class="eqno">\((\d+)\)', page)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) >= 20
    assert "<math" in page
    assert "\\frac" not in page


def test_the_reference_has_what_a_notebook_calls(site: Path) -> None:
    reference = "".join(
        page.read_text(encoding="utf-8") for page in (site / "reference").glob("*.html")
    )
    for name in (
        "cml_core.ConditionalMDS", "cml_core.ConditionalMDS.fit", "cml_core.ConditionalIsomap",
        "cml_core.load_dataset", "cml_core.Problem.knowing", "cml_core.fit", "cml_core.Fit.frame",
        "cml_core.files.reading.read", "cml_core.files.doctor.examine",
        "cml_core.files.doctor.prepared", "cml_core.files.preparation.Preparation",
        "cml_core.evidence.hidden_feature_test", "cml_core.evidence.did_it_help",
        "cml_core.drawing.arrow.Arrow.feature", "cml_core.errors.ConditionalMappingError",
    ):  # fmt: skip
        assert f'id="{name}"' in reference, name


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AppTest]:
    monkeypatch.setenv("CML_DATABASE_URL", f"sqlite:///{tmp_path}/projects.sqlite3")
    settings.clear()
    store.clear()
    yield AppTest.from_file(str(ROOT / "app.py"), default_timeout=120).run()
    store.clear()


def help_links(app: AppTest) -> list[str]:
    said = " ".join(caption.value for caption in app.sidebar.caption)
    return re.findall(r"\]\((\S*docs/\S+)\)", said)


@pytest.mark.usefixtures("documented")
@pytest.mark.parametrize("page", sorted((ROOT / "pages").glob("*.py")), ids=lambda page: page.stem)
def test_every_page_of_the_app_leads_to_a_page_of_help_that_exists(
    app: AppTest, page: Path, site: Path
) -> None:
    app.switch_page(f"pages/{page.name}").run()
    assert not app.exception
    links = help_links(app)
    assert [link for link in links if "glossary" not in link]
    assert "/docs/glossary.html" in links
    for link in links:
        assert (site / link.removeprefix("/docs/")).is_file()


@pytest.mark.usefixtures("documented")
def test_explanations_lead_to_the_mathematics(app: AppTest, site: Path) -> None:
    app.switch_page("pages/3_Evidence.py").run()
    app.pills[0].set_value("What might it be?").run()
    (explained,) = [one for one in app.expander if one.label == "How this is computed"]
    assert "(/docs/mathematics.html)" in explained.markdown[-1].value
    assert (site / "mathematics.html").is_file()


@pytest.mark.usefixtures("documented")
def test_the_lessons_lead_to_the_papers_run_again(app: AppTest, site: Path) -> None:
    app.switch_page("pages/5_Learn.py").run()
    assert "(/docs/PAPERS.html)" in app.main.markdown[-1].value
    assert (site / "PAPERS.html").is_file()


def test_an_app_without_documentation_has_no_links_to_it(
    app: AppTest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(help_pages, "SITE", tmp_path / "not built")
    for page in sorted((ROOT / "pages").glob("*.py")):
        app.switch_page(f"pages/{page.name}").run()
        assert help_links(app) == []
    assert asked("/docs/tutorial.html")[0] == 404


def asked(path: str) -> tuple[int, dict[str, str], bytes]:
    """What the app's own routes answer, with the headers that they get in the server."""
    served = Starlette(routes=help_pages.routes(), middleware=[Middleware(server.SecurityHeaders)])
    scope: dict[str, Any] = {
        "type": "http", "method": "GET", "path": path, "raw_path": path.encode(), "headers": [],
        "query_string": b"", "scheme": "http", "root_path": "", "server": ("localhost", 80),
    }  # fmt: skip
    messages: list[Any] = []

    async def receive() -> dict[str, Any]:
        # The browser says nothing more, and waits.
        return await asyncio.get_running_loop().create_future()

    async def send(message: Any) -> None:
        messages.append(message)

    asyncio.run(served(scope, receive, send))
    headers = {name.decode(): value.decode() for name, value in messages[0]["headers"]}
    return messages[0]["status"], headers, b"".join(one.get("body", b"") for one in messages)


@pytest.mark.usefixtures("documented")
@pytest.mark.parametrize("base", ["", "maps", "/deep/maps/"])
def test_the_documentation_is_served_below_the_path_of_the_app(base: str) -> None:
    below = f"/{base.strip('/')}" if base else ""
    before = config.get_option("server.baseUrlPath")
    config.set_option("server.baseUrlPath", base)
    try:
        link = re.findall(r"\((.*)\)", help_pages.link("tutorial", "A tutorial"))
        assert link == [f"{below}/docs/tutorial.html"]
        status, headers, body = asked(link[0])
        front = asked(f"{below}/docs")
        assert asked(f"{below}/docs/")[0] == asked(front[1]["location"])[0] == 200
    finally:
        config.set_option("server.baseUrlPath", before)
    assert status == 200
    assert b"kinship terms" in body
    assert headers["content-type"].startswith("text/html")
    assert headers["content-security-policy"] == server.content_policy()
    assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.usefixtures("documented")
@pytest.mark.parametrize(
    "path", ["nowhere.html", "../pyproject.toml", "%2e%2e/", "..%2f..%2fapp.py"]
)
def test_nothing_but_the_documentation_is_served_there(path: str) -> None:
    assert asked(f"/docs/{path}")[0] == 404
