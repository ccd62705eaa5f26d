"""What-if: the effect of an alternative, other values of options or another engine, on a match; what shows of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Self

import attrs

from ...core.errors import EngineError, GameError
from ...core.game import Event, RuleBook, RuleViolation
from ...core.log import Finding, Reading, log_bytes
from ...core.log.format import CHAIN_BYTES
from ...core.match import AnyMatch, Match
from ...core.match.fold import Fold
from ...core.text.texts import Texts
from ...core.trace import Change, Comparison, Trace, compare, option_fields, read_trace, trace
from ...core.trace.sketch import Looks, compare_sketches, sketch
from ...core.trace.write import LIGHT, WHOLE, log_chain, outcome
from ...core.wire import wire_of
from ..call_errors import CallError
from ..option_parsing import parse_options
from .divergence import Divergence


class EngineFailed(EngineError):  # noqa: N818 (says what happened)
    """An engine that crashed, hung or answered nonsense at a log that is fine here."""


class DifferentGame(CallError):  # noqa: N818 (says what is wrong with the call)
    """A log of a game that lacks the option in question."""


Make = Callable[[Reading, bytes], bytes]
"""Makes a trace, or a sketch or an outcome, of a log that was read; given its chain."""
Both = Callable[..., tuple[Trace, Trace]]
"""Makes a trace of each side, given a `Make`; what another engine is asked for follows by name."""


class Alternative:
    """Other options or another engine; a context manager, entered while it is used."""

    name: str | None = None
    """The name that the other engine has given, with its version and the digest of its sources."""
    chosen = False
    """Whether other options were chosen: what differs by them is meant, and scenes are not made."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def both(self, log: bytes, reading: Reading) -> Both:
        """Return what makes a trace of each side: of a log's reading by this engine, and under the alternative."""
        raise NotImplementedError

    def compared(self, log: bytes, reading: Reading, *, light: bool = False) -> Comparison:
        """Compare a log's reading by this engine with its replay under the alternative; `light`: no digests."""
        part = LIGHT if light else WHOLE
        traces = self.both(log, reading)(partial(trace, part=part, named=True), part=part)
        return compare(*traces, _fields(reading), chosen=self.chosen)

    def sketched(self, log: bytes, reading: Reading, looks: Looks | None) -> Comparison:
        """Compare the same by sketches, for many logs; by outcomes alone without steps to look at."""
        both, fields = self.both(log, reading), _fields(reading)
        if looks is None:
            return compare(*both(outcome, fast=True), fields, chosen=self.chosen)
        sketches = both(partial(sketch, looks=looks, scenes=not self.chosen), looks=looks)
        return compare_sketches(
            sketches, lambda part: both(partial(trace, part=part, named=True), part=part), fields, chosen=self.chosen
        )


def _fields(reading: Reading) -> frozenset[str]:
    assert reading.match is not None
    return option_fields(reading.match)


def compared_match(alternative: Alternative, match: AnyMatch, *, light: bool = False) -> Comparison:
    """Compare a legal match with its replay under the alternative; raises `EngineError`."""
    log = log_bytes(match, digests=False)
    chain = log[-CHAIN_BYTES:] if match.events else log_chain(log)
    reading = Reading(match=match, game=match.game, header=match.header, chain=chain)  # as it would be read
    return alternative.compared(log, reading, light=light)


class AlternativeOptions(Alternative):
    """The same commands under other values of options.

    The recorded deals stay, even if the seed would give others under these options.
    """

    chosen = True

    def __init__(self, typed: Sequence[str]) -> None:
        self.typed = typed

    def both(self, log: bytes, reading: Reading) -> Both:
        """Return what makes a trace of each side."""
        assert reading.match is not None
        chain, options = log_chain(log), self._options(reading.match)
        if options == reading.match.header.options:  # it was played so: the sides are one
            return lambda make, **_: (read_trace(make(reading, chain)),) * 2
        other = _under(reading, options)
        return lambda make, **_: (read_trace(make(reading, chain)), read_trace(make(other, chain)))

    def _options(self, match: AnyMatch) -> Any:
        wire, header = wire_of(match.game), match.header
        names = wire.option_fields
        if unknown := [each for each in self.typed if each.partition("=")[0] not in names]:
            option, known = unknown[0].partition("=")[0], ", ".join(sorted(names)) or "none"
            english = "{game} has no option {option}; it has: {known}"
            raise DifferentGame("no-option", english, game=match.game.name, option=repr(option), known=known)
        changed = parse_options(match.game, self.typed)
        options = wire.options({**wire.plain_options(header.options), **changed})
        match.game.check_options(options, len(header.seats))
        return options


def _under(reading: Reading, options: Any) -> Reading:
    """Return the reading of the same commands, and the refused one last, up to the first that is refused."""
    recorded = reading.match
    assert recorded is not None
    header, events = attrs.evolve(recorded.header, options=options, seed=None), list[Event[Any]]()
    fold = Fold(recorded.game, header)
    findings = [] if reading.refused is not None else reading.findings  # malformed under any options
    for event in [*recorded.events, *([] if reading.refused is None else [reading.refused])]:
        try:
            fold.apply(event.seat, event.command)
        except RuleViolation as violation:
            findings = [Finding("rule", str(violation), event.seq, violation.rule.number, violation)]
            break
        events.append(event)
    match: AnyMatch = Match(recorded.game, header, fold=fold, events=events)
    return attrs.evolve(reading, match=match, header=header, findings=findings, result=match.result)


def at_work(number: str, reading: Reading) -> AtWork:
    """Return the criterion for a rule: the refusal that ends the log if it is by this rule, else a note of the rule."""
    assert reading.match is not None
    game = reading.match.game
    try:
        rule = game.rule(number)
    except GameError:
        raise CallError("no-rule", "game {game}: no rule {rule}", game=repr(game.name), rule=number) from None
    if reading.refused is not None and any(each.rule == number for each in reading.findings):
        return AtWork(rule, reading.refused)
    if any(note.rule is rule for step in reading.match.steps for note in step.notes):
        return AtWork(rule)
    raise CallError(
        "rule-not-at-work",
        "{rule} refuses nothing in the log, and no note names it: see replay audit and replay show",
        rule=number,
    )


@attrs.frozen
class AtWork:
    """The criterion that a rule refuses this command in some state of the match; without one, that a note names it."""

    rule: RuleBook
    refused: Event[Any] | None = None

    def text(self, texts: Texts) -> str:
        """Format the criterion for a person."""
        return texts.format("divergence-rule", rule=self.rule.number)

    def holds(self, match: AnyMatch) -> int | None:
        """Return the number of events after which the rule is at work, or None."""
        if self.refused is None:
            steps = (step for step in match.steps if any(note.rule is self.rule for note in step.notes))
            return next((step.seq + 1 for step in steps), None)
        if self.refused.seat >= len(match.header.seats):
            return None
        for events, state in enumerate(match.states):
            try:
                match.game.apply(state, self.refused.seat, self.refused.command)
            except RuleViolation as violation:
                if violation.rule is self.rule:
                    return events
        return None


@attrs.frozen
class Differs:
    """The criterion that an alternative diverges from this engine as it did in the log."""

    alternative: Alternative
    like: Divergence
    light: bool = False
    """Whether states, notes and refusals alone show it: then nothing else is made of each attempt."""
    refused = None

    @classmethod
    def of(cls, alternative: Alternative, reading: Reading) -> Differs:
        """Return the criterion for the divergence in a log; raises `CallError` if there is none."""
        assert reading.match is not None
        if reading.refused is not None:
            raise CallError(
                "refused-here",
                "this engine refuses a command of the log: use --rule, or run replay with the other engine",
            )
        divergence = Divergence.of(compared_match(alternative, reading.match))
        if divergence is None:
            raise CallError("no-difference", "there is no difference: give a log and a change that differ")
        light = Divergence.of(compared_match(alternative, reading.match, light=True))
        is_shown = light is not None and light.seq == divergence.seq and light.is_like(divergence)
        return cls(alternative, divergence, light=is_shown)

    def text(self, texts: Texts) -> str:
        """Format the criterion for a person."""
        return self.like.text(texts)

    def holds(self, match: AnyMatch) -> int | None:
        """Return the number of events after which a similar divergence appears, or None."""
        if self.like.change is Change.RESULT and match.result is None:
            return None
        try:
            divergence = Divergence.of(compared_match(self.alternative, match, light=self.light))
        except EngineError:  # a failing engine proves nothing
            return None
        return divergence.seq + 1 if divergence is not None and divergence.is_like(self.like) else None
