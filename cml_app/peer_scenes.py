"""What was seen through other eyes becomes panels: turned onto the map, and judged in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from cml_app import help_pages
from cml_app.peer_maps import Bar, Panel, Score, Try
from cml_app.scenes import LEAST_TOLD, plane
from cml_app.views_job import Seen, Through
from cml_app.views_work import Wanted
from cml_core import FeatureTable
from cml_core.drawing.directions import directions
from cml_core.errors import ConditionalMappingError
from cml_core.files.exact_csv import side_by_side, to_csv
from cml_core.fitting.geometry import procrustes
from cml_core.peers import METHODS, Quality, ShownFeature, View, lot_size
from cml_core.peers.method import AXES, DISTANCES
from cml_core.values.arrays import FloatArray
from cml_core.values.words import numbers_in_words, percent, value_in_words

PLAIN, CONDITIONED = "plain", "conditioned"
MOST_TOLD = 4
_MINUS = "\N{MINUS SIGN}"
_NEAR = (
    "How many of those that lie near each other are alike: 1 is all, a picture at random has .5. "
    "Counted with {} neighbours, against {}."
)
_ALL_NEAR = (
    "How many of those that are alike lie near each other: 1 is all, a picture at random has .5."
)
_FAR = "Rank correlation of all distances on the picture with what they stand for."
_OF_HIDDEN = "what is left of the dissimilarities once the known is taken out"
_OF_DATA = "the dissimilarities as given"


class Place(NamedTuple):
    """Where the pictures of one method stand, whatever their seed."""

    method: str
    hidden: int | None

    @property
    def which(self) -> str:
        """Whether the known was taken out first."""
        return PLAIN if self.hidden is None else CONDITIONED

    @property
    def key(self) -> str:
        """Names it; other settings draw it anew in the same place."""
        return f"{self.method}-{self.which}"

    @property
    def words(self) -> str:
        """What is seen there."""
        of = "dissimilarities" if self.hidden is None else "hidden distances"
        return f"{METHODS[self.method].title} view of the {of}"


def panel(
    place: Place,
    seen: Sequence[tuple[Wanted, Seen | ConditionalMappingError | None]],
    map_shown: FloatArray,
    features: FeatureTable,
    *,
    may_draw: bool,
) -> Panel:
    """A place with all its tries.

    Parameters
    ----------
    map_shown : what they are turned onto.
    features : of which is told how far a straight line on the picture tells them.
    """
    method = METHODS[place.method]
    errors = [found for _, found in seen if isinstance(found, ConditionalMappingError)]
    tries = tuple(
        _try(wanted, found, map_shown, features)
        for wanted, found in seen
        if isinstance(found, Seen)
    )
    return Panel(
        key=place.key,
        title=method.title,
        which=_which(place, seen[-1][0].lot),
        row=0 if place.hidden is None else 1,
        in_words=method.in_words,
        caution=method.caution,
        tries=tries,
        trouble=f"{errors[0].fact} {errors[0].remedy}" if errors and not tries else "",
        lot=0 if tries else lot_size(method, len(map_shown)),
        again=method.by_chance or any(wanted.lot for wanted, _ in seen),
        draw=may_draw and not any(wanted.lot for wanted, _ in seen),
        lesson=help_pages.lesson(method.lesson),
    )


def _which(place: Place, lot: int) -> str:
    return f"{place.which}, {lot:,} by lot" if lot else place.which


def through(place: Place, seen: Seen, map_shown: FloatArray, seed: int) -> Through:
    """A view to be drawn on as if it were the map."""
    places, _ = _turned(seen.view, map_shown)
    return Through(f"{place.key}-{seed}", place.words, places)


def _turned(view: View, map_shown: FloatArray) -> tuple[FloatArray, float]:
    """The places on the map's own axes, and which share cannot be turned onto it."""
    flat = plane(map_shown)
    if not flat.any():
        return plane(view.places), np.nan
    turned = procrustes(view.places, flat, scaling=True)
    return plane(turned.points), turned.disparity


def _try(wanted: Wanted, seen: Seen, map_shown: FloatArray, features: FeatureTable) -> Try:
    drawn, judged = seen
    here = np.isin(features.labels, drawn.labels)
    some, left = _turned(drawn, map_shown[here])
    places = np.full((len(here), 2), np.nan)
    places[here] = some
    picture = Try(
        seed=wanted.seed,
        places=places,
        grid=drawn.reads in (AXES, DISTANCES),
        objective=_objective(drawn),
        scores=(),
        verdict="How far it may be believed is being computed.",
        details=(
            *_straight(features.for_objects(drawn.labels), some),
            *_details(drawn, left),
            *_of_lot(wanted, len(here)),
        ),
    )
    return picture if judged is None else _with_scores(picture, judged, wanted)


def _with_scores(picture: Try, judged: Quality, wanted: Wanted) -> Try:
    target = _OF_DATA if wanted.hidden is None else _OF_HIDDEN
    new = tuple(_bar(one) for one in judged.features if not one.known)
    known = tuple(_bar(one) for one in judged.features if one.known)
    return replace(
        picture,
        scores=(
            Score(
                "Trust",
                number_in_words(judged.trustworthiness),
                _NEAR.format(judged.n_neighbors, target),
            ),
            Score("Continuity", number_in_words(judged.continuity), _ALL_NEAR),
            Score("Far", number_in_words(judged.far), _FAR),
        ),
        verdict=_sentence(judged.verdict.removeprefix(judged.title)),
        groups=(("Shows, by neighbours", new), ("Should not show", known)),
    )


def _straight(features: FeatureTable, places: FloatArray) -> list[str]:
    """How far places along a straight line tell features, as the arrows of the map do."""
    told = [one for one in directions(features, places) if one.share >= LEAST_TOLD]
    shares = ", ".join(f"{one.name} {percent(one.share)}" for one in told[:MOST_TOLD])
    return [f"Told along a straight line: {shares}."] if shares else []


def _details(drawn: View, left: float) -> list[str]:
    share = (
        []
        if np.isnan(left)
        else [f"{percent(left)} of this picture cannot be turned onto the map."]
    )
    labels = {setting.name: setting.label for setting in METHODS[drawn.method].settings}
    settings = ", ".join(
        f"{labels[name]} {value_in_words(value)}"
        for name, value in drawn.settings
        if value not in (None, False)
    )
    ended = [] if drawn.converged else ["It stopped before it had settled."]
    used = f"{settings}, seed {drawn.seed}" if settings else f"Seed {drawn.seed}"
    return [
        *share,
        f"{_objective(drawn)}.",
        *drawn.remarks,
        *ended,
        f"{used[0].upper()}{used[1:]}.",
    ]


def _of_lot(wanted: Wanted, n_objects: int) -> list[str]:
    """That some objects are not drawn."""
    if not wanted.lot:
        return []
    return [f"{wanted.lot:,} of {n_objects:,} objects, drawn by lot; the others are not shown."]


def _objective(drawn: View) -> str:
    name, value, lower = drawn.objective
    better = "lower is better" if lower else "higher is better"
    return f"{name[:1].upper()}{name[1:]} {numbers_in_words([value])[0]} ({better})"


def _sentence(words: str) -> str:
    """Without the title, which stands above."""
    told = words.strip()
    return f"{told[:1].upper()}{told[1:]}"


def _bar(one: ShownFeature) -> Bar:
    if np.isnan(one.share):
        return Bar(one.name, 0.0, "–", 0.0, 0.0, beyond=False)
    return Bar(
        one.name, one.share, number_in_words(one.share), one.low, one.high, beyond=one.beyond_chance
    )


def number_in_words(value: float) -> str:
    """Two decimals, no zero before the point: .97, 1, −.08."""
    told = f"{abs(value):.2f}"
    sign = _MINUS if value < 0 and told != "0.00" else ""
    return sign + (told[1:] if told.startswith("0.") else told)


class Visible(NamedTuple):
    """A known feature that a picture still shows."""

    feature: ShownFeature
    title: str


def still_visible(seen: Sequence[Seen]) -> Visible | None:
    """Of the known features the one that a picture still shows most, beyond chance."""
    shown = [
        Visible(one, found.view.title)
        for found in seen
        if found.quality is not None
        for one in found.quality.shown
        if one.known
    ]
    return max(shown, key=lambda one: one.feature.share, default=None)


def places_csv(labels: Sequence[str], panels: Sequence[Panel]) -> str:
    """Where the objects are on every picture, turned onto the map: two columns a picture."""
    drawn = [(one, picture) for one in panels for picture in one.tries]
    names = [
        f"{one.title}, {one.which}, seed {picture.seed}, {axis}"
        for one, picture in drawn
        for axis in ("x", "y")
    ]
    columns = [column for _, picture in drawn for column in picture.places.T.tolist()]
    return to_csv(names, labels, side_by_side(columns, len(labels)))
