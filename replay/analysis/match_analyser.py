"""What a server analyses matches with: this program's own `show --analyse`, and its words."""

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
    """`replay show --analyse`, run by this Python."""

    folder: Path
    """Where the analyses are kept."""
    pairs: int = PAIRS

    def command(self, log: Path, file: Path) -> Sequence[str]:
        """Return the command line that analyses a log into a file."""
        called = (sys.executable, "-P", "-m", "kifu.replay", "show", "--analyse")
        return (*called, str(log), "--analysis", str(file), "--pairs", str(self.pairs), "--plain")

    def remarks(self, match: AnyMatch, lines: Sequence[Line]) -> Sequence[Remark]:
        """Return the lines of a match's analysis as remarks."""
        return remarks(lines, match.game, match.header.seats, LANGS)
