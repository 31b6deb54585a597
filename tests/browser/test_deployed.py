"""A public server as deploy/ sets it up: the image's own command and configuration, a real Caddy.

The image's steps are played in an empty folder (`image.py`); a browser then visits it over HTTPS
under the host's name, at the root and below a path, through the Caddyfile as it is.
"""

from __future__ import annotations

import json
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import pytest
import yaml
from app_driver import AppDriver
from image import Player, Stage, steps
from playwright.sync_api import Browser, Page
from runs import watch

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
HOST = "maps.example.org"
UNPACKED = ROOT / "build" / "caddy" / "usr" / "bin" / "caddy"
SECONDS_TO_START = 60
# What the test's own ports, and a certificate that no one has to trust, take.
OF_THE_TEST = """{{
	admin off
	local_certs
	skip_install_trust
	https_port {https}
	http_port {http}
"""


_FETCH = """address => fetch(address, {cache: 'no-store'}).then(
  (answer) => [answer.status, [...answer.headers]])"""


@pytest.fixture(scope="module")
def caddy() -> str:
    found = shutil.which("caddy") or (str(UNPACKED) if UNPACKED.exists() else None)
    if found is None:
        pytest.fail("There is no Caddy. `make caddy` gets Debian's.", pytrace=False)
    return found


@pytest.fixture(scope="module")
def player(tmp_path_factory: pytest.TempPathFactory) -> Player:
    made = Player(tmp_path_factory.mktemp("image"))
    made.play()
    return made


@dataclass(frozen=True)
class Site:
    """Where visitors find it, the app behind the proxy, and what the proxy has written."""

    address: str
    behind: str
    app: subprocess.Popen[bytes]
    logs: tuple[Path, ...]


def free_ports(count: int) -> list[int]:
    probes = [socket.socket() for _ in range(count)]
    try:
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in probes]
    finally:
        for probe in probes:
            probe.close()


def healthy(address: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urlopen(address, timeout=5) as answer:
                assert json.load(answer) == {"status": "ok"}
                return
        except (URLError, OSError):
            time.sleep(0.05)
    pytest.fail(f"{address} does not answer.", pytrace=False)


@contextmanager
def set_up(image: Stage, caddy: str, folder: Path, base: str) -> Iterator[Site]:
    """The image's command, and Caddy before it."""
    app_port, https, http = free_ports(3)
    own = {"STREAMLIT_SERVER_PORT": str(app_port), "CML_EVIDENCE_UNASKED": "off"}
    own |= {"STREAMLIT_SERVER_BASE_URL_PATH": base} if base else {}
    command = [image.inside(word) for word in image.command]
    errors = folder / "errors.log"
    text = (DEPLOY / "Caddyfile").read_text("utf-8")
    (folder / "Caddyfile").write_text(
        re.sub(r"^{\n", OF_THE_TEST.format(https=https, http=http), text, count=1, flags=re.M)
    )
    proxy_env = {"CML_UPSTREAM": f"127.0.0.1:{app_port}", "CML_PROXY_LOG": str(folder / "maps.log")}
    proxy_env |= {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    run = [caddy, "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]
    with (folder / "app.log").open("wb") as log, errors.open("wb") as said:
        app = subprocess.Popen(
            command, cwd=image.here, env=image.variables() | own, stdout=log, stderr=log
        )
        proxy = subprocess.Popen(run, env=proxy_env, stdout=said, stderr=said)
    path = f"/{base}" if base else ""
    try:
        healthy(f"http://127.0.0.1:{app_port}/healthz", app)
        yield Site(
            f"https://{HOST}:{https}{path}",
            f"http://127.0.0.1:{app_port}",
            app,
            (folder / "maps.log", errors),
        )
    finally:
        for process in (app, proxy):
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def elsewhere(launch: Callable[..., Browser]) -> Iterator[Browser]:
    """A browser to which the host's name is this machine."""
    browser = launch(f"--host-resolver-rules=MAP {HOST} 127.0.0.1")
    yield browser
    browser.close()


def opened(browser: Browser) -> tuple[Page, list[str]]:
    context = browser.new_context(ignore_https_errors=True)
    page = context.new_page()
    watch(page)
    sockets: list[str] = []
    page.on("websocket", lambda socket: sockets.append(socket.url))
    return page, sockets


def asked(page: Page, address: str) -> tuple[int, dict[str, str]]:
    """The status and the headers of what the page itself asks for."""
    status, headers = page.evaluate(_FETCH, address)
    return status, dict(headers)


@pytest.mark.parametrize("base", ["", "maps"])
def test_behind_caddy_a_visitor_ticks_reloads_and_reads_on_and_no_log_has_the_token(
    player: Player, caddy: str, elsewhere: Browser, tmp_path: Path, base: str
) -> None:
    with set_up(player.stages["image"], caddy, tmp_path, base) as site:
        page, sockets = opened(elsewhere)
        app = AppDriver(page, site.address)
        app.shows("Kinship terms, with nothing known yet")
        app.tick("Gender")
        app.shows("Kinship terms, with Gender taken out")
        assert sockets == [site.address.replace("https", "wss") + "/_stcore/stream"]
        token = re.search(r"project=([\w-]+)", page.url)
        assert token, page.url
        page.reload()
        app.shows("Kinship terms, with Gender taken out")
        status, headers = asked(page, f"{site.address}/docs/index.html")
        assert status == 200
        assert {"strict-transport-security", "content-security-policy"} <= headers.keys()
        # Health is for this machine alone.
        for path in ("healthz", "metrics", "_stcore/metrics"):
            assert asked(page, f"{site.address}/{path}")[0] == 404
        with urlopen(f"{site.behind}/metrics", timeout=30) as told:
            assert b"cml_visitors 1\n" in told.read()
        # A request that fails is told in another log.
        site.app.kill()
        site.app.wait()
        assert asked(page, f"{site.address}/Data?project={token[1]}")[0] == 502
        page.context.close()
        time.sleep(0.1)
        written = [log.read_text("utf-8") for log in site.logs]
    for text in written:
        assert "/Data" in text
        assert token[1] not in text
        assert "127.0.0.1" not in re.findall(r'"(?:remote|client)_ip":"([^"]*)"', text)


def test_the_image_holds_what_runs_and_nothing_else(player: Player) -> None:
    image = player.stages["image"]
    assert image.user not in {"root", "0"}
    assert image.ports == ["8501"]
    inside = {path.name for path in image.here.iterdir()}
    assert not inside & {"tests", "docs", "benchmarks", "Makefile", ".git", "node_modules"}
    assert not list(image.here.rglob("secrets"))
    bill = json.loads((image.here / "bill-of-materials.json").read_text("utf-8"))
    assert "streamlit" in {part["name"] for part in bill["components"]}
    told = subprocess.run(
        [image.inside(image.command[0]), "-m", "cml_app", "--help"],
        cwd=image.here, env=image.variables(), check=True, capture_output=True, text=True,
    )  # fmt: skip
    assert "--prepare" in told.stdout
    for step in player.replaced:
        # Only what is pinned, and nothing that runs code of its own while it is installed.
        assert "pip" not in step or "--require-hashes --only-binary :all:" in step


def test_the_compose_file_is_one_and_its_parts_fit_together() -> None:
    file = DEPLOY / "compose.yaml"
    checked = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", file],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert checked.returncode == 0, checked.stdout
    told: dict[str, Any] = yaml.safe_load(file.read_text("utf-8"))
    services = told["services"]
    # Visitors reach the proxy alone.
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]
    assert told["networks"]["inside"] == {"internal": True}
    assert services["app"]["networks"] == services["database"]["networks"] == ["inside"]
    for service in services.values():
        for needed, how in service.get("depends_on", {}).items():
            assert how == {"condition": "service_healthy"}
            assert services[needed]["healthcheck"]["test"][0] == "CMD"
        for volume in service.get("volumes", ()):
            source = volume.partition(":")[0]
            assert (DEPLOY / source).exists() if source[0] == "." else source in told["volumes"]
        assert set(service.get("secrets", ())) <= told["secrets"].keys()
    # One secret, which stands in no variable, and in no version.
    environment = {k: v for service in services.values() for k, v in service["environment"].items()}
    assert environment["CML_DATABASE_PASSWORD_FILE"] == environment["POSTGRES_PASSWORD_FILE"]
    secret = DEPLOY / told["secrets"]["database-password"]["file"]
    ignored = subprocess.run(["git", "check-ignore", "-q", secret], cwd=ROOT, check=False)
    assert ignored.returncode == 0
    # What is built, started and asked is what the Containerfile makes.
    build = services["app"]["build"]
    containerfile = DEPLOY / build["context"] / build["dockerfile"]
    assert containerfile.resolve() == DEPLOY / "Containerfile"
    last = dict(steps(containerfile.read_text("utf-8")))
    assert services["app"]["healthcheck"]["test"][1] == json.loads(last["CMD"])[0]
    assert environment["CML_UPSTREAM"] == f"app:{last['EXPOSE']}"
    volumes = {volume.partition(":")[2] for volume in services["app"]["volumes"]}
    assert volumes == set(json.loads(last["VOLUME"]))
    # Files of many objects outlast the container, as the recipes do that name them.
    uploads = PurePosixPath(services["app"]["environment"]["CML_UPLOADS_FOLDER"])
    assert any(uploads.is_relative_to(volume) for volume in volumes)


def test_caddy_finds_nothing_wrong_with_the_caddyfile(caddy: str, tmp_path: Path) -> None:
    file = str(DEPLOY / "Caddyfile")
    env = {"XDG_DATA_HOME": str(tmp_path), "CML_PROXY_LOG": str(tmp_path / "maps.log")}
    command = [caddy, "validate", "--adapter", "caddyfile", "--config", file]
    checked = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
    written = subprocess.run([caddy, "fmt", file], capture_output=True, text=True, check=False)
    assert written.stdout == (DEPLOY / "Caddyfile").read_text("utf-8")
