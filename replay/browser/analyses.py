"""Analyses that a page computes decision by decision, so that it can show how far it is, and stop."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

from attrs import define, field

from ...core.errors import MatchError
from ...core.log import read_bytes
from ...core.match import AnyMatch
from ...core.match.header import SEED_BYTES
from ...core.page import LANGS, page
from ..analysis.analysis_file import Analysis, Line
from ..analysis.analysis_text import remarks
from ..analysis.decisions import PAIRS
from ..call_errors import UserMessage
from .matches import checked_lang


@define
class _Running:
    match: AnyMatch
    to_come: Iterator[Line]
    lines: list[Line] = field(factory=list)


class Analyses:
    """The analyses of one page, each known by a number. Every public method is a call of the package."""

    def __init__(self) -> None:
        self._running: dict[int, _Running] = {}
        self._numbers = count(1)

    def begin_analysis(self, log: bytes) -> dict[str, int]:
        """Begin the analysis of a match that has ended; return its number, and how many decisions there are."""
        reading = read_bytes(log)
        if reading.match is None or reading.ended is None:
            raise MatchError(UserMessage("analysed-later", "the match has not ended: it is analysed when it has"))
        analysis = Analysis.of(reading.match, bytes(SEED_BYTES), PAIRS)
        number = next(self._numbers)
        self._running[number] = _Running(reading.match, iter(analysis.lines(None)))
        return {"number": number, "decisions": len(analysis.decisions)}

    def judge_next(self, number: int) -> Any:
        """Judge the next decision; return what `replay analyse --json` prints of it, None after the last."""
        running = self._analysis(number)
        line = next(running.to_come, None)
        if line is not None:
            running.lines.append(line)
        return line

    def analysed_page(self, number: int, lang: str | None = None) -> str:
        """Return the match as one page to step through, with what the decisions judged so far were worth."""
        running = self._analysis(number)
        match = running.match
        said = remarks(running.lines, match.game, match.header.seats, LANGS)
        return page(match, lang=None if lang is None else checked_lang(lang), remarks=said)

    def end_analysis(self, number: int) -> None:
        """Forget an analysis."""
        self._running.pop(number, None)

    def _analysis(self, number: int) -> _Running:
        try:
            return self._running[number]
        except KeyError:
            raise MatchError(UserMessage("no-analysis", "the analysis was forgotten: begin it again")) from None
