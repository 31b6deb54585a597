"""What `pip install` of the built package gives: a command that opens the app, or says why not."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest
from running import start, stop
from streamlit.web import cli
from visiting import Visitor, visit

from cml_app import __main__ as command

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty environment into which the wheel alone has been installed."""
    folder = tmp_path_factory.mktemp("installed")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    venv.create(folder / "env")
    wheel = str(next(folder.glob("whatsleft-*.whl")))
    pip = [sys.executable, "-m", "pip", "--python", str(folder / "env")]
    install = [*pip, "install", "--no-index", "--no-deps", wheel]
    subprocess.run(install, check=True, capture_output=True)
    return folder / "env"


def test_without_its_extra_the_command_says_how_to_get_the_app(environment: Path) -> None:
    done = subprocess.run(
        [environment / "bin" / "whatsleft"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr.startswith("The app needs plotly, sqlalchemy, streamlit,")
    assert "pip install 'whatsleft[app]'" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_with_its_extra_the_command_opens_the_app_with_its_configuration_and_its_map(
    environment: Path, tmp_path: Path
) -> None:
    # In place of what the extra would install: what is installed here.
    packages = sysconfig.get_path("purelib", vars={"base": str(environment)})
    (Path(packages) / "extra.pth").write_text(sysconfig.get_path("purelib"))
    whatsleft = [str(environment / "bin" / "whatsleft")]
    # To interpret the solvers for one map takes less time than to compile them.
    app = start(whatsleft, tmp_path, cwd=tmp_path, NUMBA_DISABLE_JIT="1")

    async def go() -> Visitor:
        async with visit(app.address) as visitor:
            return visitor

    try:
        visitor = asyncio.run(go())
    finally:
        stop(app)
    assert visitor.headline == "Kinship terms, with nothing known yet"
    assert "discovery_map" in visitor.components
    assert visitor.troubles == []
    # Streamlit says so wherever the app's own configuration does not turn it off.
    assert "usage statistics" not in app.written()


def test_a_port_and_streamlits_own_options_are_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []
    monkeypatch.setattr(cli, "main", lambda arguments, **_: asked.append(arguments))
    command.main(["--port", "8600", "--server.headless", "true"])
    [[run, script, *options]] = asked
    assert (run, Path(script)) == ("run", ROOT / "app.py")
    assert options == ["--server.port", "8600", "--server.headless", "true"]
