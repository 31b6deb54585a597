"""Taking it home: tables, a program that makes the map again, and all of it in one archive."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.spatial.distance import squareform

from cml_core.evidence.expected import expected
from cml_core.evidence.individuals import Individuals
from cml_core.evidence.result import ResultKind
from cml_core.evidence.told_pairs import ToldPairs
from cml_core.files.exact_csv import side_by_side, to_csv
from cml_core.files.source import Source
from cml_core.files.writing.features import written_features
from cml_core.files.writing.packing import packed
from cml_core.files.writing.workbook import table_workbook
from cml_core.fitting.landmarks.new_objects import NewObjects
from cml_core.fitting.problem import Problem
from cml_core.fitting.result import Fit
from cml_core.journey.file import to_json
from cml_core.journey.journey import Journey
from cml_core.peers.views import KeptView, Views
from cml_core.report.program import HOW_TO_RUN, dimension_names, raw_files, script
from cml_core.report.report import report_html
from cml_core.values.dissimilarities import Dissimilarities
from cml_core.values.features import FeatureTable


def coordinates_csv(fit: Fit, features: FeatureTable) -> str:
    """The map and the features, one object a row."""
    shown = [feature.shown() for feature in features.features]
    lines = side_by_side([*fit.embedding.T.tolist(), *shown], len(fit.labels))
    return to_csv((*dimension_names(fit), *features.names), fit.labels, lines)


def coordinates_xlsx(fit: Fit, features: FeatureTable) -> bytes:
    """The same as a workbook, in which no name is run as a formula."""
    shown = [feature.shown() for feature in features.features]
    lines = side_by_side([fit.labels, *fit.embedding.T.tolist(), *shown], len(fit.labels))
    head = ["object", *dimension_names(fit), *features.names]
    return table_workbook("map", [head, *lines])


def newcomers_csv(fit: Fit, placed: NewObjects) -> str:
    """Where new objects lie on the map, what was known or found of them, and how sure that is."""
    known = fit.problem.encoding.names
    columns = [*placed.embedding.T, *placed.known_values.T, placed.outside, placed.unexplained]
    lines = side_by_side([column.tolist() for column in columns], len(placed.labels))
    return to_csv((*dimension_names(fit), *known, "outside", "unexplained"), placed.labels, lines)


def coef_csv(fit: Fit) -> str:
    """B: a row for each column of the known features, a column for each direction."""
    names = fit.problem.encoding.names
    directions = [f"direction {k + 1}" for k in range(len(names))]
    return to_csv(directions, names, fit.coef.tolist(), of="feature")


def dissimilarities_csv(dissimilarities: Dissimilarities) -> str:
    """The square table of dissimilarities, empty where missing."""
    labels = dissimilarities.labels
    return to_csv(labels, labels, dissimilarities.square().tolist())


def weights_csv(problem: Problem) -> str | None:
    """The square table of weights; None where they are not numbers of the person's own."""
    if not isinstance(problem.weights, np.ndarray):
        return None
    labels = problem.dissimilarities.labels
    return to_csv(labels, labels, squareform(problem.weights).tolist())


def people_csv(found: Individuals) -> str:
    """Everybody's weights on the hidden dimensions and the known features, one person a row."""
    return to_csv(found.dimensions, found.people, found.weights.tolist(), of="person")


def group_map_csv(found: Individuals, fit: Fit) -> str:
    """The map that all share who have weights of their own, one object a row."""
    return to_csv(dimension_names(fit), fit.labels, found.places.tolist())


def views_csv(views: Sequence[KeptView], labels: tuple[str, ...]) -> str:
    """Where other methods draw the objects, one object a row, a few columns a view."""
    columns = [
        f"{number}: {one.title}, dimension {axis + 1}"
        for number, one in enumerate(views, 1)
        for axis in range(one.places.shape[1])
    ]
    return to_csv(columns, labels, np.hstack([one.places for one in views]).tolist())


def expected_csv(fit: Fit, told: ToldPairs | None = None) -> str:
    """The missing pairs with what the map expects of them, and how far off that typically is.

    Parameters
    ----------
    told : how well known pairs were told that were held out, where that was asked.
    """
    found = expected(fit)
    error = None if told is None else told.typical_error
    names = ([fit.labels[i] for i in side] for side in (found.first, found.second))
    one, other = names
    cells = zip(other, found.dissimilarity.tolist(), [error] * len(one), strict=True)
    return to_csv(("other", "expected dissimilarity", "typically off by"), one, cells, of="one")


def files_of_map(
    fit: Fit,
    features: FeatureTable,
    title: str = "",
    source: Source | None = None,
    views: Sequence[KeptView] = (),
) -> dict[str, str | bytes]:
    """Tables of a map and the program that makes it again, by the names they must have.

    Parameters
    ----------
    features : to go with the map; those that the fit knows are written as it knew them.
    source : where the data came from; the program then begins there, if the files were kept.
    views : of the same data by other methods.
    """
    if source is not None and not source.repeatable:
        source = None
    # As the fit knew them: a feature may have been corrected since.
    everything = fit.problem.known
    for feature in features.features:
        if feature.name not in everything:
            everything = everything.with_feature(feature)
    files: dict[str, str | bytes] = {
        "dissimilarities.csv": dissimilarities_csv(fit.problem.dissimilarities),
        "features.csv": written_features(everything),
        "coordinates.csv": coordinates_csv(fit, everything),
        "coefficients.csv": coef_csv(fit),
        "map.py": script(fit, title, source, views),
        "README.txt": HOW_TO_RUN,
    }
    if source is not None:
        files |= {name: file.content() for name, file in raw_files(source).items()}
    if views:
        files["views.csv"] = views_csv(views, fit.labels)
    weights = weights_csv(fit.problem)
    return files if weights is None else {**files, "weights.csv": weights}


def bundle(journey: Journey) -> bytes:
    """A zip archive of the project, its report, and the map that is being looked at."""
    files: dict[str, str | bytes] = {
        "project.json": to_json(journey),
        "report.html": report_html(journey),
    }
    if journey.current is None:
        files["dissimilarities.csv"] = dissimilarities_csv(journey.dissimilarities)
        files["features.csv"] = written_features(journey.features)
    else:
        fit, found = journey.current.fit, journey.current.result(ResultKind(Individuals))
        seen = journey.current.result(ResultKind(Views))
        views = seen.views if seen is not None else ()
        files |= files_of_map(fit, journey.features, journey.title, journey.source, views)
        if fit.problem.targets.missing.any():
            told = journey.current.result(ResultKind(ToldPairs))
            files["missing_pairs.csv"] = expected_csv(fit, told)
        if found is not None:
            files |= {"people.csv": people_csv(found), "shared_map.csv": group_map_csv(found, fit)}
    return packed(
        {
            name: content if isinstance(content, bytes) else content.encode("utf-8", "replace")
            for name, content in files.items()
        }
    )
