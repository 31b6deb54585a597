"""Undo and redo: a journey before and after what a person did, and what that is called.

No step is taken back, for a journey keeps all that were taken; so to undo needs no fit, and shows
the very map and numbers that were there before.
"""

from __future__ import annotations

from dataclasses import replace

from cml_core.errors import listing
from cml_core.journey.history import History, Move, Words, same_features
from cml_core.journey.journey import Journey
from cml_core.journey.step import JourneyStep, difference, only_settings_differ
from cml_core.values.features import FeatureTable
from cml_core.values.origin import Origin


def recorded(before: Journey, after: Journey) -> Journey:
    """The journey after something was done, which can be undone from now on."""
    move = _move(before, after)
    if not move.is_one:
        return after
    return replace(after, history=after.history.and_then(move))


def undone(journey: Journey, at: str) -> Journey:
    """The journey before the last move; itself where there is none.

    Raises
    ------
    DuplicateLabels : a feature cannot have its old name back, for another one has it by now.
    """
    if not journey.history.past:
        return journey
    back = _moved(journey, journey.history.past[-1].back, at)
    return replace(back, history=journey.history.undone())


def redone(journey: Journey, at: str) -> Journey:
    """The journey after the move that was undone last; itself where there is none."""
    if not journey.history.future:
        return journey
    again = _moved(journey, journey.history.future[0], at)
    return replace(again, history=journey.history.redone())


def without_history(journey: Journey) -> Journey:
    """The journey as it stands, without what was taken back."""
    return replace(journey, history=History())


def undo_in_words(journey: Journey) -> str:
    """What would be undone, in a few words; empty for nothing."""
    past = journey.history.past
    return in_words(journey, past[-1]) if past else ""


def redo_in_words(journey: Journey) -> str:
    """What would be done again, in a few words; empty for nothing."""
    future = journey.history.future
    return in_words(journey, future[0]) if future else ""


def in_words(journey: Journey, move: Move) -> str:
    """What a move did, beginning with a verb."""
    if move.origin is not None and _uncovers(*move.origin):
        return "uncover the truth"
    if move.features is not None:
        return _of_features(*move.features, renamed=move.renamed())
    if move.step is not None:
        before, after = (journey.step(step_id) for step_id in move.step)
        return _of_steps(journey, before, after)
    if move.words is not None:
        said, says = move.words
        return "name a step" if said.name != says.name else "write a note"
    return "say how the numbers were made" if move.origin is not None else "name the project"


def _uncovers(before: Origin, after: Origin) -> bool:
    made, seen = before.simulation, after.simulation
    return made is not None and seen is not None and made.uncovered != seen.uncovered


def _move(before: Journey, after: Journey) -> Move:
    """What differs between two journeys; before the first step there is nothing to go back to."""
    first, then = before.current_id, after.current_id
    same = same_features(before.features, after.features)
    return Move(
        step=(first, then) if first and then and first != then else None,
        features=None if same else (before.features, after.features),
        title=None if before.title == after.title else (before.title, after.title),
        origin=None if before.origin == after.origin else (before.origin, after.origin),
        words=_words(before, after),
    )


def _words(before: Journey, after: Journey) -> tuple[Words, Words] | None:
    """What is said of a step now and was not before; a person speaks of one at a time."""
    if before.steps is after.steps:
        return None
    earlier = {step.id: step for step in before.steps}
    for step in after.steps:
        if step.id in earlier and (was := _said(earlier[step.id])) != _said(step):
            return was, _said(step)
    return None


def _said(step: JourneyStep) -> Words:
    return Words(step.id, step.given_name, step.note)


def _moved(journey: Journey, move: Move, at: str) -> Journey:
    features = move.changed(journey.features)
    for name, to in move.renamed():
        journey = journey.renamed_feature(name, to, at)
    if move.words is not None:
        step_id, name, note = move.words[1]
        journey = journey.renamed(step_id, name, at).noted(step_id, note, at)
    if move.step is not None:
        journey = journey.visiting(move.step[1])
    if move.origin is not None:
        journey = journey.with_origin(move.origin[1], at)
    return replace(
        journey,
        features=features,
        title=journey.title if move.title is None else move.title[1],
        changed=at,
    )


def _of_features(
    before: FeatureTable, after: FeatureTable, *, renamed: list[tuple[str, str]]
) -> str:
    if renamed:
        return ", ".join(f"rename {name} to {to}" for name, to in renamed)
    new = [name for name in after.names if name not in before]
    gone = [name for name in before.names if name not in after]
    if new or gone:
        verb, names = ("add", new) if new else ("remove", gone)
        return f"{verb} {listing(names)}"
    return f"change {listing(_altered(before, after)) or 'the order of features'}"


def _altered(before: FeatureTable, after: FeatureTable) -> list[str]:
    pairs = ((before[name], after[name]) for name in after.names)
    return [new.name for old, new in pairs if old.identity() != new.identity()]


def _of_steps(journey: Journey, before: JourneyStep, after: JourneyStep) -> str:
    if only_settings_differ(before.problem, after.problem):
        return f"choose {difference(before.problem, after.problem)}"
    old, new = before.problem, after.problem
    ticked = [name for name in new.known.names if name not in old.known]
    unticked = [name for name in old.known.names if name not in new.known]
    usual = new.n_components == old.n_components and new.scale == old.scale
    if usual and bool(ticked) != bool(unticked):
        return f"tick {listing(ticked)}" if ticked else f"untick {listing(unticked)}"
    return f"go to {journey.name_of(after.id)}"
