"""How inner loops are compiled; one way for all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

_Function = TypeVar("_Function", bound=Callable[..., Any])


def compiled(*, fast: bool) -> Callable[[_Function], _Function]:
    """Compile without the interpreter lock and keep the machine code on disk.

    ``fast`` lets sums be reordered, which SIMD needs; code that must recognise a NaN does
    without. The numpy error model frees every division of a check that would block SIMD.
    """
    decorate = njit(nogil=True, cache=True, fastmath=fast, error_model="numpy")
    return cast("Callable[[_Function], _Function]", decorate)
