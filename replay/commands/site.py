"""`replay site`: a folder of static pages with the engine in it, and a library of logs."""

from __future__ import annotations

from pathlib import Path

import click

from ...core.errors import MissingExtra, os_error_message
from ...core.text.sanitize import sanitize
from ..call_errors import CallError
from ..command import verb
from ..logs.locations import require_logs
from ..options import text_options
from ..progress import progress_bar
from ..render.console import Output


@verb("replay site logs/ -o site")
@click.argument(
    "logs", nargs=-1, metavar="[LOG…]", help="Logs and folders of logs for the library; none: a place to play alone."
)
@click.option(
    "-o",
    "folder",
    type=Path,
    default=Path("site"),
    metavar="FOLDER",
    help="The folder to write; an earlier site there is replaced.",
)
@click.option(
    "--runtime",
    type=Path,
    metavar="FOLDER",
    help="The files of the runtime; default: fetched by npm and pip, and kept.",
)
@text_options
def site(logs: tuple[str, ...], folder: Path, runtime: Path | None, output: Output) -> int:
    """Write a folder of web pages with the engine in them, for any host of static files; no server is needed.

    The pages list the logs, step through them, audit, verify, analyse and compare them, and play on from any step.
    All installed games of pure Python can be played there, against bots or at one screen; after the first visit
    without a network.

    The logs go into the folder as they are, with all cards open: share it after the matches.

    Exit code 0: written; 1: written, but some files are not logs and were left out; 2: nothing was written.
    """
    try:
        from ..browser.site import listed, write_site  # here, since the other verbs do not need the web
    except MissingExtra:
        raise MissingExtra("replay site", "web") from None
    texts, writer, shown = output.texts, output.writer, not output.plain
    refused: list[str] = []
    found = [] if not logs else list(require_logs(logs))
    logs_read = progress_bar(found, "site", len(found), shown=shown)
    try:
        written = write_site(folder, listed(logs_read, found, refused), runtime, shown=shown)
    except OSError as error:
        english = "{folder} cannot be written: {why}"
        raise CallError("site-unwritten", english, folder=folder, why=os_error_message(error)) from None
    for package, file in written.left_out:
        writer.print(texts.format("game-left-out-of-site", package=package, file=file))
    for name in refused:
        writer.print(texts.format("left-out-of-site", log=sanitize(name, 300)))
    size = -(-written.engine_bytes // 100_000) / 10
    writer.print(texts.format("written-site", folder=sanitize(str(folder), 300), count=written.logs, size=size))
    writer.print(texts.format("serve-site", folder=sanitize(str(folder), 300)))
    return 1 if refused else 0
