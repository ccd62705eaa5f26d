"""`replay impact`: what another value of an option, or another engine, would change over many logs."""

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
from ..analysis.engine import TIMEOUT
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
"""What can become of a log, in the order told."""

USABLE = ("rule", "form", "digest", "result")
"""Findings of a log that is compared all the same: what was refused may be accepted now."""

MAX_SKIPPED = 10


def impact(
    logs: LogsArgument,
    option: OptionOption = None,
    engine: EngineOption = None,
    timeout: TimeoutOption = TIMEOUT,
    jobs: JobsOption = None,
    cluster: ClusterOption = None,
    lang: LangOption = None,
    json: JsonOption = False,
    plain: PlainOption = False,
) -> int:
    """Tell what another value of an option, or another engine, would make of many logs: which stay as they are, become
    illegal and by which rule, change their score or their winner, with the shortest log of each kind.

    The commands stay the same, the deals too. A damaged log is told and left out. Exit code 0: nothing changes; 1:
    something does; 2: nothing could be compared.
    """
    pool, locations = WorkerPool(jobs, cluster), require_logs(logs)
    candidate = alternative(option, engine, timeout)
    with candidate:
        pass  # what cannot be asked at all is told here, once
    writer, tally = ConsoleWriter(plain=plain), Tally()
    for answer in pool.map(Impacts(candidate), locations, "impact", shown=not (plain or (json and writer.is_terminal))):
        tally.add(answer)
        if json:
            writer.json(_data(answer))
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
    """What a proposal makes of one log: small, so that it travels well."""

    log: str
    kind: str
    events: int
    rule: str | None
    """The rule by which it is refused then, or was; for the kinds that are about a refusal."""
    step: int | None
    """The first step that differs."""
    now: End
    then: End


@frozen
class Skipped:
    """A log that was not compared, and why."""

    log: str
    why: str
    other_game: bool = False


Answer = Impact | Skipped


@frozen
class Impacts:
    """The work: what would become of a log?"""

    candidate: Alternative

    def __enter__(self) -> Self:
        self.candidate.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, cause: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.candidate.__exit__(kind, cause, trace)

    def __call__(self, where: Location | SentFile) -> Answer:
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
    """What came of all logs: counts, and the shortest log of each kind and rule. Nothing else is kept."""

    counts: Counter[tuple[str, str | None]] = field(factory=Counter)
    shortest: dict[tuple[str, str | None], Impact] = field(factory=dict)
    skipped: list[Skipped] = field(factory=list)
    """The first few."""
    damaged: int = 0
    others: int = 0
    """Logs of games that do not have the option."""

    def add(self, answer: Answer) -> None:
        if isinstance(answer, Skipped):
            self.others += answer.other_game
            self.damaged += not answer.other_game
            if len(self.skipped) < MAX_SKIPPED:
                self.skipped.append(answer)
            return
        key = (answer.kind, answer.rule)
        self.counts[key] += 1
        if key not in self.shortest or answer.events < self.shortest[key].events:
            self.shortest[key] = answer

    @property
    def compared(self) -> int:
        return self.counts.total()

    @property
    def changed(self) -> bool:
        return any(kind != "untouched" for kind, _ in self.counts)

    def of(self, kind: str) -> list[tuple[str | None, int, Impact]]:
        """List the rules of a kind, the most frequent first: how often, and the shortest log."""
        some = [(rule, count, self.shortest[each, rule]) for (each, rule), count in self.counts.items() if each == kind]
        return sorted(some, key=lambda each: (-each[1], each[0] or ""))

    def lines(self, texts: Texts, width: int) -> Iterator[Text]:
        """Tell how many logs of each kind there are, and the shortest by name."""
        indent = len(str(self.compared)) + 4
        for kind in KINDS:
            for rule, count, shortest in self.of(kind):
                key = (
                    f"impact-{kind}" if rule is not None or kind not in (ILLEGAL, LEGAL, OTHER_RULE) else "impact-form"
                )
                said = Text(
                    texts.format(key, count=count, rule=rule or ""), style="" if kind == "untouched" else "bold"
                )
                head = Text(f"{count:>{indent - 2}}")
                yield from block(head, indent, said, width)
                if kind != "untouched":
                    yield Text(f"{' ' * indent}{_example(shortest, texts)}", style="dim")
        yield Text(texts.format("impact-compared", count=self.compared))
        yield from self._left_out(texts)

    def _left_out(self, texts: Texts) -> Iterator[Text]:
        if self.others:
            yield Text(texts.format("impact-others", count=self.others))
        told = [each for each in self.skipped if not each.other_game]
        for each in told:
            why = f"{sanitize(each.log, 300)}: {sanitize(texts.message(each.why), 300)}"
            yield Text(f"{texts.format('impact-skipped')}: {why}", style="red")
        if self.damaged > len(told):
            yield Text(texts.format("impact-skipped-more", count=self.damaged - len(told)), style="red")

    def data(self) -> dict[str, Any]:
        """Give the whole as plain data."""
        kinds = {
            kind: [{"rule": rule, "logs": count, "shortest": shortest.log} for rule, count, shortest in self.of(kind)]
            for kind in KINDS
        }
        return {"compared": self.compared, "skipped": self.damaged, "others": self.others, "kinds": kinds}


def _example(shortest: Impact, texts: Texts) -> str:
    key = "impact-shortest-start" if shortest.step == -1 else "impact-shortest"
    return f"{texts.format(key, step=shortest.step, events=shortest.events)}: {sanitize(shortest.log, 300)}"


def _data(answer: Answer) -> dict[str, Any]:
    if isinstance(answer, Skipped):
        return {"log": answer.log, "skipped": str(answer.why)}
    ends = {"points": (answer.now.points, answer.then.points), "winners": (answer.now.winners, answer.then.winners)}
    said = {"log": answer.log, "kind": answer.kind, "rule": answer.rule, "step": answer.step, "events": answer.events}
    return {**said, **ends}
