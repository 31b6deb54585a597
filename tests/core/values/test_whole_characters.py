"""Halves of characters in JSON are replaced, and nothing else is."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from cml_core.values.whole_characters import of_whole_characters


@given(st.text())
def test_whole_text_stays_as_it_is(text: str) -> None:
    assert of_whole_characters(json.dumps(text)) == json.dumps(text)


@given(st.text(st.sampled_from('a\\u"\ud800\udfff\udc00d😀')))
def test_whatever_is_read_can_be_written(text: str) -> None:
    read = json.loads(of_whole_characters(json.dumps(text)))
    read.encode()
    assert [sign for sign in read if sign != "\ufffd"] == [
        sign for sign in json.loads(json.dumps(text)) if not "\ud800" <= sign <= "\udfff"
    ]
