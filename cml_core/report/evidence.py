"""What was found about a map, in a report: what it means, its numbers, perhaps a picture."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cml_core.evidence.dimensions import Dimensions
from cml_core.evidence.hidden_feature import HiddenFeature
from cml_core.evidence.importance import Helped
from cml_core.evidence.known_weights import FeatureWeight, KnownWeights
from cml_core.evidence.ranking import Ranking
from cml_core.evidence.stability import Stability
from cml_core.evidence.structure import Structure
from cml_core.evidence.trust import Neighbourhoods, OtherOptima, Shepard, shepard
from cml_core.fitting.result import Fit
from cml_core.journey.findings import Result
from cml_core.report.map_svg import escaped
from cml_core.report.parts import as_percent, as_table, safe_name, safe_names, unbroken
from cml_core.report.pictures import cloud_svg, curve_svg, strip_svg

MOST_ROWS = 20
WORST_PAIRS = 10
CHANCE = "By chance (p-value)"
ADJUSTED, ALONE = "By chance", "By chance, judged alone"
# The least that has a number of its own.
RARE = 0.0005
_BY_CHANCE = (
    "By chance: how often as much comes about without any such relation (the p-value), made "
    "stricter because several were judged at once (Benjamini and Hochberg). Judged alone: without "
    "that."
)


@dataclass(frozen=True)
class _Section:
    """A finding: its heading, its numbers as safe HTML, and what goes with them."""

    heading: str
    head: Sequence[str]
    lines: Iterable[Sequence[str]]
    facts: Sequence[str] = ()
    picture: str = ""
    left_out: int = 0


def findings_html(findings: Sequence[Result], fit: Fit) -> str:
    """All that was found about a map, each in a section of its own.

    The pairs, which a project does not keep, are looked up in the fit where it was asked
    whether the map can be trusted.
    """
    trusted = any(isinstance(found, Neighbourhoods | OtherOptima) for found in findings)
    pairs = [shepard(fit)] if trusted else []
    return "".join(map(_finding, [*findings, *pairs]))


def _finding(found: Result | Shepard) -> str:
    section = _SECTIONS[type(found)](found)
    facts = [fact for fact in (*section.facts, _seed(found)) if fact]
    if section.left_out:
        facts.insert(0, f"{section.left_out} more rows are not shown.")
    remark = f"<p><small>{escaped(' '.join(facts))}</small></p>" if facts else ""
    picture = f"<figure>{section.picture}</figure>" if section.picture else ""
    return (
        f"<h3>{section.heading}</h3><p>{safe_name(unbroken(found.verdict))}</p>{picture}"
        f"{as_table(section.head, section.lines)}{remark}"
    )


def _seed(found: Any) -> str:
    return f"Seed {found.seed}." if hasattr(found, "seed") else ""


def chance(p_value: float | None) -> str:
    """A p-value as it is told; nothing where there is none."""
    if p_value is None:
        return ""
    return "less than 0.1\u00a0%" if p_value < RARE else f"{100 * p_value:.1f}\u00a0%"


def _dimensions(found: Dimensions) -> _Section:
    rows = zip(
        found.n_components, found.unexplained, found.held_out, found.held_out_error, strict=True
    )
    return _Section(
        "How many dimensions are left",
        ("Hidden dimensions", "Unexplained", "Unexplained where held out", "Standard error"),
        [(str(p), *map(as_percent, shares)) for p, *shares in rows],
        (f"{found.fold_errors.shape[1]} parts of the pairs were held out in turn.",),
        curve_svg(
            found.n_components,
            found.unexplained,
            found.held_out,
            found.held_out_error,
            "The unexplained share by hidden dimensions",
        ),
    )


def hidden_feature_numbers(found: HiddenFeature) -> list[tuple[str, str]]:
    """The test in numbers, each with what it is."""
    usual = float(np.median(found.null)) if found.null.size else 0.0
    return [
        ("Hidden dimensions tested", str(found.n_components)),
        ("One more takes away, of what is unexplained", as_percent(found.lowered)),
        ("The same without a further feature, usually", as_percent(usual)),
        (CHANCE, chance(found.p_value)),
        ("Data sets compared with", str(found.null.size)),
        ("How residuals grow with distance (0 not, 1 in proportion)", f"{found.growth:.2f}"),
    ]


def _hidden_feature(found: HiddenFeature) -> _Section:
    title = "What one more dimension takes away, here and in data without a further feature"
    picture = strip_svg(found.lowered, found.null, title) if found.null.size else ""
    facts = (
        "By chance: how often data without a further feature give as much. Errors in the known "
        "features show in the same way as a further feature.",
    )
    return _Section(
        "Is one more feature hidden",
        ("What", "Number"),
        hidden_feature_numbers(found),
        facts,
        picture,
    )


def _helped(found: Helped) -> _Section:
    lines = [
        (
            safe_name(one.name),
            as_percent(one.held_out_with),
            as_percent(one.held_out_without),
            as_percent(one.gain),
            as_percent(one.gain_error),
            chance(one.adjusted),
            chance(one.p_value),
            as_percent(one.already_known),
            "yes" if one.read_off_map else "",
        )
        for one in found.features
    ]
    head = (
        "Feature", "Held-out pairs unexplained with it", "Without it", "Gain", "Standard error",
        ADJUSTED, ALONE, "Already in the others", "Read off a map",
    )  # fmt: skip
    facts = (
        f"{found.folds} parts of the pairs were held out in turn; {found.shuffles} shuffles.",
        _BY_CHANCE,
    )
    return _Section("Did it help", head, lines, facts)


def _known_weights(found: KnownWeights) -> _Section:
    lines = [
        (
            safe_name(one.feature),
            as_percent(one.share),
            escaped(one.step),
            f"{one.per_step:.4g}",
            _number(one.spread),
            f"{one.per_spread:.4g}",
            _leak(one),
        )
        for one in found.features
    ]
    head = (
        "Known feature", "Share of the squared distances", "One step is", "One step adds",
        "Its usual spread", "One spread adds", "Still on the map",
    )  # fmt: skip
    facts = (
        "Shares are of all squared distances, those on the map included. What one step or one "
        "spread adds, it adds to the squared dissimilarity. Still on the map: what the map "
        "predicts of the feature for an object left out; below zero, it predicts it worse than "
        "its mean would.",
    )
    return _Section("What weighs how much", head, lines, facts)


def _leak(one: FeatureWeight) -> str:
    return f"{as_percent(one.leak)}, more than chance" if one.leaks else as_percent(one.leak)


def _ranking(found: Ranking) -> _Section:
    lines = [
        (
            safe_name(one.feature),
            as_percent(one.best),
            as_percent(one.linear),
            as_percent(one.smooth),
            chance(one.adjusted),
            chance(one.p_value),
            as_percent(one.already_known),
            str(one.n_objects),
        )
        for one in found.candidates[:MOST_ROWS]
    ]
    head = (
        "Feature", "Predicted", "Straight", "Curved", ADJUSTED, ALONE, "Known already", "Objects",
    )  # fmt: skip
    facts = (f"{found.permutations} random dealings.", _BY_CHANCE)
    return _Section(
        "What might it be", head, lines, facts, left_out=max(len(found.candidates) - MOST_ROWS, 0)
    )


def _stability(found: Stability) -> _Section:
    changed, moves = "pairs drawn again", found.spreads()
    if found.left_out == "objects":
        changed, moves = "one object left out", found.influence
    shown = [k for k in np.argsort(-moves, kind="stable") if moves[k] == moves[k]]
    what = "Moves others" if found.left_out == "objects" else "Wanders"
    return _Section(
        f"How steady are the places, {changed}",
        ("Object", f"{what}, of the map's spread"),
        [(safe_name(found.labels[k]), as_percent(float(moves[k]))) for k in shown[:MOST_ROWS]],
        (f"{found.refits} refits, of which {found.converged} reached an optimum.",),
        left_out=max(len(shown) - MOST_ROWS, 0),
    )


def _neighbourhoods(found: Neighbourhoods) -> _Section:
    rows = zip(found.sizes, found.trustworthiness, found.continuity, strict=True)
    return _Section(
        "Are neighbours on the map alike",
        ("Neighbours", "Trustworthiness", "Continuity"),
        [(str(size), f"{trust:.3f}", f"{kept:.3f}") for size, trust, kept in rows],
    )


def _shepard(found: Shepard) -> _Section:
    lines = [
        (
            safe_names((found.labels[found.first[k]], found.labels[found.second[k]])),
            f"{found.given[k]:.4g}",
            f"{found.fitted[k]:.4g}",
        )
        for k in found.worst(WORST_PAIRS)
    ]
    title = "Every pair as it was given and as it is fitted"
    return _Section(
        "Given and fitted, pair by pair",
        ("Pairs fitted worst", "As given", "As fitted"),
        lines,
        picture=cloud_svg(found.given, found.fitted, ("As given", "As fitted"), title),
    )


def _other_optima(found: OtherOptima) -> _Section:
    lines = [
        ("Best", as_percent(found.stress), as_percent(0.0), str(found.starts), ""),
        *(
            (
                f"Other {k}",
                as_percent(one.stress),
                as_percent(one.above),
                str(one.starts),
                safe_names(one.most_moved),
            )
            for k, one in enumerate(found.optima[:MOST_ROWS], 1)
        ),
    ]
    head = ("Map", "Unexplained", "More than the best", "Starts that led to it", "Lies elsewhere")
    return _Section(
        "Other maps that fit, too", head, lines, left_out=max(len(found.optima) - MOST_ROWS, 0)
    )


def _structure(found: Structure) -> _Section:
    by_chance = found.shuffled
    lines = [
        ("This map", as_percent(found.unexplained)),
        ("Shuffled, the mean", as_percent(float(by_chance.mean()))),
        ("Shuffled, the lowest", as_percent(float(by_chance.min()))),
        ("Shuffled, the highest", as_percent(float(by_chance.max()))),
        ("Shuffled data sets", str(by_chance.size)),
    ]
    title = "Unexplained, here and where the same numbers are shuffled"
    picture = strip_svg(found.unexplained, by_chance, title)
    return _Section("Beside data without structure", ("Data", "Unexplained"), lines, (), picture)


def _number(value: float) -> str:
    return "" if value != value else f"{value:.4g}"


_SECTIONS: dict[type, Callable[[Any], _Section]] = {
    Dimensions: _dimensions,
    HiddenFeature: _hidden_feature,
    Helped: _helped,
    KnownWeights: _known_weights,
    Ranking: _ranking,
    Stability: _stability,
    Neighbourhoods: _neighbourhoods,
    Shepard: _shepard,
    OtherOptima: _other_optima,
    Structure: _structure,
}
