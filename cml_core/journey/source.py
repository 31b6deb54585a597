"""Raw files, choices, what is known of their making, and pictures, as parts of a project file."""

from __future__ import annotations

import base64
import binascii
import zlib
from dataclasses import asdict
from typing import Any

from cml_core.datasets import CAR_FEATURES
from cml_core.errors import UnreadableFile
from cml_core.files.joining.inferred_kinds import FeatureChoice
from cml_core.files.preparation import Preparation
from cml_core.files.source import KEPT_UP_TO, FeatureSource, RawFile, Source
from cml_core.journey.entry import Entry
from cml_core.values.origin import Origin
from cml_core.values.pictures import MOST_BYTES, Pictures
from cml_core.values.simulation import Simulation

# Of a file of features, where it was said; projects of earlier versions have neither.
_SAID = ("encoding", "decimal")


def source_content(source: Source | None) -> dict[str, Any] | None:
    """A source in plain values; raw bytes packed."""
    if source is None:
        return None
    kept = source.as_kept()
    features = kept.features
    return {
        "files": [_file_content(file) for file in kept.files],
        "preparation": kept.preparation.to_dict(),
        "notes": list(kept.notes),
        "features": features
        and {
            "file": _file_content(features.file),
            "sheet": features.sheet,
            **{name: value for name in _SAID if (value := getattr(features, name))},
            "accepted": [list(pair) for pair in features.accepted],
            "choices": [choice.to_dict() for choice in features.choices],
        },
    }


def source_of(entry: Entry) -> Source | None:
    """The source that `source_content` wrote."""
    if entry.value is None:
        return None
    features = entry.at("features")
    with entry.blamed():
        return Source(
            files=tuple(_file(file) for file in entry.at("files").items()),
            preparation=Preparation.from_dict(entry.at("preparation").mapping()),
            features=None if features.value is None else _features(features),
            notes=tuple(note.text() for note in entry.at("notes").items()),
        )


def origin_content(origin: Origin) -> dict[str, Any]:
    """How a table was made, in plain values."""
    content = asdict(origin)
    if origin.simulation is None:
        # As projects have it that nobody simulated.
        del content["simulation"]
    return content


def origin_of(entry: Entry) -> Origin:
    """The origin that `origin_content` wrote."""
    said = entry.mapping()
    with entry.blamed():
        return Origin(
            kind=entry.at("kind").text(),
            people=entry.at("people").whole(),
            lowest=entry.at("lowest").number(),
            highest=entry.at("highest").number(),
            cases=entry.at("cases").whole(),
            simulation=_simulation(entry.at("simulation")) if "simulation" in said else None,
        )


def _simulation(entry: Entry) -> Simulation:
    return Simulation(
        n_objects=entry.at("n_objects").whole(),
        noise=entry.at("noise").number(),
        feature_noise=entry.at("feature_noise").number(),
        known=tuple(name.one_of(tuple(CAR_FEATURES)) for name in entry.at("known").items()),
        seed=entry.at("seed").whole(),
        uncovered=entry.at("uncovered").truth(),
    )


def picture_content(name: str, data: bytes) -> dict[str, str]:
    """The picture of one object, in plain values."""
    return {"object": name, "data": base64.b64encode(data).decode("ascii")}


def pictures_of(entry: Entry) -> Pictures:
    """The pictures that `picture_content` wrote one by one."""
    with entry.blamed():
        return Pictures(tuple((one.at("object").text(), _bytes(one)) for one in entry.items()))


def _bytes(picture: Entry) -> bytes:
    packed = picture.at("data")
    text = packed.text()
    if len(text) > 2 * MOST_BYTES:
        raise packed.wrong("a small picture")
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise packed.wrong("a packed picture") from None


def _features(entry: Entry) -> FeatureSource:
    pairs = (pair.items(2) for pair in entry.at("accepted").items())
    return FeatureSource(
        file=_file(entry.at("file")),
        sheet=entry.at("sheet").text(),
        **{name: entry.at(name).text() for name in _SAID if name in entry.mapping()},
        accepted=tuple((given.text(), meant.text()) for given, meant in pairs),
        choices=tuple(
            FeatureChoice.from_dict(choice.mapping()) for choice in entry.at("choices").items()
        ),
    )


def _file_content(file: RawFile) -> dict[str, str | None]:
    packed = None
    if file.data is not None:
        # JSON holds no bytes. Tables shrink to a third or less, of which base64 adds a third again.
        packed = base64.b64encode(zlib.compress(file.data)).decode("ascii")
    return {"name": file.name, "digest": file.digest, "data": packed}


def _file(entry: Entry) -> RawFile:
    packed = entry.at("data")
    data = None if packed.value is None else _unpacked(packed)
    return RawFile(entry.at("name").text(), data, entry.at("digest").text())


def _unpacked(entry: Entry) -> bytes:
    """The bytes of a raw file; no more than are ever kept."""
    # No further than a project keeps, whatever is packed in there.
    try:
        unpacking = zlib.decompressobj()
        data = unpacking.decompress(base64.b64decode(entry.text(), validate=True), KEPT_UP_TO + 1)
    except (zlib.error, binascii.Error, ValueError):
        raise entry.wrong("a packed file") from None
    if len(data) > KEPT_UP_TO or not unpacking.eof:
        raise UnreadableFile(
            f"{entry.where} holds more than a project keeps.",
            remedy="Use the project file as it was saved.",
        )
    return data
