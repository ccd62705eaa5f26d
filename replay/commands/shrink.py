"""`replay shrink`: the shortest legal match that still shows a difference or a violation."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any

import attrs
import typer

from ...core.errors import EngineError, GameError
from ...core.game import Event, Game, RuleBook, RuleViolation
from ...core.log import Reading, log_bytes, read_bytes
from ...core.log.format import event_bytes
from ...core.log.writer import replace_file
from ...core.match import Match
from ...core.text.sanitize import sanitize
from ...core.text.texts import Texts
from ...core.wire import wire_of
from ..analysis.engine import TIMEOUT
from ..analysis.minimize import minimize
from ..analysis.what_if import Alternative, Divergence, alternative
from ..call_errors import CallError
from ..logs.anonymized import anonymized
from ..logs.locations import location
from ..logs.open_log import open_log
from ..options import EngineOption, JsonOption, LangOption, LogArgument, OptionOption, PlainOption, TimeoutOption, texts_for
from ..progress import spinner
from ..render.console import ConsoleWriter

AnyMatch = Match[Any, Any, Any]

FileOption = Annotated[Path, typer.Option("-o", metavar="FILE", help="The new log; never one that is there already.")]
RuleOption = Annotated[
    str | None, typer.Option("--rule", metavar="ID", help="Show this rule: the command that it refused, or its note.")
]
TriesOption = Annotated[int, typer.Option("--tries", min=1, metavar="N", help="The most matches that are tried.")]
SecondsOption = Annotated[float, typer.Option("--seconds", min=0, metavar="S", help="The longest that it may take.")]


def shrink(
    log: LogArgument,
    file: FileOption,
    option: OptionOption = None,
    engine: EngineOption = None,
    rule: RuleOption = None,
    tries: TriesOption = 4000,
    seconds: SecondsOption = 60,
    timeout: TimeoutOption = TIMEOUT,
    lang: LangOption = None,
    json: JsonOption = False,
    plain: PlainOption = False,
) -> int:
    """Find the shortest legal match that still shows what a log shows, and write it as a log fit to be a golden one.

    That is the same difference under --option or --engine (refused by the same rule, or the same fields of the state),
    or --rule at work: the command that it refused, else its first note. Commands are cut off, dropped and replaced, and
    other deals played; where the deals are no longer those of the seed the new log has none. The same call finds the
    same match, unless --seconds end it.
    """
    if (rule is not None) is bool(option or engine):
        raise CallError(
            "what-to-show", "say what to show: --rule ID, --option NAME=VALUE or --engine PYTHON, one of them"
        )
    if file.exists():
        raise CallError("file-there", "{file}: is there already; give another name", file=file)
    reading = open_log(location(log))
    assert reading.match is not None
    with ExitStack() as stack:
        sought: Noted | Refused | Difference
        if rule is not None:
            sought = _at_work(rule, reading)
        else:
            sought = Difference.of(stack.enter_context(alternative(option, engine, timeout)), reading)
        stack.enter_context(spinner("shrink", shown=not (json or plain)))
        found = minimize(reading.match, sought, tries, seconds)
    if found is None:
        raise CallError(
            "not-without-seed", "{log}: the match without its seed does not show it; nothing can be shortened", log=log
        )
    refused = sought.refused if isinstance(sought, Refused) else None
    data = _log(found.match, reading.match, refused)
    replace_file(file, data, new=True)
    events = len(found.match.events) + (refused is not None)
    writer, texts = ConsoleWriter(plain=plain), texts_for(lang)
    said = {"file": str(file), "events": events, "before": reading.events, "tries": found.tries}
    said["shows"] = sought.told(texts)
    if json:
        writer.json({**said, "ended": found.why, "seed": read_bytes(data).header.seed is not None})  # type: ignore[union-attr]  # we wrote it
    else:
        writer.print(
            f"{sanitize(str(file), 300)}: {texts.format('shrunk', **said)}",
            texts.format(f"shrunk-{found.why}", tries=found.tries),
        )
    return 0


def _at_work(number: str, reading: Reading) -> Noted | Refused:
    """Seek the refusal by this rule that ends the log, else a note of the rule."""
    assert reading.match is not None
    game = reading.match.game
    try:
        rule = game.rule(number)
    except GameError:
        raise CallError("no-rule", "game {game}: no rule {rule}", game=repr(game.name), rule=number) from None
    if reading.refused is not None and any(each.rule == number for each in reading.findings):
        return Refused(rule, reading.refused)
    if any(note.rule is rule for step in reading.match.steps for note in step.notes):
        return Noted(rule)
    raise CallError(
        "rule-not-at-work",
        "nothing in the log is refused by {rule}, and no note is by it: replay audit and show tell what is",
        rule=number,
    )


@attrs.frozen
class Noted:
    """A note by this rule."""

    rule: RuleBook

    def told(self, texts: Texts) -> str:
        return texts.format("parting-rule", rule=self.rule.number)

    def holds(self, match: AnyMatch) -> int | None:
        return next((step.seq + 1 for step in match.steps if any(note.rule is self.rule for note in step.notes)), None)


@attrs.frozen
class Refused:
    """A state at which this rule refuses the command."""

    rule: RuleBook
    refused: Event[Any]

    def told(self, texts: Texts) -> str:
        return texts.format("parting-rule", rule=self.rule.number)

    def holds(self, match: AnyMatch) -> int | None:
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
class Difference:
    """A step at which a proposal parts from this engine, as it did in the log."""

    alternative: Alternative
    like: Divergence

    @classmethod
    def of(cls, alternative: Alternative, reading: Reading) -> Difference:
        """Find the difference that the match shows; raises `Unusable` if there is none."""
        assert reading.match is not None
        if reading.refused is not None:
            raise CallError(
                "refused-here",
                "this engine refuses a command of the log: --rule shortens it, or run replay by the other one",
            )
        divergence = alternative.divergence(reading.match)
        if divergence is None:
            raise CallError("no-difference", "there is no difference: nothing to shorten")
        return cls(alternative, divergence)

    def told(self, texts: Texts) -> str:
        return self.like.text(texts)

    def holds(self, match: AnyMatch) -> int | None:
        try:
            divergence = self.alternative.divergence(match)
        except EngineError:  # an engine that fails on an attempt shows nothing by it
            return None
        return divergence.seq + 1 if divergence is not None and divergence.is_like(self.like) else None


def _log(match: AnyMatch, before: AnyMatch, refused: Event[Any] | None) -> bytes:
    """Pack the match as a log without names: with the seed if the deals are its own, with the refused command last."""
    seeded: AnyMatch = Match(match.game, attrs.evolve(match.header, seed=before.header.seed))
    try:
        for event in match.events:
            seeded.apply(event.seat, event.command)
        match = seeded
    except RuleViolation:
        pass  # other deals: no seed gives them
    game = match.game

    def find(_: str) -> Game[Any, Any, Any]:
        return game

    data = log_bytes(match, ended=refused is None)
    if refused is not None:
        last = Event(len(match.events), refused.seat, refused.command)
        data += event_bytes(last, wire_of(match.game), None, read_bytes(data, find).chain)
    return anonymized(data, read_bytes(data, find))
