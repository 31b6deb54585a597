"""Sixteen rectangles, four heights by four widths, told apart by both and a little noise."""

from __future__ import annotations

from itertools import product

import numpy as np
from playwright.sync_api import Page, expect

SIDES = range(1, 5)
NOISE = 0.03
NAMES = tuple(f"{height}x{width}" for height, width in product(SIDES, SIDES))
WIDTHS = dict(zip(NAMES, (width for _, width in product(SIDES, SIDES)), strict=True))


def distances() -> str:
    """A square table of distances, heights counting a little more than widths."""
    sides = np.array([(1.3 * height, width) for height, width in product(SIDES, SIDES)])
    square = np.sqrt(((sides[:, None] - sides[None]) ** 2).sum(axis=2))
    noise = 1 + NOISE * np.triu(np.random.default_rng(13).normal(size=square.shape), 1)
    square = np.triu(square, 1) * noise
    square += square.T
    rows = (
        f"{name}," + ",".join(f"{d:.3f}" for d in row)
        for name, row in zip(NAMES, square, strict=True)
    )
    return f",{','.join(NAMES)}\n" + "\n".join(rows) + "\n"


def features(further: int = 0) -> str:
    """Their heights, and so many columns that say nothing."""
    random = np.random.default_rng(7)
    columns = {"height": [int(name[0]) for name in NAMES]} | {
        f"nothing {k + 1}": random.integers(0, 9, len(NAMES)).tolist() for k in range(further)
    }
    rows = zip(NAMES, *columns.values(), strict=True)
    lines = [",".join(["rectangle", *columns]), *(",".join(map(str, row)) for row in rows)]
    return "\n".join(lines) + "\n"


def bring(page: Page, name: str, content: str, field: int = 0) -> None:
    """Hand a file to one of the three fields of the Data page."""
    fields = page.get_by_test_id("stFileUploaderDropzoneInput")
    expect(fields).to_have_count(4)
    file = {"name": name, "mimeType": "text/csv", "buffer": content.encode()}
    fields.nth(field).set_input_files(files=[file])
    expect(page.locator(".st-key-doctor")).to_contain_text(name)
