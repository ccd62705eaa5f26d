"""`replay impact`: what another value of an option, or another engine, would change in many logs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from types import TracebackType
from typing import Any, Self

from attrs import field, frozen, mutable
from rich.text import Text

from ...core.errors import KifuError
from ...core.log import read_bytes
from ...core.text.sanitize import sanitize
from ...core.text.texts import Texts
from ...core.trace import Change
from ..analysis.engine import TIMEOUT_S
from ..analysis.what_if import Alternative, DifferentGame, End, Outcome, alternative
from ..call_errors import CallError
from ..logs.locations import Location, SentFile, read_content, require_logs
from ..logs.worker_pool import WorkerPool
from ..options import (
    ClusterOption,
    EngineOption,
    JobsOption,
    JsonOption,
    LangOption,
    LogsArgument,
    OptionOption,
    PlainOption,
    TimeoutOption,
    texts_for,
)
from ..render.console import ConsoleWriter
from ..render.typeset import block

ILLEGAL, LEGAL, OTHER_RULE = "illegal", "legal", "other-rule"
KINDS = ("untouched", ILLEGAL, LEGAL, OTHER_RULE, "winner", "score", "noise")
"""The possible effects on a log, in the order of the report."""

USABLE = ("rule", "form", "digest", "result")
"""The kinds of findings with which a log is still compared: the change may make the refused command legal."""

MAX_SKIPPED = 10


def impact(
    logs: LogsArgument,
    option: OptionOption = None,
    engine: EngineOption = None,
    timeout: TimeoutOption = TIMEOUT_S,
    jobs: JobsOption = None,
    cluster: ClusterOption = None,
    lang: LangOption = None,
    json: JsonOption = False,
    plain: PlainOption = False,
) -> int:
    """Show what another value of an option, or another engine, would do to many logs.

    Counts the logs that stay as they are, become illegal (by which rule), or change their score or winner, and names
    the shortest log of each kind. Commands and deals stay the same. A damaged log is reported and left out. Exit code
    0: nothing changes; 1: something does; 2: nothing could be compared.
    """
    pool, locations = WorkerPool(jobs, cluster), require_logs(logs)
    candidate = alternative(option, engine, timeout)
    with candidate:
        pass  # fails here, once, if it cannot be used at all
    writer, tally = ConsoleWriter(plain=plain), Tally()
    for each in pool.map(Impacts(candidate), locations, "impact", shown=not (plain or (json and writer.is_terminal))):
        tally.add(each)
        if json:
            writer.json(_data(each))
    if not tally.compared:
        raise CallError(
            "nothing-compared",
            "nothing could be compared: {log}: {why}",
            log=tally.skipped[0].log,
            why=tally.skipped[0].why,
        )
    if json:
        writer.json(tally.data())
    else:
        writer.print(*tally.lines(texts_for(lang), writer.width))
    return 1 if tally.changed else 0


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

    def __exit__(
        self, kind: type[BaseException] | None, cause: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.candidate.__exit__(kind, cause, trace)

    def __call__(self, where: Location | SentFile) -> Compared:
        """Return the effect on one log, or the reason why it is not compared."""
        log = str(where)
        try:
            data = read_content(where)
            reading = read_bytes(data)
            damage = next((each for each in reading.findings if each.kind not in USABLE), None)
            problem = reading.problem()
            if reading.match is None or damage is not None:
                return Skipped(log, problem.summary if problem is not None else "")
            return _impact(log, reading.events, self.candidate.outcome(data, reading))
        except DifferentGame as cause:
            return Skipped(log, cause.summary, other_game=True)
        except KifuError as cause:
            return Skipped(log, cause.summary)


def _impact(log: str, events: int, outcome: Outcome) -> Impact:
    now, then, kind, rule = outcome.now, outcome.then, outcome.change.value, None
    if outcome.change is Change.LEGALITY:
        kind = LEGAL if then.refused is None else ILLEGAL if now.refused is None else OTHER_RULE
        rule = now.rule if kind == LEGAL else then.rule
    step = outcome.divergence.seq if outcome.divergence is not None else None
    return Impact(log, kind, events, rule, step, now, then)


@mutable
class Tally:
    """The result of all logs: counts, and the shortest log of each kind and rule."""

    counts: Counter[tuple[str, str | None]] = field(factory=Counter)
    shortest: dict[tuple[str, str | None], Impact] = field(factory=dict)
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
        key = (compared.kind, compared.rule)
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
        return any(kind != "untouched" for kind, _ in self.counts)

    def of(self, kind: str) -> list[tuple[str | None, int, Impact]]:
        """Return (rule, count, shortest log) for each rule of a kind, the most frequent first."""
        some = [(rule, count, self.shortest[each, rule]) for (each, rule), count in self.counts.items() if each == kind]
        return sorted(some, key=lambda each: (-each[1], each[0] or ""))

    def lines(self, texts: Texts, width: int) -> Iterator[Text]:
        """Yield the report: the number of logs of each kind, with the shortest of them by name."""
        indent = len(str(self.compared)) + 4
        for kind in KINDS:
            for rule, count, shortest in self.of(kind):
                key = (
                    f"impact-{kind}" if rule is not None or kind not in (ILLEGAL, LEGAL, OTHER_RULE) else "impact-form"
                )
                effect = Text(
                    texts.format(key, count=count, rule=rule or ""), style="" if kind == "untouched" else "bold"
                )
                head = Text(f"{count:>{indent - 2}}")
                yield from block(head, indent, effect, width)
                if kind != "untouched":
                    yield Text(f"{' ' * indent}{_example(shortest, texts)}", style="dim")
        yield Text(texts.format("impact-compared", count=self.compared))
        yield from self._skipped_lines(texts)

    def _skipped_lines(self, texts: Texts) -> Iterator[Text]:
        if self.others:
            yield Text(texts.format("impact-others", count=self.others))
        damaged = [each for each in self.skipped if not each.other_game]
        for each in damaged:
            why = f"{sanitize(each.log, 300)}: {sanitize(texts.message(each.why), 300)}"
            yield Text(f"{texts.format('impact-skipped')}: {why}", style="red")
        if self.damaged > len(damaged):
            yield Text(texts.format("impact-skipped-more", count=self.damaged - len(damaged)), style="red")

    def data(self) -> dict[str, Any]:
        """Return the totals that `--json` prints last."""
        kinds = {
            kind: [{"rule": rule, "logs": count, "shortest": shortest.log} for rule, count, shortest in self.of(kind)]
            for kind in KINDS
        }
        return {"compared": self.compared, "skipped": self.damaged, "others": self.others, "kinds": kinds}


def _example(shortest: Impact, texts: Texts) -> str:
    key = "impact-shortest-start" if shortest.step == -1 else "impact-shortest"
    return f"{texts.format(key, step=shortest.step, events=shortest.events)}: {sanitize(shortest.log, 300)}"


def _data(compared: Compared) -> dict[str, Any]:
    if isinstance(compared, Skipped):
        return {"log": compared.log, "skipped": str(compared.why)}
    return {
        "log": compared.log,
        "kind": compared.kind,
        "rule": compared.rule,
        "step": compared.step,
        "events": compared.events,
        "points": (compared.now.points, compared.then.points),
        "winners": (compared.now.winners, compared.then.winners),
    }
