"""What tests of the page of many objects share."""

from __future__ import annotations

import io
import time

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
from page_tools import SECONDS, press
from streamlit.testing.v1 import AppTest

from cml_app.many.visit import Visit

N = 300
# What the map says that the visitor did.
DRAWN: dict[str, object] = {}


def visit_of(app: AppTest) -> Visit:
    found = app.session_state["many"]
    assert isinstance(found, Visit)
    return found


def settled(app: AppTest) -> AppTest:
    """The page once its map, and its evidence, are there."""
    last = time.monotonic() + SECONDS
    while time.monotonic() < last:
        visit = visit_of(app)
        jobs = [one for one in (visit.job, visit.judging) if one is not None]
        if all(one.done for one in jobs):
            break
        time.sleep(0.02)
    return app.run()


def buyers(app: AppTest) -> AppTest:
    press(app, f"{N} simulated buyers")
    return settled(press(app, "Make the map"))


def choices(app: AppTest, label: str) -> list[str]:
    return list(next(one for one in app.multiselect if one.label == label).value)


def table(n: int = 60) -> pa.Table:
    random = np.random.default_rng(0)
    topic = random.choice(["art", "law"], n)
    vectors = random.normal(size=(n, 4)) + 3 * (topic == "art")[:, None]
    columns = {"embedding": list(vectors), "topic": topic, "year": random.integers(1990, 2020, n)}
    return pa.table(columns)


def bytes_of(held_table: pa.Table) -> bytes:
    written = io.BytesIO()
    parquet.write_table(held_table, written)
    return written.getvalue()


def upload(app: AppTest, name: str, content: bytes) -> AppTest:
    app.file_uploader[0].set_value((name, content, "application/octet-stream")).run()
    return press(app, f"Look at {name}")
