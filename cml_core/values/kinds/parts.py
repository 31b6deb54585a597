"""What a feature consists of, as the kinds see it and as they make it."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from cml_core.values.arrays import BoolArray, FloatArray


class HasValues(Protocol):
    """What a kind may know of a feature; `Feature` is one."""

    @property
    def name(self) -> str: ...

    @property
    def kind(self) -> str: ...

    @property
    def values(self) -> FloatArray: ...

    @property
    def levels(self) -> tuple[str, ...]: ...

    @property
    def period(self) -> float | None: ...

    @property
    def origin(self) -> str: ...

    @property
    def unit(self) -> str: ...

    @property
    def missing(self) -> BoolArray: ...


class Parts(NamedTuple):
    """What texts, or a feature of another kind, become: the parts of a `Feature`, in its order."""

    values: FloatArray
    levels: tuple[str, ...] = ()
    period: float | None = None
    origin: str = "given"
    unit: str = ""
