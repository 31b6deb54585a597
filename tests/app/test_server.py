"""A server that really runs: its headers, its health, its limits, and what it writes."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from pathlib import Path

import numpy as np
import pytest
from running import Running, start, stop
from starlette.requests import Request
from streamlit import config
from visiting import visit, xsrf_cookie

from cml_app import server, this_server
from cml_app.keeping.database import StoreUnavailable
from cml_app.keeping.tokens import digest, reading_token
from cml_app.settings import Settings
from cml_app.tries import AT_ONCE

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
MEGABYTE = 2**20

# Pages that fail in every way a page can, with a visitor's data in what they say.
STRANGE = """
import streamlit as st
from cml_app import server

if __name__ == "__main__":
    SECRET = "Aunt" + " Bea"

    def fail():
        raise RuntimeError(f"no place for {SECRET}")

    @st.fragment
    def part():
        st.checkbox("In a fragment")
        if st.session_state.get("broken"):
            fail()

    st.title("Strange")
    st.button("In a callback", on_click=fail)
    st.button("Break", on_click=lambda: st.session_state.update(broken=True))
    part()
    if st.button("In the page"):
        fail()
else:
    app = st.App(__file__, **server.options())
"""


# A page that knows which of its visitors have left.
GUESTS = """
import streamlit as st
from cml_app import background, server

if __name__ == "__main__":
    @st.cache_resource
    def guests():
        return {}

    here = background.presence()
    guests()[id(here)] = here
    st.title(f"{sum(not one.connected for one in guests().values())} have left")
else:
    app = st.App(__file__, **server.options())
"""


def served(script: Path, folder: Path, **env: str) -> Running:
    command = [sys.executable, "-m", "streamlit", "run", str(script)]
    return start(command, folder, cwd=ROOT, PYTHONPATH=str(ROOT), **env)


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("app")
    running = served(ROOT / "app.py", folder, CML_MAX_UPLOAD_MB="3")
    yield running
    stop(running)


def answer(
    running: Running,
    method: str,
    path: str,
    body: bytes | None = None,
    headers: dict[str, str] | None = None,
) -> tuple[int, dict[str, str], bytes]:
    connection = HTTPConnection(running.host, timeout=30)
    try:
        connection.request(method, path, body, headers or {})
        response = connection.getresponse()
        told = {name.lower(): value for name, value in response.getheaders()}
        return response.status, told, response.read()
    finally:
        connection.close()


@pytest.mark.parametrize("path", ["/", "/Data", "/healthz", "/_stcore/health", "/nowhere.js"])
def test_every_answer_tells_the_browser_to_be_careful(app: Running, path: str) -> None:
    _, headers, _ = answer(app, "GET", path)
    for name, value in server.HEADERS.items():
        assert headers[name.lower()] == value
    policy = headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'self'" in policy
    script = next(part for part in policy.split("; ") if part.startswith("script-src"))
    assert "'unsafe-inline'" not in script
    assert "'unsafe-eval'" not in script
    # Only a connection that is encrypted may demand that later ones are.
    assert "strict-transport-security" not in headers


def test_behind_a_proxy_that_encrypts_later_visits_must_be_encrypted(app: Running) -> None:
    _, headers, _ = answer(app, "GET", "/", headers={"X-Forwarded-Proto": "https"})
    assert headers["strict-transport-security"] == server.STRICT_TRANSPORT


def test_each_script_within_the_page_is_allowed_by_its_digest(app: Running) -> None:
    _, headers, page = answer(app, "GET", "/")
    inline = re.findall(rb"<script>", page)
    assert headers["content-security-policy"].count("'sha256-") == len(inline) >= 1


def test_health_is_told_and_nothing_else(app: Running) -> None:
    status, headers, body = answer(app, "GET", "/healthz")
    assert (status, json.loads(body)) == (200, {"status": "ok"})
    assert headers["cache-control"] == "no-store"
    assert answer(app, "POST", "/healthz", b"x")[0] == 405


def test_what_an_operator_watches_is_told_in_prometheus_words_and_holds_no_data(
    app: Running,
) -> None:
    status, headers, body = answer(app, "GET", "/metrics")
    assert status == 200
    assert headers["content-type"].startswith("text/plain; version=0.0.4")
    samples = [line for line in body.decode().splitlines() if not line.startswith("#")]
    told = dict(line.rsplit(" ", 1) for line in samples)
    assert float(told["cml_memory_bytes"]) > 50e6
    assert float(told["cml_visitors"]) >= 0
    assert all(re.fullmatch(r'cml_[a-z_]+(\{kind="[A-Za-z ]+"\})?', name) for name in told)


def test_health_is_bad_where_projects_cannot_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def ping(self) -> None:
            raise StoreUnavailable("No disk for Aunt Bea.", remedy="Buy one.")

    monkeypatch.setattr(this_server, "store", Broken)
    response = asyncio.run(server.health(Request({"type": "http"})))
    assert response.status_code == 503
    assert json.loads(bytes(response.body)) == {"status": "unavailable"}


def test_a_file_is_let_go_once_its_map_is_made_though_a_browser_still_speaks_of_it(
    app: Running,
) -> None:
    field = "Dissimilarities, similarities or measurements"
    points = np.random.default_rng(0).normal(size=(8, 3))
    rows = np.linalg.norm(points[:, None] - points, axis=2).round(4).tolist()
    lines = [",".join(map(str, [name, *row])) for name, row in zip("abcdefgh", rows, strict=True)]
    table = "\n".join([",a,b,c,d,e,f,g,h", *lines]).encode()

    async def go() -> None:
        async with visit(app.address) as visitor:
            await visitor.go("Data")
            await visitor.bring(field, "letters.csv", table)
            ((was, file),) = visitor.files.items()
            await visitor.press("Make a map")
            headline = visitor.headline
            assert headline.endswith("with nothing known yet"), visitor.troubles
            visitor.files[was] = file
            await visitor.look_again()
            assert visitor.headline == headline
            await visitor.go("Data")
            visitor.buttons.clear()
            visitor.files[visitor.fields[field]] = file
            await visitor.look_again()
            assert "Read it" in visitor.buttons
            assert "Discard" not in visitor.buttons
            await visitor.bring(field, "letters.csv", table)
            assert "Discard" in visitor.buttons
            assert not visitor.troubles

    asyncio.run(go())


def test_without_its_database_a_server_is_unhealthy_says_so_and_goes_on_once_it_is_back(
    tmp_path: Path,
) -> None:
    """A visitor's work goes on in memory meanwhile, and is kept with the next change."""
    file = tmp_path / "data" / "projects.sqlite3"
    running = served(ROOT / "app.py", tmp_path, CML_DATABASE_URL=f"sqlite:///{file}")
    folder, elsewhere = file.parent, tmp_path / "elsewhere"

    async def go() -> str:
        async with visit(running.address) as visitor:
            await visitor.tick("Gender")
            assert await visitor.sees("Kinship terms, with Gender taken out")
            assert not visitor.troubles
            folder.rename(elsewhere)
            assert answer(running, "GET", "/healthz")[0] == 503
            await visitor.tick("Degree")
            assert await visitor.sees("Kinship terms, with Gender and Degree taken out")
            (said,) = visitor.troubles
            assert "The database of projects cannot be opened" in said
            assert str(tmp_path) not in said
            elsewhere.rename(folder)
            assert answer(running, "GET", "/healthz")[0] == 200
            visitor.troubles.clear()
            await visitor.tick("Gender")
            assert await visitor.sees("Kinship terms, with Degree taken out")
            assert not visitor.troubles
            return visitor.query

    try:
        query = asyncio.run(go())

        async def back() -> str:
            async with visit(running.address, query) as visitor:
                return visitor.headline

        assert asyncio.run(back()) == "Kinship terms, with Degree taken out"
        assert "Traceback" not in running.written()
    finally:
        stop(running)


def multipart(content: bytes) -> tuple[bytes, dict[str, str]]:
    head = b'--cut\r\nContent-Disposition: form-data; name="file"; filename="Aunt Bea.csv"\r\n\r\n'
    body = head + content + b"\r\n--cut--\r\n"
    return body, {"Content-Type": "multipart/form-data; boundary=cut"}


def upload(
    app: Running, session: str, content: bytes, *, token: bool = True, length: bool = True
) -> int:
    """The status of a raw upload, past whatever a page would refuse."""
    body, headers = multipart(content)
    if token:
        cookie = xsrf_cookie(app.address)
        headers |= {"X-Xsrftoken": cookie, "Cookie": f"_streamlit_xsrf={cookie}"}
    sent = body if length else iter([body[i : i + MEGABYTE] for i in range(0, len(body), MEGABYTE)])
    connection = HTTPConnection(app.host, timeout=30)
    try:
        path = f"/_stcore/upload_file/{session}/a-file"
        connection.request("PUT", path, sent, headers, encode_chunked=not length)
        return connection.getresponse().status
    except (BrokenPipeError, ConnectionResetError):
        # The server closed the door while the file was still coming.
        return 413
    finally:
        connection.close()


def in_a_session(app: Running, content: bytes, **options: bool) -> int:
    async def go() -> int:
        async with visit(app.address) as visitor:
            return await asyncio.to_thread(upload, app, visitor.session, content, **options)

    return asyncio.run(go())


def test_a_file_within_the_limit_is_taken(app: Running) -> None:
    assert in_a_session(app, bytes(2 * MEGABYTE)) == 204


@pytest.mark.parametrize("length", [True, False], ids=["told its length", "not told its length"])
@pytest.mark.parametrize("megabytes", [4, 25])
def test_a_file_beyond_the_limit_is_refused_by_the_server_itself(
    app: Running, megabytes: int, length: bool
) -> None:
    assert in_a_session(app, bytes(megabytes * MEGABYTE), length=length) == 413


def test_an_upload_that_no_page_of_ours_sent_is_refused(app: Running) -> None:
    assert in_a_session(app, b"1,2", token=False) == 403
    assert upload(app, "not-a-session", b"1,2") == 400


def test_the_log_of_a_visit_holds_nothing_of_the_visitor(app: Running) -> None:
    async def go() -> str:
        async with visit(app.address) as visitor:
            await visitor.tick("Gender")
            assert await visitor.sees("Kinship terms, with Gender taken out")
            assert not visitor.troubles
            return visitor.query

    query = asyncio.run(go())
    token = query.partition("project=")[2]
    assert len(token) == 32
    answer(app, "GET", f"/Discover?{query}")
    for word in (token, "Gender", "Kinship", "Aunt", "project", "/Discover", "127.0.0.1:"):
        assert word not in app.written().replace(app.address, "")
    # Each run of a page has a number of its own, and nothing that tells whose it was.
    runs = re.findall(r"INFO cml_app ([0-9a-f]{8}): Discover in \d+\.\d\d s$", app.written(), re.M)
    assert len(runs) == len(set(runs)) >= 2


def test_a_reader_is_sent_nothing_that_leads_to_the_owners_token(app: Running) -> None:
    """Whatever the reader's pages send over the socket is searched."""

    async def go() -> set[bytes]:
        async with visit(app.address) as owner:
            await owner.tick("Gender")
            assert await owner.sees("Kinship terms, with Gender taken out")
            await owner.tick("Others may look at it")
            token = owner.query.partition("project=")[2]
            either = re.compile(f"{token}|{reading_token(token)}|{digest(token)}".encode())
            read = f"project={reading_token(token)}"
            async with visit(app.address, read, either) as reader:
                assert reader.headline == "Kinship terms, with Gender taken out"
                assert not reader.troubles
                return reader.owners - {reading_token(token).encode()}

    assert asyncio.run(go()) == set()


def test_guessing_addresses_ends_for_whoever_the_proxy_says_is_guessing(app: Running) -> None:
    async def guess(client: str, project: str) -> str:
        forwarded = {"X-Forwarded-For": f"198.51.100.1, {client}"}
        async with visit(app.address, f"project={project}", headers=forwarded) as visitor:
            (said,) = visitor.troubles
            return said

    async def go() -> list[str]:
        return [await guess("203.0.113.7", f"guess-{k}") for k in range(AT_ONCE + 30)]

    said = asyncio.run(go())
    assert "No project is kept" in said[0]
    assert "Too many addresses" in said[-1]
    assert "No project is kept" in asyncio.run(guess("203.0.113.8", "guess"))
    assert "203.0.113" not in app.written()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[[str], Running]]:
    """Starts a server of a page of its own."""
    running = []

    def serve(page: str) -> Running:
        script = tmp_path / "page_of_its_own.py"
        script.write_text(page, encoding="utf-8")
        running.append(served(script, tmp_path))
        return running[-1]

    yield serve
    for one in running:
        stop(one)


def test_a_visitor_who_closes_the_page_is_known_to_have_left(
    serve: Callable[[str], Running],
) -> None:
    address = serve(GUESTS).address

    async def go() -> list[str]:
        async with visit(address) as first:
            before = first.headline
        async with visit(address) as second:
            return [before, second.headline]

    assert asyncio.run(go()) == ["0 have left", "1 have left"]


def test_an_error_wherever_it_happens_is_a_number_to_the_visitor_and_a_trace_in_the_log(
    serve: Callable[[str], Running],
) -> None:
    strange = serve(STRANGE)

    async def go(button: str) -> list[str]:
        async with visit(strange.address) as visitor:
            await visitor.press(button)
            return visitor.troubles

    for button in ("In the page", "In a callback", "Break"):
        (said,) = asyncio.run(go(button))
        number = re.search(r"reference ([0-9a-f]{8})", said)
        assert number, said
        assert f"unexpected error {number[1]}" in strange.written()
        assert "Bea" not in said
    assert strange.written().count("builtins.RuntimeError") == 3
    assert re.search(r"page_of_its_own\.py:\d+ fail", strange.written())
    assert "Bea" not in strange.written()


def test_a_wrong_setting_ends_the_server_with_what_to_do(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "import app"]
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "CML_KEEP_DAYS": "ninety"}
    ended = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert "CML_KEEP_DAYS is 'ninety'. Set it to a whole number" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_what_a_visitor_does_takes_turns() -> None:
    # A tick that follows at once would otherwise be answered beside the one before it.
    server.options()
    assert not config.get_option("runner.fastReruns")


@pytest.mark.parametrize("file", [".streamlit/config.toml", "deploy/config.toml"])
def test_streamlit_knows_all_it_is_told_and_requests_are_protected(file: str) -> None:
    told = tomllib.loads((ROOT / file).read_text(encoding="utf-8"))
    for section, entries in told.items():
        for name in entries:
            # An unknown name raises; Streamlit itself would only warn.
            config.get_option(f"{section}.{name}" if section != "theme" else "theme.primaryColor")
    assert told["server"]["enableXsrfProtection"]
    assert told["server"]["enableCORS"]
    assert told["server"]["address"] in {"localhost", "127.0.0.1"}
    assert told["client"]["showErrorDetails"] == "none"
    assert not told["browser"]["gatherUsageStats"]


@pytest.mark.parametrize("file", [".streamlit/config.toml", "deploy/config.toml"])
def test_a_tab_keeps_what_it_was_sent_for_clicks_on_their_way_as_a_run_ends(file: str) -> None:
    # With Streamlit's own two runs, ten strokes of undo and redo in a row ended the page in 2 of 10
    # trials, though whatever has to wait is sent anew.
    told = tomllib.loads((ROOT / file).read_text(encoding="utf-8"))
    assert told["global"]["maxCachedMessageAge"] >= 10


def test_the_limit_of_an_upload_is_the_same_before_the_settings_are_read() -> None:
    told = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert told["server"]["maxUploadSize"] == Settings.from_environment({}).max_upload_mb
