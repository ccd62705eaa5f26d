"""The pytest plugin of kifu: `pytest --kifu-golden DIR` makes every golden log of a folder a test.

It is a package of its own because pytest loads it in every run wherever kifu is installed: it imports pytest, and kifu
only when a log is tested.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from kifu.core.text.texts import Texts

FOLDERS = pytest.StashKey[list[Path]]()
LEFT_OUT = pytest.StashKey[list[Path]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options `--kifu-golden`, `--kifu-update` and `--kifu-remove-orphans`, and the ini key `kifu_golden`."""
    group = parser.getgroup("kifu")
    group.addoption(
        "--kifu-golden",
        action="append",
        default=[],
        metavar="DIR",
        help="test every log of this folder against its stored trace and end (repeatable)",
    )
    group.addoption(
        "--kifu-update", action="store_true", help="store what golden logs give now, unless that breaks an old log"
    )
    group.addoption(
        "--kifu-remove-orphans", action="store_true", help="with --kifu-update: remove traces and ends without a log"
    )
    parser.addini(
        "kifu_golden", "the same for the whole suite: folders, relative to this file", type="paths", default=[]
    )


def pytest_configure(config: pytest.Config) -> None:
    """Find the folders to test; those of the ini file belong to every run but one of selected tests."""
    here = config.invocation_params.dir
    folders = [(here / folder).resolve() for folder in config.getoption("--kifu-golden")]
    if config.getoption("--kifu-remove-orphans") and not config.getoption("--kifu-update"):
        raise pytest.UsageError("--kifu-remove-orphans goes with --kifu-update")
    if folders and not config.getoption("file_or_dir") and _is_typed(config):
        if lacking := next(filter(None, map(_lacking, folders)), None):
            raise pytest.UsageError(f"--kifu-golden: {lacking}")
        config.args[:] = map(str, folders)  # the option without a path: test nothing else
    suite = [folder.resolve() for folder in config.getini("kifu_golden")]
    if _is_whole_suite(config):
        named, left_out = suite, []
    else:
        called = [Path(here, arg).resolve() for arg in config.args]
        named = [path for path in called if path.is_dir() and any(map(path.is_relative_to, suite))]
        left_out = [folder for folder in suite if folder not in (*folders, *named)]
    folders += [folder for folder in named if folder not in folders]
    config.stash[FOLDERS], config.stash[LEFT_OUT] = folders, left_out


def _lacking(folder: Path) -> str | None:
    """Return what a folder of golden logs lacks, in a sentence; None if there is something to test."""
    if not folder.is_dir():
        return f"there is no folder {folder}"
    has = any(each for end in ("log", "trace", "json") for each in folder.rglob(f"*.{end}"))
    return None if has else f"there are no logs in {folder}"


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Name the folders of golden logs that are tested, and those that the call leaves out."""
    tested, left_out = (", ".join(map(str, folders)) for folders in (config.stash[FOLDERS], config.stash[LEFT_OUT]))
    lines = [f"golden logs: {tested}"] if tested else []
    why = "the call selects tests; add --kifu-golden DIR"
    return [*lines, f"golden logs left out: {left_out} ({why})"] if left_out else lines


def _is_typed(config: pytest.Config) -> bool:
    """Return True if the option stands in the call itself, and not in the `addopts` of an ini file."""
    return any(arg.startswith("--kifu-golden") for arg in config.invocation_params.args)


def _is_whole_suite(config: pytest.Config) -> bool:
    """Return True unless every argument selects tests: a file, a node id, or a folder inside a folder of tests."""
    return not all(_selects(config, arg) for arg in config.args)


def _selects(config: pytest.Config, arg: str) -> bool:
    if "::" in arg:
        return True
    path = Path(config.invocation_params.dir, arg).resolve()
    if not path.is_dir():
        return path.is_file()  # else the name of a package
    suite = config.inipath.parent.resolve() if config.inipath else config.rootpath
    named = [folder for pattern in config.getini("testpaths") for folder in suite.glob(pattern)]
    tests = named or [folder for folder in suite.iterdir() if folder.is_dir()]
    return any(folder in path.parents for folder in tests)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Add the golden logs to the collected tests.

    `pytest_collect_file` would not do: the folders above a log may be packages that cannot be imported.
    """
    if not config.stash[FOLDERS]:
        return
    from kifu.core.trace.golden import golden_logs

    items.extend(
        NoGoldenLogs.from_parent(session, name=f"golden logs {folder}", why=lacking)
        for folder in config.stash[FOLDERS]
        if (lacking := _lacking(folder)) is not None
    )
    logs = [log for folder in config.stash[FOLDERS] for log in golden_logs(folder)]
    for log in dict.fromkeys(logs):
        report = session.ihook.pytest_make_collect_report(collector=GoldenFile.from_parent(session, path=log))
        session.ihook.pytest_collectreport(report=report)
        items.extend(report.result)


class NoGoldenLogs(pytest.Item):
    """The test of a folder that is not there, or has no logs: it fails, and the others run."""

    def __init__(self, *, why: str, **more: Any) -> None:
        super().__init__(**more)
        self.why = why

    def runtest(self) -> None:
        """Raise `GoldenFailure`."""
        raise GoldenFailure(self.why)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> str:  # noqa: ARG002 (pytest's signature)
        """Return the sentence."""
        return str(excinfo.value)


class GoldenFile(pytest.File):
    """The file of a golden log, with one test."""

    def collect(self) -> Iterator[GoldenLog]:
        """Yield the test."""
        yield GoldenLog.from_parent(self, name="golden")


class GoldenLog(pytest.Item):
    """The test that a log still has the trace and audit that are stored beside it."""

    def runtest(self) -> None:
        """Raise `GoldenFailure` if the log differs from what is stored, and is not stored anew."""
        from kifu.core.trace.golden import check, store

        config, texts = self.config, _texts()
        if config.getoption("--kifu-remove-orphans") and not self.path.exists():
            for suffix in (".trace", ".json"):
                self.path.with_suffix(suffix).unlink(missing_ok=True)
            return
        found = check(self.path)
        if found.ok:
            return
        if config.getoption("--kifu-update") and found.traced and found.broken is None:
            store(self.path, found, texts)
            return
        raise GoldenFailure("\n".join([*found.lines(texts), *([] if found.broken is None else [found.broken])]))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> str:  # noqa: ARG002 (pytest's signature)
        """Return the lines of a `GoldenFailure`, or the traceback of any other exception."""
        if isinstance(excinfo.value, GoldenFailure):
            return str(excinfo.value)
        return str(excinfo.getrepr(style="short"))

    def reportinfo(self) -> tuple[Path, None, str]:
        """Return the file and the name of the test."""
        return self.path, None, f"golden log {self.path.name}"


class GoldenFailure(Exception):  # noqa: N818 (a failed test, not an error)
    """A golden log that differs from what is stored beside it."""


def _texts() -> Texts | None:
    """Return the texts of notes, if their extra is installed."""
    from kifu.core.text.texts import HAS_CATALOGUES, Texts

    return Texts("en") if HAS_CATALOGUES else None
