"""`whatsleft`, or `python -m cml_app`: the app in a browser, installed or from a checkout."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

NEEDED = ("plotly", "sqlalchemy", "streamlit")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run Streamlit on the app, with the configuration that stands beside it."""
    options, streamlits = _parser().parse_known_args(arguments)
    if options.prepare:
        prepare()
        return
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        sys.exit(
            f"The app needs {', '.join(missing)}, which this Python does not have. Install the "
            "package with its app: pip install 'whatsleft[app]'; in a checkout, '.[app]'."
        )
    from streamlit.web import cli

    port = ["--server.port", str(options.port)] if options.port is not None else []
    cli.main(["run", str(app_file()), *port, *streamlits], prog_name="whatsleft")


def prepare() -> None:
    """Compile what fits would compile when they are first asked for."""
    from cml_core.fitting.beforehand import STAGES

    for number, stage in enumerate(STAGES, 1):
        sys.stderr.write(f"Compiling the solvers: {stage.words} ({number} of {len(STAGES)})\n")
        stage.run()


def app_file() -> Path:
    """The app's own script: inside the installed package, or beside it in a checkout."""
    here = Path(__file__).parent
    installed = here / "_app"
    return (installed if installed.is_dir() else here.parent) / "app.py"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="whatsleft",
        description="Open «What is left?» in a browser.",
        epilog="Other options are Streamlit's own, such as --server.headless true.",
        allow_abbrev=False,
    )
    parser.add_argument("--port", type=int, help="where the app answers; 8501 unless told")
    parser.add_argument(
        "--prepare",
        action="store_true",
        help="compile the solvers beforehand, in about a minute, and open nothing",
    )
    return parser


if __name__ == "__main__":
    main()
