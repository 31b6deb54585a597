"""What a file leaves open, to be said by whoever knows."""

from __future__ import annotations

from dataclasses import dataclass

Setting = str | float | tuple[str, ...] | tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Choice:
    """One mend: `value` is the new value of the field of the `Preparation` that is to be set."""

    value: Setting
    title: str
    about: str = ""


@dataclass(frozen=True)
class Question:
    """One thing that a file can mean in more than one way.

    Parameters
    ----------
    key : what is asked; a field of the `Preparation` may be asked for more than one reason.
    field : of the `Preparation`, which an answer sets.
    fact : what was found, with the data's own examples.
    meaning : what hangs on it.
    choices : the answers.
    open : whether no map can be made before it is answered.
    """

    key: str
    field: str
    fact: str
    meaning: str
    choices: tuple[Choice, ...]
    open: bool = True


@dataclass(frozen=True)
class WayOut:
    """A choice with which a file that was refused, or seemed to hold no pairs, can be read."""

    field: str
    choice: Choice
