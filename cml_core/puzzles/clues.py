"""Clue cards: in words, in which third of a hidden feature a brand is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import rankdata

from cml_core.values.arrays import FloatArray

# What owners say of brands in the lowest, the middle and the highest third.
SAID = {
    "Quality": ("something always rattles", "it breaks down now and then", "it never breaks down"),
    "Safety": ("they hold on tight", "it is as safe as others", "they feel safe in it"),
    "Value": ("it was not worth the price", "the price was fair", "it was a bargain"),
    "Performance": ("it is slow uphill", "it keeps up with the others", "it leaves others behind"),
    "Economy": ("it drinks a lot", "it drinks what others drink", "it drinks little"),
    "Design": ("nobody looks at it", "it looks like many others", "people turn to look at it"),
    "Technology": ("it has no gadgets", "it has the usual gadgets", "it has every new gadget"),
}
THIRDS = 3


@dataclass(frozen=True)
class Clue:
    """A card about one brand: what its owners say."""

    brand: str
    said: str

    @property
    def words(self) -> str:
        """The card as a sentence."""
        return f"Owners say: {self.said}."


def thirds(values: FloatArray) -> list[int]:
    """The third that each value is in, from 0."""
    return [int(rank) for rank in (rankdata(values, "ordinal") - 1) * THIRDS // values.size]


def clue_cards(
    labels: Sequence[str],
    hidden: Mapping[str, FloatArray],
    n_cards: int,
    n_wrong: int,
    random: np.random.Generator,
) -> tuple[Clue, ...]:
    """Cards about so many brands, each of one hidden feature by lot; the wrong ones by lot too."""
    names = tuple(hidden)
    brands = random.permutation(len(labels))[:n_cards].tolist()
    wrong = set(random.permutation(n_cards)[:n_wrong].tolist())
    cards = []
    for number, brand in enumerate(brands):
        name = names[int(random.integers(len(names)))]
        lie = int(random.integers(1, THIRDS)) if number in wrong else 0
        third = (thirds(hidden[name])[brand] + lie) % THIRDS
        cards.append(Clue(labels[brand], SAID[name][third]))
    return tuple(sorted(cards, key=lambda card: card.brand))
