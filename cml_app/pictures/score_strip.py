"""The best scores of a class on one line: a small picture that needs no library."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from cml_app.pictures.figures import Ink
from cml_app.pictures.value_line import stacked
from cml_core.puzzles.scoring import SOLVED
from cml_core.values.words import counted

HEIGHT, LINE, DOT, STEP = 96, 22, 10, 11
_TICKS = (0, 50, 100)
_STYLE = f"""<style>
.score-strip {{ position: relative; height: {HEIGHT}px; margin: .3rem 14px; font-size: 12px; }}
.score-strip * {{ position: absolute; white-space: nowrap; }}
.score-strip i {{ width: {DOT}px; height: {DOT}px; margin-left: -{DOT / 2:g}px; border-radius: 50%;
  opacity: .8; }}
.score-strip b {{ bottom: 0; font-weight: 400; transform: translateX(-50%); }}
.score-strip u {{ bottom: {LINE}px; }}
</style>"""


def score_strip(shares: Sequence[float], ink: Ink) -> str:
    """A dot for each student's best score, from 0 to 100 %, and a line where it is solved."""
    solved = sum(share >= SOLVED for share in shares)
    told = f"{counted(len(shares), 'best score')}; {solved} from {100 * SOLVED:.0f} % on."
    ticks = "".join(f'<b style="left:{tick}%">{tick} %</b>' for tick in _TICKS)
    return (
        f'{_STYLE}<div class="score-strip" role="img" aria-label="{told}" '
        f'style="color:{ink.text}">'
        f'<u style="left:-6px;right:-6px;height:1px;background:{ink.line}"></u>'
        f'<u style="left:{SOLVED:.0%};top:0;width:0;border-left:1px dashed {ink.text}"></u>'
        f'<b style="left:{SOLVED:.0%}">{SOLVED * 100:.0f}</b>'
        f"{ticks}{''.join(_dots(shares, ink.point))}</div>"
    )


def _dots(shares: Sequence[float], colour: str) -> Iterator[str]:
    heights = stacked(np.array(shares))
    step = min(STEP, (HEIGHT - LINE - DOT - 2) / max(*heights, 1, 1))
    for share, height in zip(shares, heights, strict=True):
        yield (
            f'<i title="{100 * share:.0f} %" style="left:{share:.2%};'
            f'bottom:{LINE + 2 + step * height:.4g}px;background:{colour}"></i>'
        )
