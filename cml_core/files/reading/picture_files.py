"""Pictures that were brought, one by one or in archives, each under the name of its file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cml_core.errors import DuplicateLabels, UnreadableFile
from cml_core.files.reading.archive import ZIP_MAGIC, Archive, too_large
from cml_core.files.reading.raw import Limits
from cml_core.values.pictures import MOST_PICTURES, picture_type

PICTURE_ENDINGS = (".png", ".jpg", ".jpeg", ".webp", ".zip")
# What systems add to the archives that they pack.
_ADDED = ("__MACOSX/", ".")


def pictures_in(files: Iterable[tuple[str, bytes]], limits: Limits) -> dict[str, bytes]:
    """The bytes of each picture by the name of its file without folder and ending.

    Parameters
    ----------
    files : names and bytes, of pictures and of ZIP files that hold pictures.

    Raises
    ------
    UnreadableFile : something else than pictures, or too much.
    DuplicateLabels : two pictures of the same name.
    """
    found: dict[str, bytes] = {}
    for path, data in _unpacked(files, limits):
        name = path.replace("\\", "/").rpartition("/")[2].rpartition(".")[0]
        if not picture_type(data):
            raise UnreadableFile(
                f"{path[:80]!r} is no picture: it does not begin as a PNG, JPEG or WebP file does.",
                remedy="Save it as PNG or JPEG, or leave it out.",
            )
        if name in found:
            raise DuplicateLabels(
                f"Two pictures are called {name[:80]!r}.", remedy="Keep one for each object."
            )
        found[name] = data
        if len(found) > MOST_PICTURES:
            raise UnreadableFile(
                f"There are more than {MOST_PICTURES} pictures.",
                remedy="Bring pictures of fewer objects.",
            )
    return found


def _unpacked(files: Iterable[tuple[str, bytes]], limits: Limits) -> Iterator[tuple[str, bytes]]:
    left = limits.bytes
    for name, data in files:
        left -= len(data)
        if left < 0:
            raise too_large(limits.bytes - left, limits.bytes)
        if not data.startswith(ZIP_MAGIC):
            yield name, data
            continue
        archive = Archive(data, limits)
        wanted = [part for part in archive.names if _is_wanted(part)]
        if not wanted:
            raise UnreadableFile(
                f"The archive {name[:80]!r} holds no picture.",
                remedy="Pack pictures that are named like the objects.",
            )
        yield from ((part, archive.read(part)) for part in wanted)


def _is_wanted(part: str) -> bool:
    last = part.rpartition("/")[2]
    return bool(last) and not part.startswith(_ADDED) and not last.startswith(".")
