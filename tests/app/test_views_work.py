"""The process of the pictures has what it needs, and no more."""

from __future__ import annotations

import base64
import pickle
import subprocess
import sys
from functools import partial
from pathlib import Path

from cml_app.views_work import HiddenPlaces, Wanted, drawn, hidden_places, judged, warmed_up
from cml_core import fit, load_dataset
from cml_core.fitting.problem import Problem
from cml_core.peers import conditioned, quality, view

ROOT = Path(__file__).parents[2]
DATA = load_dataset("kinship14")
FEATURES = DATA.feature_table()
FIT = fit(Problem(DATA.values(), FEATURES.select(["Gender"])), seed=0)
PROGRAM = """
import base64, pickle, sys
for work in pickle.loads(base64.b64decode(sys.stdin.read())):
    work(on_step=lambda _: False)
print("streamlit" in sys.modules)
"""


def never(_: object) -> bool:
    return False


def test_whatever_the_process_is_given_does_without_streamlit() -> None:
    seen = view(DATA.values(), "classical")
    work = [
        warmed_up,
        partial(hidden_places, FIT, 2),
        partial(drawn, DATA.values(), Wanted("classical")),
        partial(drawn, HiddenPlaces(FIT.labels, FIT.embedding), Wanted("classical", 2)),
        partial(judged, seen, FIT, FEATURES, ("Gender",)),
    ]
    given = base64.b64encode(pickle.dumps(work)).decode()
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        input=given, capture_output=True, text=True, check=True, cwd=ROOT,
    )  # fmt: skip
    assert ran.stdout.split() == ["False"]


def test_hidden_places_stand_for_the_hidden_distances_and_what_is_left() -> None:
    hidden = conditioned(FIT, 3)
    places = hidden_places(FIT, 3)
    ours = drawn(places, Wanted("isomap", 3), on_step=never)
    theirs = view(hidden.hidden, "isomap")
    assert (ours.places == theirs.places).all()
    about = (FEATURES, ("Gender",))
    assert judged(ours, FIT, *about).verdict == quality(theirs, hidden.left, *about).verdict


def test_a_picture_of_a_lot_is_judged_by_the_pairs_of_the_lot() -> None:
    lot = drawn(DATA.values(), Wanted("classical", lot=9), on_step=never)
    found = judged(lot, DATA.values(), FEATURES, ())
    among = DATA.values().subset(lot.labels)
    assert len(lot.labels) == 9
    assert (found.far, found.trustworthiness) == (
        quality(lot, among).far,
        quality(lot, among).trustworthiness,
    )
