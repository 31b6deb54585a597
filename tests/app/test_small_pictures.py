"""Pictures are made small and given to the objects of their names."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from cml_app import small_pictures
from cml_app.scenes import AS_PICTURES, scene_of, ways_to_show
from cml_app.small_pictures import PIXELS, given_to, small
from cml_app.workspace import Workspace
from cml_core import FeatureTable, Problem, fit, load_dataset
from cml_core.errors import LabelMismatch, UnreadableFile
from cml_core.journey.journey import Journey
from cml_core.values.pictures import Pictures

AT = "2026-01-31T12:00:00Z"


def picture(
    kind: str = "PNG", size: tuple[int, int] = (300, 200), colour: str = "#c00000ff", **more: object
) -> bytes:
    file = io.BytesIO()
    mode = "RGB" if kind == "JPEG" else "RGBA"
    Image.new(mode, size, colour).save(file, kind, **more)
    return file.getvalue()


def opened(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data))


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_a_picture_becomes_small_and_keeps_its_shape(kind: str) -> None:
    made = opened(small(picture(kind), "oak"))
    assert made.size == (PIXELS, 64)
    assert made.convert("RGB").getpixel((40, 30)) == pytest.approx((192, 0, 0), abs=4)


def test_what_is_transparent_stays_so_and_what_is_small_is_not_blown_up() -> None:
    made = opened(small(picture(size=(20, 10), colour="#00000000"), "oak"))
    assert (made.size, made.getpixel((5, 5))) == ((20, 10), (0, 0, 0, 0))


def test_a_photograph_stands_upright_and_tells_no_place() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    exif[0x010E] = "where I live"
    data = small(picture("JPEG", exif=exif), "oak")
    assert opened(data).size == (64, PIXELS)
    assert b"where I live" not in data


def test_damaged_and_boundless_pictures_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnreadableFile, match="'oak' is cut short"):
        small(picture()[:60], "oak")
    monkeypatch.setattr(small_pictures, "MOST_PIXELS", 1000)
    with pytest.raises(UnreadableFile, match="300 by 200 pixels"):
        small(picture(), "oak")


def test_pictures_are_joined_by_name_as_features_are() -> None:
    data = small(picture(), "")
    brought = Pictures(tuple((name, data) for name in ("OAK ", "elm", "palm")))
    given = given_to(["elm", "oak", "fir"], brought)
    assert given.pictures == Pictures((("elm", data), ("oak", data)))
    assert given.report == (
        "2 of 3 objects have a picture.",
        "'OAK ' was taken for 'oak'.",
        "Not used, as no object is called so: 'palm'.",
    )
    with pytest.raises(LabelMismatch, match="No picture is named like an object"):
        given_to(["one", "two"], brought)


def test_the_map_is_told_the_pictures_and_who_has_none() -> None:
    data = load_dataset("kinship14")
    found = fit(Problem(data.values(), FeatureTable(data.values().labels, ())), seed=0)
    journey = Journey.begun("Kinship", data.values(), data.feature_table(), AT)
    workspace = Workspace(journey.after(found, found.embedding, AT))
    assert ways_to_show(workspace) == ()
    pictures = Pictures((("Aunt", small(picture(), "")), ("Son", small(picture("JPEG"), ""))))
    workspace.journey = replace(workspace.journey, pictures=pictures)
    assert ways_to_show(workspace) == (AS_PICTURES,)
    colour = scene_of(workspace, AS_PICTURES).colour
    assert colour is not None
    shown = dict(zip(data.values().labels, colour.values.tolist(), strict=True))
    assert colour.levels[int(shown["Aunt"])] == pictures.address("Aunt")
    assert colour.levels[int(shown["Son"])] == pictures.address("Son")
    assert np.isnan(shown["Mother"])
