"""What Streamlit looks through anew for each control of a page, looked up where it is asked for.

Each field and choice asks whether its value was emptied, and for that Streamlit made a table of
all that the session holds: with the controls of one map that was a twentieth of a run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from streamlit.runtime.state.common import is_element_id
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.runtime.state.session_state import SessionState, _is_internal_key


def take() -> None:
    """See to it for all visitors of this server."""
    # There is no public way to it.
    SafeSessionState.filtered_state = property(_held)  # type: ignore[assignment]


class Held(Mapping[str, Any]):
    """What a session holds by the names that the pages gave it."""

    def __init__(self, state: SessionState) -> None:
        self._state = state

    def __getitem__(self, key: str) -> Any:
        if is_element_id(key) or _is_internal_key(key):
            raise KeyError(key)
        return self._state[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._state.filtered_state)

    def __len__(self) -> int:
        return len(self._state.filtered_state)


def _held(session: SafeSessionState) -> Held:
    return Held(session._state)
