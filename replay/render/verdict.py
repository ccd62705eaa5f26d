"""The verdict on a file, of an audit or of a seat record: one line, and a line for each finding."""

from __future__ import annotations

from typing import Any

from rich.text import Text

from ...core.text.sanitize import sanitize, width
from ...core.text.texts import Texts
from .console import ConsoleWriter


def print_verdict(
    record: dict[str, Any], file: str, summary: str, fine: str, writer: ConsoleWriter, texts: Texts
) -> str:
    """Print whether a file is `fine`, its name and summary, and its findings; return the indent of what follows."""
    wrong = texts.format("audit-wrong")
    cells = max(width(fine), width(wrong)) + 2
    verdict = fine if record["ok"] else wrong
    line = Text(verdict + " " * (cells - width(verdict)), style="green" if record["ok"] else "bold red")
    line.append(sanitize(file, 200), style="default")
    line.append(f"  {summary}", style="dim")
    writer.print(line)
    for finding in record["findings"]:
        what = finding["rule"] or texts.format(f"finding-{finding['kind']}")
        if finding["seq"] is not None:
            what = texts.format("audit-at-event", seq=finding["seq"], what=what)
        writer.print(Text.assemble(" " * cells, (f"{what}{texts.colon}", "bold"), finding["message"]))
    return " " * cells
