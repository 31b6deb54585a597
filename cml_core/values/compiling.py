"""How inner loops are compiled; one way for all of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import njit

_Function = TypeVar("_Function", bound=Callable[..., Any])


def compiled(*, fast: bool, apart: bool = False) -> Callable[[_Function], _Function]:
    """Compile without the interpreter lock and keep the machine code on disk.

    ``fast`` lets sums be reordered, which SIMD needs; code that must recognise a NaN does
    without. The numpy error model frees every division of a check that would block SIMD.

    A loop takes in those that it calls. Otherwise each machine code had copies of them, of
    which LLVM keeps the one that was loaded first: where all was compiled anew another one
    than where it came from disk, and results differed by some 1e-13 from process to process.
    What is not fast gives the same digits wherever it is compiled, and may stay ``apart``: it is
    compiled once, and not again in all that call it.
    """
    assert not (fast and apart), "sums that are reordered must be taken in"
    decorate = cast(
        "Callable[[_Function], _Function]",
        njit(nogil=True, cache=True, fastmath=fast, error_model="numpy", forceinline=not apart),
    )
    return lambda function: _kept_while_no_loop_changes(decorate(function))


def _kept_while_no_loop_changes(loop: _Function) -> _Function:
    """Have the machine code on disk count only as long as all loops are as they were.

    numba itself looks at the file of a function alone, not at those of the loops it calls:
    after a change, or an upgrade in place, it would go on with what they used to be.
    """
    # There is none where NUMBA_DISABLE_JIT leaves the function as it is.
    file = getattr(getattr(loop, "_cache", None), "_cache_file", None)
    if file is not None:
        file._source_stamp = (file._source_stamp, _all_loops())
    return loop


@cache
def _all_loops() -> str:
    """A digest of the files that have loops to compile."""
    package = Path(__file__).parents[1]
    rooms = (package / "values", package / "fitting", package / "peers")
    texts = [file.read_bytes() for room in rooms for file in sorted(room.rglob("*.py"))]
    return sha256(b"".join(text for text in texts if b"compiled(" in text)).hexdigest()
