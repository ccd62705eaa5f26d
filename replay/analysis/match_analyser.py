"""What a server analyses matches with: this program's own verb `analyse`, and its words."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from attrs import frozen

from ...core.match import AnyMatch
from ...core.page import LANGS
from ...core.page.remarks import Remark
from .analysis_file import Line
from .analysis_text import remarks
from .decisions import PAIRS


@frozen
class MatchAnalyser:
    """The verb `analyse`, run by this Python."""

    folder: Path
    """Where the analyses are kept."""
    pairs: int = PAIRS

    def command(self, log: Path, file: Path) -> Sequence[str]:
        """Return the command line that analyses a log into a file."""
        called = (sys.executable, "-P", "-m", "kifu.replay", "analyse")
        return (*called, str(log), "-o", str(file), "--pairs", str(self.pairs), "--plain")

    def remarks(self, match: AnyMatch, lines: Sequence[Line]) -> Sequence[Remark]:
        """Return the lines of a match's analysis as remarks."""
        return remarks(lines, match.game, match.header.seats, LANGS)
