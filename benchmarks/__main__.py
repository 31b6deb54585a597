"""`python -m benchmarks`: ratios against peers, measured in one run, as Markdown."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

from threadpoolctl import threadpool_limits

from benchmarks import machine, ours
from benchmarks.against_cml import against_cml
from benchmarks.against_smacof import against_smacof
from benchmarks.classroom import classroom
from benchmarks.evidence import evidence
from benchmarks.fresh import memory, start_up
from benchmarks.growth import growth
from benchmarks.in_browser import in_browser
from benchmarks.large import large
from benchmarks.loop_by_path import loop_by_path
from benchmarks.new_objects import new_objects
from benchmarks.opening import opening
from benchmarks.other_eyes import other_eyes
from benchmarks.points_in_browser import points_in_browser
from benchmarks.reading import reading
from benchmarks.recovery import recovery
from benchmarks.report import TARGETS, Section, document
from benchmarks.round_trips import round_trips
from benchmarks.same_stress import same_stress
from benchmarks.scales import scales
from benchmarks.single_passes import single_passes
from benchmarks.small import small
from benchmarks.timing import FULL, QUICK, Effort
from benchmarks.visitors import visitors
from cml_core.fitting.threads import thread_count

RESULTS = Path(__file__).with_name("RESULTS.md")


def _one(make: Callable[[Effort], Section]) -> Callable[[Effort], list[Section]]:
    return lambda effort: [make(effort)]


SECTIONS: dict[str, Callable[[Effort], list[Section]]] = {
    "same-stress": _one(same_stress),
    "passes": _one(single_passes),
    "cml": _one(against_cml),
    "smacof": _one(against_smacof),
    "scales": scales,
    "recovery": recovery,
    "growth": growth,
    "large": _one(large),
    "new-objects": _one(new_objects),
    "small": _one(small),
    "start-up": _one(start_up),
    "memory": _one(memory),
    "reading": _one(reading),
    "round-trips": _one(round_trips),
    "evidence": _one(evidence),
    "other-eyes": other_eyes,
    "browser": _one(in_browser),
    "points": _one(points_in_browser),
    "by-path": _one(loop_by_path),
    "opening": _one(opening),
    "visitors": _one(visitors),
    "classroom": _one(classroom),
}


def main() -> None:
    """Measure what was asked for, print it, and write it where it is complete."""
    asked = _arguments()
    effort = QUICK if asked.quick else FULL
    chosen = asked.sections or list(SECTIONS)
    began = time.perf_counter()
    load = machine.load()
    with threadpool_limits(limits=thread_count()):
        ours.warm_up()
        sections: list[Section] = []
        for name in chosen:
            print(f"{time.perf_counter() - began:6.0f} s  {name}", file=sys.stderr, flush=True)
            sections += SECTIONS[name](effort)
        described = machine.machine(load)
    minutes = (time.perf_counter() - began) / 60
    kind = f"{'quick' if asked.quick else 'full'} run, {minutes:.0f} minutes"
    whole = chosen == list(SECTIONS)
    measured = [target for target in TARGETS if any(target in one.figures for one in sections)]
    text = document(sections, described, kind, TARGETS if whole else measured)
    print(text)
    complete = whole and not asked.quick
    output = asked.output or (RESULTS if complete else None)
    if output:
        output.write_text(text, encoding="utf-8")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes, in a minute or two")
    parser.add_argument(
        "--output",
        type=Path,
        help="where to write the report; a complete full run writes benchmarks/RESULTS.md",
    )
    parser.add_argument(
        "sections", nargs="*", metavar="section", help=f"of {', '.join(SECTIONS)}; default all"
    )
    asked = parser.parse_args()
    strange = [name for name in asked.sections if name not in SECTIONS]
    if strange:
        parser.error(f"no section is called {strange[0]!r}; choose of {', '.join(SECTIONS)}")
    return asked


if __name__ == "__main__":
    main()
