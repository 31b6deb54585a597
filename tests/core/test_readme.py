"""What the README promises is tried."""

import re
from pathlib import Path

import pytest

README = Path(__file__).parents[2] / "README.md"


def test_the_library_examples_in_the_readme_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(README.parent)
    blocks = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    fitted, prepared, tested = ({}, {}, {})
    exec(blocks[0], fitted)
    assert fitted["model"].stress_ == pytest.approx(0.0143, abs=5e-5)
    exec(blocks[1], prepared)
    assert prepared["D"].n_objects == 14
    exec(blocks[2], tested)
    assert tested["found"].problem.known.names == ("Gender",)
    assert "One more feature is very likely still hidden" in capsys.readouterr().out
    assert len(blocks) == 3


def test_the_readme_names_the_commands_that_the_makefile_has() -> None:
    targets = re.findall(r"^([a-z-]+):", (README.parent / "Makefile").read_text(), re.MULTILINE)
    promised = re.findall(r"make ([a-z-]+)", README.read_text(encoding="utf-8"))
    assert set(promised) >= {"run", "test", "benchmark"}
    assert set(promised) <= set(targets)
