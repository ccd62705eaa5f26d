"""The analysis of a match as JSON lines, computed line by line."""

from __future__ import annotations

import json
from collections.abc import Container, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import asdict, astuple, evolve, frozen

from ... import __version__
from ...core.log.files import writing
from ...core.match import AnyMatch
from ...core.wire import plain, wire_of
from .decisions import Decision, decisions_of, judge

Line = Mapping[str, Any]

VERSION = 1
"""The version of the lines; `docs/analysis.md` describes them."""


@frozen
class Analysis:
    """What determines the bytes of an analysis: the match, the seed of the draws, and the number of comparisons."""

    match: AnyMatch
    seed: bytes
    pairs: int
    decisions: Sequence[Decision]

    @classmethod
    def of(cls, match: AnyMatch, seed: bytes, pairs: int) -> Analysis:
        """Return the analysis of all decisions of a match, of which nothing is computed yet."""
        return cls(match, seed, pairs, decisions_of(match))

    def of_seats(self, seats: Container[int]) -> Analysis:
        """Return the analysis of these seats' decisions alone."""
        return evolve(self, decisions=[each for each in self.decisions if each.seat in seats])

    @property
    def head(self) -> Line:
        """The first line: what is analysed, and how."""
        match = self.match
        return {
            "analysis": VERSION,
            "engine": f"kifu {__version__}",
            "game": match.game.name,
            "match": match.header.match,
            "chain": match.recorded[1].hex() if match.recorded is not None else None,
            "events": len(match.events),
            "decisions": len(self.decisions),
            "seed": self.seed.hex(),
            "pairs": self.pairs,
        }

    def lines(self, file: Path | None = None) -> Iterator[Line]:
        """Yield one line a decision, in order; with a file, which they are written to, each as soon as it is computed.

        Raises `LogError` if the file cannot be written.
        """
        if file is None:
            yield from map(self.line, self.decisions)
            return
        with writing(file), file.open("wb") as written:
            written.write(encoded(self.head))
            for line in map(self.line, self.decisions):
                written.write(encoded(line))
                written.flush()
                yield line

    def line(self, decision: Decision) -> Line:
        """Return the line of a decision; computes it."""
        judgement = judge(decision, self.seed, self.pairs)
        of = {"seq": decision.seq, "seat": decision.seat}
        if judgement is None:
            return {**of, "played": self._command(decision.played), "pairs": 0}
        return {
            **of,
            "played": {**self._command(judgement.played), **asdict(judgement.played_estimate)},
            "best": {**self._command(judgement.best), **asdict(judgement.best_estimate)},
            "pairs": judgement.pairs,
            "chance_loss": list(astuple(judgement.chance_loss)),
            "value_loss": list(astuple(judgement.value_loss)),
            "swing": judgement.is_swing,
        }

    def _command(self, command: Any) -> dict[str, Any]:
        tag, fields = wire_of(self.match.game).encode(command)
        return {"tag": tag, "fields": plain(fields)}


def is_analysis(content: bytes) -> bool:
    """Return True for the content of a file that has an analysis, or nothing yet."""
    return not content or content.startswith(f'{{"analysis": {VERSION}, '.encode())


def encoded(line: Line) -> bytes:
    """Return a line as ASCII with its line feed."""
    return (json.dumps(line, separators=(", ", ": ")) + "\n").encode("ascii")
