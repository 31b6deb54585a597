"""Pictures from files and archives, each under the name of its file."""

import io
import zipfile
from dataclasses import replace

import pytest

from cml_core.errors import DuplicateLabels, UnreadableFile
from cml_core.files.reading.picture_files import pictures_in
from cml_core.files.reading.raw import ORDINARY
from cml_core.values.pictures import MOST_PICTURES

PNG, JPEG = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"


def packed(**parts: bytes) -> bytes:
    return packed_as({f"{name}.png": data for name, data in parts.items()})


def packed_as(parts: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return file.getvalue()


def test_files_and_archives_are_read_together():
    archive = packed_as(
        {
            "trees/St. Elm.jpg": JPEG,
            "trees/": b"",
            "__MACOSX/trees/._St. Elm.jpg": b"rubbish",
            "trees/.DS_Store": b"rubbish",
        }
    )
    found = pictures_in([("oak.png", PNG), ("trees.zip", archive)], ORDINARY)
    assert found == {"oak": PNG, "St. Elm": JPEG}


@pytest.mark.parametrize(
    ("files", "error", "words"),
    [
        ([("oak.svg", b"<svg/>")], UnreadableFile, "'oak.svg' is no picture"),
        ([("a.zip", packed_as({"oak.png": b"<svg/>"}))], UnreadableFile, "'oak.png' is no picture"),
        ([("a.zip", packed_as({".hidden": b"x"}))], UnreadableFile, "'a.zip' holds no picture"),
        ([("a.zip", packed(oak=PNG)[:40])], UnreadableFile, "cut short or damaged"),
        ([("oak.png", PNG), ("a.zip", packed(oak=PNG))], DuplicateLabels, "'oak'"),
        (
            [(f"{k}.png", PNG) for k in range(MOST_PICTURES + 1)],
            UnreadableFile,
            f"more than {MOST_PICTURES}",
        ),
    ],
    ids=["drawing", "drawing inside", "nothing inside", "damaged", "twice", "many"],
)
def test_what_is_no_picture_is_refused_by_name(files, error, words):
    with pytest.raises(error, match=words):
        pictures_in(files, ORDINARY)


def test_all_files_together_are_bounded():
    limits = replace(ORDINARY, bytes=12)
    assert pictures_in([("a.png", PNG)], limits)
    with pytest.raises(UnreadableFile, match="at most"):
        pictures_in([("a.png", PNG), ("b.png", PNG)], limits)
