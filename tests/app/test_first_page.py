"""The app as a visitor finds it, run without a browser."""

from pathlib import Path

from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).parents[2]


def test_the_app_opens_on_a_map_of_the_kinship_terms() -> None:
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120).run()
    assert not page.exception
    assert page.title[0].value == "Kinship terms, with nothing known yet"
    assert "% of the dissimilarity is unexplained" in page.markdown[0].value
    assert len(page.get("plotly_chart")) == 1
