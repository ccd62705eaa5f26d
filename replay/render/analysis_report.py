"""What each decision of a match cost, from what its seat knew, printed as soon as it is judged."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.text import Text

from ...core.game import Seat
from ...core.log import Reading
from ...core.match import AnyMatch
from ..analysis.analysis_file import Analysis, Line
from ..analysis.analysis_text import command_text, gain, percent, reasons, turning_points
from ..progress import lines_beside_bar, progress_bar
from .console import Output
from .transcript import INDENT, Transcript
from .typeset import block, section

MAX_NOTES = 3
"""The most notes of a turning point: the first ones say what the command did, the others what followed."""
CHANCE_WIDTH = 9


def print_analysis(reading: Reading, analysis: Analysis, file: Path | None, output: Output) -> None:
    """Judge each decision and print it, on a terminal with a bar all at the end; then the turning points.

    The file gets the lines of the analysis, too.
    """
    match, writer, shown = analysis.match, output.writer, output.shows_bar
    presenter = _Presenter(Transcript(match, Seat(-1), output.texts, width=writer.width))
    title, lines = output.texts.title(match.game), list[Line]()
    if output.json:
        writer.json(analysis.head)
    with lines_beside_bar(writer, shown=shown) as say:
        for line in progress_bar(analysis.lines(file), title, len(analysis.decisions), shown=shown):
            if output.json:
                writer.json(line)
            else:
                say(*(() if lines else presenter.head(analysis.pairs)), *presenter.decision(line))
            sys.stdout.flush()  # the next one may take a minute
            lines.append(line)
    if output.json:
        writer.json({"turning_points": [line["seq"] for line in turning_points(lines)]})
    else:
        writer.print(*(() if lines else presenter.head(analysis.pairs)), *presenter.summary(lines))
        writer.print(*presenter.transcript.end(reading.findings) if reading.findings else ())


class _Presenter:
    """An analysis as text."""

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self._match: AnyMatch = transcript.match
        self._texts, self._names, self._width = transcript.texts, transcript.names, transcript.width

    def head(self, pairs: int) -> Iterator[Text]:
        """Yield what stands above the decisions."""
        yield section(self._texts.title(self._match.game), self._width, "━")
        yield from block(Text(), 2, Text(self._texts.format("analyse-head", pairs=pairs), style="dim"), self._width)
        yield Text()

    def summary(self, lines: Sequence[Line]) -> Iterator[Text]:
        """Yield the turning points, and a line for each seat."""
        yield Text()
        yield section(self._texts.format("analyse-turning-points"), self._width)
        chosen = turning_points(lines)
        if not chosen:
            yield Text(f"  {self._texts.format('analyse-no-turning-points')}")
        for line in chosen:
            yield from self._turning_point(line)
        yield Text()
        yield section(self._texts.format("analyse-seats"), self._width)
        for seat in range(len(self._names)):
            yield from self._seat(Seat(seat), [line for line in lines if line["seat"] == seat and line["pairs"]])

    def decision(self, line: Line) -> Iterator[Text]:
        """Yield a decision with what it promised, and a better command if there is one."""
        mark = Text("◆" if line.get("swing") else " ", style="bold red")
        head = Text.assemble((f"{line['seq']:>4}", "dim"), mark)
        played = self.transcript.doing(line["seat"], self._command(line["played"]))
        if not line["pairs"]:
            yield from block(head, INDENT, played, self._width)
            return
        tail = Text(percent(line["played"]["chance"]), style="cyan")
        yield from block(head, INDENT, played, self._width, tail, CHANCE_WIDTH)
        if line["value_loss"][1] <= 0:  # it may as well be the best
            return
        better = self._texts.format("analyse-better", command=self._command(line["best"]), gain=gain(line))
        tail = Text(percent(line["best"]["chance"]), style="dim")
        yield from block(Text(), INDENT + 2, Text(better, style="dim"), self._width, tail, CHANCE_WIDTH)

    def _turning_point(self, line: Line) -> Iterator[Text]:
        said = self.transcript.doing(line["seat"], self._command(line["played"]))
        yield from block(Text(f"{line['seq']:>4}", style="dim"), INDENT, said, self._width)
        why = reasons(line, self._texts, self._match.game, self._names)
        noted = self._match.notes(line["seq"], line["seat"])[:MAX_NOTES]
        notes = [self._texts.note(note, self._match.game, self._names) for note in noted]
        if notes:
            why.append(" ".join([self._texts.format("analyse-reason-notes"), *notes]))
        for reason in why:
            yield from block(Text(), INDENT + 2, Text(reason), self._width)

    def _seat(self, seat: int, lines: Sequence[Line]) -> Iterator[Text]:
        lost = sum(max(line["chance_loss"][0], 0.0) for line in lines) / max(len(lines), 1)
        text = self._texts.format(
            "analyse-seat",
            decisions=len(lines),
            swings=sum(line["swing"] for line in lines),
            lost=f"{100 * lost:.1f}",
        )
        yield from block(Text(), 2, self.transcript.doing(seat, text), self._width)

    def _command(self, data: Line) -> str:
        return command_text(data, self._texts, self._match.game, self._names)
