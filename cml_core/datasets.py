"""The example datasets, each a pair of .csv files and a .toml card, and simulated car brands."""

from __future__ import annotations

import inspect
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.spatial.distance import pdist, squareform

from cml_core.errors import UnknownDataset, UnknownOption
from cml_core.values.dissimilarities import Dissimilarities
from cml_core.values.features import Feature, FeatureTable
from cml_core.values.origin import Origin
from cml_core.values.real_numbers import is_real
from cml_core.values.simulation import Simulation

SIMULATED = "car_brands"
# Weights of the 2014 Car-Brand Perception Survey of Consumer Reports, as in Bui (2022), Table 5.
CAR_FEATURES = {
    "Quality": 90,
    "Safety": 88,
    "Value": 83,
    "Performance": 82,
    "Economy": 81,
    "Design": 70,
    "Technology": 68,
}

# Ekman's are similarities. Of the faces' ratings the paper takes the root, without saying so: its
# numbers come out with it alone.
_TRANSFORMS: dict[str, Callable[[pd.DataFrame], pd.DataFrame]] = {
    "none": lambda table: table,
    "square root": lambda table: table**0.5,
    "one minus": lambda table: 1.0 - table,
    "one minus mean percentage": lambda table: 1.0 - (table + table.T) / 200.0,
}


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """Dissimilarities and features of the same objects, and what is to be known of them.

    `dissimilarities` and `features` are labelled tables ready to be fitted; `raw` is what was
    published, before the `transform` that the card names; `origin` is how the dissimilarities
    were made, as far as the card says.
    """

    name: str
    title: str
    source: str
    year: int
    licence: str
    about: str
    look_for: str
    transform: str
    raw: pd.DataFrame
    dissimilarities: pd.DataFrame
    features: pd.DataFrame
    kinds: dict[str, dict[str, Any]]
    origin: Origin = field(default_factory=Origin)

    def values(self) -> Dissimilarities:
        """The dissimilarities as the core's own value."""
        return Dissimilarities.from_square(self.dissimilarities)

    def feature_table(self) -> FeatureTable:
        """The features, of the kinds and with the names in full that the card gives."""
        features = tuple(
            _feature(str(name), self.features[name], self.kinds.get(str(name), {}))
            for name in self.features.columns
        )
        return FeatureTable(tuple(self.features.index), features)

    def __repr__(self) -> str:
        return f"Dataset({self.name!r}: {self.title}, {len(self.features)} objects)"


def dataset_names() -> tuple[str, ...]:
    """Every name that `load_dataset` knows."""
    return (*sorted(card.stem for card in _folder().glob("*.toml")), SIMULATED)


def load_dataset(name: str, **options: Any) -> Dataset:
    """An example dataset by name; "car_brands" takes the options of `simulate_car_brands`."""
    if name == SIMULATED:
        _check_names(options)
        return simulate_car_brands(**options)
    if name not in dataset_names():
        raise UnknownDataset(
            f"No dataset is called {name!r}.", remedy=f"Choose one of {', '.join(dataset_names())}."
        )
    if options:
        raise UnknownOption(
            f"The dataset {name!r} takes no options.", remedy="Only 'car_brands' has options."
        )
    card = tomllib.loads((_folder() / f"{name}.toml").read_text(encoding="utf-8"))
    files = card.get("files", name)
    raw = _table(f"{files}.dissimilarities.csv").drop(
        index=card.get("without", []), columns=card.get("without", [])
    )
    features = _table(f"{files}.features.csv").drop(index=card.get("without", []))
    transform = card.get("transform", "none")
    dissimilarities = _TRANSFORMS[transform](raw.astype(float))
    np.fill_diagonal(values := dissimilarities.to_numpy(copy=True), 0.0)
    return Dataset(
        name=name,
        title=card["title"],
        source=card["source"],
        year=card["year"],
        licence=card["licence"],
        about=card["about"],
        look_for=card["look_for"],
        transform=transform,
        raw=raw,
        dissimilarities=pd.DataFrame(values, index=raw.index, columns=raw.index),
        features=features,
        kinds=card["features"],
        origin=Origin(**card.get("origin", {})),
    )


def simulate_car_brands(
    n_objects: int = 30,
    *,
    noise: float = 0.2,
    feature_noise: float = 0.05,
    known: int | tuple[str, ...] = 4,
    seed: int = 0,
) -> Dataset:
    """Car brands as Bui (2022, section 4.4) simulates them.

    Seven uniform features; dissimilarities are their weighted Euclidean distances times
    1 + noise z; the known features are seen as value times 1 + feature_noise z, z standard
    normal.

    Parameters
    ----------
    n_objects : how many brands.
    noise, feature_noise : relative standard deviations.
    known : how many of the seven are known, in the order of their weights, or their names.
    seed : repeats the simulation.

    Returns
    -------
    Dataset : `raw` holds the true values of all seven features.
    """
    names, chosen = list(CAR_FEATURES), _chosen(known)
    made = Simulation(n_objects, noise, feature_noise, tuple(chosen), seed)
    random = np.random.default_rng(made.seed)
    # The order of these draws is a promise: a seed makes the same brands in every version.
    true = random.uniform(size=(made.n_objects, len(names)))
    weights = np.array(list(CAR_FEATURES.values()), dtype=float)
    distances = pdist(true * weights / weights.sum())
    seen = np.abs(distances * (1 + made.noise * random.standard_normal(distances.size)))
    estimates = true * (1 + made.feature_noise * random.standard_normal(true.shape))
    labels = [f"Brand {i + 1}" for i in range(made.n_objects)]
    features = pd.DataFrame(estimates, index=labels, columns=names)[chosen]
    return Dataset(
        name=SIMULATED,
        title="Simulated car brands",
        source="Simulated after Bui (2022), section 4.4, with the weights of its Table 5.",
        year=2022,
        licence="Made by this program; free of rights.",
        about=f"{made.n_objects} brands that differ in seven features, {len(chosen)} known.",
        look_for="As many hidden dimensions should show as features are not known.",
        transform="none",
        raw=pd.DataFrame(true, index=labels, columns=names),
        dissimilarities=pd.DataFrame(squareform(seen), index=labels, columns=labels),
        features=features,
        kinds={name: {"kind": "numeric"} for name in chosen},
        origin=Origin(simulation=made),
    )


def truth_of(simulation: Simulation) -> FeatureTable:
    """The true values of all features, made again; the known ones without their errors."""
    made = simulate_car_brands(
        simulation.n_objects,
        noise=simulation.noise,
        feature_noise=simulation.feature_noise,
        known=simulation.known,
        seed=simulation.seed,
    )
    return FeatureTable.from_frame(made.raw)


def _check_names(options: dict[str, Any]) -> None:
    allowed = inspect.signature(simulate_car_brands).parameters
    for name in options:
        if name not in allowed:
            raise UnknownOption(
                f"The dataset 'car_brands' has no option {name!r}.",
                remedy=f"Choose among {', '.join(allowed)}.",
            )


def _chosen(known: Any) -> list[str]:
    """The features that are known, where they are counted or named."""
    names = list(CAR_FEATURES)
    if isinstance(known, list | tuple):
        if all(name in names for name in known) and len(set(known)) == len(known):
            return list(known)
    elif is_real(known) and known in range(len(names) + 1):
        return names[: int(known)]
    raise UnknownOption(
        f"known is {known!r}.", remedy=f"Give up to {len(names)}, or some of {', '.join(names)}."
    )


def _folder() -> Path:
    """Where the datasets lie: inside the installed package, or beside it in a checkout."""
    here = Path(__file__).parent
    installed = here / "_datasets"
    return installed if installed.is_dir() else here.parent / "datasets"


def vectors_file(name: str) -> Path:
    """The file of an example of very many objects; its card stands beside it, as .toml."""
    path = _folder() / "many" / f"{name}.parquet"
    if not path.is_file():
        raise UnknownDataset(
            f"No example of many objects is called {name!r}.", remedy="Choose 'verses'."
        )
    return path


def _table(file: str) -> pd.DataFrame:
    """A labelled table; only an empty cell is missing."""
    path = _folder() / file
    # pandas would take an object called NA, or None, for a gap.
    table = pd.read_csv(path, keep_default_na=False, na_values={}, dtype=str).set_index(
        pd.read_csv(path, nrows=0).columns[0]
    )
    numbers: pd.DataFrame = table.replace("", np.nan).apply(pd.to_numeric)
    return numbers


def _feature(name: str, values: pd.Series, card: dict[str, Any]) -> Feature:
    name, kind, period = card.get("name", name), card.get("kind", "numeric"), card.get("period")
    if "levels" not in card:
        return Feature.of(kind, name, values, period=period)
    levels = card["levels"]
    shown = [None if pd.isna(value) else levels[f"{value:g}"] for value in values]
    return Feature.of(kind, name, shown, levels=list(levels.values()), period=period)
