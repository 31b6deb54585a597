"""Two copies of a loop with very many objects as one, as when it went on in two places."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from cml_core.many.loop import Discovery, Loop, LoopStep

# A map that is turned by so little is drawn on alike.
SAME_TURN = 1e-3


def merged(kept: Loop, other: Loop) -> Loop:
    """All steps, drawings and findings of both copies, standing where `other` stands.

    A step is what is known in it: `other`'s becomes that of `kept`, or a further one, whatever
    their numbers. A drawing is what was drawn on which step: of two of one name that of `kept`
    has it, the other one is called "name (2)". Of findings of a kind that of `other` stays.
    """
    loop = kept
    steps: dict[str, str] = {}
    names: dict[str, str] = {}
    drawn_on = {one.step for one in other.discoveries}
    # In their order: what a step knows was drawn on earlier ones.
    for step in other.steps:
        for drawing in other.discoveries:
            if drawing.name in step.known and drawing.name not in names:
                drawn = replace(drawing, step=steps[drawing.step])
                loop, names[drawing.name] = _with_drawing(loop, drawn)
        known = {names.get(name, name) for name in step.known}
        here = replace(
            step,
            known=tuple(name for name in loop.names if name in known),
            parent=steps.get(step.parent, ""),
        )
        loop, steps[step.id] = _with_step(loop, here, drawn_on=step.id in drawn_on)
    return loop.visiting(steps[other.current])


def _with_drawing(loop: Loop, drawn: Discovery) -> tuple[Loop, str]:
    """With a drawing, and what it is called here."""
    same = {
        one.name for one in loop.discoveries if (one.step, one.drawn) == (drawn.step, drawn.drawn)
    }
    name, number = drawn.name, 1
    while name in loop.names and name not in same:
        number += 1
        name = f"{drawn.name} ({number})"
    if name in same:
        return loop, name
    return replace(loop, discoveries=(*loop.discoveries, replace(drawn, name=name))), name


def _with_step(loop: Loop, step: LoopStep, *, drawn_on: bool) -> tuple[Loop, str]:
    """With a step, and its number here."""
    # What was drawn on a map that is turned otherwise would lie elsewhere.
    same = next(
        (
            one
            for one in loop.steps
            if one.known == step.known and (not drawn_on or _turned_alike(one, step))
        ),
        None,
    )
    if same is None:
        number = str(len(loop.steps) + 1)
        return replace(loop, steps=(*loop.steps, replace(step, id=number))), number
    share = same.unexplained if math.isnan(step.unexplained) else step.unexplained
    loop = loop.made(same.id, same.turn or step.turn, share)
    for found in step.found:
        loop = loop.judged(same.id, found)
    return loop, same.id


def _turned_alike(one: LoopStep, other: LoopStep) -> bool:
    return not one.turn or not other.turn or np.allclose(one.turn, other.turn, atol=SAME_TURN)
