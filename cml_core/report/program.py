"""The Python program that makes a map again, from the raw files where they were kept."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath

import numpy as np

from cml_core.files.source import FeatureSource, RawFile, Source
from cml_core.fitting.result import Fit
from cml_core.peers.views import KeptView
from cml_core.values.arrays import FloatArray
from cml_core.values.features import Feature
from cml_core.values.kinds.registry import KINDS


def script(
    fit: Fit, title: str = "", source: Source | None = None, views: Sequence[KeptView] = ()
) -> str:
    """A Python program that makes the map again with this package, and views of the same data.

    It reads the files that `files_of_map` makes, from its own folder, and prints how much is
    left unexplained: the same number, where the fit converged from the usual starts. With a
    source it begins at the raw files and repeats every choice made of them.
    """
    # Everything from outside goes in by repr: a name may hold quotes, line ends, or a program.
    problem = fit.problem
    single = problem.dissimilarities.condensed.dtype == np.float32
    own_weights = isinstance(problem.weights, np.ndarray)
    again = _features_again(fit, source)
    names = {
        "Dissimilarities": source is None,
        "Feature": len(again) < len(problem.known),
        "FeatureTable": True,
        "Neighbourhood": problem.neighbourhood is not None,
        "Problem": True,
        "fit": True,
    }
    return _SCRIPT.format(
        names=", ".join(name for name, needed in names.items() if needed),
        weights_import=_WEIGHTS_IMPORT if own_weights else "",
        views_import=_VIEWS_IMPORT if views else "",
        source_import="" if source is None else _SOURCE_IMPORT,
        dissimilarities=_read_again(single) if source is None else _prepared_again(source),
        behind="" if source is None else _behind(source),
        raw_features=_raw_features(source.features) if source and source.features and again else "",
        title=repr(title),
        unexplained=repr(float(fit.stress)),
        known="".join(
            f"        {_recipe(feature, raw=feature.name in again)},\n"
            for feature in problem.known.features
        ),
        n_components=problem.n_components,
        coef=_coef(problem.coef),
        weights=_OWN_WEIGHTS if own_weights else repr(problem.weights),
        neighbourhood=repr(problem.neighbourhood),
        scale=repr(problem.scale),
        ties=repr(problem.ties),
        solver=repr(fit.solver),
        n_starts=fit.n_starts,
        seed=fit.seed,
        dimensions=repr(dimension_names(fit)),
        views=_views_again(views) if views else "",
    )


def _coef(coef: str | FloatArray) -> str:
    return repr(coef) if isinstance(coef, str) else repr(coef.tolist())


def _views_again(views: Sequence[KeptView]) -> str:
    """How the program draws the same data by other methods."""
    asked = "".join(
        f"    ({one.method!r}, {one.hidden}, {one.places.shape[1]}, {one.seed}, "
        f"{one.chosen!r}, {one.objective!r}),\n"
        for one in views
    )
    return _VIEWS.format(asked=asked.replace(" inf", " float('inf')"))


def raw_files(source: Source) -> dict[str, RawFile]:
    """The raw files by names that are safe anywhere; the ending tells the format."""
    named = {
        f"raw-{number}{_ending(file.name)}": file for number, file in enumerate(source.files, 1)
    }
    features = source.features
    if features is not None and features.file.data is not None:
        named[_features_name(features)] = features.file
    return named


def _behind(source: Source) -> str:
    """How the program comes by single answers, or cases, where there are some."""
    if not source.repeatable:
        return ""
    answers = "" if source.answers() is None else _ANSWERS
    return answers + ("" if source.cases() is None else _CASES)


def _features_name(features: FeatureSource) -> str:
    return f"raw-features{_ending(features.file.name)}"


def _features_again(fit: Fit, source: Source | None) -> frozenset[str]:
    """The known features that the raw file of features gives, unchanged since."""
    features = None if source is None else source.features
    if features is None or features.file.data is None:
        return frozenset()
    made = features.features(fit.labels)
    return frozenset(
        feature.name
        for feature in fit.problem.known.features
        if feature.name in made and made[feature.name].identity() == feature.identity()
    )


def _read_again(single: bool) -> str:
    """How the program comes by the dissimilarities: as they were exported."""
    return _FROM_TABLE.format(precision=".astype(np.float32)" if single else "")


def _prepared_again(source: Source) -> str:
    """How the program comes by the dissimilarities: from the raw files, by the choices made."""
    names = list(raw_files(source))[: len(source.files)]
    choices = source.preparation.to_dict()
    return _FROM_RAW.format(
        files="".join(
            f"    {name!r}: {file.digest!r},\n"
            for name, file in zip(names, source.files, strict=True)
        ),
        choices="".join(f"    {name}={value!r},\n" for name, value in choices.items()),
    )


def _raw_features(features: FeatureSource) -> str:
    """How the program comes by the features of the file, joined and corrected as was chosen."""
    return _FEATURES_FROM_RAW.format(
        file=f"raw_file({_features_name(features)!r}, {features.file.digest!r})",
        sheet=repr(features.sheet),
        accepted=repr(features.accepted),
        said="".join(
            f"    {name}={value!r},\n"
            for name in ("encoding", "decimal")
            if (value := getattr(features, name))
        ),
        choices="".join(f"        {choice!r},\n" for choice in features.choices),
    )


def _ending(name: str) -> str:
    # The name itself is not used: it may be a path, or what another system cannot write.
    ending = PurePath(name).suffix.lower()
    return ending if re.fullmatch(r"\.[a-z0-9]{1,8}", ending) else ".txt"


def dimension_names(fit: Fit) -> list[str]:
    """What the hidden dimensions are called in tables."""
    return [f"dimension {k + 1}" for k in range(fit.embedding.shape[1])]


def _recipe(feature: Feature, *, raw: bool) -> str:
    """How the program makes a feature: from the raw file, or else from its column."""
    name = repr(feature.name)
    if raw:
        return f"from_file[{name}]"
    kind, made = KINDS[feature.kind], f"Feature.of({feature.kind!r}, {name}"
    if kind.has_levels:
        return f"{made}, given.texts({name}), levels={list(feature.levels)!r})"
    period = f", period={feature.period!r}" if kind.has_period else ""
    return f"{made}, given.numbers([{name}]).ravel(){period})"


_SOURCE_IMPORT = """from cml_core.files.joining.inferred_kinds import FeatureChoice
from cml_core.files.preparation import Preparation
from cml_core.files.source import FeatureSource, RawFile, Source
"""
_FROM_TABLE = """pairs = table("dissimilarities.csv")
dissimilarities = Dissimilarities.from_square(pairs.numbers(){precision}, pairs.rows)
"""
_FROM_RAW = """def raw_file(name, digest):
    return RawFile(name, (FOLDER / name).read_bytes(), digest)


# The files as they were brought, by their SHA-256, and the choices made of them.
RAW_FILES = {{
{files}}}
PREPARATION = Preparation(
{choices})
SOURCE = Source(
    tuple(raw_file(name, digest) for name, digest in RAW_FILES.items()), PREPARATION
)
dissimilarities = SOURCE.dissimilarities()
"""
_ANSWERS = """
# What single people said of each pair, by the same choices: their mean is the table.
answers = SOURCE.answers()
print(f"people: {answers.n_people}")
"""
_CASES = """
# The measurements of which the table was computed, for tests that draw their cases anew:
# hidden_feature_test(fit, cases=cases), stability(fit, left_out="cases", cases=cases).
cases = SOURCE.cases()
print(f"cases: {cases.n_cases}")
"""
_FEATURES_FROM_RAW = """
FEATURES = FeatureSource(
    {file},
    sheet={sheet},
    accepted={accepted},
{said}    choices=(
{choices}    ),
)
from_file = FEATURES.features(dissimilarities.labels)
"""
HOW_TO_RUN = """map.py makes this map again and prints how much is left unexplained.

It needs Python 3.11 or newer and the package cml_core, which comes with the app "What is left?"
(its distribution is called whatsleft). Whoever runs the app has it; install it from the folder of
the app's source, or from its wheel:
    python -m pip install /path/to/the/source
    python -m pip install /path/to/whatsleft-….whl
Then, in the folder of this file:
    python map.py
"""
_VIEWS = """
# The same data through other eyes: method, of how many hidden dimensions (0: the data as they
# are), axes, seed, settings, and the objective as it was saved.
VIEWS = (
{asked})
for method, hidden, axes, seed, settings, as_saved in VIEWS:
    data = conditioned(result, hidden).hidden if hidden else dissimilarities
    drawn = view(data, method, axes, seed=seed, **settings)
    name = f"{{drawn.title}} of {{hidden or 'no'}} hidden dimensions"
    print(f"{{name}}: {{drawn.objective.value!r}}")
    print(f"{{name}}, as saved: {{as_saved!r}}")
"""
_VIEWS_IMPORT = "from cml_core.peers import conditioned, view\n"
_WEIGHTS_IMPORT = "from cml_core.fitting.problem import condensed_weights\n"
_OWN_WEIGHTS = "condensed_weights(table('weights.csv').numbers(), dissimilarities)"

_SCRIPT = '''"""Makes one map again with cml_core, from the tables beside this file.

README.txt beside it says how to get cml_core, which comes with the app "What is left?".
"""

from pathlib import Path

import numpy as np

try:
    import cml_core  # noqa: F401
except ModuleNotFoundError:
    raise SystemExit("The package cml_core is missing; README.txt says how to get it.") from None

from cml_core import {names}
from cml_core.fitting.geometry import procrustes
{source_import}{weights_import}{views_import}from cml_core.files.exact_csv import from_csv

TITLE = {title}
UNEXPLAINED_AS_SAVED = {unexplained}
FOLDER = Path(__file__).parent


def table(name):
    return from_csv((FOLDER / name).read_bytes().decode("utf-8"))


{dissimilarities}{behind}{raw_features}
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
    scale={scale},
    ties={ties},
)
result = fit(problem, solver={solver}, n_init={n_starts}, seed={seed})

# The axes of a map are free: here it is turned as it was when it was saved.
shown = table("coordinates.csv").numbers({dimensions})
embedding = procrustes(result.embedding, shown).points

print(f"unexplained: {{result.stress!r}}")
print(f"as saved:    {{UNEXPLAINED_AS_SAVED!r}}")
print(f"largest shift of an object: {{np.abs(embedding - shown).max(initial=0.0):.3g}}")
{views}'''
