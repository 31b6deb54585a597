"""Names that mean the same although they are not written the same."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher

import numpy as np
from scipy import sparse

from cml_core.values.words import enumerated

# Names that are less alike than this are not worth a suggestion.
ALIKE = 0.7
# More names than this are not compared each with each.
MOST_COMPARED = 2000
# Of each name, which are compared in full: that takes most of the time.
_CANDIDATES = 3
# Of longer names this much at either end is compared, for the time goes with the square.
_END = 20

_MARKS = str.maketrans(dict.fromkeys("‘’‚‛ʹʻʼˈ′´`＇", "'") | dict.fromkeys("“”„‟«»″＂", '"'))
_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—―−﹣－", "-"))
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")


def _letters(name: str) -> str:
    return unicodedata.normalize("NFKC", name)


def _quotes(name: str) -> str:
    plain = name.translate(_MARKS)
    bare = plain.strip()
    enclosed = bare[:1] in ("'", '"') or bare[-1:] in ("'", '"')
    return bare.strip("'\" ") if enclosed else plain


def _dashes(name: str) -> str:
    return name.translate(_DASHES)


def _blanks(name: str) -> str:
    # Formats without blanks in names have underscores instead.
    return " ".join(_UNSEEN.sub("", name).replace("_", " ").split())


def _accents(name: str) -> str:
    parts = unicodedata.normalize("NFD", name)
    bare = "".join(letter for letter in parts if not unicodedata.combining(letter))
    return unicodedata.normalize("NFC", bare)


# What may differ between names of the same thing, in the order in which it is taken off.
_DIFFERENCES: dict[str, Callable[[str], str]] = {
    "the coding of letters": _letters,
    "blanks": _blanks,
    "quotation marks": _quotes,
    "dashes": _dashes,
    "accents": _accents,
    "capitals": str.casefold,
}


def folded(name: str, without: str = "") -> str:
    """What a name says, whatever its blanks, marks, accents and capitals are.

    Parameters
    ----------
    without : a difference that is to stay.
    """
    for difference, taken_off in _DIFFERENCES.items():
        if difference != without:
            name = taken_off(name)
    return name


def why_alike(given: str, meant: str) -> str:
    """What differs between two names that are the same once folded: only blanks differ."""
    needed = [each for each in _DIFFERENCES if folded(given, each) != folded(meant, each)]
    if needed in ([], ["the coding of letters"]):
        return "only the coding of letters differs"
    return f"only {enumerated(needed)} differ"


def most_alike(given: Sequence[str], meant: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of the most similar names, each name in one pair at most, the most similar first.

    Names with different numbers in them are never alike: Brand 1 is not Brand 10.
    """
    rows = [folded(name) for name in given[:MOST_COMPARED]]
    objects = [folded(name) for name in meant[:MOST_COMPARED]]
    if not rows or not objects:
        return []
    scored = [
        (_score(rows[i], objects[j]), i, j)
        for i, candidates in enumerate(_candidates(rows, objects))
        for j in candidates
    ]
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for score, i, j in sorted(scored, key=lambda found: (-found[0], found[1], found[2])):
        if score >= ALIKE and i not in pairs and j not in taken:
            pairs[i] = j
            taken.add(j)
    return list(pairs.items())


def _score(first: str, second: str) -> float:
    if re.findall("[0-9]+", first) != re.findall("[0-9]+", second):
        return 0.0
    return SequenceMatcher(None, _ends(first), _ends(second), autojunk=False).ratio()


def _ends(name: str) -> str:
    return name if len(name) <= 2 * _END else name[:_END] + name[-_END:]


def _candidates(rows: Sequence[str], objects: Sequence[str]) -> list[list[int]]:
    """For each row the few objects with which it shares most pairs of letters."""
    places: dict[str, int] = {}
    grams = [_grams(name) for name in (*rows, *objects)]
    for parts in grams:
        for part in parts:
            places.setdefault(part, len(places))
    held = [np.array([places[part] for part in parts], dtype=np.int64) for parts in grams]
    ends = np.cumsum([0, *(part.size for part in held)])
    ones = np.ones(int(ends[-1]))
    table = sparse.csr_matrix((ones, np.concatenate(held), ends), (len(grams), len(places)))
    sizes = np.diff(ends)
    shared = (table[: len(rows)] @ table[len(rows) :].T).toarray()
    share = shared / (sizes[: len(rows), None] + sizes[None, len(rows) :])
    best = np.argsort(-share, axis=1, kind="stable")[:, :_CANDIDATES]
    return [[int(j) for j in row if share[i, j] > 0] for i, row in enumerate(best)]


def _grams(name: str) -> set[str]:
    padded = f" {_ends(name)} "
    return {padded[k : k + 2] for k in range(len(padded) - 1)}
