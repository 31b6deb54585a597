"""The About page: in plain words, with the papers as they are cited elsewhere."""

from __future__ import annotations

import re
from pathlib import Path

from streamlit.testing.v1 import AppTest

from cml_app import frontend
from cml_app.panels import about

ROOT = Path(__file__).parents[2]


def test_the_papers_are_those_of_the_citation() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    for _, title, where, address in about.PAPERS:
        cited = address.removeprefix("https://doi.org/")
        assert f'title: "{title}"' in citation
        assert f"doi: {cited}" in citation or f'url: "{cited}"' in citation
        assert where == "Preprint" or re.split(r" \d", where)[0] in citation
    assert len(about.PAPERS) == citation.count("- type: article")


def test_the_page_says_what_this_is_whose_method_it_is_and_links_to_every_paper() -> None:
    page = AppTest.from_file(str(ROOT / "pages" / "5_About.py"), default_timeout=60).run()
    assert not page.exception
    assert [title.value for title in page.title] == [f"About “{frontend.NAME}”"]
    said = " ".join(one.value for one in page.markdown)
    assert "Anh Tuan Bui" in said
    for *_, address in about.PAPERS:
        assert f"]({address})" in said


def test_every_page_has_an_address_that_the_server_answers() -> None:
    named = {path.stem.split("_", 1)[1] for path in (ROOT / "pages").glob("*.py")}
    assert named == set(frontend.PAGES)


def test_the_mark_with_the_name_can_be_read_on_either_ground() -> None:
    light, dark = frontend.wordmark(dark=False), frontend.wordmark(dark=True)
    assert light != dark
    for picture in (light, dark):
        assert picture.count(frontend.NAME) == 2
        assert picture.startswith("<svg")
