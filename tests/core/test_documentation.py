"""What README and documentation promise is tried: their code, their numbers, their links."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from cml_core.evidence import questions
from cml_core.files.doctor import CONVERSIONS
from cml_core.files.measures import METRICS
from cml_core.files.reading import FORMATS
from cml_core.files.writing import WRITERS
from cml_core.fitting.solvers.registry import SOLVERS
from cml_core.values.kinds.registry import KINDS

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
PAGES = (README, *sorted((ROOT / "docs").rglob("*.md")))
# Python, and what it prints where the page says so.
BLOCK = re.compile(
    r"^```python\n(.*?)^```\n(?:\n```output\n(.*?)^```\n)?", re.DOTALL | re.MULTILINE
)
WITH_CODE = [page for page in PAGES if BLOCK.search(page.read_text(encoding="utf-8"))]


# What a page adds to them, as docs/how-to-add.md does, stays on the page.
REGISTRIES = (FORMATS, WRITERS, METRICS, CONVERSIONS, KINDS, SOLVERS)


@pytest.fixture(autouse=True)
def _registries_as_they_were(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(questions, "QUESTIONS", questions.QUESTIONS)
    before = [dict(registry) for registry in REGISTRIES]
    yield
    for registry, entries in zip(REGISTRIES, before, strict=True):
        registry.clear()  # type: ignore[attr-defined]
        registry.update(entries)  # type: ignore[attr-defined]


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", WITH_CODE, ids=name_of)
def test_the_python_of_a_page_runs_in_its_order_and_prints_what_stands_below_it(
    page: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {}
    for code, output in BLOCK.findall(page.read_text(encoding="utf-8")):
        exec(compile(code, name_of(page), "exec"), names)
        printed = capsys.readouterr().out
        if output:
            assert printed == output


def test_all_the_python_of_a_page_is_found() -> None:
    assert {"README.md", "docs/notebook.md", "docs/tutorial.md"} <= set(map(name_of, WITH_CODE))
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert len(BLOCK.findall(text)) == len(re.findall(r"^\s*```+ *py", text, re.MULTILINE))
        outputs = [output for _, output in BLOCK.findall(text) if output]
        assert len(outputs) == text.count("```output")


def test_to_add_something_takes_as_many_files_as_the_table_says() -> None:
    page = (ROOT / "docs" / "how-to-add.md").read_text(encoding="utf-8")
    *sections, table = page.split("\n## ")[1:]
    listed = [re.findall(r"^\d\. .*", section, re.MULTILINE) for section in sections]
    paths = [re.findall(r"`((?:cml_core|cml_app|datasets)/[^`]*)`", "".join(one)) for one in listed]
    counted = re.findall(r"^\| an? [^|]* \| (\d) \+ (\d) \|", table, re.MULTILINE)
    assert len(counted) == 12
    assert [len(one) for one in paths] == [int(touch) + int(make) for touch, make in counted]
    there = [sum((ROOT / path).exists() for path in one) for one in paths]
    assert there == [int(touch) for touch, _ in counted]


def test_the_pages_name_only_commands_that_the_makefile_has() -> None:
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    for page in PAGES:
        assert set(re.findall(r"`make ([a-z-]+)", page.read_text(encoding="utf-8"))) <= set(targets)
    promised = re.findall(r"make ([a-z-]+)", README.read_text(encoding="utf-8"))
    assert {"run", "test", "docs"} <= set(promised) <= set(targets)


def test_what_the_pages_say_of_speed_stands_in_the_results() -> None:
    results = (ROOT / "benchmarks" / "RESULTS.md").read_text(encoding="utf-8")
    for page in (README, ROOT / "docs" / "run-a-server.md"):
        table = re.search("<!-- results -->\n(.*?)<!-- /results -->", page.read_text(), re.DOTALL)
        assert table
        rows = [line for line in table[1].splitlines() if line.startswith("| ")]
        assert len(rows) >= 3
        for row in rows:
            assert row in results


@pytest.mark.parametrize("page", [README, ROOT / "ARCHITECTURE.md"], ids=name_of)
def test_links_to_other_files_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8"))
    assert links
    assert [link for link in links if not (page.parent / link).exists()] == []
