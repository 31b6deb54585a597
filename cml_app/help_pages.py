"""The documentation, served by the app itself, and links to it wherever it has been built."""

from __future__ import annotations

from pathlib import Path

from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from streamlit import config

from cml_core.lessons import LESSONS

# `make docs` builds it here.
SITE = Path(__file__).with_name("documentation")
MATHEMATICS = "mathematics"
GLOSSARY = "glossary"
OTHER_EYES = "other-eyes"
PAPERS = "PAPERS"
# For each page of the app the page of the documentation that helps with it, and what it is.
HELP = {
    "Data": ("bring-data", "How to bring data"),
    "Discover": ("tutorial", "A tutorial"),
    "Evidence": ("read-the-evidence", "How to read the evidence"),
    "Compare": ("compare", "How to compare"),
    "Many objects": ("many-objects", "How to map many objects"),
    "About": ("tutorial", "A tutorial"),
    "Learn": ("learn", "For teachers"),
}


class _Site(StaticFiles):
    """Files that need not be there yet, for they may be built while the server runs."""

    async def check_config(self) -> None:
        """A folder that is missing is no error; nothing is found in it."""


def routes() -> list[BaseRoute]:
    """The whole documentation under one address."""
    site = _Site(directory=SITE, html=True, check_dir=False)
    return [Route(_root(), _to_the_first_page), Mount(_root(), site)]


def link(page: str, words: str) -> str:
    """A link in Markdown; empty where the page has not been built."""
    there = address(page)
    return f"[{words}]({there})" if there else ""


def address(page: str) -> str:
    """Where a page is found; empty where it has not been built."""
    return f"{_root()}/{page}.html" if (SITE / f"{page}.html").is_file() else ""


def lesson(name: str) -> str:
    """Where a lesson is found; the page on other eyes where there is no such lesson."""
    return f"{_base()}/Learn?lesson={name}" if name in LESSONS else address(OTHER_EYES)


def _base() -> str:
    base = (config.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{base}" if base else ""


def _root() -> str:
    return f"{_base()}/docs"


async def _to_the_first_page(_request: Request) -> RedirectResponse:
    return RedirectResponse(f"{_root()}/index.html")
