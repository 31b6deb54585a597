"""A visitor without a browser: speaks with a running server as Streamlit's own page does."""

from __future__ import annotations

import asyncio
import json
import re
import time
import uuid
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen

from streamlit.proto.Alert_pb2 import Alert
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Checkbox_pb2 import Checkbox
from streamlit.proto.Common_pb2 import UploadedFileInfo
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

DONE = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)
POLL_EVERY = 0.5
LARGEST_MESSAGE = 256 * 2**20


@dataclass
class Visitor:
    """What a page has been told: its headline, what stands on it, and what went wrong.

    Parameters
    ----------
    query : of the page's address, such as project=….
    mark : finds in every message what names its owner; `owners` collects what it found.
    """

    socket: ClientConnection
    address: str
    query: str
    mark: re.Pattern[bytes] | None = None
    session: str = ""
    page: str = ""
    headline: str = ""
    boxes: dict[str, str] = field(default_factory=dict)
    buttons: dict[str, str] = field(default_factory=dict)
    ticked: dict[str, bool] = field(default_factory=dict)
    fields: dict[str, str] = field(default_factory=dict)
    files: dict[str, UploadedFileInfo] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    stands: dict[str, str] = field(default_factory=dict)
    written: dict[str, str] = field(default_factory=dict)
    scene: dict[str, Any] = field(default_factory=dict)
    drawn: Mapping[str, object] | None = None
    components: dict[str, str] = field(default_factory=dict)
    troubles: list[str] = field(default_factory=list)
    owners: set[bytes] = field(default_factory=set)
    widgets: dict[str, list[str]] = field(default_factory=dict)
    fragment: str = ""

    async def open(self) -> None:
        """See the page for the first time."""
        await self._run(BackMsg())

    async def go(self, page: str) -> None:
        """Open another page by its name in the address."""
        message = BackMsg()
        message.rerun_script.page_name = page
        self.page = ""
        await self._run(message)

    async def look_again(self) -> None:
        """Have the page as it stands once more."""
        await self._run(self._as_it_stands())

    async def tick(self, label: str) -> float:
        """Tick or untick a box; seconds until the page had everything that came of it."""
        self.ticked[label] = not self.ticked[label]
        began = time.perf_counter()
        await self._run(self._as_it_stands())
        return time.perf_counter() - began

    async def press(self, label: str) -> None:
        """Press a button."""
        message = self._as_it_stands()
        state = message.rerun_script.widget_states.widgets.add()
        state.id, state.trigger_value = self.buttons[label], True
        await self._run(message)

    async def bring(self, label: str, name: str, content: bytes) -> None:
        """Put a file into a field, as a browser does: the bytes first, then what they are."""
        file = UploadedFileInfo(name=name, size=len(content), file_id=str(uuid.uuid4()))
        status = await asyncio.to_thread(
            uploaded, self.address, f"{self.session}/{file.file_id}", name, content
        )
        assert status == 204, status
        self.files[self.fields[label]] = file
        await self._run(self._as_it_stands())

    async def draw(self, drawing: Mapping[str, object]) -> None:
        """Have something drawn on the map, which stays there."""
        self.drawn = drawing
        await self.look_again()

    async def write(self, label: str, text: str) -> None:
        """Write something into a field, and leave it."""
        self.written[label] = text
        await self.look_again()

    async def fitted(self) -> float:
        """Look at the progress of a large fit until its map is there; seconds that took."""
        began = time.perf_counter()
        while self.fragment:
            await self._look_on()
        return time.perf_counter() - began

    async def sees(self, headline: str) -> bool:
        """Whether the page has this headline, once nothing more is to come that could change it."""
        while self.headline != headline and self.fragment:
            await self._look_on()
        return self.headline == headline

    async def _look_on(self) -> None:
        await asyncio.sleep(POLL_EVERY)
        message = self._as_it_stands()
        message.rerun_script.fragment_id = self.fragment
        message.rerun_script.is_auto_rerun = True
        await self._run(message)

    def _as_it_stands(self) -> BackMsg:
        message = BackMsg()
        for label, value in self.ticked.items():
            state = message.rerun_script.widget_states.widgets.add()
            state.id, state.bool_value = self.boxes[label], value
        for field_id, file in self.files.items():
            state = message.rerun_script.widget_states.widgets.add()
            state.id = field_id
            state.file_uploader_state_value.uploaded_file_info.append(file)
        for label, text in self.written.items():
            state = message.rerun_script.widget_states.widgets.add()
            state.id, state.string_value = self.texts[label], text
        if self.drawn is not None:
            scene = self.scene
            told = {"map_id": scene["map_id"], "revision": scene["revision"], "tool": "move"}
            state = message.rerun_script.widget_states.widgets.add()
            state.id = self.components["discovery_map"]
            state.json_value = json.dumps({"map": {**told, "drawing": self.drawn}})
        return message

    async def _run(self, message: BackMsg) -> None:
        """Ask for a run of the page, and take in what it says until it has ended."""
        message.rerun_script.query_string = self.query
        message.rerun_script.page_script_hash = self.page
        await self.socket.send(message.SerializeToString())
        polling = bool(message.rerun_script.fragment_id)
        while True:
            data = await self.socket.recv()
            assert isinstance(data, bytes)
            answer = ForwardMsg.FromString(data)
            if self.mark:
                self.owners.update(self.mark.findall(data))
            kind = answer.WhichOneof("type")
            if kind == "navigation":
                self._arrive(answer.navigation.page_script_hash)
            elif kind == "new_session":
                self._begin(answer, polling)
                polling = False
            elif kind == "delta" and answer.delta.WhichOneof("type") == "new_element":
                self._note(answer.delta.new_element)
                self._take(answer.delta.new_element)
            elif kind == "auto_rerun":
                self.fragment = answer.auto_rerun.fragment_id
            elif kind == "page_info_changed":
                self.query = answer.page_info_changed.query_string
            elif kind == "script_finished" and answer.script_finished in DONE:
                return

    def _begin(self, answer: ForwardMsg, polling: bool) -> None:
        self.session = answer.new_session.initialize.session_id
        if not polling:
            self.fragment = ""

    def _arrive(self, page: str) -> None:
        """What stood on another page is not here."""
        if page != self.page:
            of_the_page = (self.boxes, self.buttons, self.ticked, self.fields, self.files)
            for held in (*of_the_page, self.texts, self.written):
                held.clear()
            self.drawn = None
        self.page = page

    def _note(self, element: Element) -> None:
        """Which fields there are of every kind."""
        kind = element.WhichOneof("type")
        if kind and (name := getattr(getattr(element, kind), "id", "")):
            self.widgets.setdefault(kind, []).append(name)

    def _take(self, element: Element) -> None:
        kind = element.WhichOneof("type")
        if kind == "heading" and element.heading.tag == "h1":
            self.headline = element.heading.body
        elif kind == "checkbox":
            self._take_box(element.checkbox)
        elif kind == "button":
            self.buttons[element.button.label] = element.button.id
        elif kind == "bidi_component":
            self.components[element.bidi_component.component_name] = element.bidi_component.id
            if element.bidi_component.component_name == "discovery_map":
                self.scene = json.loads(element.bidi_component.json)
        elif kind in ("text_input", "text_area"):
            text = getattr(element, kind)
            self.texts[text.label], self.stands[text.label] = text.id, text.default
        elif kind == "file_uploader":
            self.fields[element.file_uploader.label] = element.file_uploader.id
        elif kind == "exception":
            self.troubles.append(element.exception.message)
        elif kind == "alert" and element.alert.format in (Alert.ERROR, Alert.WARNING):
            self.troubles.append(element.alert.body)

    def _take_box(self, box: Checkbox) -> None:
        # Another field of the same name has what the page says, not what was ticked before.
        if self.boxes.get(box.label) != box.id:
            self.boxes[box.label] = box.id
            self.ticked[box.label] = box.default


def xsrf_cookie(address: str) -> str:
    """What the server gives a browser to prove later that a request is from its own page."""
    with urlopen(f"{address}/_stcore/health", timeout=10) as answer:
        cookies: Iterable[str] = answer.headers.get_all("Set-Cookie") or ()
    return next(
        cookie.partition("=")[2].partition(";")[0]
        for cookie in cookies
        if cookie.startswith("_streamlit_xsrf=")
    )


def uploaded(address: str, place: str, name: str, content: bytes) -> int:
    """The status of the server's answer to the bytes of a file."""
    head = f'--cut\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
    cookie = xsrf_cookie(address)
    headers = {
        "Content-Type": "multipart/form-data; boundary=cut",
        "X-Xsrftoken": cookie,
        "Cookie": f"_streamlit_xsrf={cookie}",
    }
    connection = HTTPConnection(urlsplit(address).netloc, timeout=300)
    try:
        path = f"/_stcore/upload_file/{place}"
        connection.request("PUT", path, head.encode() + content + b"\r\n--cut--\r\n", headers)
        return connection.getresponse().status
    finally:
        connection.close()


@asynccontextmanager
async def visit(
    address: str,
    query: str = "",
    mark: re.Pattern[bytes] | None = None,
    headers: Mapping[str, str] | None = None,
) -> AsyncIterator[Visitor]:
    """A visitor who has come to the address, until they leave."""
    async with connect(
        f"{address.replace('http', 'ws', 1)}/_stcore/stream",
        origin=address,
        subprotocols=["streamlit"],
        max_size=LARGEST_MESSAGE,
        compression=None,
        additional_headers=headers,
    ) as socket:
        visitor = Visitor(socket, address, query, mark)
        await visitor.open()
        yield visitor
