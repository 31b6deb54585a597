"""Pictures of objects on their way in: made small, and given to the objects of their names."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageOps

from cml_core import Feature, FeatureTable
from cml_core.errors import LabelMismatch, UnreadableFile, listing
from cml_core.files.joining.by_name import joined
from cml_core.files.reading.picture_files import pictures_in
from cml_core.files.reading.raw import Limits
from cml_core.values.pictures import Pictures

PIXELS = 96
# What a picture unpacks to is known before it is unpacked.
MOST_PIXELS = 25_000_000
_FORMATS = ("PNG", "JPEG", "WEBP")


class Given(NamedTuple):
    """Pictures of the objects, and how they came by them, in sentences."""

    pictures: Pictures
    report: tuple[str, ...]


def small_pictures(files: Iterable[tuple[str, bytes]], limits: Limits) -> Pictures:
    """The pictures in these files, small, each under the name of its file."""
    found = pictures_in(files, limits)
    return Pictures(tuple((name, small(data, name)) for name, data in found.items()))


def small(data: bytes, name: str) -> bytes:
    """A picture of at most 96 pixels a side, turned as it was taken, with nothing else in it."""
    try:
        with Image.open(io.BytesIO(data), formats=_FORMATS) as picture:
            # A JPEG can be unpacked to fewer pixels than it has.
            picture.draft("RGB", (2 * PIXELS, 2 * PIXELS))
            if picture.width * picture.height > MOST_PIXELS:
                raise UnreadableFile(
                    f"The picture {name[:80]!r} is {picture.width} by {picture.height} pixels.",
                    remedy=f"Make it smaller; {PIXELS} pixels a side are shown.",
                )
            upright = ImageOps.exif_transpose(picture)
            clear = upright.has_transparency_data
            made = upright.convert("RGBA" if clear else "RGB")
    except UnreadableFile:
        raise
    except Exception:
        raise UnreadableFile(
            f"The picture {name[:80]!r} is cut short or damaged.",
            remedy="Save it again as PNG or JPEG, then bring that.",
        ) from None
    made.thumbnail((PIXELS, PIXELS))
    kept = io.BytesIO()
    made.save(kept, "PNG" if clear else "JPEG", quality=85)
    return kept.getvalue()


def given_to(objects: Sequence[str], pictures: Pictures) -> Given:
    """Each object the picture of its name, joined as features are.

    Raises
    ------
    LabelMismatch : no picture is named like an object.
    """
    names = tuple(name for name, _ in pictures.of)
    rows = FeatureTable(names, (Feature.numeric("Picture", np.arange(len(names))),))
    try:
        join = joined(rows, objects)
        places = join.table["Picture"].values if "Picture" in join.table else np.array([])
    except LabelMismatch:
        places = np.array([])
    if not np.isfinite(places).any():
        raise LabelMismatch(
            f"No picture is named like an object. Pictures are called {_few(names)}; "
            f"objects are called {_few(objects)}.",
            remedy="Name each file like its object, such as oak.png for oak.",
        )
    pairs = [(label, int(k)) for label, k in zip(objects, places, strict=True) if np.isfinite(k)]
    used = {names[k] for _, k in pairs}
    report = [f"{len(pairs)} of {len(objects)} objects have a picture."]
    report += [f"{_few([one.given])} was taken for {_few([one.object])}." for one in join.near]
    if unused := [name for name in names if name not in used]:
        report.append(f"Not used, as no object is called so: {_few(unused)}.")
    return Given(Pictures(tuple((label, pictures.of[k][1]) for label, k in pairs)), tuple(report))


def _few(names: Sequence[str]) -> str:
    return listing([repr(name[:60]) for name in names], 3) or "nothing"
