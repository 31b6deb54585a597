"""`python -m benchmarks.papers`: the tables and figures of the papers, run again."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from threadpoolctl import threadpool_limits

from benchmarks.papers.documents import ROWS
from benchmarks.papers.kept import run
from benchmarks.papers.row import QUICK_REPLICATES, REPLICATES, Effort
from benchmarks.papers.write import PAGE, Outcome, counts, section, write
from cml_core.fitting.threads import thread_count


def main() -> int:
    """Run what was asked for, tell it, and write the page where it is complete."""
    asked = _arguments()
    replicates = asked.replicates or (QUICK_REPLICATES if asked.quick else REPLICATES)
    effort = Effort(replicates, asked.workers, asked.data)
    chosen = asked.rows or list(ROWS)
    began, outcomes = time.perf_counter(), {}
    with threadpool_limits(limits=thread_count()):
        for name in chosen:
            row = ROWS[name]
            outcomes[name] = outcome = Outcome.of(row, run(row, effort, resume=asked.resume))
            seconds = time.perf_counter() - began
            print(f"{seconds:6.0f} s  {name}: {outcome.verdict.kind}", file=sys.stderr, flush=True)
            for sentence in outcome.off:
                print(f"          {sentence}", file=sys.stderr, flush=True)
    if asked.rows:
        print("\n\n".join(section(outcome) for outcome in outcomes.values()))
    elif asked.output or not asked.quick:
        write(outcomes, asked.output or PAGE)
    print(f"{len(outcomes)} rows: {counts(outcomes)}.")
    off = [sentence for outcome in outcomes.values() for sentence in outcome.off]
    print(*off, sep="\n", end="\n" if off else "")
    return 1 if off else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.papers", description=__doc__)
    parser.add_argument(
        "--quick", action="store_true", help=f"{QUICK_REPLICATES} data sets instead of {REPLICATES}"
    )
    parser.add_argument("--replicates", type=int, help="so many data sets")
    parser.add_argument("--workers", type=int, default=1, help="processes for the data sets")
    parser.add_argument(
        "--data", type=Path, help="a folder with the data that cannot be given away"
    )
    parser.add_argument("--resume", action="store_true", help="go on where a run stopped")
    parser.add_argument(
        "--output", type=Path, help="where to write the page; a full run writes docs/PAPERS.md"
    )
    parser.add_argument("rows", nargs="*", metavar="row", help="ids, such as K-F2; default all")
    asked = parser.parse_args()
    strange = [name for name in asked.rows if name not in ROWS]
    if strange:
        parser.error(f"no row is called {strange[0]!r}; choose of {', '.join(ROWS)}")
    if asked.data and not asked.data.is_dir():
        parser.error(f"{asked.data} is no folder")
    return asked


if __name__ == "__main__":
    sys.exit(main())
