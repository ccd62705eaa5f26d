"""The effects of an alternative on many logs: of each log, and counted by their first cause."""

from __future__ import annotations

from collections import Counter
from typing import Any, Self

from attrs import field, frozen, mutable

from ...core.errors import KifuError, LogError
from ...core.log import read_bytes
from ...core.match import registry
from ...core.trace import Change
from ..logs.locations import Location, SentFile, read_content
from .divergence import End, Outcome
from .what_if import Alternative, DifferentGame

ILLEGAL, LEGAL, OTHER_RULE = "illegal", "legal", "other-rule"
KINDS = ("untouched", ILLEGAL, LEGAL, OTHER_RULE, "winner", "score", "noise")
"""The possible effects on a log, in the order of the report."""

USABLE = ("rule", "form", "result")
"""The kinds of findings with which a log is still compared: the change may make the refused command legal. So is one
with other digests, which are not looked at."""

MAX_SKIPPED = 10


@frozen
class Impact:
    """The effect of an alternative on one log, small enough to be sent between processes."""

    log: str
    kind: str
    events: int
    rule: str | None
    """For the kinds that concern legality: the rule that refuses a command, under the alternative or now."""
    step: int | None
    """The first step that differs; -1: the start."""
    now: End
    then: End
    """The end under the alternative."""
    game: str = ""
    cause: str | None = None
    """What differs in that step: the rules of the notes or refusals that differ, else the fields of the state."""
    reached: frozenset[str] = frozenset()
    """The rules that the log reaches, by this engine."""


@frozen
class Skipped:
    """A log that was not compared, with the reason."""

    log: str
    why: str
    other_game: bool = False


Compared = Impact | Skipped


@frozen
class Impacts:
    """The work of the pool: compute the effect of an alternative on a log."""

    candidate: Alternative

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
            reading = self.candidate.read(data)
            if reading.match is None or any(each.kind not in USABLE for each in reading.findings):
                problem = read_bytes(data).problem()  # what is wrong first: perhaps a digest
                return Skipped(log, problem.summary if problem is not None else "")
            return _impact(log, reading.match.game.name, reading.events, self.candidate.outcome(data, reading))
        except DifferentGame as cause:
            return Skipped(log, cause.summary, other_game=True)
        except LogError as cause:  # the file cannot be read
            return Skipped(log, cause.message)
        except KifuError as cause:
            return Skipped(log, cause.summary)


def _impact(log: str, game: str, events: int, outcome: Outcome) -> Impact:
    now, then, kind, rule = outcome.now, outcome.then, outcome.change.value, None
    if outcome.change is Change.LEGALITY:
        kind = LEGAL if then.refused is None else ILLEGAL if now.refused is None else OTHER_RULE
        rule = now.rule if kind == LEGAL else then.rule
    divergence = outcome.divergence
    step, cause = (None, None) if divergence is None else (divergence.seq, divergence.cause)
    return Impact(log, kind, events, rule, step, now, then, game, cause, outcome.reached)


GroupKey = tuple[str, str | None, str | None]
"""The kind of an effect, the rule that refuses, and what differs first."""


@frozen
class Group:
    """The logs with the same effect by the same first cause."""

    kind: str
    rule: str | None
    cause: str | None
    logs: int
    shortest: Impact


@mutable
class Tally:
    """The result of all logs: counts, and the shortest log of each group."""

    counts: Counter[GroupKey] = field(factory=Counter)
    shortest: dict[GroupKey, Impact] = field(factory=dict)
    reached: dict[str, frozenset[str]] = field(factory=dict)
    """By game, the rules that any log reaches."""
    skipped: list[Skipped] = field(factory=list)
    """The first few, at most `MAX_SKIPPED`."""
    damaged: int = 0
    others: int = 0
    """Logs of games that do not have the option."""

    def add(self, compared: Compared) -> None:
        """Count the result of one log."""
        if isinstance(compared, Skipped):
            self.others += compared.other_game
            self.damaged += not compared.other_game
            if len(self.skipped) < MAX_SKIPPED:
                self.skipped.append(compared)
            return
        key = (compared.kind, compared.rule, compared.cause)
        self.reached[compared.game] = self.reached.get(compared.game, frozenset()) | compared.reached
        self.counts[key] += 1
        if key not in self.shortest or compared.events < self.shortest[key].events:
            self.shortest[key] = compared

    @property
    def compared(self) -> int:
        """The number of logs that were compared."""
        return self.counts.total()

    @property
    def changed(self) -> bool:
        """True if any log is affected."""
        return any(kind != "untouched" for kind, _, _ in self.counts)

    def of(self, kind: str) -> list[Group]:
        """Return the groups of a kind, the most frequent first."""
        groups = [Group(*key, count, self.shortest[key]) for key, count in self.counts.items() if key[0] == kind]
        return sorted(groups, key=lambda each: (-each.logs, each.rule or "", each.cause or ""))

    def data(self) -> dict[str, Any]:
        """Return the totals as plain data, without the rules that no log reaches."""
        kinds = {
            kind: [
                {"rule": each.rule, "first": each.cause, "logs": each.logs, "shortest": each.shortest.log}
                for each in self.of(kind)
            ]
            for kind in KINDS
        }
        return {"compared": self.compared, "skipped": self.damaged, "others": self.others, "kinds": kinds}


@frozen
class Unreached:
    """The rules of a game that no log reaches: of those that the change concerns, or of all if that is unknown."""

    game: str
    rules: tuple[str, ...]
    concerned: bool


def unreached(candidate: Alternative, tally: Tally) -> list[Unreached]:
    """Return for each game the rules that no log reaches; `candidate` is entered."""
    found = []
    for name, reached in sorted(tally.reached.items()):
        game = registry.find(name)
        try:
            changed = candidate.changed_rules(game)
        except KifuError:  # an engine that fails now has been compared before: its source is a help, no need
            changed = None
        rules = tuple(
            rule.number
            for rule in game.book
            if rule.number not in reached and (changed is None or rule.number in changed)
        )
        if rules:
            found.append(Unreached(name, rules, changed is not None))
    return found
