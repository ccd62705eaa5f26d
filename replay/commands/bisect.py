"""`replay bisect`: the commit of a git history whose engine first makes something else of a log."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer

from ...core.log import Reading, read_bytes
from ...core.text.sanitize import sanitize
from ...core.text.texts import Texts
from ...core.trace import option_fields
from ...core.trace.presenter import ComparisonPresenter
from ..analysis.engine import TIMEOUT_S
from ..analysis.history import Bisection, Commit, FirstDiffering, Repository
from ..logs.locations import location, read_content
from ..options import JsonOption, LangOption, LogArgument, PlainOption, TimeoutOption, texts_for
from ..progress import spinner
from ..render.console import ConsoleWriter

GoodOption = Annotated[str, typer.Option("--good", metavar="REV", help="A commit whose engine is right.")]
BadOption = Annotated[str, typer.Option("--bad", metavar="REV", help="A later commit whose engine differs.")]
RepositoryOption = Annotated[Path, typer.Option("--repo", metavar="DIR", help="The git repository; only read.")]
PythonOption = Annotated[
    Path | None,
    typer.Option("--python", metavar="PYTHON", help="The Python that runs each commit; default: this one."),
]
PathOption = Annotated[
    str | None,
    typer.Option(
        "--path", metavar="DIR", help="The folder in the repository to import from, e.g. src; default: as it looks."
    ),
]

LABEL_LETTERS = 12
"""The letters of a commit's name that are shown."""


def bisect(
    log: LogArgument,
    good: GoodOption,
    bad: BadOption = "HEAD",
    repo: RepositoryOption = Path(),
    path: PathOption = None,
    python: PythonOption = None,
    timeout: TimeoutOption = TIMEOUT_S,
    lang: LangOption = None,
    json: JsonOption = False,
    plain: PlainOption = False,
) -> int:
    """Find the commit of a git history whose engine first makes something else of a log, and show the difference.

    Each commit that is tried is unpacked into a temporary folder and run by one Python, with the packages installed
    there. A commit that cannot be run is passed over. Exit code 0: good and bad do not differ; 1: the commit was found;
    2: a commit, the log or the repository cannot be used.
    """
    writer, texts, where = ConsoleWriter(plain=plain), texts_for(lang), location(log)
    content = read_content(where)
    reading = read_bytes(content)
    if reading.match is None:
        raise reading.error(str(where))
    repository = Repository(repo)
    ends = repository.commit(good), repository.commit(bad)
    with TemporaryDirectory(prefix="kifu-bisect-") as scratch, spinner("bisect", shown=not (json or plain)):
        search = Bisection(
            repository,
            content,
            option_fields(reading.match),
            str(python or sys.executable),
            path if path is not None else _import_folder(repository),
            timeout,
            Path(scratch),
        )
        found = search.run(*ends)
    if json:
        writer.json(_data(found, search, ends))
    else:
        _print(writer, texts, found, search, reading)
    return 0 if found.commit is None else 1


def _import_folder(repository: Repository) -> str:
    """Return the folder to import from: the parent if the repository is the package kifu, `src` if there is one."""
    if (repository.root / "core" / "trace").is_dir() and (repository.root / "__init__.py").is_file():
        return ".."
    return "src" if (repository.root / "src").is_dir() else "."


def _print(writer: ConsoleWriter, texts: Texts, found: FirstDiffering, search: Bisection, reading: Reading) -> None:
    tried = len(search.tried)
    if found.commit is None or found.comparison is None:
        writer.print(texts.format("bisect-same"))
        return
    commit = found.commit
    subject = sanitize(commit.subject, 200)
    writer.print(
        texts.format("bisect-found", commit=commit.name[:LABEL_LETTERS], date=commit.date, subject=subject),
        texts.format("bisect-tried", count=tried),
    )
    if skipped := [name[:LABEL_LETTERS] for name in search.skipped]:
        writer.print(texts.format("bisect-skipped", commits=" ".join(skipped)))
    writer.print(*ComparisonPresenter(reading.game, reading.match, texts).lines(found.comparison))


def _data(found: FirstDiffering, search: Bisection, ends: tuple[Commit, Commit]) -> dict[str, Any]:
    commit, comparison = found.commit, found.comparison
    return {
        "commit": None if commit is None else commit.name,
        "date": None if commit is None else commit.date,
        "subject": None if commit is None else sanitize(commit.subject, 200),
        "good": ends[0].name,
        "bad": ends[1].name,
        "tried": len(search.tried),
        "skipped": search.skipped,
        "step": None if comparison is None or comparison.first is None else comparison.first.seq,
    }
