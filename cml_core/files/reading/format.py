"""What a format is: how a table is read in it, and what speaks for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from cml_core.files.reading.container import Container
from cml_core.files.reading.raw import Cells, Limits, RawTable
from cml_core.values.features import FeatureTable

ReadTable = RawTable | FeatureTable


class Claim(IntEnum):
    """What speaks for a format before anything is read in it."""

    NOTHING = 0
    LIKELY = 1
    # The file can be nothing but this and other formats that are certain.
    CERTAIN = 2


def claims_nothing(_container: Container, _name: str) -> Claim:
    """Only the layout of the grid can speak for the format."""
    return Claim.NOTHING


def is_never_meant(_container: Container) -> bool:
    """Where nothing speaks for the format, nobody means it."""
    return False


def always_convinces(_table: ReadTable, _container: Container, _name: str) -> bool:
    """What could be read in the format is meant to be."""
    return True


def complains_usefully(_container: Container, _name: str, _tried: tuple[str, ...]) -> int:
    """Its complaint is as good as that of any other."""
    return 1


@dataclass(frozen=True)
class Format:
    """A format that tables are read in: one module, and one line in `FORMATS`.

    Parameters
    ----------
    key : what `read` and a `Preparation` call it.
    title : what people call it.
    read : from the container to the table; raises a `ConditionalMappingError` with the place of
        what is wrong.
    containers : the kinds of file that may hold it.
    turn : formats are asked in turn, the lowest first.
    claim : what the first lines and the file's name say for it.
    layouts : of a grid, which speak for it: "square", "triangle", "pairs", "measurements".
    may_be_meant : whether a person may mean it although nothing speaks for it.
    convinces : whether what was read is meant to be in it; some formats nearly fit anything.
    complaint : where nothing fits, the format of the highest says what is wrong; of the tried.
    last_resort : whether it is what is left where nothing speaks for any other.
    endings : what the names of its files end in, where that speaks for it.
    of_distances : whether what it holds are distances as a rule, or are made so by reading it.
    """

    key: str
    title: str
    read: Callable[[Container], ReadTable]
    containers: tuple[str, ...]
    turn: int
    claim: Callable[[Container, str], Claim] = claims_nothing
    layouts: tuple[str, ...] = ()
    may_be_meant: Callable[[Container], bool] = is_never_meant
    convinces: Callable[[ReadTable, Container, str], bool] = always_convinces
    complaint: Callable[[Container, str, tuple[str, ...]], int] = complains_usefully
    last_resort: bool = False
    endings: tuple[str, ...] = ()
    of_distances: bool = False

    def suits_name(self, name: str) -> bool:
        """Whether the name of a file says that it is in this format."""
        return name.lower().endswith(self.endings)


def of_cells(read: Callable[[Cells, Limits], ReadTable]) -> Callable[[Container], ReadTable]:
    """A reader of grids as a reader of containers."""
    return lambda container: read(container.cells, container.limits)


def of_text(read: Callable[[str, Limits], ReadTable]) -> Callable[[Container], ReadTable]:
    """A reader of texts as a reader of containers."""
    return lambda container: read(container.text, container.limits)


def has_grid(container: Container) -> bool:
    """Whether the file holds cells at all."""
    return container.has_cells
