"""What this is in plain words, whose method it is, and how to cite it."""

from __future__ import annotations

import streamlit as st

from cml_app import help_pages, messages
from cml_app.frontend import NAME
from cml_app.workspace import Workspace

WHAT = """
You know how different some objects are: people sorted them, rated them, confused them, or a
program compared them. You also know something about these objects. Everyone can see what is known
already; what is *not* known yet hides behind it.

So this program takes out of the differences whatever you tick as known, and draws a map of what is
left. On it, objects lie far apart that differ for a reason that nobody has named yet. Draw the
direction, the circle or the groups that you see, give it a name, add it to what is known, and look
again. Tests on the Evidence page say whether there is more to see than chance.
"""
HOW = """
Distances between objects are made of two parts: one that the known features make, each with a
weight that is found, and one that the map makes. Both are found together, so that the distances
come as near to the dissimilarities as they can: *conditional multidimensional scaling*. Where only
near objects can be compared, distances are paths from neighbour to neighbour: *conditional Isomap*.
"""
METHOD = """
The method, its algorithm and its proofs are by Anh Tuan Bui; a package for R by the author is
called cml. This program is not by the author: it solves the same problem by another way, to
convergence, and adds tests, scales and the way back from a map to a feature.
"""
CITE = "Cite the papers whose method it is, and this software as “What is left?” (whatsleft)."
FREE = "Free software under the MIT licence."
# Authors, year, title, where, and the address; as CITATION.cff has them.
PAPERS = (
    (
        "Bui, A. T. (2024)",
        "Dimension Reduction with Prior Information for Knowledge Discovery",
        "IEEE Transactions on Pattern Analysis and Machine Intelligence 46, 3625–3636",
        "https://doi.org/10.1109/TPAMI.2023.3346212",
    ),
    (
        "Bui, A. T. (2022)",
        "A Closed-Form Solution for Conditional Multidimensional Scaling",
        "Pattern Recognition Letters 164, 148–152",
        "https://doi.org/10.1016/j.patrec.2022.11.007",
    ),
    (
        "Bui, A. T. (2025)",
        "Conditional Multidimensional Scaling with Incomplete Conditioning Data",
        "Preprint",
        "https://arxiv.org/abs/2509.16627",
    ),
)


def show(held: Workspace) -> None:
    """The page, from what it is to how to cite it; what went wrong in the sidebar stands first."""
    if held.trouble:
        messages.show(held.trouble)
    st.title(f"About “{NAME}”")
    with st.container(key="about"):
        st.markdown(WHAT)
        st.header("How it works")
        st.markdown(HOW + _more())
        st.header("Whose method it is")
        st.markdown(METHOD)
        st.markdown("\n".join(f"- {_told(*paper)}" for paper in PAPERS))
        st.header("How to cite it")
        st.markdown(f"{CITE} {FREE}")


def _told(who: str, title: str, where: str, address: str) -> str:
    told = f"{messages.plain(who)}. {messages.plain(title)}. {messages.plain(where)}."
    return f"{told} [{messages.plain(address.partition('//')[2])}]({address})"


def _more() -> str:
    """Where to read on, as far as the documentation has been built."""
    links = (
        help_pages.link("tutorial", "a tutorial"),
        help_pages.link(help_pages.GLOSSARY, "what words mean"),
        help_pages.link(help_pages.MATHEMATICS, "the mathematics"),
        help_pages.link(help_pages.PAPERS, "the papers, run again"),
    )
    there = [link for link in links if link]
    return f"\n\nRead on: {', '.join(there)}." if there else ""
