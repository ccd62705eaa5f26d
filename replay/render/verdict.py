"""The verdict on a log or a seat record: one line, and a line for each finding; or why a log is left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from ...core.text.sanitize import sanitize, width
from ...core.text.texts import Texts
from ..analysis.verdict_words import VerdictWords
from ..command import FINE, FOUND, UNUSABLE
from ..logs.locations import MAX_SKIPPED, SkippedLog
from .console import ConsoleWriter


def print_verdict(words: VerdictWords, file: str, fine: str, writer: ConsoleWriter, texts: Texts) -> None:
    """Print a verdict on a file in these words; `fine` is what it would be without findings."""
    cells = max(map(width, (fine, words.verdict, texts.format("audit-wrong")))) + 2
    indent = " " * cells
    style = "yellow" if words.partial else "green" if words.ok else "bold red"
    line = Text(words.verdict + " " * (cells - width(words.verdict)), style=style)
    line.append(sanitize(file, 200), style="default")
    line.append(f"  {words.summary}", style="dim")
    writer.print(line)
    for what, message in words.findings:
        writer.print(Text.assemble(indent, (f"{what}{texts.colon}", "bold"), message))
    if words.proof is not None:
        writer.print(Text(indent + words.proof, style="bold"))
    for each in words.left:
        writer.print(Text(indent + each, style="dim"))
    for each in words.facts:
        writer.print(Text(indent + each))


def left_out_lines(skipped: Sequence[SkippedLog], count: int, texts: Texts) -> Iterator[Text]:
    """Yield a line for each of the first of `count` logs that are left out, and the number of the others."""
    named = skipped[:MAX_SKIPPED]
    for each in named:
        yield left_out_line(each.log, each.said(texts), texts)
    if count > len(named):
        yield Text(texts.format("stats-left-more", count=count - len(named)), style="red")


def left_out_code(skipped: Sequence[SkippedLog]) -> int:
    """Return the exit code of a verb that has left these logs out."""
    return UNUSABLE if any(each.unusable for each in skipped) else FOUND if skipped else FINE


def left_out_line(log: object, why: str, texts: Texts) -> Text:
    """Return what is said of a log, a name or a path, that is left out."""
    said = [texts.format("stats-left"), sanitize(str(log), 300), sanitize(texts.message(why), 300)]
    return Text(texts.colon.join(said), style="red")
