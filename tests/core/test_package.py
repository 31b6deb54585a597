"""What `pip install .` gives: the package with its datasets, away from the checkout."""

import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]

PROBE = """
import sys
import cml_core
from cml_core.datasets import dataset_names, load_dataset
assert cml_core.__file__.startswith(sys.argv[1]), cml_core.__file__
print(*(load_dataset(name).name for name in dataset_names()))
loaded = {name.partition(".")[0] for name in sys.modules}
assert not loaded & {"streamlit", "plotly", "sklearn"}, loaded
"""


def test_the_wheel_carries_the_datasets_and_imports_no_user_interface(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    installed = tmp_path / "installed"
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        wheel.extractall(installed)
    done = subprocess.run(
        [sys.executable, "-c", PROBE, str(installed)],
        cwd=tmp_path,
        env={"PYTHONPATH": str(installed), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["ekman", "faces", "kinship", "kinship14", "morse", "car_brands"]


def test_the_citation_names_this_version_and_the_papers_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {project['version']}\n" in citation
    for address in project["urls"].values():
        assert address.removeprefix("https://doi.org/") in citation
