"""Work sent to a Dask cluster, where one is named; dask.distributed is imported only then."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import islice
from threading import Lock
from typing import Any, TypeVar

from cml_core.errors import ConditionalMappingError

# The address of a scheduler, such as tcp://10.0.0.5:8786; blank for this machine alone.
VARIABLE = "CML_CLUSTER"
SECONDS_TO_ANSWER = 10.0
# A cluster without workers is waited for so long: one that was killed is back before.
SECONDS_WITHOUT_WORKERS = 30.0
LOOK_EVERY = 1.0
# Tasks that wait at the cluster for each thread it has, so that none waits for the next one.
AHEAD = 2

_Common = TypeVar("_Common")
_Task = TypeVar("_Task")
_Result = TypeVar("_Result")


class ClusterUnavailable(ConditionalMappingError):
    """The cluster that was named does not answer, or does not do its work."""


class Cluster:
    """A Dask cluster that tasks are sent to; its scheduler has them done again if a worker dies.

    Parameters
    ----------
    address : of its scheduler.

    Raises
    ------
    ClusterUnavailable : here and from `results`.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        try:
            from distributed import Client
        except ImportError:
            raise ClusterUnavailable(
                f"A cluster is named, {address}, and the Python package distributed is not "
                "installed.",
                remedy='Install it: pip install "whatsleft[cluster]".',
            ) from None
        try:
            self._client: Any = Client(
                address, timeout=SECONDS_TO_ANSWER, set_as_default=False, asynchronous=False
            )
        except (OSError, ValueError) as error:
            raise ClusterUnavailable(
                f"No Dask scheduler answers at {address}.",
                remedy="Begin one with `dask scheduler`, correct the address, "
                f"or leave {VARIABLE} empty to compute on this machine.",
            ) from error

    @property
    def connected(self) -> bool:
        """Whether its scheduler can be spoken to."""
        return bool(self._client.status == "running")

    def close(self) -> None:
        """Let go of it; it goes on without us."""
        self._client.close()

    def results(
        self,
        function: Callable[[_Common, _Task], _Result],
        common: _Common,
        tasks: Iterable[_Task],
    ) -> Generator[tuple[_Task, _Result], None, None]:
        """Each task with its result, as they come; what was not begun when it is closed is not.

        Parameters
        ----------
        function : at the top of a module that workers can import.
        common : its first argument, which every worker is given once.
        tasks : taken as the cluster has room for them, so that they need not all be in memory.
        """
        client = self._client
        waiting = iter(tasks)
        held: dict[Any, _Task] = {}
        room = self._room()
        # A task itself, which is done again where all who have it die; what is scattered is lost.
        shared = client.submit(_itself, common, pure=False)
        try:
            while self._hand_out(function, shared, islice(waiting, room.free(held)), held):
                for future in self._done(list(held), room):
                    task = held.pop(future)
                    found = self._found(future)
                    future.release()
                    self._hand_out(function, shared, islice(waiting, room.free(held)), held)
                    yield task, found
        finally:
            client.cancel(list(held))

    def _hand_out(
        self,
        function: Callable[[_Common, _Task], _Result],
        shared: Any,
        tasks: Iterator[_Task],
        held: dict[Any, _Task],
    ) -> bool:
        """Whether anything is under way."""
        for task in tasks:
            held[self._client.submit(_by_worker, function, shared, task, pure=False)] = task
        return bool(held)

    def _room(self) -> _Room:
        """Room for tasks, once there are workers."""
        try:
            self._client.wait_for_workers(1, timeout=SECONDS_WITHOUT_WORKERS)
        except TimeoutError:
            raise self._without_workers() from None
        with self._spoken_to():
            return _Room(self._client)

    def _done(self, futures: list[Any], room: _Room) -> list[Any]:
        """Those that have ended, within a second; it may be none."""
        from distributed import wait

        with self._spoken_to():
            try:
                with self._client.as_current():
                    wait(futures, timeout=LOOK_EVERY, return_when="FIRST_COMPLETED")
            except TimeoutError:
                if not self.connected:
                    raise self._lost() from None
            room.look()
        if room.empty_for >= SECONDS_WITHOUT_WORKERS:
            raise self._without_workers()
        return [one for one in futures if one.done()]

    def _found(self, future: Any) -> Any:
        """What a task has found; raises what went wrong with it, which may be of any kind."""
        from distributed.scheduler import KilledWorker

        try:
            return future.result()
        except KilledWorker as error:
            raise ClusterUnavailable(
                f"A task on the cluster at {self.address} ended every worker that was given it.",
                remedy="Look into the workers' log; give them more memory, or fewer threads each.",
            ) from error
        except (OSError, _cancelled()) as error:
            if future.status == "error":
                raise
            raise self._lost() from error

    @contextmanager
    def _spoken_to(self) -> Iterator[None]:
        """Words for a scheduler that answers no more."""
        try:
            yield
        except (OSError, _cancelled()) as error:
            raise self._lost() from error

    def _lost(self) -> ClusterUnavailable:
        return ClusterUnavailable(
            f"The scheduler at {self.address} answered no more while it was at work.",
            remedy="Begin it anew and ask again; nothing that was there before is lost.",
        )

    def _without_workers(self) -> ClusterUnavailable:
        return ClusterUnavailable(
            f"The cluster at {self.address} has had no workers for "
            f"{SECONDS_WITHOUT_WORKERS:g} seconds.",
            remedy=f"Begin some with `dask worker {self.address}` and ask again.",
        )


class _Room:
    """How many tasks keep all workers at work, of whom some may join, and others leave."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._looked = self._had_workers = -float("inf")
        self._threads = 0
        self.look()

    def look(self) -> None:
        """Look who is there, once a second at most."""
        now = time.monotonic()
        if now - self._looked < LOOK_EVERY:
            return
        self._threads, self._looked = int(sum(self._client.nthreads().values())), now
        if self._threads:
            self._had_workers = now

    @property
    def empty_for(self) -> float:
        """For how long nobody has been there, in seconds."""
        return self._looked - self._had_workers

    def free(self, held: Collection[Any]) -> int:
        """How many more there is room for; whoever has nothing under way waits for workers."""
        return max(AHEAD * self._threads - len(held), 0 if held else 1)


def _cancelled() -> type[BaseException]:
    from concurrent.futures import CancelledError

    return CancelledError


def _by_worker(
    function: Callable[[_Common, _Task], _Result], common: _Common, task: _Task
) -> _Result:
    """In a worker: what a task spreads in turn stays there, for the others may wait for it."""
    before = _IN_WORKER.set(True)
    try:
        return function(common, task)
    finally:
        _IN_WORKER.reset(before)


def _itself(common: _Common) -> _Common:
    return common


_ASKED: ContextVar[Cluster | None] = ContextVar("cluster", default=None)
_IN_WORKER: ContextVar[bool] = ContextVar("in_worker", default=False)
_NAMED: dict[str, Cluster] = {}
_LOCK = Lock()


@contextmanager
def on_cluster(address: str) -> Iterator[Cluster]:
    """In here, what can be spread is sent to a Dask cluster; results are the same.

    Parameters
    ----------
    address : of its scheduler, such as "tcp://10.0.0.5:8786".
    """
    cluster = Cluster(address)
    before = _ASKED.set(cluster)
    try:
        yield cluster
    finally:
        _ASKED.reset(before)
        cluster.close()


def cluster_at_hand() -> Cluster | None:
    """The cluster of `on_cluster`, else the one that CML_CLUSTER names; None for this machine."""
    asked = _ASKED.get()
    address = os.environ.get(VARIABLE, "").strip()
    if _IN_WORKER.get():
        return None
    if asked is not None or not address:
        return asked
    with _LOCK:
        held = _NAMED.get(address)
        if held is None or not held.connected:
            _NAMED[address] = held = Cluster(address)
        return held
