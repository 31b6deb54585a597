"""Pictures by other methods: one after the other, in a process that stays ready for them.

A visitor has one set under way at a time. Each picture is there as soon as it is drawn; whoever
stops keeps those that are.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import streamlit as st

from cml_app import messages
from cml_app.background import SOME_TABS, Background, Presence, Queue
from cml_app.settings import Settings
from cml_app.views_work import HiddenPlaces, Wanted, drawn, hidden_places, judged, warmed_up
from cml_core import FeatureTable, Fit
from cml_core.errors import ConditionalMappingError
from cml_core.evidence.dimensions import Dimensions, dimensions, first_errors
from cml_core.evidence.fold_errors import FoldErrors
from cml_core.evidence.work import Cancelled
from cml_core.evidence.worker import OneProcess
from cml_core.peers import METHODS, Quality, View
from cml_core.peers.conditioned import dimensions_to_take
from cml_core.values.answers import Answers
from cml_core.values.arrays import FloatArray
from cml_core.values.origin import Origin

# In place of a number of hidden dimensions: as many as held-out pairs choose.
CHOSEN = 0
CHOOSING = "how many dimensions are hidden"
# What the process has loaded stays for so long after it was last of use, in seconds.
READY_FOR = 300.0

# Calls the work with `workers` and `on_step`, and asks again and again whether to stop.
Run = Callable[[Callable[..., Any], Callable[[], bool]], Any]


class Seen(NamedTuple):
    """What a method shows, and how far it may be believed, once that is known."""

    view: View
    quality: Quality | None


@dataclass(frozen=True, eq=False)
class Subject:
    """What is looked at.

    Parameters
    ----------
    step_id : the step.
    fit : its map.
    features : all that is told of the objects.
    answers : of single people, where they are known.
    origin : how the dissimilarities were made.
    """

    step_id: str
    fit: Fit
    features: FeatureTable
    answers: Answers | None = None
    origin: Origin | None = None

    def is_same(self, other: Subject) -> bool:
        """Whether what was seen of the one holds of the other."""
        mine, others = (
            [feature.identity() for feature in one.features.features] for one in (self, other)
        )
        return self.step_id == other.step_id and mine == others


@dataclass(frozen=True, eq=False)
class Through:
    """What is shown in place of the step's map: a method's view, or the map of weighted people.

    Parameters
    ----------
    key : names it among all views.
    words : what it is, such as "Isomap view of the hidden distances".
    places : (N, p).
    remark : what to know of them.
    """

    key: str
    words: str
    places: FloatArray
    remark: str = "It is turned to match the map."


@dataclass(eq=False, kw_only=True)
class ViewsJob(Background[None]):
    """Pictures under way.

    Parameters
    ----------
    subject : what is looked at.
    pictures : what to draw.
    run : where the work is done.
    chooses : whether held-out pairs are to choose the number of hidden dimensions.
    held : where objects are in the hidden dimensions, by how many these are, as far as is known.
    found : what there is to see of the pictures; some may be drawn before it begins.
    likely : how many hidden dimensions they choose, as far as they have been asked.
    """

    subject: Subject
    pictures: tuple[Wanted, ...]
    run: Run
    chooses: bool = False
    held: dict[int, HiddenPlaces] = field(default_factory=dict)
    found: dict[Wanted, Seen | ConditionalMappingError] = field(default_factory=dict)
    likely: int | None = None
    told_by: Dimensions | ConditionalMappingError | None = None
    doing: str = "getting ready"
    is_kept: bool = False

    def _work(self) -> None:
        self._each("drawing", self._drawn, [one for one in self.pictures if one.hidden is None])
        begun = self._first_errors() if self.chooses and not self._must_stop() else None
        # All are drawn before any is judged: of many objects, that takes longer.
        hidden = [one for one in self.pictures if one.hidden is not None]
        if begun is not None or not self.chooses:
            self._each("drawing", self._drawn, [self.chosen(one) for one in hidden])
        self._each("judging", self._judged, [self.chosen(one) for one in self.pictures])
        if begun is not None and not self._must_stop():
            self._choose(begun)

    def _each(self, doing: str, act: Callable[[Wanted], Any], pictures: Sequence[Wanted]) -> None:
        for one in pictures:
            if self._must_stop():
                return
            self.doing = f"{doing} {METHODS[one.method].title}"
            with suppress(Cancelled):
                self.found[one] = self._attempt(partial(act, one))

    def chosen(self, one: Wanted) -> Wanted:
        """The same picture, of as many hidden dimensions as are chosen, once they are."""
        is_open = one.hidden == CHOSEN and self.likely is not None
        return one._replace(hidden=self.likely) if is_open else one

    def _first_errors(self) -> FoldErrors | None:
        """What tells the number that is likely; what goes on with it, tells it for certain."""
        self.doing = f"finding out {CHOOSING}"
        fit, answers = self.subject.fit, self.subject.answers
        found = None
        with suppress(Cancelled):
            found = self._attempt(
                lambda: self._run(partial(first_errors, fit.problem, answers=answers))
            )
        if not isinstance(found, FoldErrors):
            self.told_by = found
            return None
        self.likely = dimensions_to_take(fit.problem, found.chosen)
        return found

    def _choose(self, begun: FoldErrors) -> None:
        self.doing = f"finding out {CHOOSING}"
        about = self.subject
        asked = partial(
            dimensions,
            about.fit.problem,
            answers=about.answers,
            origin=about.origin,
            begun=begun,
        )
        with suppress(Cancelled):
            self.told_by = self._attempt(lambda: self._run(asked))

    def _attempt(self, action: Callable[[], Any]) -> Any:
        """What it finds, or why there is nothing: the other pictures are not touched."""
        try:
            return action()
        except Cancelled:
            raise
        except ConditionalMappingError as error:
            return error
        except Exception as error:
            return messages.unexpected(error)

    def _drawn(self, one: Wanted) -> Seen:
        if isinstance(before := self.found.get(one), Seen):
            return before
        fit = self.subject.fit
        if one.hidden is None:
            return Seen(self._run(partial(drawn, fit.problem.dissimilarities, one)), None)
        if one.hidden not in self.held:
            self.held[one.hidden] = self._run(partial(hidden_places, fit, one.hidden))
        return Seen(self._run(partial(drawn, self.held[one.hidden], one)), None)

    def _judged(self, one: Wanted) -> Seen | ConditionalMappingError:
        seen = self.found.get(one)
        if not isinstance(seen, Seen):
            return seen or self._drawn(one)
        fit = self.subject.fit
        target = fit.problem.dissimilarities if one.hidden is None else fit
        about = (seen.view, target, self.subject.features, fit.problem.known.names)
        return seen._replace(quality=self._run(partial(judged, *about)))

    def _run(self, work: Callable[..., Any]) -> Any:
        return self.run(work, self._must_stop)

    @property
    def missing(self) -> tuple[Wanted, ...]:
        """The pictures that are not drawn, or not judged."""
        wanted = map(self.chosen, self.pictures)
        return tuple(one for one in wanted if not is_whole(self.found.get(one)))

    def covers(self, wanted: Iterable[Wanted], *, chooses: bool) -> bool:
        """Whether all of this is drawn, or was to be, by this job."""
        covered = {*self.pictures, *map(self.chosen, self.pictures)}
        return covered.issuperset(wanted) and (self.chooses or not chooses)

    @property
    def goes_on(self) -> bool:
        """Whether there is more to come."""
        return not self.done and not self._stop.is_set()

    @property
    def parts_done(self) -> int:
        """How much there is to see of it."""
        judged = sum(is_whole(one) for one in self.found.copy().values())
        return len(self.found) + judged + (self.told_by is not None)

    @property
    def progress(self) -> tuple[float, str]:
        """A share, and where it stands in words."""
        if self.began is None:
            return 0.0, "Waiting for other pictures to end"
        done, total = len(self.found), len(self.pictures)
        share = self.parts_done / max(2 * total + self.chooses, 1)
        return min(share, 1.0), f"{done} of {total} pictures; {self.doing}"


def is_whole(found: Seen | ConditionalMappingError | None) -> bool:
    """Whether there is no more to come: a picture has been judged, or cannot be drawn."""
    return isinstance(found, ConditionalMappingError) or (
        found is not None and found.quality is not None
    )


@dataclass(eq=False)
class HeldViews:
    """What one visitor has seen of one step through other eyes, and what is under way.

    Parameters
    ----------
    subject : what it is about; of another one, nothing is held.
    hidden : where objects are in the hidden dimensions, by how many these are.
    likely : how many hidden dimensions held-out pairs choose, as far as they have been asked.
    tries : with how many further seeds a picture was tried again, by its key.
    lots : the keys of the pictures of which some objects are to be drawn by lot.
    """

    subject: Subject | None = None
    seen: dict[Wanted, Seen | ConditionalMappingError] = field(default_factory=dict)
    hidden: dict[int, HiddenPlaces] = field(default_factory=dict)
    likely: int | None = None
    tries: dict[str, int] = field(default_factory=dict)
    lots: set[str] = field(default_factory=set)
    job: ViewsJob | None = None


class Views:
    """Where the pictures of all visitors are drawn, in the order in which they were asked for.

    Parameters
    ----------
    settings : how many wait, for how long each may take, and whether anything is done unasked.
    run : where the work is done.
    """

    def __init__(self, settings: Settings, run: Run) -> None:
        self.unasked = settings.evidence_unasked
        self._seconds = settings.evidence_seconds
        self._run = run
        waiting = settings.evidence_waiting
        self._queue = Queue[ViewsJob](1, waiting, "sets of pictures", each=SOME_TABS)
        self._turn = threading.Lock()
        self._last_used = -float("inf")

    def get_ready(self) -> None:
        """Load and compile in the background what the first pictures would wait for."""
        if self.unasked and time.monotonic() - self._last_used > READY_FOR:
            self._last_used = time.monotonic()
            threading.Thread(target=self._warm_up, name="views", daemon=True).start()

    def _warm_up(self) -> None:
        # What goes wrong is told by the first picture that needs it.
        with suppress(Exception):
            self._one_at_a_time(warmed_up, lambda: False)

    def _one_at_a_time(self, work: Callable[..., Any], must_stop: Callable[[], bool]) -> Any:
        with self._turn:
            self._last_used = time.monotonic()
            return self._run(work, must_stop)

    def begin(
        self,
        subject: Subject,
        pictures: tuple[Wanted, ...],
        presence: Presence,
        *,
        chooses: bool = False,
        held: dict[int, HiddenPlaces] | None = None,
        drawn: Mapping[Wanted, Seen] | None = None,
        replacing: ViewsJob | None = None,
    ) -> ViewsJob:
        """Begin or wait; the one it replaces is stopped.

        Raises
        ------
        ServerBusy : too many are waiting.
        """
        job = ViewsJob(
            subject=subject,
            pictures=pictures,
            run=self._one_at_a_time,
            chooses=chooses,
            held={} if held is None else held,
            found={**(drawn or {})},
            presences=(presence,),
            seconds=self._seconds,
        )
        return self._queue.begin(job, replacing)


@st.cache_resource(show_spinner=False)
def views() -> Views:
    """Those of this server."""
    return Views(Settings.from_environment(os.environ), OneProcess(READY_FOR).run)
