"""Which code page a text was saved in, guessed by how its letters would go together."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise

CODE_PAGES = {
    "utf-8": "Unicode (UTF-8)",
    "cp1252": "Western European (Windows)",
    "mac_roman": "Western European (Mac)",
    "cp850": "Western European (DOS)",
    "iso8859-15": "Western European (ISO)",
    "cp1250": "Central European (Windows)",
    "iso8859-2": "Central European (ISO)",
    "mac_latin2": "Central European (Mac)",
    "cp852": "Central European (DOS)",
    "cp1251": "Cyrillic (Windows)",
    "koi8-r": "Cyrillic (KOI8)",
    "mac_cyrillic": "Cyrillic (Mac)",
    "cp866": "Cyrillic (DOS)",
    "iso8859-5": "Cyrillic (ISO)",
    "cp1253": "Greek (Windows)",
    "cp1254": "Turkish (Windows)",
    "cp1255": "Hebrew (Windows)",
    "cp1256": "Arabic (Windows)",
    "cp1257": "Baltic (Windows)",
    "gb18030": "Chinese (simplified)",
    "big5": "Chinese (traditional)",
    "shift_jis": "Japanese (Shift-JIS)",
    "euc_jp": "Japanese (EUC)",
    "cp949": "Korean",
    "utf-16-le": "Unicode (UTF-16)",
}
# Without its mark this is told by its zeros, and never guessed by its letters.
_NOT_GUESSED = ("utf-8", "utf-16-le")
# Hardly anyone saves in it any more: offered, never guessed.
_OFFERED = ("iso8859-5",)
# A word or a head is much shorter; and what is guessed from so much is not guessed better by more.
_SAMPLE, _LONGEST, _SHOWN = 20_000, 40, 3
# What is at home in the languages that a code page is used for; all else is rare in them.
_AT_HOME = {
    "western": "äöüßéèêëàâçîïôûùñáíóúåøæãõÄÖÜÉÈÀÂÇÑÁÍÓÚÅØÆÃÕ",
    "central": "ąćęłńóśźżěščřžýáíéúůďťňőűöüäăâîľôßĄĆĘŁŃÓŚŹŻĚŠČŘŽÝÁÍÉÚŮĎŤŇŐŰÖÜÄĂÂÎĽÔ",
    "turkish": "çğıöşüÇĞİÖŞÜ",
    "baltic": "āčēģīķļņšūžąęėįųõäöüĀČĒĢĪĶĻŅŠŪŽĄĘĖĮŲÕÄÖÜ",
}
_HOMES = {
    **dict.fromkeys(("cp1252", "mac_roman", "cp850", "iso8859-15"), _AT_HOME["western"]),
    **dict.fromkeys(("cp1250", "iso8859-2", "mac_latin2", "cp852"), _AT_HOME["central"]),
    "cp1254": _AT_HOME["turkish"],
    "cp1257": _AT_HOME["baltic"],
}
_SCRIPTS = {
    **dict.fromkeys(("cp1251", "koi8-r", "mac_cyrillic", "cp866", "iso8859-5"), ("CYRILLIC",)),
    "cp1253": ("GREEK",),
    "cp1255": ("HEBREW",),
    "cp1256": ("ARABIC",),
    "gb18030": ("CJK",),
    "big5": ("CJK",),
    "shift_jis": ("CJK", "HIRAGANA", "KATAKANA", "FULLWIDTH"),
    "euc_jp": ("CJK", "HIRAGANA", "KATAKANA", "FULLWIDTH"),
    "cp949": ("HANGUL", "CJK"),
}
# Marks that stand beside letters and digits in any language.
_MARKS = frozenset("’‘“”„«»–—…°§€£±²³µ·×©®™¿¡º\N{NO-BREAK SPACE}、。・「」（）")
_WORD = re.compile(r"[^\s\d,;|\"'()\[\]/:=+*<>#&.!?_-]+")
_FOREIGN, _END_OF_LINE = re.compile(rb"[\x80-\xff]"), re.compile(rb"[\r\n]")
_STRANGE, _RARE, _MIXED, _CAPITAL_WITHIN = 3.0, 0.6, 3.0, 2.0


def guessed_code_page(data: bytes) -> str:
    """The code page in which the letters of a text that is not Unicode fit together best."""
    sample = foreign_lines(data)
    pages = (name for name in CODE_PAGES if name not in _OFFERED)
    costs = {name: cost for name in pages if (cost := _cost(sample, name)) is not None}
    # The first of those that are as good: they stand in the order of how common they are.
    return min(costs, key=lambda name: costs[name], default="cp1252")


def likely_code_pages(data: bytes) -> tuple[str, ...]:
    """All in which the text can be read, the likeliest first."""
    sample = foreign_lines(data)
    costs = {name: cost for name in CODE_PAGES if (cost := _cost(sample, name)) is not None}
    return tuple(sorted(costs, key=lambda name: costs[name]))


def words_in(data: bytes, code_page: str) -> tuple[str, ...]:
    """The first few words with letters that depend on the code page, as they read in it."""
    text = foreign_lines(data).decode(code_page, "replace")
    return tuple(dict.fromkeys(word[:_LONGEST] for word in _words(text)))[:_SHOWN]


def foreign_lines(data: bytes) -> bytes:
    """The lines with other bytes than those of plain English, as many as are needed to guess."""
    found: list[bytes] = []
    size = place = 0
    # From one such byte to the next: a large file may have few of them.
    while size <= _SAMPLE and (first := _FOREIGN.search(data, place)):
        begin = max(data.rfind(b"\n", place, first.start()) + 1, place)
        begin = max(data.rfind(b"\r", begin, first.start()) + 1, begin)
        end = _END_OF_LINE.search(data, first.end())
        place = end.start() if end else len(data)
        found.append(data[begin:place])
        size += place - begin
    return b"\n".join(found)[: 4 * _SAMPLE]


def _cost(sample: bytes, name: str) -> float | None:
    """How strange the words would be; None where it is no text of this code page at all."""
    if name in _NOT_GUESSED:
        return None
    try:
        text = sample.decode(name)
    except UnicodeDecodeError:
        return None
    # By letters of the file, not of the text: else a page that takes two bytes for a letter has
    # half as many letters to be wrong about.
    return sum(_strangeness(word, name) for word in _words(text)) / max(len(sample), 1)


def _words(text: str) -> Iterator[str]:
    return (word for word in _WORD.findall(text) if not word.isascii())


def _strangeness(word: str, name: str) -> float:
    cost, home, scripts = 0.0, _HOMES.get(name, ""), _SCRIPTS.get(name, ())
    for letter in word:
        if letter.isascii():
            # Latin letters within a word of another script.
            cost += _MIXED * bool(scripts and letter.isalpha())
        elif not letter.isalpha() and not unicodedata.combining(letter):
            cost += 0 if letter in _MARKS and len(word) == 1 else _STRANGE
        elif name == "gb18030" and not _is_common_chinese(letter):
            cost += _STRANGE
        elif scripts:
            cost += 0 if unicodedata.name(letter, "").startswith(scripts) else _STRANGE
        elif letter not in home:
            cost += 2 * _RARE
    cost += _CAPITAL_WITHIN * sum(a.islower() and b.isupper() for a, b in pairwise(word))
    if not scripts:
        # Three and more such letters in a row are hardly ever found in Latin script.
        threes = zip(word, word[1:], word[2:], strict=False)
        cost += sum(_MIXED for three in threes if not any(map(str.isascii, three)))
    return cost


def _is_common_chinese(letter: str) -> bool:
    """Whether it is one of the 3,755 characters that come first in GB 2312."""
    try:
        return 0xB0 <= letter.encode("gb2312")[0] <= 0xD7
    except UnicodeEncodeError:
        return False
