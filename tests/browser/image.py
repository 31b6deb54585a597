"""A Containerfile without an engine: its steps, played in a folder that stands for its root.

What is copied, set, created and started is real. In place of some steps stands what they lead to,
for they take minutes and a network: the packages are those of this environment, the documentation
is what `make docs` has built, and solvers were compiled in the checkout.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).parents[2]
CONTAINERFILE = ROOT / "deploy" / "Containerfile"
# Folders of the image that a step names by their whole path.
ABSOLUTE = re.compile(r"(?<![\w.}/:])/(opt|var|tmp)(?=/|$)")


@dataclass
class Stage:
    """An image in the making: a folder, where a step begins, and what it finds set."""

    root: Path
    workdir: str = "/"
    env: dict[str, str] = field(default_factory=dict)
    user: str = "root"
    ports: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)

    @property
    def here(self) -> Path:
        return self.root / self.workdir.strip("/")

    def inside(self, text: str) -> str:
        """A text with the image's folders where they are here."""
        text = text.replace("sqlite:////", f"sqlite:////{str(self.root).strip('/')}/")
        return ABSOLUTE.sub(lambda found: f"{self.root}/{found[1]}", text)

    def variables(self) -> dict[str, str]:
        """What a step or the command finds in its environment."""
        kept = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
        return kept | {name: self.inside(value) for name, value in self.env.items()}


class Player:
    """Plays a Containerfile; `stages` are what it makes, the last of which is the image."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._ignored = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
        self.stages: dict[str, Stage] = {}
        self.replaced: list[str] = []

    def play(self) -> Stage:
        for word, rest in steps(CONTAINERFILE.read_text("utf-8")):
            getattr(self, f"_{word.lower()}")(rest)
        return self._stage

    def _from(self, rest: str) -> None:
        base, _, name = rest.partition(" AS ")
        name = name or "image"
        self._stage = Stage(self._folder / name)
        if base in self.stages:
            before = self.stages[base]
            shutil.copytree(before.root, self._stage.root, symlinks=True)
            self._stage.workdir, self._stage.env = before.workdir, dict(before.env)
        else:
            self._stage.root.mkdir()
        self.stages[name] = self._stage

    def _workdir(self, rest: str) -> None:
        self._stage.workdir = rest
        self._stage.here.mkdir(parents=True, exist_ok=True)

    def _env(self, rest: str) -> None:
        self._stage.env |= dict(pair.split("=", 1) for pair in shlex.split(rest))

    def _user(self, rest: str) -> None:
        self._stage.user = rest

    def _expose(self, rest: str) -> None:
        self._stage.ports.append(rest)

    def _volume(self, rest: str) -> None:
        for folder in json.loads(rest):
            assert (self._stage.root / folder.strip("/")).is_dir(), folder

    def _cmd(self, rest: str) -> None:
        self._stage.command = json.loads(rest)

    def _copy(self, rest: str) -> None:
        *sources, target = rest.split()
        if sources[0].startswith("--from="):
            stage = self.stages[sources.pop(0).removeprefix("--from=")]
            origin = stage.root
            found = [(origin / source.strip("/"), Path(source).name) for source in sources]
            pairs = [(one, Path()) for one, _ in found]
        else:
            pairs = [pair for source in sources for pair in self._in_context(source)]
        assert pairs, f"COPY {rest} finds nothing"
        into = self._stage.here / target
        for path, below in pairs:
            to = into / path.name if target.endswith("/") and below == Path() else into / below
            to.parent.mkdir(parents=True, exist_ok=True)
            if path.is_dir():
                shutil.copytree(path, to, dirs_exist_ok=True)
            else:
                # With its time, by which compiled code is known to belong to it.
                shutil.copy2(path, to)

    def _in_context(self, source: str) -> Iterator[tuple[Path, Path]]:
        """Files of the checkout that a source names, each with its place below the target."""
        for found in sorted(ROOT.glob(source)) if source != "." else [ROOT]:
            if found.is_file():
                yield found, Path()
                continue
            tracked = subprocess.run(
                ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
                cwd=found, check=True, capture_output=True, text=True,
            )  # fmt: skip
            for name in tracked.stdout.splitlines():
                if (found / name).is_file() and not self._is_ignored(found / name):
                    yield found / name, Path(name)

    def _is_ignored(self, path: Path) -> bool:
        """As .dockerignore says; the last line that fits a file or a folder above it holds."""
        ignored = False
        lines = [line for line in self._ignored if line and not line.startswith("#")]
        relative = path.relative_to(ROOT)
        above = [str(one) for one in (relative, *relative.parents) if one != Path()]
        for line in lines:
            pattern = line.removeprefix("!").removeprefix("**/")
            if any(fnmatch(one, pattern) for one in above):
                ignored = not line.startswith("!")
        return ignored

    def _run(self, rest: str) -> None:
        for begins, instead in REPLACED.items():
            if rest.startswith(begins):
                self.replaced.append(rest)
                instead(self._stage, rest)
                return
        # Who owns what is for an engine to do.
        rest = re.sub(r"useradd .*--home-dir (\S+) \S+$", r"mkdir -p \1", rest)
        rest = rest.replace(" --owner cml --group cml", "")
        subprocess.run(
            ["sh", "-ec", self._stage.inside(rest)],
            cwd=self._stage.here, env=self._stage.variables(), check=True, capture_output=True,
        )  # fmt: skip


def steps(text: str) -> Iterator[tuple[str, str]]:
    """Each instruction with what follows it."""
    for line in text.replace("\\\n", " ").splitlines():
        if line.strip() and not line.startswith("#"):
            word, _, rest = line.partition(" ")
            yield word, " ".join(rest.split())


def _packages(stage: Stage, step: str) -> None:
    """In place of what pip would fetch: what it has installed here, of the same pins."""
    for file in re.findall(r"-r (\S+)", step):
        assert (stage.here / file).read_bytes() == (ROOT / file).read_bytes()
    libraries = sysconfig.get_path("purelib", vars={"base": str(stage.here / ".venv")})
    (Path(libraries) / "installed.pth").write_text(sysconfig.get_path("purelib"))


def _documentation(stage: Stage, _step: str) -> None:
    """In place of what Sphinx would build: what it has built of the same pages."""
    for page in (ROOT / "docs").rglob("*.md"):
        copy = stage.here / page.relative_to(ROOT)
        assert copy.is_file(), f"{page} does not get to where the documentation is built"
        for included in re.findall(
            r"^```{(?:literal)?include} (\S+)", page.read_text("utf-8"), re.M
        ):
            assert (copy.parent / included).is_file(), f"{page} includes {included}"
    built = ROOT / "cml_app" / "documentation"
    shutil.copytree(built, stage.here / "cml_app" / "documentation")


def _compiled(stage: Stage, _step: str) -> None:
    """In place of what would be compiled: what was, of the same loops; numba finds it there."""
    del stage.env["NUMBA_CACHE_DIR"]
    for source in (ROOT / "cml_core").rglob("*.nb[ci]"):
        copy = stage.here / source.relative_to(ROOT)
        copy.parent.mkdir(exist_ok=True)
        shutil.copy2(source, copy)


def _environment(stage: Stage, _step: str) -> None:
    """An environment without pip, which has nothing to do here."""
    venv.create(stage.here / ".venv", symlinks=True)


# What is not played as it stands, by its beginning.
REPLACED = {
    "python -m venv .venv": _environment,
    ".venv/bin/python -m pip install --no-cache-dir --require-hashes ": _packages,
    ".venv/bin/python -m sphinx ": _documentation,
    ".venv/bin/python -m cml_app --prepare": _compiled,
}
