"""Pictures of objects are small, few and what they say they are."""

import pytest

from cml_core.errors import DuplicateLabels, UnreadableFile
from cml_core.values.pictures import MOST_BYTES, MOST_PICTURES, Pictures, picture_type

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (PNG, "image/png"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "image/webp"),
        (b"RIFF\0\0\0\0WAVE", ""),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", ""),
        (b"GIF89a", ""),
        (b"", ""),
    ],
)
def test_what_a_picture_is_its_first_bytes_tell(data, told):
    assert picture_type(data) == told


def test_browsers_get_the_picture_of_an_object_by_its_name():
    pictures = Pictures((("oak", PNG),))
    assert pictures.address("oak") == "data:image/png;base64,iVBORw0KGgo="
    assert pictures.address("elm") is None


@pytest.mark.parametrize(
    ("of", "error"),
    [
        ((("oak", b"<svg/>"),), UnreadableFile),
        ((("oak", PNG + bytes(MOST_BYTES)),), UnreadableFile),
        ((("oak", PNG), ("oak", PNG)), DuplicateLabels),
        (tuple((str(k), PNG) for k in range(MOST_PICTURES + 1)), UnreadableFile),
    ],
    ids=["drawing", "large", "twice", "many"],
)
def test_what_cannot_be_kept_is_refused(of, error):
    with pytest.raises(error):
        Pictures(of)
