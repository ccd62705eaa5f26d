"""What-if: the effect of an alternative, other values of options or another engine, on a match."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol, Self

import attrs

from ...core.game import AnyGame, Event, RuleViolation, Step, Takeback
from ...core.log import Reading, log_bytes, read_bytes
from ...core.log.format import CHAIN_BYTES
from ...core.match import AnyMatch
from ...core.match.fold import Fold, call_game
from ...core.trace import Trace, compare, option_fields, read_trace, trace
from ...core.trace.sources import game_sources
from ...core.trace.write import log_chain
from ...core.wire import wire_of
from ..call_errors import CallError
from ..option_parsing import parse_options
from .changed_rules import rules_between, rules_of_options
from .divergence import (
    ACCEPTS,
    Divergence,
    End,
    Notes,
    Outcome,
    change_of,
    notes_of,
    result_divergence,
    state_divergence,
    step_divergence,
)
from .engine import Engine
from .option_reads import OptionReads, WatchedGame, fields_of_options


class DifferentGame(CallError):  # noqa: N818 (says what is wrong with the call)
    """A log of a game that lacks the option in question."""


class Alternative(Protocol):
    """Other options or another engine; a context manager, entered while it is used."""

    def __enter__(self) -> Self: ...
    def __exit__(self, *_: object) -> None: ...
    def read(self, log: bytes) -> Reading:
        """Return this engine's reading of a log for `outcome`, in which no digests are compared."""

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

    The recorded deals stay, even if the seed would give others under these options. Of a log that it has read itself
    only the steps that read an option are folded again.
    """

    def __init__(self, typed: list[str]) -> None:
        self.typed = typed
        self._reads: OptionReads | None = None

    def __enter__(self) -> Self:
        self._reads = OptionReads()
        return self

    def __exit__(self, *_: object) -> None:
        self._reads = None  # it cannot be pickled

    def read(self, log: bytes) -> Reading:
        """Return this engine's reading of a log, in which no digests are compared."""
        assert self._reads is not None
        return read_bytes(log, self._reads.find, digests=False)

    def outcome(self, log: bytes, reading: Reading) -> Outcome:  # noqa: ARG002 (an engine needs the bytes)
        """Compare a log's reading with the same commands under the other options."""
        match = reading.match
        assert match is not None
        options, refused = self._options(match), reading.refused
        rule = next((each.rule or each.kind for each in reading.findings if each.violation is not None), None)
        now = End.of(reading.result, None if rule is None else len(match.events), rule)
        watch = None if self._reads is None else self._reads.of(match)
        noted, reads = _notes(match, watch)
        game = match.game if watch is None else watch.game
        divergence, then = _replay(
            match, game, options, refused if now.refused is not None else None, now, noted, reads
        )
        if refused is None and then.refused is None:  # a malformed command is malformed under any options
            then = attrs.evolve(then, refused=now.refused, rule=now.rule)
        reached = {note.rule.number for notes in noted for note in notes if note.rule is not None}
        reached.update(() if rule is None else (rule,))
        return Outcome(change_of(now, then, divergence), now, then, divergence, frozenset(reached))

    def divergence(self, match: AnyMatch) -> Divergence | None:
        """Return the first difference in a legal match, or None."""
        return _replay(match, match.game, self._options(match), None, End())[0]

    def changed_rules(self, game: AnyGame) -> frozenset[str] | None:
        """Return the rules that the code which reads the options concerns."""
        return rules_of_options(game, game_sources(game), [each.partition("=")[0] for each in self.typed]) or None

    def _options(self, match: AnyMatch) -> Any:
        wire, header = wire_of(match.game), match.header
        names = {field.name for field in attrs.fields(match.game.options)}
        if unknown := [each for each in self.typed if each.partition("=")[0] not in names]:
            raise DifferentGame(
                "no-option",
                "{game} has no option {option}; it has: {known}",
                game=match.game.name,
                option=repr(unknown[0].partition("=")[0]),
                known=", ".join(sorted(names)) or "none",
            )
        changed = parse_options(match.game, self.typed)
        options = wire.options({**wire.plain_options(header.options), **changed})
        match.game.check_options(options, len(header.seats))
        return options


def _notes(match: AnyMatch, watch: WatchedGame | None) -> tuple[list[Notes], list[bool] | None]:
    """Return the notes of each step, and whether the step or its notes read an option; None if that is unknown."""
    if watch is None:
        return list(map(notes_of, match.steps)), None
    noted, reads = [], []
    for step, has_read in zip(match.steps, watch.steps, strict=True):
        watch.has_read = has_read
        noted.append(notes_of(step))
        reads.append(watch.has_read)
    return noted, reads


def _replay(
    match: AnyMatch,
    game: AnyGame,
    options: Any,
    refused: Event[Any] | None,
    now: End,
    noted: Sequence[Notes] | None = None,
    reads: Sequence[bool] | None = None,
) -> tuple[Divergence | None, End]:
    """Apply the commands, and the refused one last, under other options, up to the first that is refused.

    `noted` are the notes of the match's steps, if they are known. `reads` are the steps that are not the same under
    any options, in a match without takebacks; without it, all.
    """
    takes_back = reads is None and any(isinstance(event.command, Takeback) for event in match.events)
    fold = Fold(game, attrs.evolve(match.header, options=options, seed=None), keep_states=takes_back)
    divergence, behind = state_divergence(-1, match.states[0], fold.state, game), False
    events = match.events if refused is None else [*match.events, refused]
    for event in events:
        if divergence is None and reads is not None and event is not refused and not reads[event.seq]:
            behind = True
            continue
        if behind:
            fold.state, behind = _under(options, match.states[event.seq]), False
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
            ours = notes_of(match.steps[event.seq]) if noted is None else noted[event.seq]
            divergence = step_divergence(match.states[event.seq + 1], ours, then)
    if behind:
        fold.state = _under(options, match.state)
    result = call_game(game, game.result, fold.state)
    return divergence or result_divergence(match, result), End.of(result)


def _under(options: Any, state: Any) -> Any:
    """Return the state with other options."""
    kind: Any = type(state)
    kind_of_options: Any = type(options)
    names = fields_of_options(kind, kind_of_options)
    assert names is not None
    return attrs.evolve(state, **dict.fromkeys(names, options))


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

    def __exit__(self, *_: object) -> None:
        if self._engine is not None:
            self._engine.close()

    def read(self, log: bytes) -> Reading:
        """Return this engine's reading of a log, in which no digests are compared."""
        return read_bytes(log, digests=False)

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
