"""`replay shrink`: the shortest legal match that still shows a difference or a violation."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any

import attrs
import typer

from ...core.errors import EngineError, GameError
from ...core.game import AnyGame, Event, RuleBook, RuleViolation
from ...core.log import Reading, log_bytes, read_bytes
from ...core.log.format import event_bytes
from ...core.log.writer import replace_file
from ...core.match import AnyMatch, Match
from ...core.text.sanitize import sanitize
from ...core.text.texts import Texts
from ...core.wire import wire_of
from ..analysis.divergence import Divergence
from ..analysis.engine import TIMEOUT_S
from ..analysis.minimize import minimize
from ..analysis.what_if import Alternative, alternative
from ..call_errors import CallError
from ..logs.anonymized import anonymized
from ..logs.locations import location
from ..logs.open_log import open_log
from ..options import (
    EngineOption,
    JsonOption,
    LangOption,
    LogArgument,
    OptionOption,
    PlainOption,
    TimeoutOption,
    texts_for,
)
from ..progress import spinner
from ..render.console import ConsoleWriter

FileOption = Annotated[
    Path, typer.Option("-o", metavar="FILE", help="The new log; an existing file is never replaced.")
]
RuleOption = Annotated[
    str | None, typer.Option("--rule", metavar="ID", help="Show this rule: the command that it refused, or its note.")
]
TriesOption = Annotated[int, typer.Option("--tries", min=1, metavar="N", help="How many matches to try at most.")]
SecondsOption = Annotated[float, typer.Option("--seconds", min=0, metavar="S", help="How long to try at most.")]


def shrink(
    log: LogArgument,
    file: FileOption,
    option: OptionOption = None,
    engine: EngineOption = None,
    rule: RuleOption = None,
    tries: TriesOption = 4000,
    seconds: SecondsOption = 20,
    timeout: TimeoutOption = TIMEOUT_S,
    lang: LangOption = None,
    json: JsonOption = False,
    plain: PlainOption = False,
) -> int:
    """Find the shortest legal match that still shows what a log shows, and write it as a log without names.

    With --rule it shows the rule at work: the command that it refused, else its first note. With --option or --engine
    it shows the same difference: a refusal by the same rule, or the same fields of the state. The search cuts off,
    drops and replaces commands, and tries other deals; if the deals are not those of the seed, the new log has no seed.
    The same call finds the same match, unless --seconds ends it.
    """
    if (rule is not None) is bool(option or engine):
        raise CallError("what-to-show", "give what to show, one of: --rule ID, --option NAME=VALUE, --engine PYTHON")
    if file.exists():
        raise CallError("file-there", "{file}: it exists already; give another name", file=file)
    reading = open_log(location(log))
    assert reading.match is not None
    with ExitStack() as stack:
        criterion: RuleNoted | RuleRefuses | Differs
        if rule is not None:
            criterion = _at_work(rule, reading)
        else:
            criterion = Differs.of(stack.enter_context(alternative(option, engine, timeout)), reading)
        stack.enter_context(spinner("shrink", shown=not (json or plain)))
        found = minimize(reading.match, criterion, tries, seconds)
    if found is None:
        raise CallError(
            "not-without-seed", "{log}: the match without its seed does not show it; nothing can be shortened", log=log
        )
    refused = criterion.refused if isinstance(criterion, RuleRefuses) else None
    data = _log(found.match, reading.match, refused)
    replace_file(file, data, new=True)
    events = len(found.match.events) + (refused is not None)
    writer, texts = ConsoleWriter(plain=plain), texts_for(lang)
    summary = {"file": str(file), "events": events, "before": reading.events, "tries": found.tries}
    summary["shows"] = criterion.text(texts)
    if json:
        writer.json({**summary, "ended": found.why, "seed": read_bytes(data).header.seed is not None})  # type: ignore[union-attr]  # we wrote it
    else:
        writer.print(
            f"{sanitize(str(file), 300)}{texts.colon}{texts.format('shrunk', **summary)}",
            texts.format(f"shrunk-{found.why}", tries=found.tries),
        )
    return 0


def _at_work(number: str, reading: Reading) -> RuleNoted | RuleRefuses:
    """Return the criterion for a rule: the refusal that ends the log if it is by this rule, else a note of the rule."""
    assert reading.match is not None
    game = reading.match.game
    try:
        rule = game.rule(number)
    except GameError:
        raise CallError("no-rule", "game {game}: no rule {rule}", game=repr(game.name), rule=number) from None
    if reading.refused is not None and any(each.rule == number for each in reading.findings):
        return RuleRefuses(rule, reading.refused)
    if any(note.rule is rule for step in reading.match.steps for note in step.notes):
        return RuleNoted(rule)
    raise CallError(
        "rule-not-at-work",
        "{rule} refuses nothing in the log, and no note names it: see replay audit and replay show",
        rule=number,
    )


@attrs.frozen
class RuleNoted:
    """The criterion that a step has a note of this rule."""

    rule: RuleBook

    @property
    def rules(self) -> frozenset[str]:
        """The rule."""
        return frozenset({self.rule.number})

    def text(self, texts: Texts) -> str:
        """Format the criterion for a person."""
        return texts.format("divergence-rule", rule=self.rule.number)

    def holds(self, match: AnyMatch) -> int | None:
        """Return the number of events after which a note of the rule appears, or None."""
        return next((step.seq + 1 for step in match.steps if any(note.rule is self.rule for note in step.notes)), None)


@attrs.frozen
class RuleRefuses:
    """The criterion that this rule refuses the command in some state of the match."""

    rule: RuleBook
    refused: Event[Any]

    @property
    def rules(self) -> frozenset[str]:
        """None: a rule that refuses is not at work before."""
        return frozenset()

    def text(self, texts: Texts) -> str:
        """Format the criterion for a person."""
        return texts.format("divergence-rule", rule=self.rule.number)

    def holds(self, match: AnyMatch) -> int | None:
        """Return the number of events after which the rule refuses the command, or None."""
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
    rules: frozenset[str] = frozenset()
    """The rules at work in the step that diverges in the log."""

    @classmethod
    def of(cls, alternative: Alternative, reading: Reading) -> Differs:
        """Return the criterion for the divergence in a log; raises `CallError` if there is none."""
        assert reading.match is not None
        if reading.refused is not None:
            raise CallError(
                "refused-here",
                "this engine refuses a command of the log: use --rule, or run replay with the other engine",
            )
        divergence = alternative.divergence(reading.match)
        if divergence is None:
            raise CallError("no-difference", "there is no difference: nothing to shorten")
        notes = reading.match.steps[divergence.seq].notes if divergence.seq >= 0 else ()
        return cls(alternative, divergence, frozenset(note.rule.number for note in notes if note.rule is not None))

    def text(self, texts: Texts) -> str:
        """Format the criterion for a person."""
        return self.like.text(texts)

    def holds(self, match: AnyMatch) -> int | None:
        """Return the number of events after which a similar divergence appears, or None."""
        try:
            divergence = self.alternative.divergence(match)
        except EngineError:  # a failing engine proves nothing
            return None
        return divergence.seq + 1 if divergence is not None and divergence.is_like(self.like) else None


def _log(match: AnyMatch, before: AnyMatch, refused: Event[Any] | None) -> bytes:
    """Return the match as an anonymized log: with the seed if it gives the deals, with the refused command last."""
    seeded: AnyMatch = Match(match.game, attrs.evolve(match.header, seed=before.header.seed))
    try:
        for event in match.events:
            seeded.apply(event.seat, event.command)
        match = seeded
    except RuleViolation:
        pass  # the seed does not give these deals
    game = match.game

    def find(_: str) -> AnyGame:
        return game

    data = log_bytes(match, ended=refused is None)
    if refused is not None:
        last = Event(len(match.events), refused.seat, refused.command)
        data += event_bytes(last, wire_of(match.game), None, read_bytes(data, find).chain)
    return anonymized(data, read_bytes(data, find))
