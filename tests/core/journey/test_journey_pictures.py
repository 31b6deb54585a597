"""Pictures are part of a project and its file."""

import json
from dataclasses import replace

import pytest

from cml_core import FeatureTable, load_dataset
from cml_core.errors import UnreadableFile
from cml_core.journey.file import from_json, to_json
from cml_core.journey.journey import Journey
from cml_core.values.pictures import Pictures

AT = "2026-01-31T12:00:00Z"
PNG = b"\x89PNG\r\n\x1a\n and more"


@pytest.fixture
def text():
    values = load_dataset("faces").values()
    journey = Journey.begun("Faces", values, FeatureTable(values.labels), AT)
    return to_json(replace(journey, pictures=Pictures((("Revulsion", PNG),))))


def test_pictures_come_back_from_a_project_file(text):
    assert from_json(text).pictures == Pictures((("Revulsion", PNG),))
    assert to_json(from_json(text)) == text


def test_a_project_of_version_9_opens_without_pictures(text):
    content = json.loads(text) | {"version": 9}
    del content["pictures"]
    assert from_json(json.dumps(content)).pictures == Pictures()


@pytest.mark.parametrize(
    "data", ["PHN2Zy8+", "not base64", "A" * 100_000, 3], ids=["drawing", "text", "large", "number"]
)
def test_what_someone_else_put_there_is_refused(text, data):
    content = json.loads(text)
    content["pictures"][0]["data"] = data
    with pytest.raises(UnreadableFile, match="picture"):
        from_json(json.dumps(content))
