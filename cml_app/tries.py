"""How often a client may name secrets that open nothing, before it has to wait."""

from __future__ import annotations

import ipaddress
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import streamlit as st

from cml_app.keeping.puzzles import NoSuchPuzzle
from cml_app.keeping.store import NoSuchProject
from cml_core.errors import ConditionalMappingError

# A whole class may sit behind one address and reload a link that has ended.
AT_ONCE = 60
# In seconds; one more try is given back after each.
ONE_MORE_AFTER = 2.0
MOST_CLIENTS = 10_000
# Whoever has one address of IPv6 has all that share this much of it.
_NETWORK = 64


class TooManyTries(ConditionalMappingError):
    """A client has named many secrets that open nothing."""


class Tries:
    """What each client has tried in vain lately; of most clients nothing is remembered.

    Parameters
    ----------
    clock : tells seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        # By client, when all of its tries will have been given back; who tried last comes last.
        self._free: OrderedDict[str, float] = OrderedDict()

    def __len__(self) -> int:
        return len(self._free)

    @contextmanager
    def by(self, address: str | None) -> Iterator[None]:
        """Look a secret up for a client; that it opens nothing is counted.

        Raises
        ------
        TooManyTries : nothing is looked up; another secret has to wait, right or wrong.
        """
        client = network(address)
        if self._free.get(client, 0.0) - self._clock() > (AT_ONCE - 1) * ONE_MORE_AFTER:
            raise TooManyTries(
                "Too many addresses that open nothing were tried from where you are.",
                remedy="Wait a minute, then open the address that you were given.",
            )
        try:
            yield
        except (NoSuchProject, NoSuchPuzzle):
            self._count(client)
            raise

    def _count(self, client: str) -> None:
        now = self._clock()
        with self._lock:
            self._free[client] = max(self._free.get(client, now), now) + ONE_MORE_AFTER
            self._free.move_to_end(client)
            while len(self._free) > MOST_CLIENTS:
                self._free.popitem(last=False)


def network(address: str | None) -> str:
    """What stands for a client: its address, or the network that it may choose addresses of."""
    try:
        found = ipaddress.ip_address(address or "")
    except ValueError:
        # This computer itself, or a proxy that does not tell for whom it asks.
        return ""
    if found.version == 6:
        return str(ipaddress.ip_network((found, _NETWORK), strict=False))
    return str(found)


@st.cache_resource(show_spinner=False)
def tries() -> Tries:
    """Those of this server."""
    return Tries()


@contextmanager
def counted() -> Iterator[None]:
    """Look up a secret that the visitor's address names.

    The visitor's own address is told by the connection, or by a proxy on this machine; what
    anybody else says of it is not believed.

    Raises
    ------
    TooManyTries : from there too many were named that open nothing.
    """
    with tries().by(st.context.ip_address):
        yield
