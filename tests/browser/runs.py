"""When a page is at rest: all that was asked of the server has been answered."""

from __future__ import annotations

import time
from weakref import WeakKeyDictionary

from playwright.sync_api import Page, WebSocket, expect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

SECONDS_TO_RUN = 120
TWO_FRAMES = "() => new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))"


class Runs:
    """What a tab asked the server to run, and what of it has begun and ended.

    What Streamlit shows of itself says "not running" until the server has heard of a click; a
    test that trusts it looks at the page of before.
    """

    def __init__(self, page: Page) -> None:
        self.asked = self.begun = self.ended = False
        page.on("websocket", self._listen)

    @property
    def answered(self) -> bool:
        return self.begun and self.ended and not self.asked

    def _listen(self, socket: WebSocket) -> None:
        self.asked = self.begun = self.ended = False
        socket.on("framesent", self._sent)
        socket.on("framereceived", self._received)

    def _sent(self, frame: str | bytes) -> None:
        if isinstance(frame, bytes) and BackMsg.FromString(frame).HasField("rerun_script"):
            self.asked = True

    def _received(self, frame: str | bytes) -> None:
        if not isinstance(frame, bytes):
            return
        match ForwardMsg.FromString(frame).WhichOneof("type"):
            case "new_session":
                self.asked, self.begun, self.ended = False, True, False
            case "script_finished":
                self.ended = True


_runs: WeakKeyDictionary[Page, Runs] = WeakKeyDictionary()


def watch(page: Page) -> None:
    """Listen to a tab, before it opens the app."""
    _runs[page] = Runs(page)


def answered(page: Page) -> None:
    """Wait until every choice was answered, and nothing of an earlier answer is left."""
    runs = _runs[page]
    deadline = time.monotonic() + SECONDS_TO_RUN
    while True:
        while not runs.answered:
            assert time.monotonic() < deadline, "The server did not answer a choice."
            page.wait_for_timeout(10)
        expect(page.get_by_test_id("stApp")).to_have_attribute(
            "data-test-script-state", "notRunning", timeout=1000 * SECONDS_TO_RUN
        )
        expect(page.locator("[data-stale=true]")).to_have_count(0)
        page.evaluate(TWO_FRAMES)
        if runs.answered:
            return
