"""One visitor, in however many tabs, does not hold all places of any kind."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from itertools import count
from typing import Any

import pytest
from streamlit.web.server.starlette.starlette_app_utils import generate_xsrf_token_string

from cml_app import background
from cml_app.background import Background, Presence, Queue, ServerBusy
from cml_app.compute import QUICK_EACH, Places
from cml_app.evidence_job import Computations
from cml_app.many import placing
from cml_app.many.job import ManyPlaces
from cml_app.many.judging import Judgements
from cml_app.panels.learn.asking import Askings
from cml_app.settings import Settings
from cml_app.unasked import Unasked
from cml_app.views_job import Views

SETTINGS = Settings.from_environment({"HOME": "/nowhere"})
# Waiting for an event that is sure to come; only a test that fails waits so long.
SECONDS = 30


class Endless(Background[None]):
    """Goes on until it is stopped."""

    def _work(self) -> None:
        self._stop.wait(SECONDS)


@contextmanager
def tabs_of(browser: str) -> Iterator[Iterator[Endless]]:
    """Something to wait for in each of a visitor's tabs."""
    with ExitStack() as stack:

        def opened() -> Iterator[Endless]:
            for _ in count():
                job = Endless(presences=(Presence(browser),))
                stack.callback(job.cancel)
                yield job

        yield opened()


def queues() -> list[Queue[Any]]:
    """All of a server."""
    kept = (
        Places(SETTINGS),
        Computations(SETTINGS),
        Unasked(SETTINGS, lambda: False, lambda *_: None),
        Views(SETTINGS, lambda *_: None),
        ManyPlaces(SETTINGS),
        Judgements(SETTINGS),
        Askings(),
    )
    held = [one for place in kept for one in vars(place).values() if isinstance(one, Queue)]
    return [*held, placing.queue(SETTINGS)]


def test_no_queue_of_the_server_can_be_filled_by_one_visitor() -> None:
    assert len(queues()) == 9
    for queue in queues():
        with tabs_of("ann") as anns, tabs_of("ben") as bens:
            for _ in range(min(queue._each, queue._most // 2)):
                queue.begin(next(anns))
            with pytest.raises(ServerBusy, match="of your tabs"):
                queue.begin(next(anns))
            queue.begin(next(bens))


def test_so_many_quick_fits_are_a_visitors_and_no_more() -> None:
    queue = Places(SETTINGS)._quick
    with tabs_of("ann") as anns, tabs_of("ben") as bens:
        first, *_ = (queue.begin(next(anns)) for _ in range(QUICK_EACH))
        with pytest.raises(ServerBusy, match=f"^{QUICK_EACH} others of your tabs have something"):
            queue.begin(next(anns))
        # A new question takes the place of an old one, in the same tab.
        instead = queue.begin(next(anns), first)
        queue.begin(next(bens))
        instead.cancel()
        queue.begin(next(anns))


def test_of_whom_nothing_is_told_nobody_knows_that_they_are_one() -> None:
    queue = Places(SETTINGS)._quick
    with tabs_of("") as strangers:
        for _ in range(2 * QUICK_EACH):
            queue.begin(next(strangers))


def test_with_few_places_one_visitor_has_half_of_them_at_most() -> None:
    few: Queue[Any] = ManyPlaces(replace(SETTINGS, jobs_waiting=1))._queue
    with tabs_of("ann") as anns:
        few.begin(next(anns))
        with pytest.raises(ServerBusy, match=r"^Another of your tabs has something"):
            few.begin(next(anns))


def test_all_tabs_of_a_browser_are_one_visitor_and_others_are_not() -> None:
    secret, other = b"a" * 16, b"b" * 16
    # The cookie is masked anew each time.
    first, again, different = (generate_xsrf_token_string(one) for one in (secret, secret, other))
    assert first != again
    assert background._browser(first) == background._browser(again)
    assert background._browser(first) != background._browser(different)
    assert background._browser("") == background._browser("nonsense") == ""
