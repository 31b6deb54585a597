"""The tables that projects are kept in, and how older ones become these."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from sqlalchemy import (
    Column,
    Connection,
    Engine,
    Float,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    delete,
    insert,
    inspect,
    literal,
    select,
    text,
    update,
)

from cml_app.keeping.database import transaction, wait_for_other_servers
from cml_core.errors import ConditionalMappingError


class NewerStore(ConditionalMappingError):
    """The database was written by a later version of this app."""


# MySQL chooses the column's type by this length; the others ignore it.
_LARGEST = 2**32 - 1
_WHOLE = "whole"

_TABLES = MetaData()
META = Table("cml_meta", _TABLES, Column("version", Integer, nullable=False))
PROJECTS = Table(
    "cml_projects",
    _TABLES,
    Column("digest", String(64), primary_key=True),
    # Of the lines of its document, in their order.
    Column("names", LargeBinary(_LARGEST), nullable=False),
    Column("version", Integer, nullable=False),
    # As text, because SQLite has no time zones; of one format, so that it sorts by time.
    Column("changed", String(32), nullable=False, index=True),
    # Of the secret under which it may be looked at; none until someone wants to share it.
    Column("reader", String(64), nullable=True, index=True),
)
LINES = Table(
    "cml_lines",
    _TABLES,
    Column("digest", String(64), primary_key=True),
    Column("name", String(32), primary_key=True),
    Column("content", LargeBinary(_LARGEST), nullable=False),
)
PUZZLES = Table(
    "cml_puzzles",
    _TABLES,
    Column("digest", String(64), primary_key=True),
    # Of the secret of whoever made it.
    Column("teacher", String(64), nullable=False),
    Column("content", LargeBinary(_LARGEST), nullable=False),
    Column("made", String(32), nullable=False, index=True),
    Column("closes", String(32), nullable=False),
)
ANSWERS = Table(
    "cml_answers",
    _TABLES,
    Column("puzzle", String(64), primary_key=True),
    # A student has one puzzle in a project; the secret is made of that of the project.
    Column("student", String(64), primary_key=True, index=True),
    # None until something was handed in.
    Column("best", Float(53), nullable=True),
    Column("tries", Integer, nullable=False),
    Column("name", String(30), nullable=False),
    Column("content", LargeBinary(_LARGEST), nullable=False),
    Column("changed", String(32), nullable=False),
)


def _under_way(name: str) -> Table:
    return Table(
        name,
        _TABLES,
        # A project has one of a sort under way.
        Column("digest", String(64), primary_key=True),
        Column("server", String(32), nullable=False),
        Column("job", String(32), nullable=False, index=True),
        Column("step", String(64), nullable=False),
        Column("kind", String(64), nullable=False),
        Column("label", String(250), nullable=False),
        Column("share", Float(53), nullable=False),
        Column("words", String(250), nullable=False),
        Column("stop", Integer, nullable=False),
        # When someone who waits for it on another server last looked.
        Column("seen", String(32), nullable=True),
        # When its own server last told of it.
        Column("beat", String(32), nullable=False),
    )


# Evidence, and maps; by what they are called in the program.
EVIDENCE, MAPS = "evidence", "maps"
UNDER_WAY = {EVIDENCE: _under_way("cml_computing"), MAPS: _under_way("cml_fitting")}

_FIRST = MetaData()
_FIRST_META = Table("cml_meta", _FIRST, Column("version", Integer, nullable=False))
_FIRST_PROJECTS = Table(
    "cml_projects",
    _FIRST,
    Column("digest", String(64), primary_key=True),
    Column("document", LargeBinary(_LARGEST), nullable=False),
    Column("version", Integer, nullable=False),
    Column("changed", String(32), nullable=False, index=True),
)


def _create_tables(connection: Connection) -> None:
    """Schema 1: a document is one value."""
    _FIRST.create_all(connection)


def _keep_lines(connection: Connection) -> None:
    """Schema 2: a document is its lines; one from before is a single one until it is changed."""
    LINES.create(connection)
    whole = select(_FIRST_PROJECTS.c.digest, literal(_WHOLE), _FIRST_PROJECTS.c.document)
    connection.execute(insert(LINES).from_select(["digest", "name", "content"], whole))
    connection.execute(update(_FIRST_PROJECTS).values(document=_WHOLE.encode()))
    connection.execute(text("ALTER TABLE cml_projects RENAME COLUMN document TO names"))


def _let_others_look(connection: Connection) -> None:
    """Schema 3: a project may have readers; those from before have none."""
    connection.execute(text("ALTER TABLE cml_projects ADD COLUMN reader VARCHAR(64)"))
    connection.execute(text("CREATE INDEX ix_cml_projects_reader ON cml_projects (reader)"))


def _keep_puzzles(connection: Connection) -> None:
    """Schema 4: puzzles for a class, and what students handed in."""
    PUZZLES.create(connection)
    ANSWERS.create(connection)


def _tell_what_is_computed(connection: Connection) -> None:
    """Schema 5: what is under way, for the other servers of this database."""
    UNDER_WAY[EVIDENCE].create(connection)


def _tell_which_maps_are_made(connection: Connection) -> None:
    """Schema 6: the same of maps."""
    UNDER_WAY[MAPS].create(connection)


# Each takes the schema one further; the number of those applied is stored.
MIGRATIONS: tuple[Callable[[Connection], None], ...] = (
    _create_tables,
    _keep_lines,
    _let_others_look,
    _keep_puzzles,
    _tell_what_is_computed,
    _tell_which_maps_are_made,
)


def migrate(engine: Engine) -> None:
    """Bring a database of any earlier version up to date.

    Raises
    ------
    NewerStore : it is of a later one.
    """
    with transaction(engine, writing=True) as connection:
        wait_for_other_servers(connection)
        version = 0
        if inspect(connection).has_table(META.name):
            version = connection.execute(select(META.c.version).with_for_update()).scalar_one()
        if version > len(MIGRATIONS):
            raise NewerStore(
                f"The database has schema {version}; this version of the app knows "
                f"{len(MIGRATIONS)}.",
                remedy="Run the newer version of the app, or set CML_DATABASE_URL "
                "to another database.",
            )
        for step in MIGRATIONS[version:]:
            step(connection)
        if version < len(MIGRATIONS):
            connection.execute(delete(META))
            connection.execute(insert(META).values(version=len(MIGRATIONS)))


def stamp(moment: datetime) -> str:
    """A time as the tables hold it."""
    if moment.tzinfo is None:
        raise ValueError("The store's clock needs a time zone.")
    return moment.astimezone(UTC).isoformat(timespec="microseconds")
