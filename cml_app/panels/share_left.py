"""What the share that is left unexplained means, for whoever reads it and whoever compares it."""

from __future__ import annotations

from cml_app import lesson_links
from cml_core import Fit
from cml_core.values.words import percent, unbroken

SMALL = 0.1


def unexplained(fit: Fit) -> str:
    """How much is left, of what."""
    return unbroken(f"**{percent(fit.stress)}** of the squared dissimilarity is unexplained")


def stress_1(fit: Fit) -> str:
    """The root of it, as the literature writes it."""
    root = float(fit.stress**0.5)
    # No line ends between the hyphen and the 1.
    return f"Stress-\N{WORD JOINER}1\N{NO-BREAK SPACE}{root:.{3 if root < SMALL else 2}f}"


def meaning(fit: Fit) -> str:
    """What the share is a share of, and how it is called elsewhere."""
    root = percent(float(fit.stress**0.5))
    return (
        "For every pair of objects, the dissimilarity in the data is compared with the distance "
        "by what is known and this map together. The differences are squared and added up; the "
        "share is their sum beside that of the squared dissimilarities. 0 % is a perfect fit.\n\n"
        f"Its root is Kruskal’s Stress-1: differences are typically {root} as large as "
        "dissimilarities. So compare numbers in books with Stress-1, not with the share.\n\n"
        + lesson_links.link("stress", "A lesson: what stress is")
    )
