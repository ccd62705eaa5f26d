"""The analysis of a match as JSON lines, computed line by line, and kept in a file from which a stopped run goes on."""

from __future__ import annotations

import json
from collections.abc import Container, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import asdict, evolve, frozen

from ... import __version__
from ...core.errors import LogError, os_error_message
from ...core.match import AnyMatch
from ...core.wire import plain, wire_of
from ..call_errors import CallError
from .decisions import Decision, Estimate, Interval, Judgement, decisions_of, judge

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
        """Yield one line a decision, in order: those that the file has, then the others, which are appended to it.

        Raises `CallError` if the file has another analysis, `LogError` if it cannot be read or written.
        """
        if file is None:
            yield from (self.line(decision) for decision in self.decisions)
            return
        try:
            stored = _stored(file, self.head, [decision.seq for decision in self.decisions])
            yield from stored
            with file.open("ab") as written:
                for decision in self.decisions[len(stored) :]:
                    line = self.line(decision)
                    written.write(encoded(line))
                    written.flush()
                    yield line
        except OSError as cause:
            raise LogError("file", os_error_message(cause), path=str(file)) from None

    def line(self, decision: Decision) -> Line:
        """Return the line of a decision; computes it."""
        judgement = judge(decision, self.seed, self.pairs)
        if judgement is None:
            return {"seq": decision.seq, "seat": decision.seat, "played": self._command(decision.played), "pairs": 0}
        return self._judged(judgement)

    def _judged(self, judgement: Judgement) -> Line:
        played, best = judgement.played_estimate, judgement.best_estimate
        thoughts = [
            {
                **self._command(each.command),
                "visits": each.visits,
                "mean": _rounded(each.mean),
                "prior": _rounded(each.prior),
            }
            for each in judgement.thoughts
        ]
        return {
            "seq": judgement.seq,
            "seat": judgement.seat,
            "played": {**self._command(judgement.played), **_estimate(played)},
            "best": {**self._command(judgement.best), **_estimate(best)},
            "pairs": judgement.pairs,
            "chance_loss": _interval(judgement.chance_loss),
            "value_loss": _interval(judgement.value_loss),
            "swing": judgement.is_swing,
            "thoughts": thoughts,
        }

    def _command(self, command: Any) -> dict[str, Any]:
        tag, fields = wire_of(self.match.game).encode(command)
        return {"tag": tag, "fields": plain(fields)}


def encoded(line: Line) -> bytes:
    """Return a line as ASCII with its line feed."""
    return (json.dumps(line, separators=(", ", ": ")) + "\n").encode("ascii")


def _estimate(estimate: Estimate) -> dict[str, Any]:
    return asdict(estimate)


def _interval(interval: Interval) -> list[float]:
    return [interval.mean, interval.low, interval.high]


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 4)


def _stored(file: Path, head: Line, numbers: Sequence[int]) -> list[Line]:
    """Return the whole lines of a file that belong to this analysis, and cut off a torn one; begin a new file."""
    content = file.read_bytes() if file.exists() else b""
    whole = content[: content.rfind(b"\n") + 1]
    if not whole and encoded(head).startswith(content):
        file.write_bytes(encoded(head))
        return []
    first, *others = whole.splitlines(keepends=True) or [b""]
    if first != encoded(head):
        raise CallError("other-analysis", "{file}: it is no analysis of this log; give another name", file=file)
    try:
        lines: list[Line] = [json.loads(line) for line in others]
        if [line["seq"] for line in lines] != list(numbers[: len(lines)]):
            raise ValueError(lines)
    except (ValueError, TypeError, KeyError, RecursionError):
        raise CallError("damaged-analysis", "{file}: the analysis is damaged; remove the file", file=file) from None
    if len(whole) < len(content):
        with file.open("r+b") as torn:
            torn.truncate(len(whole))
    return lines
