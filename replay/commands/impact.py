"""`replay impact`: what another value of an option, or another engine, would change in many logs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.text import Text

from ...core.errors import KifuError
from ...core.text.sanitize import sanitize
from ...core.text.texts import Texts
from ..analysis.engine import TIMEOUT_S
from ..analysis.impacts import (
    ILLEGAL,
    KINDS,
    LEGAL,
    OTHER_RULE,
    Compared,
    Group,
    Impacts,
    Skipped,
    Tally,
    Unreached,
    unreached,
)
from ..analysis.what_if import alternative
from ..call_errors import CallError
from ..logs.locations import location, reading_of, require_logs
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
from ..render.left_out import left_out_line
from ..render.typeset import block


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

    Counts the logs that stay as they are, become illegal (by which rule), or change their score or winner, by the first
    rule or field that differs, and names the shortest log of each. Names the changed rules that no log reaches.
    Commands and deals stay the same. A damaged log is reported and left out. Exit code 0: nothing changes; 1:
    something does; 2: nothing could be compared.
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
    with candidate:
        silent = unreached(candidate, tally)
    if json:
        writer.json({**tally.data(), "unreached": [_unreached_data(each) for each in silent]})
    else:
        writer.print(*_lines(tally, silent, texts_for(lang), writer.width))
    return 1 if tally.changed else 0


def _lines(tally: Tally, silent: list[Unreached], texts: Texts, width: int) -> Iterator[Text]:
    """Yield the report: the number of logs of each group, with the shortest of them by name."""
    indent = len(str(tally.compared)) + 4
    for kind in KINDS:
        for group in tally.of(kind):
            effect = Text(_effect(group, texts), style="" if kind == "untouched" else "bold")
            yield from block(Text(f"{group.logs:>{indent - 2}}"), indent, effect, width)
            if kind != "untouched":
                yield from (Text(f"{' ' * indent}{line}", style="dim") for line in _example(group, texts))
    yield Text(texts.format("impact-compared", count=tally.compared))
    yield from _skipped_lines(tally, texts)
    for each in silent:
        key = "impact-unreached" if each.concerned else "impact-unreached-any"
        yield Text(texts.format(key, game=each.game, rules=" ".join(each.rules)))


def _effect(group: Group, texts: Texts) -> str:
    by_rule = group.rule is not None or group.kind not in (ILLEGAL, LEGAL, OTHER_RULE)
    effect = texts.format(f"impact-{group.kind}" if by_rule else "impact-form", count=group.logs, rule=group.rule or "")
    if group.cause in (None, group.rule):
        return effect
    return texts.format("impact-first", effect=effect, cause=sanitize(str(group.cause), 200))


def _skipped_lines(tally: Tally, texts: Texts) -> Iterator[Text]:
    if tally.others:
        yield Text(texts.format("impact-others", count=tally.others))
    damaged = [each for each in tally.skipped if not each.other_game]
    for each in damaged:
        yield left_out_line(each.log, each.why, texts, "impact-skipped")
    if tally.damaged > len(damaged):
        yield Text(texts.format("impact-skipped-more", count=tally.damaged - len(damaged)), style="red")


def _example(group: Group, texts: Texts) -> Iterator[str]:
    """Yield the shortest log of a group by its name, and of the step that differs first the command and the rules."""
    shortest = group.shortest
    key = "impact-shortest-start" if shortest.step == -1 else "impact-shortest"
    yield f"{texts.format(key, step=shortest.step, events=shortest.events)}{texts.colon}{sanitize(shortest.log, 300)}"
    try:
        reading = reading_of(location(shortest.log))
    except KifuError:  # a file that was sent, or is gone since
        return
    events = [] if reading.match is None else [*reading.match.events, *filter(None, [reading.refused])]
    if reading.match is not None and shortest.step is not None and 0 <= shortest.step < len(events):
        event, match = events[shortest.step], reading.match
        doing = f"{texts.seat(event.seat, match.header.seats)}{texts.colon}{texts.command(event.command, match.game)}"
        notes = match.steps[shortest.step].notes if shortest.step < len(match.events) else ()
        numbers = dict.fromkeys(note.rule.number for note in notes if note.rule is not None)
        yield "  ".join([doing, *numbers])


def _unreached_data(each: Unreached) -> dict[str, Any]:
    return {"game": each.game, "rules": list(each.rules), "changed": each.concerned}


def _data(compared: Compared) -> dict[str, Any]:
    if isinstance(compared, Skipped):
        return {"log": compared.log, "skipped": str(compared.why)}
    return {
        "log": compared.log,
        "kind": compared.kind,
        "rule": compared.rule,
        "first": compared.cause,
        "step": compared.step,
        "events": compared.events,
        "points": (compared.now.points, compared.then.points),
        "winners": (compared.now.winners, compared.then.winners),
    }
