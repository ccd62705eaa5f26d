"""What-if: the effect of an alternative, other values of options or another engine, on a match."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

import attrs
from attrs import frozen

from ...core.fold import Fold, call_game
from ...core.game import Event, Game, Note, Result, RuleViolation, Step, Takeback
from ...core.log import Reading, log_bytes
from ...core.log.format import CHAIN_BYTES
from ...core.match import Match
from ...core.text.texts import Texts
from ...core.trace import Change, Trace, compare, option_fields, read_trace, trace
from ...core.trace.sources import game_sources
from ...core.trace.write import log_chain
from ...core.wire import wire_of
from ..call_errors import CallError
from ..option_parsing import parse_options
from .changed_rules import rules_between, rules_of_options
from .engine import Engine

AnyGame = Game[Any, Any, Any]
AnyMatch = Match[Any, Any, Any]
AnyStep = Step[Any, Any]
Notes = tuple[Note, ...]

ACCEPTS = "accepts"


class DifferentGame(CallError):  # noqa: N818 (says what is wrong with the call)
    """A log of a game that lacks the option in question."""


@frozen
class End:
    """The end of a match: its result, if it has one, and the number of the refused event and the refusing rule."""

    points: tuple[int, ...] | None = None
    winners: tuple[int, ...] | None = None
    refused: int | None = None
    rule: str | None = None

    @classmethod
    def of(cls, result: Result | None, refused: int | None = None, rule: str | None = None) -> End:
        """Return the end with this result."""
        return cls(refused=refused, rule=rule) if result is None else cls(result.points, result.winners, refused, rule)


@frozen
class Divergence:
    """The first step (-1: the start) at which two replays differ, and how.

    `rules`: the rule by which each side refuses the command, or "accepts"; `fields`: the fields of the state that
    differ; `notes`: the rules of the notes that differ.
    """

    seq: int
    rules: tuple[str, str] = (ACCEPTS, ACCEPTS)
    fields: frozenset[str] = frozenset()
    notes: frozenset[str] = frozenset()

    @property
    def cause(self) -> str:
        """What differs first, by which logs are grouped: rules, else fields."""
        ours, theirs = self.rules
        if ours != theirs:
            return theirs if ours == ACCEPTS else ours
        return " ".join(sorted(self.notes or self.fields))

    def is_like(self, other: Divergence) -> bool:
        """Return True if this is the same kind of difference, at any step."""
        if self.rules != other.rules or (self.seq < 0) is not (other.seq < 0):
            return False
        if self.fields or other.fields:
            return bool(self.fields & other.fields)
        return bool(self.notes & other.notes) or self.notes == other.notes

    def text(self, texts: Texts) -> str:
        """Format the difference for a person."""
        ours, theirs = self.rules
        if ours != theirs:
            key = "refused" if ours == ACCEPTS else "accepted" if theirs == ACCEPTS else "rules"
            return texts.format(f"divergence-{key}", ours=ours, theirs=theirs)
        key = "fields" if self.fields else "notes"
        return texts.format(f"divergence-{key}", names=tuple(sorted(self.fields or self.notes)))


@frozen
class Outcome:
    """The effect of an alternative on one match."""

    change: Change
    now: End
    then: End
    """The end under the alternative."""
    divergence: Divergence | None = None
    reached: frozenset[str] = frozenset()
    """The rules that any note or refusal of the match names, by this engine."""


class Alternative(Protocol):
    """Other options or another engine; a context manager, entered while it is used."""

    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, cause: BaseException | None, trace: TracebackType | None
    ) -> None: ...
    def outcome(self, log: bytes, reading: Reading) -> Outcome:
        """Compare a log's reading by this engine with its replay under the alternative."""

    def divergence(self, match: AnyMatch) -> Divergence | None:
        """Return the first difference in a legal match, or None."""

    def changed_rules(self, game: AnyGame) -> frozenset[str] | None:
        """Return the rules of a game that the change concerns, as far as its source says; None if that is unknown."""


def alternative(options: list[str] | None, engine: Path | None, timeout: float) -> Alternative:
    """Return the alternative of a call, from `--option` or `--engine`; raises `CallError` unless it is exactly one."""
    if bool(options) == (engine is not None):
        raise CallError("what-to-compare", "give what to compare with, one of: --option NAME=VALUE, --engine PYTHON")
    return AlternativeOptions(options) if options else AlternativeEngine(str(engine), timeout)


class AlternativeOptions:
    """The same commands under other values of options.

    The recorded deals stay, even if the seed would give others under these options.
    """

    def __init__(self, typed: list[str]) -> None:
        self.typed = typed

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, cause: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Do nothing: there is nothing to close."""

    def outcome(self, log: bytes, reading: Reading) -> Outcome:  # noqa: ARG002 (an engine needs the bytes)
        """Compare a log's reading with the same commands under the other options."""
        match = reading.match
        assert match is not None
        refused = reading.refused
        rule = next((each.rule or each.kind for each in reading.findings if each.violation is not None), None)
        now = End.of(reading.result, None if rule is None else len(match.events), rule)
        noted = list(map(_notes, match.steps))
        divergence, then = self._replay(match, refused if now.refused is not None else None, now, noted)
        if refused is None and then.refused is None:  # a malformed command is malformed under any options
            then = attrs.evolve(then, refused=now.refused, rule=now.rule)
        reached = frozenset().union(*map(_numbers, noted), () if rule is None else (rule,))
        return Outcome(_change(now, then, divergence), now, then, divergence, reached)

    def divergence(self, match: AnyMatch) -> Divergence | None:
        """Return the first difference in a legal match, or None."""
        return self._replay(match, None, End(), None)[0]

    def changed_rules(self, game: AnyGame) -> frozenset[str] | None:
        """Return the rules that the code which reads the options concerns."""
        return rules_of_options(game, game_sources(game), [each.partition("=")[0] for each in self.typed]) or None

    def _replay(
        self, match: AnyMatch, refused: Event[Any] | None, now: End, noted: Sequence[Notes] | None
    ) -> tuple[Divergence | None, End]:
        """Apply the commands, and the refused one last, under the other options, up to the first that is refused.

        `noted` are the notes of the match's steps, if they are known.
        """
        game = match.game
        header = attrs.evolve(match.header, options=self._options(match), seed=None)
        takes_back = any(isinstance(event.command, Takeback) for event in match.events)
        fold = Fold(game, header, keep_states=takes_back)
        divergence = _state_divergence(-1, match.states[0], fold.state, game)
        events = match.events if refused is None else [*match.events, refused]
        for event in events:
            was = now.rule if event is refused and now.rule is not None else ACCEPTS
            before = fold.state
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
                then = Step(event, before, fold.state, game)
                ours = _notes(match.steps[event.seq]) if noted is None else noted[event.seq]
                divergence = _step_divergence(match.states[event.seq + 1], ours, then)
        result = call_game(game, game.result, fold.state)
        return divergence or _result_divergence(match, result), End.of(result)

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
        changed = parse_options(match.game, self.typed)
        options = wire.options({**wire.plain_options(header.options), **changed})
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
        """Compare a log's reading with the other engine's trace of the log."""
        assert reading.match is not None
        return self._compared(read_trace(trace(reading, log_chain(log))), log, reading.match)

    def divergence(self, match: AnyMatch) -> Divergence | None:
        """Return the first difference in a legal match, or None; raises `EngineError`."""
        log = log_bytes(match, digests=False)
        ours = trace(Reading(match=match, chain=log[-CHAIN_BYTES:]), log_chain(log))  # as the log would be read
        return self._compared(read_trace(ours), log, match).divergence

    def _compared(self, ours: Trace, log: bytes, match: AnyMatch) -> Outcome:
        assert self._engine is not None
        theirs = self._engine.trace(log)
        comparison = compare(ours, theirs, option_fields(match))
        first = comparison.first
        divergence = None
        if first is not None:
            rules = tuple(_refused_by(each, first.seq) for each in (ours, theirs))
            fields = frozenset(each.path.partition("[")[0].partition(".")[0] for each in first.fields)
            notes = frozenset(note.rule or note.key for side in first.notes for note in side)
            divergence = Divergence(first.seq, (rules[0], rules[1]), fields, notes)
        reached = {note.rule for step in ours.steps for note in step.notes if note.rule is not None}
        if ours.refusal is not None and ours.refusal.rule is not None:
            reached.add(ours.refusal.rule)
        return Outcome(comparison.change, _end(ours), _end(theirs), divergence, frozenset(reached))

    def changed_rules(self, game: AnyGame) -> frozenset[str] | None:
        """Return the rules that the source of the two engines differs in; None if nothing is known or differs."""
        assert self._engine is not None
        theirs = self._engine.sources(game.name)
        return None if theirs is None else rules_between(game, game_sources(game), theirs) or None


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
    """Classify a change as `compare` classifies the change between two traces."""
    if (now.refused, now.rule) != (then.refused, then.rule):
        return Change.LEGALITY
    if now.winners != then.winners:
        return Change.WINNER
    if now.points != then.points:
        return Change.SCORE
    return Change.NONE if divergence is None else Change.NOISE


def _state_divergence(seq: int, now: Any, then: Any, game: Game[Any, Any, Any]) -> Divergence | None:
    """Return the divergence of two states, the options themselves aside, or None."""
    fields = frozenset(_differing_fields(now, then, game.options))
    return Divergence(seq, fields=fields) if fields else None


def _step_divergence(after: Any, ours: Notes, then: AnyStep) -> Divergence | None:
    """Return the divergence of two steps by their states or notes, the options themselves aside, or None.

    Of the first step these are the state after it and its notes.
    """
    fields = frozenset(_differing_fields(after, then.after, then.game.options))
    theirs = _notes(then)
    if not fields and ours == theirs:
        return None
    notes = [each for each in ours if each not in theirs] + [each for each in theirs if each not in ours]
    return Divergence(then.seq, fields=fields, notes=frozenset(_name(note) for note in notes))


def _notes(step: AnyStep) -> Notes:
    return tuple(call_game(step.game, lambda: step.notes))


def _name(note: Note) -> str:
    return note.key if note.rule is None else note.rule.number


def _numbers(notes: Iterable[Note]) -> frozenset[str]:
    return frozenset(note.rule.number for note in notes if note.rule is not None)


def _result_divergence(match: AnyMatch, then: Result | None) -> Divergence | None:
    """Return the divergence of two results, which may depend on options even if the states are equal, or None."""
    now = match.result
    if now == then:
        return None
    names = [name for name in ("points", "winners") if getattr(now, name, None) != getattr(then, name, None)]
    return Divergence(len(match.events) - 1, fields=frozenset(names))


def _differing_fields(now: Any, then: Any, options: type) -> Iterator[str]:
    kind: Any = type(now)
    for name in _names(kind):
        one, other = getattr(now, name), getattr(then, name)
        if one != other and not isinstance(one, options):
            yield name


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in attrs.fields(kind))
