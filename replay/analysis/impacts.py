"""The effects of an alternative on many logs: of each log, and counted by their first cause."""

from __future__ import annotations

from typing import Any, Self

from attrs import evolve, field, frozen, mutable

from ...core.errors import KifuError, LogError
from ...core.log import Reading, read_bytes
from ...core.match import registry
from ...core.trace import Change, Comparison
from ...core.trace.sketch import choose
from ...core.trace.write import log_chain
from ..logs.locations import MAX_SKIPPED, Location, SentFile, SkippedLog, read_content
from .divergence import Divergence
from .what_if import Alternative, DifferentGame, EngineFailed

USABLE = ("rule", "form", "result")
"""The kinds of findings with which a log is still compared: the change may make the refused command legal. So is one
with other digests, which are not looked at."""


Pair = tuple[Any, Any]
"""What is so now, and under the alternative."""


@frozen
class Impact:
    """The effect of an alternative on one log, small enough to be sent between processes."""

    log: str
    change: Change
    events: int
    rule: str | None = None
    """The rule that refuses a command, under the alternative or now, if only one does."""
    step: int | None = None
    """The first step that differs; -1: the start."""
    points: Pair = (None, None)
    winners: Pair = (None, None)
    game: str = ""
    cause: str | None = None
    """What differs in that step: the rules of the notes or refusals that differ, else the fields of the state."""
    reached: frozenset[str] = frozenset()
    """The rules that the log reaches, by this engine."""
    leaks: tuple[str, ...] = ()
    """The viewers that learn what they could not know before."""
    why: str | None = None
    """What the engine raised, if it failed."""
    engines: tuple[str, str] | None = None
    """This engine and the other, each with the package of the game; None if the other failed."""
    looked: int = 0
    """The number of steps that were looked at in full."""


Compared = Impact | SkippedLog


def data_of(compared: Compared) -> dict[str, Any]:
    """Return what came of one log as plain data."""
    if isinstance(compared, SkippedLog):
        return {"log": compared.log, "kind": Change.UNREAD.value, "skipped": str(compared.why)}
    return {
        "log": compared.log,
        "kind": compared.change.value,
        "leaks": list(compared.leaks),
        "failed": compared.why,
        "rule": compared.rule,
        "first": compared.cause,
        "step": compared.step,
        "events": compared.events,
        "points": compared.points,
        "winners": compared.winners,
    }


@frozen
class Impacts:
    """The work of the pool: compute the effect of an alternative on a log."""

    candidate: Alternative
    fast: bool = False
    """Whether outcomes alone are compared."""

    def __enter__(self) -> Self:
        self.candidate.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self.candidate.__exit__(*error)

    def __call__(self, where: Location | SentFile) -> Compared:
        """Return the effect on one log, or the reason why it is not compared."""
        log = str(where)
        try:
            data = read_content(where)
            reading = read_bytes(data, digests=False)
            if reading.match is None or any(each.kind not in USABLE for each in reading.findings):
                return SkippedLog.of(where, read_bytes(data))  # for what is wrong first: perhaps a digest
            looks, reached = (None, frozenset()) if self.fast else choose(reading.match, log_chain(data))
            comparison = self.candidate.sketched(data, reading, looks)
            return evolve(_impact(log, reading, comparison, reached), looked=len(looks or ()))
        except EngineFailed as cause:
            return Impact(log, Change.FAILED, reading.events, game=str(reading.name), why=cause.why)
        except DifferentGame as cause:
            return SkippedLog(log, cause.summary, other_game=True)
        except LogError as cause:  # the file cannot be read
            return SkippedLog(log, cause.message)
        except KifuError as cause:
            return SkippedLog(log, cause.summary)


def _impact(log: str, reading: Reading, comparison: Comparison, reached: frozenset[str]) -> Impact:
    a, b, divergence = comparison.a, comparison.b, Divergence.of(comparison)
    now, then = (None if each.refusal is None else (each.refusal.seq, each.refusal.rule) for each in (a, b))
    return Impact(
        log,
        comparison.change,
        reading.events,
        rule=None if now == then else (then and then[1]) or (now and now[1]),
        step=None if divergence is None else divergence.seq,
        points=(a.last.points, b.last.points),
        winners=(a.last.winners, b.last.winners),
        game=a.game,
        cause=None if divergence is None else divergence.cause,
        reached=reached | ({now[1]} if now is not None and now[1] is not None else set()),
        leaks=comparison.leaks,
        why=b.refusal.why if b.refusal is not None and b.refusal.failed else None,
        engines=(a.engine, b.engine),
    )


@mutable
class Group:
    """The logs with the same effect by the same first cause."""

    change: Change
    rule: str | None
    cause: str | None
    """What differs first, or was raised."""
    leaks: tuple[str, ...]
    shortest: Impact
    logs: int = 0

    def data(self) -> dict[str, Any]:
        """Return the group as plain data."""
        shown = {"rule": self.rule, "first": self.cause, "leaks": list(self.leaks)}
        return {**shown, "logs": self.logs, "shortest": self.shortest.log}


@mutable
class Tally:
    """The result of all logs, by groups of logs."""

    groups: dict[tuple[Any, ...], Group] = field(factory=dict)
    reached: dict[str, frozenset[str]] = field(factory=dict)
    """By game, the rules that any log reaches."""
    skipped: list[SkippedLog] = field(factory=list)
    """The first of the damaged logs, at most `MAX_SKIPPED`."""
    other: SkippedLog | None = None
    """The first log of a game that does not have the option."""
    engines: set[tuple[str, str]] = field(factory=set)
    """Both engines: one pair, unless the logs are of games from several packages."""
    looked: int = 0
    steps: int = 0
    damaged: int = 0
    others: int = 0
    """Logs of games that do not have the option."""

    def add(self, compared: Compared) -> None:
        """Count the result of one log."""
        if isinstance(compared, SkippedLog):
            if compared.other_game:
                self.others, self.other = self.others + 1, self.other or compared
                return
            self.damaged += 1
            if self.damaged <= MAX_SKIPPED:
                self.skipped.append(compared)
            return
        key = (compared.change, compared.rule, compared.why or compared.cause, compared.leaks)
        group = self.groups.setdefault(key, Group(*key, shortest=compared))
        group.logs += 1
        if compared.events < group.shortest.events:
            group.shortest = compared
        self.reached[compared.game] = self.reached.get(compared.game, frozenset()) | compared.reached
        if compared.engines is not None:
            self.engines.add(compared.engines)
        self.looked += compared.looked
        self.steps += compared.events + 1

    @property
    def compared(self) -> int:
        """The number of logs that were compared."""
        return sum(group.logs for group in self.groups.values())

    @property
    def changed(self) -> bool:
        """True if any log is affected."""
        return any(group.change is not Change.SAME for group in self.groups.values())

    def of(self, change: Change) -> list[Group]:
        """Return the groups of a kind, the most frequent first."""
        groups = [group for group in self.groups.values() if group.change is change]
        return sorted(groups, key=lambda each: (-each.logs, each.rule or "", each.cause or ""))

    def data(self) -> dict[str, Any]:
        """Return the totals as plain data, without the rules that no log reaches."""
        told = [change for change in Change if change is not Change.UNREAD]
        kinds = {change.value: [group.data() for group in self.of(change)] for change in told}
        looked = {"looked": self.looked, "steps": self.steps}
        return {"compared": self.compared, "skipped": self.damaged, "others": self.others, "kinds": kinds, **looked}


def unreached(tally: Tally) -> dict[str, list[str]]:
    """Return for each game the rules that no log reaches, if there are any."""
    found = {}
    for name, reached in sorted(tally.reached.items()):
        if rules := [rule.number for rule in registry.find(name).book if rule.number not in reached]:
            found[name] = rules
    return found
