"""What every evidence question goes through on the page; a panel declares only what differs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, NamedTuple

import plotly.graph_objects as go
import streamlit as st

from cml_app import lesson_links, messages
from cml_app.panels.evidence.pictures import how, picture, table, upright, verdict
from cml_app.workspace import Workspace
from cml_core.evidence.result import Found, kind_of

# What held-out pairs are told by on each scale, for the "how" of several questions.
TOLD_ON_SCALES = r"""
On another scale than *Distances* a curve of the scale's own family, laid through the
dissimilarities of the other pairs over their fitted distances, tells those of the held-out pairs in
the data's own unit. What is not explained is then their mean squared error, as a share of the
variance of all dissimilarities, for nobody knows where zero lies. The curve is laid anew for every
part, and the power is looked for anew.
"""
PEOPLE_TOO = r"""
Where the single answers of three people or more are known, people are dealt into parts as pairs
are. A fit sees what the other people said of the other pairs, and is held against what the people
held out said of the pairs held out. So the standard error over the parts is one over people too.
"""
_SLOWER = {"interval": 2, "power": 6, "spline": 3, "ordinal": 3}

NO_MAP = "No hidden dimension was asked for, so there is no map."


def nothing_known(workspace: Workspace) -> str:
    """Why known features cannot be judged; empty where they can."""
    if workspace.step.problem.known.names:
        return ""
    return "Nothing is known on this map yet. Tick a feature on the Discover page first."


def no_map(workspace: Workspace) -> str:
    """Why places cannot be judged; empty where they can."""
    if workspace.step.embedding.shape[1]:
        return ""
    return f"{NO_MAP} So there are no neighbours, other maps or places to judge."


def who_judges(workspace: Workspace) -> str:
    """That people are held out with the pairs, in a sentence; empty where they are not."""
    answers = workspace.journey.answers
    if answers is None:
        return ""
    return f" With the pairs, parts of the {answers.n_people} people are held out."


def slower(workspace: Workspace) -> int:
    """How many times as long refits take on the scale of the map as on the ratio scale."""
    return _SLOWER.get(workspace.step.problem.scale, 1)


class Picture(NamedTuple):
    """A picture of a result: its key, and what it shows for those who do not see it."""

    figure: go.Figure
    key: str
    says: str
    caption: str = ""


@dataclass(frozen=True)
class Panel(Generic[Found]):
    """One question: when it can be asked, how it is answered, and what the answer looks like.

    Parameters
    ----------
    question : the class of its answer, which has the heading and the numbers.
    found : the answer about the current step, if there is one; see `running`.
    arises : whether it is a question about these data at all; nothing is said where it is not.
    why_not : why it cannot be asked about the current step; empty where it can.
    picture : what that stands beside the numbers, if there is anything to see.
    body : all that is shown below the verdict, where that is more.
    how : the mathematics, in Markdown.
    lesson : on the Learn page, which explains what is asked.
    """

    question: type[Found]
    found: Callable[[Workspace], Found | None]
    arises: Callable[[Workspace], bool] = lambda _: True
    why_not: Callable[[Workspace], str] = lambda _: ""
    picture: Callable[[Workspace, Found], Picture | None] = lambda *_: None
    body: Callable[[Workspace, Found], None] | None = None
    how: str = ""
    lesson: str = ""

    def show(self, workspace: Workspace, *, heading: bool = True) -> None:
        """The question, and its answer in words, pictures and numbers."""
        with messages.explained():
            if heading:
                st.subheader(self.question.heading)
            found = self.found(workspace)
            if found is None:
                return
            for part in found.verdicts:
                verdict(part)
            (self.body or self._beside)(workspace, found)
            if self.how:
                how(self.how)
            if lesson := lesson_links.link(self.lesson):
                st.caption(lesson)

    def _beside(self, workspace: Workspace, found: Found) -> None:
        drawing = self.picture(workspace, found)
        left, right = st.columns([1.6, 1], gap="medium")
        if drawing is not None:
            with left:
                picture(drawing.figure, drawing.key, drawing.says)
                if drawing.caption:
                    st.caption(messages.plain(drawing.caption))
        with right:
            numbers(found)


def numbers(found: Found) -> None:
    """The numbers of an answer, and what to know beside them."""
    rows = found.table()
    if rows.names:
        table(rows, f"table-{kind_of(found)}")
    else:
        upright(rows)
    if found.remarks:
        st.caption(messages.plain(found.remarks))
