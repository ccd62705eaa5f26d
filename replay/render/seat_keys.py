"""New keys of seats, printed for whoever hands them to the players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated
from urllib.parse import quote

import typer
from rich.text import Text

from ...core.host import OpenedMatch
from ...core.text.sanitize import sanitize
from .console import ConsoleWriter

PageOption = Annotated[
    str | None, typer.Option("--page", metavar="URL", help="Print links to the page served there, not bare keys.")
]


def print_keys(
    issued: OpenedMatch, names: Sequence[str | None], page: str | None, writer: ConsoleWriter, *, json: bool
) -> None:
    """Print a line for each seat that has a key: its number, its name, and the key, or a link to the page."""
    for number, key in enumerate(issued.keys):
        if key is None:
            continue
        link = None if page is None else f"{page.partition('#')[0]}#match={quote(issued.match)}&key={key}"
        if json:
            row = {"match": issued.match, "seat": number, "name": names[number], "key": key}
            writer.json(row if link is None else {**row, "link": link})
        else:
            writer.print(Text(f"{number}  {sanitize(str(names[number]))}  {link or key}"))
