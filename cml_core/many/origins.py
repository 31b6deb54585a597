"""Where very many objects come from; a new place to have them from is one line here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cml_core.datasets import vectors_file
from cml_core.errors import UnreadableFile, check_option
from cml_core.values.real_numbers import whole_number
from cml_core.values.rows.beside import beside
from cml_core.values.rows.buyers import BuyersRows
from cml_core.values.rows.registry import rows_of
from cml_core.values.rows.rows import Rows
from cml_core.values.words import counted

BUYERS, EXAMPLE, PATH, UPLOAD = "buyers", "example", "path", "upload"


@dataclass(frozen=True)
class Whence:
    """Where the rows of a table are, so that they can be read again and again.

    Parameters
    ----------
    kind : "buyers", simulated; "example", that comes with the program; "path", a file or folder;
        "upload", a file that was brought, by its digest.
    place : name of the example, the path, or the digest.
    title : what people call it.
    n_objects, seed : of simulated buyers.
    beside : where a table of further columns of the same objects is; None for none.
    key : the column of both that joins them; empty where their rows stand in the same order.
    """

    kind: str
    place: str = ""
    title: str = ""
    n_objects: int = 0
    seed: int = 0
    beside: Whence | None = None
    key: str = ""

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "kind", check_option("kind", self.kind, tuple(_OPENED)))
        put(self, "place", str(self.place))
        put(self, "n_objects", whole_number("n_objects", self.n_objects))
        put(self, "seed", whole_number("seed", self.seed))

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> Whence:
        """What `asdict` made of it."""
        other = told.get("beside")
        return cls(**{**told, "beside": None if other is None else cls.of(other)})

    @property
    def name(self) -> str:
        """What it is called."""
        if self.kind == BUYERS:
            return counted(self.n_objects, "simulated buyer")
        return self.title or Path(self.place).name

    @property
    def is_simulated(self) -> bool:
        """Whether there is a truth behind it."""
        return self.kind == BUYERS

    @property
    def never_changes(self) -> bool:
        """Whether it is the same for ever, and for every server; a file may be written anew."""
        beside = self.beside is None or self.beside.never_changes
        return self.kind != PATH and beside

    def rows(self, uploads: Path | None = None) -> Rows:
        """Its rows; nothing is read before they are asked for blocks.

        Parameters
        ----------
        uploads : the folder of files that were brought.

        Raises
        ------
        UnreadableFile : it is not there any more, damaged, or of another format.
        LengthMismatch, LabelMismatch, DuplicateLabels : the table beside it does not go with it.
        """
        rows = _OPENED[self.kind](self, uploads)
        if self.beside is None:
            return rows
        return beside(rows, self.beside.rows(uploads), self.key, (self.name, self.beside.name))


def _buyers(whence: Whence, _: Path | None) -> Rows:
    return BuyersRows(whence.n_objects, whence.seed)


def _example(whence: Whence, _: Path | None) -> Rows:
    return rows_of(vectors_file(whence.place))


def _path(whence: Whence, _: Path | None) -> Rows:
    return rows_of(Path(whence.place).expanduser())


def _upload(whence: Whence, uploads: Path | None) -> Rows:
    found = None if uploads is None else next(uploads.glob(f"{whence.place}.*"), None)
    if found is None:
        raise UnreadableFile(
            f"{whence.title or 'The file'} is no longer kept here.",
            remedy="Bring the same file again: what was ticked and drawn is kept, and goes on.",
        )
    try:
        return rows_of(found)
    except UnreadableFile as error:
        # Whoever brought it knows it by its name, and not by its digest.
        raise UnreadableFile(
            error.fact.replace(found.name, whence.name), remedy=error.remedy
        ) from None


_OPENED: Mapping[str, Callable[[Whence, Path | None], Rows]] = {
    BUYERS: _buyers,
    EXAMPLE: _example,
    PATH: _path,
    UPLOAD: _upload,
}
