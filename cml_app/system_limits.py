"""What the system says of this process; on Windows, which has no such limits, nothing."""

from __future__ import annotations

import sys

try:
    import resource
except ModuleNotFoundError:
    _KNOWN = False
else:
    _KNOWN = True


def most_memory() -> int:
    """The most memory that it has held, in bytes; 0 where that is not told."""
    if not _KNOWN:
        return 0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def largest_file() -> float:
    """How large a file it may write, in bytes."""
    if not _KNOWN:
        return float("inf")
    largest, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
    return float("inf") if largest == resource.RLIM_INFINITY else largest
