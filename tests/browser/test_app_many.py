"""Many objects in a browser: a hundred thousand by path, ticked, encircled, drawn on, reloaded."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
from playwright.sync_api import Locator, Page, expect
from serving import APP

from cml_core.values.rows.buyers import BuyersRows

N = 100_000


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Buyers as somebody keeps them: a column of lists, and what is known of each."""
    path = tmp_path_factory.mktemp("many") / "buyers.parquet"
    rows = BuyersRows(N)
    region, channel = (rows.columns[k].levels for k in (51, 52))
    assert region
    assert channel
    writer = None
    for block in rows.blocks(20_000):
        held = pa.table(
            {
                "spent": pa.FixedSizeListArray.from_arrays(
                    pa.array(block[:, :50].astype("f4").ravel()), 50
                ),
                "Age": block[:, 50],
                "Region": [region[int(k)] for k in block[:, 51]],
                "Channel": [channel[int(k)] for k in block[:, 52]],
            }
        )
        writer = writer or parquet.ParquetWriter(path, held.schema)
        writer.write_table(held)
    assert writer
    writer.close()
    return path


def drag(page: Page, stage: Locator, *shares: tuple[float, float]) -> None:
    """Draw on the map, by shares of its width and height."""
    box = stage.bounding_box()
    assert box
    places = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in shares]
    page.mouse.move(*places[0])
    page.mouse.down()
    for place in places[1:]:
        page.mouse.move(*place, steps=4)
    page.mouse.up()


def add(page: Page, name: str) -> None:
    page.get_by_role("textbox", name="Name").fill(name)
    page.get_by_role("button", name="Add to known").click()


def test_the_whole_loop_with_a_hundred_thousand_objects(
    page: Page, serve: Callable[..., str], database: str, table: Path
) -> None:
    address = serve(APP, {"CML_DATABASE_URL": database, "CML_LOCAL_FILES": "on"})
    page.goto(f"{address}/Many")
    field = page.get_by_role("textbox", name=re.compile("file or folder on this computer"))
    field.fill(str(table))
    field.press("Enter")
    page.get_by_role("button", name="Look at it").click()
    page.get_by_role("button", name="Make the map").click()
    told, stage = page.locator(".st-key-summary"), page.get_by_role("application")
    points = page.locator(".st-key-points .points")
    expect(told).to_contain_text("With nothing taken out, this map leaves")
    expect(stage).to_have_accessible_name(re.compile("100,000 objects"))
    page.get_by_text("Channel", exact=True).click()
    expect(told).to_contain_text("With Channel taken out")
    expect(points).to_have_attribute("data-settled", "true")

    page.get_by_role("button", name="Lasso").click()
    drag(page, stage, (0.5, 0.05), (0.97, 0.05), (0.97, 0.95), (0.5, 0.95), (0.5, 0.05))
    inside = page.get_by_text(re.compile(r"[\d,]+ of 100,000 objects lie inside"))
    expect(inside).to_be_visible()
    assert 0.3 * N < int(inside.inner_text().split()[0].replace(",", "")) < 0.7 * N

    page.get_by_role("button", name="Arrow").click()
    drag(page, stage, (0.3, 0.5), (0.7, 0.45))
    expect(page.get_by_text("Each of 100,000 objects gets its place along it.")).to_be_visible()
    add(page, "What I saw")
    expect(told).to_contain_text("With Channel and What I saw taken out")
    expect(points).to_have_attribute("data-settled", "true")

    page.reload()
    expect(told).to_contain_text("With Channel and What I saw taken out")
    expect(stage).to_have_accessible_name(re.compile("100,000 objects"))
    page.get_by_role("button", name=re.compile("Nothing known")).click()
    expect(told).to_contain_text("With nothing taken out")
