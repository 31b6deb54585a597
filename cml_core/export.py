"""Taking it home: tables, a program that makes the map again, and all of it in one archive."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Sequence
from pathlib import PurePath

import numpy as np
from scipy.spatial.distance import squareform

from cml_core.dissimilarities import Dissimilarities
from cml_core.features import Feature, FeatureTable
from cml_core.journey import Journey
from cml_core.problem import Problem
from cml_core.project_file import to_json
from cml_core.report import report_html
from cml_core.result import Fit
from cml_core.sheets import to_csv
from cml_core.source import RawFile, Source

# An archive of the same project is the same, byte for byte, whenever it is made.
NO_TIME = (1980, 1, 1, 0, 0, 0)


def coordinates_csv(fit: Fit, features: FeatureTable) -> str:
    """The map and the features, one object a row."""
    shown = [feature.shown() for feature in features.features]
    lines = _side_by_side([*fit.embedding.T.tolist(), *shown], len(fit.labels))
    return to_csv((*_dimensions(fit), *features.names), fit.labels, lines)


def coef_csv(fit: Fit) -> str:
    """B: a row for each column of the known features, a column for each direction."""
    names = fit.problem.encoding.names
    directions = [f"direction {k + 1}" for k in range(len(names))]
    return to_csv(directions, names, fit.coef.tolist())


def dissimilarities_csv(dissimilarities: Dissimilarities) -> str:
    """The square table of dissimilarities, empty where missing."""
    labels = dissimilarities.labels
    return to_csv(labels, labels, dissimilarities.square().tolist())


def features_csv(features: FeatureTable) -> str:
    """The features, one object a row, values as people write them."""
    shown = [feature.shown() for feature in features.features]
    return to_csv(features.names, features.labels, _side_by_side(shown, len(features.labels)))


def weights_csv(problem: Problem) -> str | None:
    """The square table of weights; None where they are not numbers of the person's own."""
    if not isinstance(problem.weights, np.ndarray):
        return None
    labels = problem.dissimilarities.labels
    return to_csv(labels, labels, squareform(problem.weights).tolist())


def script(fit: Fit, title: str = "", source: Source | None = None) -> str:
    """A Python program that makes the map again with this package.

    It reads the files that `files_of_map` makes, from its own folder, and prints how much is
    left unexplained: the same number, where the fit converged from the usual starts. With a
    source it begins at the raw files and repeats every choice made of them.
    """
    problem = fit.problem
    single = problem.dissimilarities.condensed.dtype == np.float32
    own_weights = isinstance(problem.weights, np.ndarray)
    names = ["Dissimilarities", "Feature", "FeatureTable", "Neighbourhood", "Problem", "fit"]
    if problem.neighbourhood is None:
        names.remove("Neighbourhood")
    if source is not None:
        names.remove("Dissimilarities")
    return _SCRIPT.format(
        names=", ".join(names),
        weights_import=_WEIGHTS_IMPORT if own_weights else "",
        source_import="" if source is None else _SOURCE_IMPORT,
        dissimilarities=_read_again(single) if source is None else _prepared_again(source),
        title=repr(title),
        unexplained=repr(float(fit.stress)),
        known="".join(f"        {_recipe(feature)},\n" for feature in problem.known.features),
        n_components=problem.n_components,
        coef=repr(problem.coef),
        weights=_OWN_WEIGHTS if own_weights else repr(problem.weights),
        neighbourhood=repr(problem.neighbourhood),
        solver=repr(fit.solver),
        n_starts=fit.n_starts,
        seed=fit.seed,
        dimensions=repr(_dimensions(fit)),
    )


def _read_again(single: bool) -> str:
    """How the program comes by the dissimilarities: as they were exported."""
    return _FROM_TABLE.format(precision=".astype(np.float32)" if single else "")


def _prepared_again(source: Source) -> str:
    """How the program comes by the dissimilarities: from the raw files, by the choices made."""
    digests = {name: file.digest for name, file in _raw_names(source).items()}
    choices = source.preparation.to_dict()
    return _FROM_RAW.format(
        files="".join(f"    {name!r}: {digest!r},\n" for name, digest in digests.items()),
        choices="".join(f"    {name}={value!r},\n" for name, value in choices.items()),
    )


def _raw_names(source: Source) -> dict[str, RawFile]:
    """The raw files by names that are safe anywhere; the ending tells the format."""
    return {
        f"raw-{number}{_ending(file.name)}": file for number, file in enumerate(source.files, 1)
    }


def _ending(name: str) -> str:
    ending = PurePath(name).suffix.lower()
    return ending if re.fullmatch(r"\.[a-z0-9]{1,8}", ending) else ".txt"


def files_of_map(
    fit: Fit, features: FeatureTable, title: str = "", source: Source | None = None
) -> dict[str, str | bytes]:
    """Tables of a map and the program that makes it again, by the names they must have.

    Parameters
    ----------
    features : to go with the map; those that the fit knows are written as it knew them.
    source : where the data came from; the program then begins there, if the files were kept.
    """
    if source is not None and not source.repeatable:
        source = None
    everything = fit.problem.known
    for feature in features.features:
        if feature.name not in everything:
            everything = everything.with_feature(feature)
    files: dict[str, str | bytes] = {
        "dissimilarities.csv": dissimilarities_csv(fit.problem.dissimilarities),
        "features.csv": features_csv(everything),
        "coordinates.csv": coordinates_csv(fit, everything),
        "coefficients.csv": coef_csv(fit),
        "map.py": script(fit, title, source),
        "README.txt": _HOW_TO_RUN,
    }
    if source is not None:
        files |= {name: file.content() for name, file in _raw_names(source).items()}
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
        files["features.csv"] = features_csv(journey.features)
    else:
        files |= files_of_map(journey.current.fit, journey.features, journey.title, journey.source)
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as target:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, NO_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            whole = content if isinstance(content, bytes) else content.encode("utf-8", "replace")
            target.writestr(entry, whole)
    return archive.getvalue()


def _side_by_side(columns: Sequence[Sequence[object]], n_objects: int) -> list[list[object]]:
    return [[column[row] for column in columns] for row in range(n_objects)]


def _dimensions(fit: Fit) -> list[str]:
    return [f"dimension {k + 1}" for k in range(fit.embedding.shape[1])]


def _recipe(feature: Feature) -> str:
    """How the program makes a feature from its column."""
    name = repr(feature.name)
    if feature.kind in ("categorical", "ordinal"):
        levels = repr(list(feature.levels))
        return f"Feature.{feature.kind}({name}, given.texts({name}), {levels})"
    period = f", {feature.period!r}" if feature.kind == "circular" else ""
    return f"Feature.{feature.kind}({name}, given.numbers([{name}]).ravel(){period})"


_SOURCE_IMPORT = """from cml_core.preparation import Preparation
from cml_core.source import RawFile, dissimilarities_of
"""
_FROM_TABLE = """pairs = table("dissimilarities.csv")
dissimilarities = Dissimilarities.from_square(pairs.numbers(){precision}, pairs.rows)
"""
_FROM_RAW = """# The files as they were brought, by their SHA-256, and the choices made of them.
RAW_FILES = {{
{files}}}
PREPARATION = Preparation(
{choices})
dissimilarities = dissimilarities_of(
    [RawFile(name, (FOLDER / name).read_bytes(), digest) for name, digest in RAW_FILES.items()],
    PREPARATION,
)
"""
_HOW_TO_RUN = """map.py makes this map again and prints how much is left unexplained.

It needs Python 3.11 or newer and the package cml_core, in the folder of this program's source:
    python -m pip install .
Then, in the folder of this file:
    python map.py
"""
_WEIGHTS_IMPORT = "from cml_core.problem import condensed_weights\n"
_OWN_WEIGHTS = "condensed_weights(table('weights.csv').numbers(), dissimilarities)"

_SCRIPT = '''"""Makes one map again with cml_core, from the tables beside this file."""

from pathlib import Path

import numpy as np

from cml_core import {names}
from cml_core.geometry import procrustes
{source_import}{weights_import}from cml_core.sheets import from_csv

TITLE = {title}
UNEXPLAINED_AS_SAVED = {unexplained}
FOLDER = Path(__file__).parent


def table(name):
    return from_csv((FOLDER / name).read_bytes().decode("utf-8"))


{dissimilarities}
given = table("features.csv")
known = FeatureTable(
    given.rows,
    (
{known}    ),
).for_objects(dissimilarities.labels)

problem = Problem(
    dissimilarities,
    known,
    n_components={n_components},
    coef={coef},
    weights={weights},
    neighbourhood={neighbourhood},
)
result = fit(problem, solver={solver}, n_init={n_starts}, seed={seed})

# The axes of a map are free: here it is turned as it was when it was saved.
shown = table("coordinates.csv").numbers({dimensions})
embedding = procrustes(result.embedding, shown).points

print(f"unexplained: {{result.stress!r}}")
print(f"as saved:    {{UNEXPLAINED_AS_SAVED!r}}")
print(f"largest shift of an object: {{np.abs(embedding - shown).max(initial=0.0):.3g}}")
'''
