"""Letters of a text that is not Unicode are read in the code page in which they fit together."""

from __future__ import annotations

import pytest

from cml_core.files.reading.code_pages import (
    CODE_PAGES,
    guessed_code_page,
    likely_code_pages,
    words_in,
)

WESTERN = "Köln, São Paulo, Zürich, Genève"
SAVED = [
    *[(WESTERN, page) for page in ("cp1252", "mac_roman", "cp850")],
    *[("naïve, déjà vu, crème brûlée", page) for page in ("cp1252", "mac_roman")],
    *[("limón, plátano, piña", page) for page in ("cp1252", "mac_roman")],
    *[("Москва, Минск, Владивосток", page) for page in ("cp1251", "koi8-r", "cp866")],
    ("Москва, Київ, Львів", "mac_cyrillic"),
    *[("Łódź, Kraków, Gdańsk", page) for page in ("cp1250", "iso8859-2", "mac_latin2", "cp852")],
    ("Αθήνα, Θεσσαλονίκη, Πάτρα", "cp1253"),
    ("İstanbul, İzmir, Muğla", "cp1254"),
    ("القاهرة, دمشق", "cp1256"),
    ("北京, 上海, 广州", "gb18030"),
    ("臺北, 高雄", "big5"),
    ("東京タワー, おおさか", "shift_jis"),
]


@pytest.mark.parametrize(("text", "page"), SAVED)
def test_words_read_as_they_were_written(text: str, page: str) -> None:
    data = f",{text}\n0,1,2\n".encode(page)
    assert words_in(data, guessed_code_page(data)) == words_in(data, page)


@pytest.mark.parametrize("page", ["cp1257", "cp949", "euc_jp"])
def test_what_cannot_be_told_from_few_letters_is_among_what_is_likely(page: str) -> None:
    text = {"cp1257": "Rīga, Liepāja", "cp949": "서울, 부산, 대구", "euc_jp": "東京, 大阪, 京都"}[
        page
    ]
    data = text.encode(page)
    assert page in likely_code_pages(data)


def test_every_code_page_can_be_decoded() -> None:
    for page in CODE_PAGES:
        assert "a".encode(page).decode(page) == "a"
