"""`python -m cml_app.keeping check|backup|restore`: for whoever looks after the projects."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from cml_app.keeping.backup import Checked, back_up, checked, file_of, restore
from cml_app.settings import Settings
from cml_core.errors import ConditionalMappingError


def main(arguments: Sequence[str] | None = None) -> None:
    """Do what is asked with the database that CML_DATABASE_URL names; say what was found."""
    asked = _parser().parse_args(arguments)
    try:
        database = file_of(Settings.from_environment(os.environ).database_url)
        if asked.command == "check":
            found = checked(database)
        elif asked.command == "backup":
            found = back_up(database, asked.file)
        else:
            found = restore(asked.file, database)
    except ConditionalMappingError as error:
        sys.exit(str(error))
    sys.stdout.write(f"{_told(found)}\n")
    sys.exit(1 if found.unreadable else 0)


def _told(found: Checked) -> str:
    projects = f"{found.projects} project{'s' if found.projects != 1 else ''}"
    if not found.unreadable:
        return f"{projects}; all can be read."
    return f"{projects}; {found.unreadable} of them cannot be read."


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m cml_app.keeping", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("check", help="look through the database and read every project")
    for name, meaning in (
        ("backup", "copy the database to a new file, while the app runs"),
        ("restore", "bring the projects of such a file back, in place of those there are"),
    ):
        commands.add_parser(name, help=meaning).add_argument("file", type=Path)
    return parser


if __name__ == "__main__":
    main()
