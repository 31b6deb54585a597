"""A control that has left the page is chosen only by whoever changed it.

A browser that is told something new while the visitor clicks still sends what it showed before.
Streamlit forgets the value of a control that is gone but keeps what was to be called for it, and
so takes the value sent late for a new one: a choice that was undone was made again.
"""

from __future__ import annotations

from collections import ChainMap, deque
from typing import Any

from streamlit.runtime.state.common import is_element_id
from streamlit.runtime.state.session_state import STREAMLIT_INTERNAL_KEY_PREFIX, SessionState
from streamlit.runtime.uploaded_file_manager import DeletedFile, UploadedFile

# There is no public way to them.
_sweep = SessionState._remove_stale_widgets
_is_changed = SessionState._widget_changed

# So many runs later a browser has heard of what is gone.
FEW_RUNS = 8
_GONE = f"{STREAMLIT_INTERNAL_KEY_PREFIX}_GONE"


def remember() -> None:
    """See to it for all visitors of this server."""
    setattr(SessionState, _sweep.__name__, _sweep_and_remember)
    setattr(SessionState, _is_changed.__name__, _is_changed_since)


def _sweep_and_remember(state: Any, on_the_page: frozenset[str]) -> None:
    before = _values(state)
    _sweep(state, on_the_page)
    gone = {name: _told(value) for name, value in before.items() if not _is_held(state, name)}
    state._old_state.setdefault(_GONE, deque(maxlen=FEW_RUNS)).append(gone)


def _values(state: Any) -> dict[str, object]:
    """What every control stands at; a browser may speak of some that were never here."""
    widgets = state._new_widget_state
    names = {*widgets.states, *filter(is_element_id, state._old_state)}
    return {
        name: widgets.get(name) if name in widgets.states else state._old_state[name]
        for name in names & widgets.widget_metadata.keys()
    }


def _told(value: object) -> object:
    """Of files only which they are: they are large, and the server may have let go of them."""
    if isinstance(value, list):
        return [_told(one) for one in value]
    return value.file_id if isinstance(value, UploadedFile | DeletedFile) else value


def _is_held(state: Any, name: str) -> bool:
    return name in state._old_state or name in state._new_widget_state.states


def _is_changed_since(state: Any, name: str) -> bool:
    gone = ChainMap(*reversed(state._old_state.get(_GONE, ())))
    if name in state._old_state or name not in gone:
        return _is_changed(state, name)
    return bool(_told(state._new_widget_state.get(name)) != gone[name])
