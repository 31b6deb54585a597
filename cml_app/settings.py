"""What whoever runs the app may set, each with its default and its meaning, in one place."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from cml_core.errors import ConditionalMappingError
from cml_core.files.reading.raw import Limits

MEGABYTE = 2**20
# The server refuses a larger upload; what a compressed one holds may be so many times as large.
MOST_UNPACKED = 10

_FILE = Path("cml", "projects.sqlite3")


class UnsuitableSetting(ConditionalMappingError):
    """An environment variable has a value, or a name, that cannot be used."""


def default_database_url(env: Mapping[str, str]) -> str:
    """A SQLite file in the data folder of whoever runs the app; nothing is created here."""
    folder = Path(env.get("XDG_DATA_HOME", ""))
    # The XDG specification has relative folders ignored.
    if not folder.is_absolute():
        home = env.get("HOME")
        folder = (Path(home) if home else Path.home()) / ".local" / "share"
    return URL.create("sqlite", database=str(folder / _FILE)).render_as_string()


def _switch(name: str, text: str) -> bool:
    value = text.lower()
    if value not in {"on", "off"}:
        raise UnsuitableSetting(f"{name} is {text!r}.", remedy="Set it to on or off.")
    return value == "on"


def _whole(most: int) -> Callable[[str, str], int]:
    def read(name: str, text: str) -> int:
        # int() alone would take "1_0" and "-1"; a long row of digits would take long.
        if not (re.fullmatch(r"[0-9]{1,9}", text) and 1 <= int(text) <= most):
            raise UnsuitableSetting(
                f"{name} is {text!r}.", remedy=f"Set it to a whole number from 1 to {most}."
            )
        return int(text)

    return read


def _address(name: str, text: str) -> str:
    try:
        make_url(text)
    except (ArgumentError, ValueError):
        # The address may hold a password: neither it nor the cause is repeated.
        raise UnsuitableSetting(
            f"{name} is not the address of a database.",
            remedy="Write it like sqlite:////folder/projects.sqlite3 "
            "or postgresql+psycopg://user:password@host/name.",
        ) from None
    return text


def _scheduler(name: str, text: str) -> str:
    if not re.fullmatch(r"(tcp|tls|ws|wss|ucx)://[^\s/]+:\d{1,5}", text):
        raise UnsuitableSetting(f"{name} is {text!r}.", remedy="Write it like tcp://10.0.0.5:8786.")
    return text


def _first_line(name: str, text: str) -> str:
    try:
        first, *_ = Path(text).read_text(encoding="utf-8").splitlines() or [""]
    except (OSError, ValueError):
        raise UnsuitableSetting(
            f"{name} names a file that cannot be read.",
            remedy="Name a text file that the app may read, with the password in its first line.",
        ) from None
    return first.strip()


def _setting(
    name: str, shown: str, meaning: str, read: Callable[[str, str], Any], **options: Any
) -> Any:
    return field(
        metadata={"name": name, "shown": shown, "meaning": meaning, "read": read}, **options
    )


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How this app is run; read once from the environment.

    A field's metadata holds the name of its variable, its default as shown to a person,
    and its meaning.
    """

    database_url: str = _setting(
        "CML_DATABASE_URL",
        f"`$XDG_DATA_HOME/{_FILE.as_posix()}`, else `~/.local/share/{_FILE.as_posix()}`",
        "Where projects are kept, as an SQLAlchemy address. "
        "A SQLite file and its folder are created when they are missing.",
        _address,
        repr=False,
    )
    database_password: str | None = _setting(
        "CML_DATABASE_PASSWORD_FILE",
        "the password in `CML_DATABASE_URL`",
        "A file whose first line is the password of the database, so that it need not stand in "
        "the environment.",
        _first_line,
        default=None,
        repr=False,
    )
    keep_projects: bool = _setting(
        "CML_KEEP_PROJECTS",
        "on",
        "`off` keeps nothing beyond a visit: a refresh then starts anew.",
        _switch,
        default=True,
    )
    keep_days: int = _setting(
        "CML_KEEP_DAYS",
        "90",
        "How many days after its last change a project is deleted.",
        _whole(36_500),
        default=90,
    )
    max_project_mb: int = _setting(
        "CML_MAX_PROJECT_MB",
        "150",
        "The largest project that is kept, in MB; N objects take up to 10 × N² bytes "
        "(3000: 90 MB), compressed to less than half of that.",
        _whole(1000),
        default=150,
    )
    max_upload_mb: int = _setting(
        "CML_MAX_UPLOAD_MB",
        "80",
        "The largest file that a visitor may bring, in MB; a table of 3000 objects with four "
        "decimals has 62 to 72.",
        _whole(1000),
        default=80,
    )
    max_objects: int = _setting(
        "CML_MAX_OBJECTS",
        "3000",
        "How many objects a visitor's table may have. Time and memory grow with its square: "
        "N objects take about 20 × N² bytes while a text file is read, 130 × N² while a "
        "workbook is, and 30 × N² while they are fitted (3000: 0.2, 1.2 and 0.3 GB).",
        _whole(100_000),
        default=3000,
    )
    max_columns: int = _setting(
        "CML_MAX_COLUMNS",
        "1000",
        "How many columns a table of features or measurements may have.",
        _whole(100_000),
        default=1000,
    )
    max_label_length: int = _setting(
        "CML_MAX_LABEL_LENGTH",
        "500",
        "How many characters the name of an object or a feature may have.",
        _whole(10_000),
        default=500,
    )
    quick_at_once: int = _setting(
        "CML_QUICK_AT_ONCE",
        "2",
        "How many quick fits run at the same time; others wait their turn. A fit is quick where it "
        "is expected to take half a second, as with up to 1000 objects and a few features.",
        _whole(1024),
        default=2,
    )
    jobs_at_once: int = _setting(
        "CML_JOBS_AT_ONCE",
        "2",
        "How many longer fits run at the same time, of all visitors; a visitor has one.",
        _whole(1024),
        default=2,
    )
    jobs_waiting: int = _setting(
        "CML_JOBS_WAITING",
        "20",
        "How many more of them may wait; beyond that, visitors are told that the server is busy.",
        _whole(100_000),
        default=20,
    )
    job_seconds: int = _setting(
        "CML_JOB_SECONDS",
        "600",
        "How long one of them may take, in seconds; then the best map so far is shown.",
        _whole(1_000_000),
        default=600,
    )
    evidence_workers: int | None = _setting(
        "CML_EVIDENCE_WORKERS",
        "the processors at hand or `CML_THREADS`, at most 4",
        "Over how many processes a computation of the Evidence page is spread; each takes about "
        "0.2 GB while it is needed. One computation runs at a time.",
        _whole(1024),
        default=None,
    )
    cluster: str | None = _setting(
        "CML_CLUSTER",
        "this machine alone",
        "The scheduler of a Dask cluster, like `tcp://10.0.0.5:8786`, over whose workers evidence "
        "and the placing of very many objects are spread.",
        _scheduler,
        default=None,
    )
    evidence_waiting: int = _setting(
        "CML_EVIDENCE_WAITING",
        "20",
        "How many more of them may wait; beyond that, visitors are told that the server is busy.",
        _whole(100_000),
        default=20,
    )
    evidence_unasked: bool = _setting(
        "CML_EVIDENCE_UNASKED",
        "on",
        "`off` computes evidence only when it is asked for. Otherwise what is cheap is computed "
        "after each map, one at a time for all visitors, in one process more that goes last.",
        _switch,
        default=True,
    )
    evidence_seconds: int = _setting(
        "CML_EVIDENCE_SECONDS",
        "600",
        "How long one of them may take, in seconds; then it is stopped, and nothing of it kept.",
        _whole(1_000_000),
        default=600,
    )
    puzzles_per_hour: int = _setting(
        "CML_PUZZLES_PER_HOUR",
        "20",
        "How many puzzles for a class may be made within an hour, by all visitors together.",
        _whole(100_000),
        default=20,
    )
    many_objects: int = _setting(
        "CML_MANY_OBJECTS",
        "1000000",
        "How many objects the page *Many objects* takes; of a million with 50 columns a map takes "
        "about 0.1 GB for as long as it is shown, and 1 GB while it is made.",
        _whole(100_000_000),
        default=1_000_000,
    )
    many_memory_mb: int = _setting(
        "CML_MANY_MEMORY_MB",
        "1000",
        "How much memory the maps and columns of that page may take, of all visitors, in MB; what "
        "was not looked at for longest is let go, and made again from its recipe.",
        _whole(1_000_000),
        default=1000,
    )
    uploads_folder: str = _setting(
        "CML_UPLOADS_FOLDER",
        "`uploads` beside the file of projects, else a new folder for temporary files",
        "Where files of very many objects are kept that visitors bring; beside a database on a "
        "server they are lost with a restart unless it is set. Several servers of one database "
        "need one that they share. Where it outlasts the server, maps that were made are kept "
        "there as well, in `CML_MANY_MEMORY_MB` at most.",
        lambda _, text: text,
        default="",
    )
    uploads_mb: int = _setting(
        "CML_UPLOADS_MB",
        "2000",
        "How much all of them may take, in MB; the oldest go first, and each goes after "
        "`CML_KEEP_DAYS`. Whoever comes back then is asked for the file again.",
        _whole(1_000_000),
        default=2000,
    )
    local_files: bool | None = _setting(
        "CML_LOCAL_FILES",
        "on where the app opens a browser itself and answers this computer alone, else off",
        "`on` lets whoever opens the page name a table on the computer that the app runs on, by "
        "its path. Never on a server for others.",
        _switch,
        default=None,
    )
    threads: int | None = _setting(
        "CML_THREADS",
        "the processors at hand, at most 8",
        "How many threads the fits share.",
        _whole(1024),
        default=None,
    )

    @classmethod
    def from_environment(cls, env: Mapping[str, str]) -> Settings:
        """Read every setting; one that is unset or blank has its default.

        Raises
        ------
        UnsuitableSetting : a value cannot be read, or a name looks like a misspelt setting.
        """
        _refuse_misspelt(env)
        given = {
            entry.name: entry.metadata["read"](name, text)
            for entry in fields(cls)
            if (text := env.get(name := entry.metadata["name"], "").strip())
        }
        settings = cls(**{"database_url": default_database_url(env)} | given)
        if settings.database_password is None:
            return settings
        url = make_url(settings.database_url).set(password=settings.database_password)
        return replace(settings, database_url=url.render_as_string(hide_password=False))

    def limits(self) -> Limits:
        """How much of a visitor's file is read."""
        return Limits(
            bytes=self.max_upload_mb * MEGABYTE * MOST_UNPACKED,
            objects=self.max_objects,
            columns=self.max_columns,
            label_length=self.max_label_length,
        )


def setting_names() -> tuple[str, ...]:
    """The environment variables that are read."""
    return tuple(entry.metadata["name"] for entry in fields(Settings))


def _refuse_misspelt(env: Mapping[str, str]) -> None:
    # Ignoring CML_KEEP_PROJECT=off would keep what was meant to be forgotten.
    names = setting_names()
    for name in sorted(env.keys() - set(names)):
        if name.startswith("CML_") and (near := difflib.get_close_matches(name, names, 1, 0.85)):
            raise UnsuitableSetting(
                f"{name} is not a setting of this app.",
                remedy=f"Rename it to {near[0]}, or remove it.",
            )
