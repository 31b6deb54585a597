"""Files of very many objects that visitors brought: on disk, within bounds, for some days.

A file is found by the digest of its content. Text is turned into Arrow once, for it is read again
whenever a map is made.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import time
from contextlib import suppress
from functools import cache
from pathlib import Path, PurePath
from typing import BinaryIO

from sqlalchemy import make_url

from cml_app.settings import MEGABYTE
from cml_app.this_server import settings
from cml_core.errors import ConditionalMappingError, UnreadableFile
from cml_core.many.origins import UPLOAD, Whence
from cml_core.many.text_tables import TEXT_ENDINGS, to_arrow
from cml_core.values.rows.registry import FILES

ENDINGS = (*FILES, *TEXT_ENDINGS)
# Below the folder of files: where all objects lie on maps that were made.
MAPS = "maps"
_PIECE = 1 << 20
SECONDS_A_DAY = 86_400


class UploadsUnavailable(ConditionalMappingError):
    """Files cannot be kept on this server at present."""


class NoRoom(ConditionalMappingError):
    """A file is larger than all that may be kept."""


def folder() -> Path:
    """Where they are."""
    return lasting_folder() or _for_this_process()


def lasting_folder() -> Path | None:
    """One that outlasts the server, and that all servers of a database share; if there is one."""
    set_up = settings()
    if set_up.uploads_folder:
        return Path(set_up.uploads_folder).expanduser()
    url = make_url(set_up.database_url)
    if set_up.keep_projects and url.get_backend_name() == "sqlite" and url.database:
        return Path(url.database).expanduser().parent / "uploads"
    return None


@cache
def _for_this_process() -> Path:
    """A folder that no one else can have made, where nothing is to outlast the server."""
    return Path(tempfile.mkdtemp(prefix="cml-uploads-"))


def bring(name: str, content: BinaryIO) -> Whence:
    """Keep a file; where it is found from now on.

    Raises
    ------
    UnreadableFile : its ending, or its content, is of no table.
    NoRoom : it is larger than all that may be kept.
    UploadsUnavailable : the disk is full, or cannot be written.
    """
    ending = PurePath(name).suffix.lower()
    if ending not in ENDINGS:
        raise UnreadableFile(
            f"{name} ends in {ending or 'nothing'}, which says nothing of its format.",
            remedy=f"Bring a file that ends in {', '.join(ENDINGS)}.",
        )
    try:
        digest = _kept(name, ending, content)
    except OSError as error:
        why = os.strerror(error.errno) if error.errno else "its disk does not answer"
        raise UploadsUnavailable(
            f"{name} cannot be kept on this server ({why}).",
            remedy="Nothing else is lost. Ask whoever runs this app to free space on its disk, or "
            "to let it write to its folder for files.",
        ) from error
    return Whence(UPLOAD, digest, PurePath(name).name)


def _kept(name: str, ending: str, content: BinaryIO) -> str:
    """The digest of a file that is now in the folder, whole."""
    place = folder()
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place) as temporary:
        given = Path(temporary) / f"given{ending}"
        digest = _written(content, given)
        kept = to_arrow(given, name) if ending in TEXT_ENDINGS else given
        needed, most = kept.stat().st_size, settings().uploads_mb * MEGABYTE
        if needed > most:
            raise NoRoom(
                f"The file takes {needed / MEGABYTE:,.0f} MB here; {most / MEGABYTE:,.0f} MB are "
                "kept of all files together.",
                remedy="Bring fewer rows or columns, or numbers of half precision.",
            )
        make_room(place, needed, most)
        target = place / f"{digest}{kept.suffix}"
        kept.replace(target)
    os.utime(target)
    return digest


def used(whence: Whence) -> None:
    """A file that someone goes on with is kept for as long again."""
    for file in folder().glob(f"{whence.place}.*") if whence.kind == UPLOAD else ():
        # Where nothing can be written, it can still be read.
        with suppress(OSError):
            os.utime(file)
    if whence.beside is not None:
        used(whence.beside)


def expire() -> None:
    """Forget files that nobody used for as many days as projects are kept."""
    oldest = time.time() - settings().keep_days * SECONDS_A_DAY
    for file in (*_files(folder()), *_files(folder() / MAPS)):
        if file.stat().st_mtime < oldest:
            file.unlink(missing_ok=True)


def _written(content: BinaryIO, target: Path) -> str:
    digest = hashlib.sha256()
    content.seek(0)
    with target.open("wb") as file:
        while piece := content.read(_PIECE):
            digest.update(piece)
            file.write(piece)
    return digest.hexdigest()


def make_room(place: Path, needed: int, most: int) -> None:
    """Remove what was not used for longest from a folder, until there is room in its bounds."""
    files = sorted(_files(place), key=lambda file: file.stat().st_mtime)
    total = sum(file.stat().st_size for file in files)
    for file in files:
        if total + needed <= most:
            return
        total -= file.stat().st_size
        file.unlink(missing_ok=True)


def _files(place: Path) -> list[Path]:
    return [file for file in place.glob("*") if file.is_file()] if place.is_dir() else []
