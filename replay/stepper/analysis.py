"""What a decision was worth, computed when it is asked for: the figures of `replay analyse`."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.game import TABLE, Seat
from ...core.match import AnyMatch
from ...core.match.header import SEED_BYTES
from ...core.text.texts import Texts
from ..analysis.analysis_file import Analysis, Line
from ..analysis.analysis_text import command_text, reasons
from ..analysis.decisions import PAIRS, Decision


class DecisionAnalysis:
    """The decisions of a log that has ended, each analysed once."""

    def __init__(self, match: AnyMatch) -> None:
        self.match = match
        self._analysis: Analysis | None = None
        self._lines: dict[int, Line] = {}

    def decision(self, seq: int) -> Decision | None:
        """Return the decision of an event; None if there was no choice, or a takeback undid it."""
        if self._analysis is None:
            self._analysis = Analysis.of(self.match, bytes(SEED_BYTES), PAIRS)
        return next((each for each in self._analysis.decisions if each.seq == seq), None)

    def line(self, decision: Decision) -> Line:
        """Return the line of a decision, as in the file of an analysis; takes up to some seconds."""
        assert self._analysis is not None
        if decision.seq not in self._lines:
            self._lines[decision.seq] = self._analysis.line(decision)
        return self._lines[decision.seq]

    def paragraphs(self, line: Line, texts: Texts) -> Sequence[str]:
        """Format a line: who played what, then what it cost."""
        game, names = self.match.game, self.match.header.seats
        played = f"{texts.seat(line['seat'], names)}{texts.colon}{command_text(line['played'], texts, game, names)}"
        return [played, *reasons(line, texts, game, names)]


def may_read(viewer: Seat | None, decision: Decision) -> bool:
    """Return True if a viewer may read of a decision: the table of any, a seat of its own.

    The analysis of another seat's decision may name the cards in its hand.
    """
    return viewer in (TABLE, decision.seat)
