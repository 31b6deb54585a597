"""A visitor without a browser: speaks with a running server as Streamlit's own page does."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from urllib.request import urlopen

from streamlit.proto.Alert_pb2 import Alert
from streamlit.proto.BackMsg_pb2 import BackMsg
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
    query: str
    mark: re.Pattern[bytes] | None = None
    session: str = ""
    headline: str = ""
    boxes: dict[str, str] = field(default_factory=dict)
    buttons: dict[str, str] = field(default_factory=dict)
    ticked: dict[str, bool] = field(default_factory=dict)
    components: set[str] = field(default_factory=set)
    troubles: list[str] = field(default_factory=list)
    owners: set[bytes] = field(default_factory=set)
    fragment: str = ""

    async def open(self) -> None:
        """See the page for the first time."""
        await self._run(BackMsg())

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

    async def fitted(self) -> float:
        """Look at the progress of a large fit until its map is there; seconds that took."""
        began = time.perf_counter()
        while self.fragment:
            await asyncio.sleep(POLL_EVERY)
            message = self._as_it_stands()
            message.rerun_script.fragment_id = self.fragment
            message.rerun_script.is_auto_rerun = True
            await self._run(message)
        return time.perf_counter() - began

    def _as_it_stands(self) -> BackMsg:
        message = BackMsg()
        for label, value in self.ticked.items():
            state = message.rerun_script.widget_states.widgets.add()
            state.id, state.bool_value = self.boxes[label], value
        return message

    async def _run(self, message: BackMsg) -> None:
        """Ask for a run of the page, and take in what it says until it has ended."""
        message.rerun_script.query_string = self.query
        await self.socket.send(message.SerializeToString())
        polling = bool(message.rerun_script.fragment_id)
        while True:
            data = await self.socket.recv()
            assert isinstance(data, bytes)
            answer = ForwardMsg.FromString(data)
            if self.mark:
                self.owners.update(self.mark.findall(data))
            kind = answer.WhichOneof("type")
            if kind == "new_session":
                self._begin(answer, polling)
                polling = False
            elif kind == "delta" and answer.delta.WhichOneof("type") == "new_element":
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

    def _take(self, element: Element) -> None:
        kind = element.WhichOneof("type")
        if kind == "heading" and element.heading.tag == "h1":
            self.headline = element.heading.body
        elif kind == "checkbox":
            self.boxes[element.checkbox.label] = element.checkbox.id
            self.ticked.setdefault(element.checkbox.label, element.checkbox.default)
        elif kind == "button":
            self.buttons[element.button.label] = element.button.id
        elif kind == "bidi_component":
            self.components.add(element.bidi_component.component_name)
        elif kind == "exception":
            self.troubles.append(element.exception.message)
        elif kind == "alert" and element.alert.format in (Alert.ERROR, Alert.WARNING):
            self.troubles.append(element.alert.body)


def xsrf_cookie(address: str) -> str:
    """What the server gives a browser to prove later that a request is from its own page."""
    with urlopen(f"{address}/_stcore/health", timeout=10) as answer:
        cookies: Iterable[str] = answer.headers.get_all("Set-Cookie") or ()
    return next(
        cookie.partition("=")[2].partition(";")[0]
        for cookie in cookies
        if cookie.startswith("_streamlit_xsrf=")
    )


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
        visitor = Visitor(socket, query, mark)
        await visitor.open()
        yield visitor
