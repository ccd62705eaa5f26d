"""What is proposed, another value of an option or another engine, and what it would make of a match."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

import attrs
from attrs import frozen

from ...core.game import Event, Game, Result, RuleViolation, Takeback
from ...core.log import Reading, log_bytes
from ...core.match import Fold, Match, call_game
from ...core.text.texts import Texts
from ...core.trace import Change, Trace, compare, read_trace, trace, trace_log
from ...core.trace.write import log_chain
from ...core.wire import wire_of
from ..call_errors import CallError
from ..option_parsing import parse_options
from .engine import Engine

AnyMatch = Match[Any, Any, Any]

ACCEPTS = "accepts"


class DifferentGame(CallError):  # noqa: N818 (says what is wrong with the call)
    """A log of a game that does not have the option which is asked about."""


@frozen
class End:
    """How a match ends: its result, if it has one, and the event that was refused, by which rule."""

    points: tuple[int, ...] | None = None
    winners: tuple[int, ...] | None = None
    refused: int | None = None
    rule: str | None = None

    @classmethod
    def of(cls, result: Result | None, refused: int | None = None, rule: str | None = None) -> End:
        return cls(refused=refused, rule=rule) if result is None else cls(result.points, result.winners, refused, rule)


@frozen
class Divergence:
    """Where two ways of playing part: the step (-1: the start), and there what is not the same.

    `rules` are those by which either refuses it ("accepts" if it does not), `fields` those of the state that differ,
    `notes` the rules of the notes that do.
    """

    seq: int
    rules: tuple[str, str] = (ACCEPTS, ACCEPTS)
    fields: frozenset[str] = frozenset()
    notes: frozenset[str] = frozenset()

    def is_like(self, other: Divergence) -> bool:
        """Tell whether this is the same difference, at whatever step."""
        if self.rules != other.rules or (self.seq < 0) is not (other.seq < 0):
            return False
        if self.fields or other.fields:
            return bool(self.fields & other.fields)
        return bool(self.notes & other.notes) or self.notes == other.notes

    def text(self, texts: Texts) -> str:
        """Say what is not the same."""
        ours, theirs = self.rules
        if ours != theirs:
            key = "parting-refused" if ours == ACCEPTS else "parting-accepted" if theirs == ACCEPTS else "parting-rules"
            return texts.format(key, ours=ours, theirs=theirs)
        what = "fields" if self.fields else "notes"
        return texts.format(f"parting-{what}", names=tuple(sorted(self.fields or self.notes)))


@frozen
class Outcome:
    """What a proposal makes of one match, beside what it is."""

    change: Change
    now: End
    then: End
    divergence: Divergence | None = None


class Alternative(Protocol):
    """Another way of playing, open while it is asked."""

    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, cause: BaseException | None, trace: TracebackType | None
    ) -> None: ...
    def outcome(self, log: bytes, reading: Reading) -> Outcome:
        """Compare what this engine made of a log with what would become of it."""

    def divergence(self, match: AnyMatch) -> Divergence | None:
        """Find the first step of a legal match at which they part."""


def alternative(options: list[str] | None, engine: Path | None, timeout: float) -> Alternative:
    """Make the proposal of a call: `--option` or `--engine`."""
    if bool(options) == (engine is not None):
        raise CallError(
            "what-to-compare", "say what to compare with: --option NAME=VALUE or --engine PYTHON, one of them"
        )
    return AlternativeOptions(options) if options else AlternativeEngine(str(engine), timeout)


class AlternativeOptions:
    """The same commands under other values of options.

    The deals stand as they were dealt: whether a seed would give others under the options is not asked.
    """

    def __init__(self, typed: list[str]) -> None:
        self.typed = typed

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, cause: BaseException | None, trace: TracebackType | None
    ) -> None:
        """There is nothing to close."""

    def outcome(self, log: bytes, reading: Reading) -> Outcome:  # noqa: ARG002 (an engine asks for the bytes)
        match = reading.match
        assert match is not None
        refused = reading.refused
        rule = next((each.rule or each.kind for each in reading.findings if each.violation is not None), None)
        now = End.of(reading.result, None if rule is None else len(match.events), rule)
        divergence, then = self._again(match, refused if now.refused is not None else None, now)
        if refused is None and then.refused is None:  # what is no command at all is none under any options
            then = attrs.evolve(then, refused=now.refused, rule=now.rule)
        return Outcome(_change(now, then, divergence), now, then, divergence)

    def divergence(self, match: AnyMatch) -> Divergence | None:
        return self._again(match, None, End())[0]

    def _again(self, match: AnyMatch, refused: Event[Any] | None, now: End) -> tuple[Divergence | None, End]:
        """Fold the commands under the other options, up to what is refused."""
        game = match.game
        header = attrs.evolve(match.header, options=self._options(match), seed=None)
        takes_back = any(isinstance(event.command, Takeback) for event in match.events)
        fold: Fold[Any, Any] = Fold(game, header, keep_states=takes_back)
        divergence = _apart(-1, match.states[0], fold.state, game)
        events = match.events if refused is None else [*match.events, refused]
        for event in events:
            was = now.rule if event is refused and now.rule is not None else ACCEPTS
            try:
                fold.apply(event.seat, event.command)
            except RuleViolation as violation:
                number = violation.rule.number
                if divergence is None and number != was:
                    divergence = Divergence(event.seq, (was, number))
                return divergence, End.of(call_game(game, game.result, fold.state), event.seq, number)
            if divergence is None and event is refused:
                divergence = Divergence(event.seq, (was, ACCEPTS))
            if divergence is None:
                divergence = _apart(event.seq, match.states[event.seq + 1], fold.state, game)
        result = call_game(game, game.result, fold.state)
        return divergence or _ends_apart(match, result), End.of(result)

    def _options(self, match: AnyMatch) -> Any:
        wire, header = wire_of(match.game), match.header
        names = {field.name for field in attrs.fields(match.game.options)}
        if unknown := [each for each in self.typed if each.partition("=")[0] not in names]:
            raise DifferentGame(
                "no-option",
                "{game} has no option {option}",
                game=match.game.name,
                option=repr(unknown[0].partition("=")[0]),
            )
        asked = parse_options(match.game, self.typed)
        options = wire.options({**wire.plain_options(header.options), **asked})
        match.game.check_options(options, len(header.seats))
        return options


class AlternativeEngine:
    """The same log, traced by another engine."""

    def __init__(self, python: str, timeout: float) -> None:
        self.python = python
        self.timeout = timeout
        self._engine: Engine | None = None

    def __enter__(self) -> Self:
        self._engine = Engine(self.python, self.timeout)
        self._engine.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, cause: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._engine is not None:
            self._engine.close()

    def outcome(self, log: bytes, reading: Reading) -> Outcome:
        return self._compared(read_trace(trace(reading, log_chain(log))), log)

    def divergence(self, match: AnyMatch) -> Divergence | None:
        log = log_bytes(match, digests=False)
        return self._compared(read_trace(trace_log(log, lambda _: match.game)), log).divergence

    def _compared(self, ours: Trace, log: bytes) -> Outcome:
        assert self._engine is not None
        theirs = self._engine.trace(log)
        comparison = compare(ours, theirs)
        first = comparison.first
        divergence = None
        if first is not None:
            rules = tuple(_refused_by(each, first.seq) for each in (ours, theirs))
            fields = frozenset(each.path.partition("[")[0].partition(".")[0] for each in first.fields)
            notes = frozenset(note.rule or note.key for side in first.notes for note in side)
            divergence = Divergence(first.seq, (rules[0], rules[1]), fields, notes)
        return Outcome(comparison.change, _end(ours), _end(theirs), divergence)


def _refused_by(side: Trace, seq: int) -> str:
    refusal = side.refusal
    return ACCEPTS if refusal is None or refusal.seq != seq else refusal.rule or "form"


def _end(side: Trace) -> End:
    points, winners = side.last.points, side.last.winners
    refused, rule = (None, None) if side.refusal is None else (side.refusal.seq, side.refusal.rule)
    if points is None or winners is None:
        return End(refused=refused, rule=rule)
    return End(tuple(points), tuple(winners), refused, rule)


def _change(now: End, then: End, divergence: Divergence | None) -> Change:
    """Judge as `compare` does of traces."""
    if (now.refused, now.rule) != (then.refused, then.rule):
        return Change.LEGALITY
    if now.winners != then.winners:
        return Change.WINNER
    if now.points != then.points:
        return Change.SCORE
    return Change.NONE if divergence is None else Change.NOISE


def _apart(seq: int, now: Any, then: Any, game: Game[Any, Any, Any]) -> Divergence | None:
    """Give the fields in which two states differ, the options themselves aside."""
    fields = frozenset(_fields_apart(now, then, game.options))
    return Divergence(seq, fields=fields) if fields else None


def _ends_apart(match: AnyMatch, then: Result | None) -> Divergence | None:
    """Give what differs of two results of the same state: only they look at the options."""
    now = match.result
    if now == then:
        return None
    names = [name for name in ("points", "winners") if getattr(now, name, None) != getattr(then, name, None)]
    return Divergence(len(match.events) - 1, fields=frozenset(names))


def _fields_apart(now: Any, then: Any, options: type) -> Iterator[str]:
    for field in attrs.fields(type(now)):
        one, other = getattr(now, field.name), getattr(then, field.name)
        if one != other and not isinstance(one, options):
            yield field.name
