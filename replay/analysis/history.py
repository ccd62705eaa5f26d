"""The engines of a git history: commits unpacked and run, and the first whose trace of a log differs.

The repository is only read. A commit is unpacked from `git archive` into a folder of its own, which is put on the path
of a Python before the packages that are installed there.
"""

from __future__ import annotations

import io
import os
import subprocess
import tarfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from attrs import Factory, frozen, mutable

from ...core.errors import EngineError, TraceError
from ...core.text.sanitize import sanitize
from ...core.trace import Comparison, Trace, compare
from ..call_errors import CallError
from .engine import Engine

LAUNCH = """import runpy, sys
sys.path.insert(0, sys.argv[1])
runpy.run_module("kifu.core.trace", run_name="__main__", alter_sys=True)
"""
"""The program that runs the engine of a folder."""

GIT_TIMEOUT_S = 120


@frozen
class Commit:
    """A commit: its full name, the day of its author, its first line, and the names of its parents."""

    name: str
    date: str
    subject: str
    parents: tuple[str, ...]


class Repository:
    """A git repository that is only read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.root = Path(self._git("rev-parse", "--show-toplevel").decode(errors="replace").strip())

    def commit(self, revision: str) -> Commit:
        """Return the commit of a revision; raises `CallError` if there is none."""
        form = "%H%x00%as%x00%s%x00%P"
        given = self._git("log", "-1", f"--format={form}", "--end-of-options", f"{revision}^{{commit}}", "--")
        name, date, subject, parents = given.decode(errors="replace").rstrip("\n").split("\0")
        return Commit(name, date, subject, tuple(parents.split()))

    def between(self, good: str, bad: str) -> list[str]:
        """Return the names of the commits after `good` up to `bad`, along first parents, oldest first."""
        listed = self._git("rev-list", "--first-parent", "--reverse", bad, f"^{good}", "--")
        return listed.decode().split()

    def merge_base(self, one: str, other: str) -> str | None:
        """Return the common ancestor of two commits; None if there is none."""
        try:
            return self._git("merge-base", one, other).decode().split()[0]
        except (CallError, IndexError):
            return None

    def unpack(self, commit: str, folder: Path) -> None:
        """Write the files of a commit into a folder."""
        with tarfile.open(fileobj=io.BytesIO(self._git("archive", "--format=tar", commit, cwd=self.root))) as archive:
            archive.extractall(folder, filter="data")

    def _git(self, *args: str, cwd: Path | None = None) -> bytes:
        environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
        call = ["git", "-C", str(cwd or self.folder), *args]
        try:
            done = subprocess.run(call, capture_output=True, timeout=GIT_TIMEOUT_S, env=environment, check=False)  # noqa: S603 (git alone)
        except (OSError, ValueError, subprocess.TimeoutExpired):
            raise CallError("no-git", "{folder}: git cannot be run there", folder=self.folder) from None
        if done.returncode:
            lines = done.stderr.decode(errors="replace").strip().splitlines() or [""]
            raise CallError("git-failed", "{folder}: {why}", folder=self.folder, why=sanitize(lines[-1], 200))
        return done.stdout


@frozen
class FirstDiffering:
    """The first commit that differs, and how; None if good and bad do not."""

    commit: Commit | None
    comparison: Comparison | None


@mutable
class Bisection:
    """The search for the first commit whose engine makes another trace of a log than the engine of `good`."""

    repository: Repository
    log: bytes
    options: frozenset[str]
    """The fields of a state that hold the options."""
    python: str
    path: str
    """The folder of the repository that is put on the path; `..` if the repository is itself the package kifu."""
    timeout: float
    scratch: Path
    tried: dict[str, Comparison | None] = Factory(dict)
    """By commit: how its trace differs from good's; None if it could not be run."""
    reference: Any = None

    def run(self, good: Commit, bad: Commit) -> FirstDiffering:
        """Return the first commit that differs; raises `CallError` if good or bad cannot be run."""
        self.reference = self._trace(good.name)
        last = self._compare(bad.name)
        if last is None:
            raise CallError("commit-unusable", "the engine of {commit} cannot be run", commit=bad.name[:12])
        if last.first is None:
            return FirstDiffering(None, None)
        found = self._first(self.repository.between(good.name, bad.name) or [bad.name])
        while len((commit := self.repository.commit(found)).parents) > 1:
            inner = self._within(commit)
            if inner is None:
                break
            found = inner
        return FirstDiffering(commit, self.tried[found])

    @property
    def skipped(self) -> list[str]:
        """The commits that could not be run."""
        return [name for name, comparison in self.tried.items() if comparison is None]

    def _within(self, merge: Commit) -> str | None:
        """Return the first commit that differs within the branch of a merge; None if the merge itself brought it."""
        base = self.repository.merge_base(merge.parents[0], merge.parents[1])
        if base is None or not self._differs(merge.parents[1]):
            return None
        return self._first(self.repository.between(base, merge.parents[1]) or [merge.parents[1]])

    def _first(self, names: Sequence[str]) -> str:
        """Return the first of these commits that differs; the last of them does."""
        low, high = 0, len(names) - 1
        while low < high:
            middle = self._usable(names, (low + high) // 2, low, high)
            if middle is None:
                return names[high]  # nothing between can be run
            if self._differs(names[middle]):
                high = middle
            else:
                low = middle + 1
        return names[high]

    def _usable(self, names: Sequence[str], middle: int, low: int, high: int) -> int | None:
        """Return the place nearest to the middle, of low … high - 1, whose commit can be run; None if there is none."""
        places = sorted(range(low, high), key=lambda place: abs(place - middle))
        return next((place for place in places if self._compare(names[place]) is not None), None)

    def _differs(self, name: str) -> bool:
        comparison = self._compare(name)
        return comparison is not None and comparison.first is not None

    def _compare(self, name: str) -> Comparison | None:
        """Compare a commit's trace with good's, once; None if its engine cannot be run."""
        if name not in self.tried:
            try:
                self.tried[name] = compare(self.reference, self._trace(name), self.options)
            except (EngineError, TraceError, CallError):
                self.tried[name] = None
        return self.tried[name]

    def _trace(self, name: str) -> Trace:
        """Return the trace by the engine of a commit; raises `EngineError`."""
        folder = self.scratch / name / "kifu"
        if not folder.exists():
            folder.mkdir(parents=True)
            self.repository.unpack(name, folder)
        on_path = os.path.normpath(folder / self.path)
        with Engine(self.python, self.timeout, launch=("-c", LAUNCH, on_path)) as engine:
            return engine.trace(self.log)
