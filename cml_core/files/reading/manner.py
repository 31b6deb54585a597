"""How a person said that a file is to be read, where the file alone does not tell."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Manner:
    """What is not left to be found out.

    Parameters
    ----------
    encoding : of a text, as Python calls it; empty finds it out.
    decimal : "point" or "comma"; what else stands between digits then marks thousands. Empty
        finds it out.
    missing : texts that stand for an unknown value, besides the usual ones.
    area : the corners of the table in its grid, as in B3:N15; empty finds it.
    roles : of a list, what its columns are, by their heads: keys of `roles.ROLES`. None leaves
        that to be found out.
    """

    encoding: str = ""
    decimal: str = ""
    missing: tuple[str, ...] = ()
    area: str = ""
    roles: tuple[tuple[str, str], ...] = ()


AS_FOUND = Manner()
