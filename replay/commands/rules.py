"""`replay rules`: the rules of a game by number, and how often each is at work in some logs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import click
from rich.text import Text

from ...core.errors import LogError
from ...core.game import AnyGame, RuleBook, TableRule
from ...core.page.lesson import lesson, lesson_data
from ...core.text.texts import Texts
from ..analysis.findings import rules_of
from ..call_errors import CallError, UserMessage
from ..command import verb
from ..logs.locations import Location, SkippedLog, reading_of, require_logs
from ..options import game_argument, game_of, output_options
from ..progress import progress_bar
from ..render.console import Output
from ..render.lesson import LessonRenderer
from ..render.typeset import block, section
from ..render.verdict import left_out_line


@verb("replay rules take_and_share --coverage logs/")
@game_argument
@click.argument("logs", nargs=-1, metavar="[LOG]...", help="With --coverage: logs, or folders of them.")
@click.option("--coverage", is_flag=True, help="Count how often each rule is at work in the logs.")
@click.option("--learn", is_flag=True, help="Print how the game is played, for somebody who does not know it.")
@output_options
def rules(game: str, logs: tuple[str, ...], coverage: bool, learn: bool, output: Output) -> int:
    """Print the rules of a game by number, then our rulings, then the rules that hold for every game.

    With --learn, print how the game is played instead: goal, cards, a turn, an example, the score, hints.
    With --coverage, print in how many steps of the logs each rule is at work, including a refused command at the end.
    Exit code 0: all logs were counted; 2: a file is not a log of the game or cannot be read, and was left out.
    """
    chosen, writer, texts = game_of(game), output.writer, output.texts
    if coverage != bool(logs):
        raise CallError("coverage-with-logs", "--coverage and logs go together: replay rules GAME --coverage LOG…")
    if learn:
        return _learn(chosen, output, coverage=coverage)
    paths, left = require_logs(logs) if coverage else [], list[SkippedLog]()
    shown = progress_bar(paths, "rules", len(paths), shown=not output.plain)
    counts = _coverage(chosen, shown, left) if coverage else None
    if left and len(left) == len(paths):
        raise CallError("nothing-counted", "nothing could be counted: {log}: {why}", log=left[0].log, why=left[0].why)
    if output.json:
        for rule in (*chosen.book, *TableRule):
            writer.json(_data(rule, chosen, texts, counts))
        for each in left:
            writer.json({"log": each.log, "error": each.why})
        return 2 if left else 0
    for key, some in _chapters(chosen):
        title = texts.title(chosen) if key is None else texts.format(key)
        writer.print(section(title, writer.width), *_listed(some, chosen, texts, counts, writer.width), "")
    if counts is not None:
        applied = sum(counts[rule.number] > 0 for rule in chosen.book)
        writer.print(texts.format("coverage", shown=applied, all=len(chosen.book), logs=len(paths) - len(left)))
    writer.print(*(left_out_line(each.log, each.why, texts) for each in left))
    return 2 if left else 0


def _learn(game: AnyGame, output: Output, *, coverage: bool) -> int:
    if coverage:
        raise CallError("learn-alone", "--learn goes with --lang, --json and --plain alone")
    found = lesson(game, output.texts.lang)
    if found is None:
        raise CallError("no-lesson", "{game} has no lesson; give --learn for a game that has one", game=game.name)
    if output.json:
        output.writer.json(lesson_data(found))
    else:
        output.writer.print(*LessonRenderer(output.texts, game, found, output.writer.width).draw(), "")
    return 0


def _coverage(game: AnyGame, logs: Iterable[Location], left: list[SkippedLog]) -> Counter[str]:
    """Count, by rule number, the steps with a note of the rule and the commands that it refused.

    What is no log of the game is left out, and said to be so.
    """
    counts: Counter[str] = Counter()
    for log in logs:
        try:
            reading = reading_of(log)
            if reading.match is None:
                raise reading.error()
        except LogError as cause:
            left.append(SkippedLog(str(log), cause.message, unusable=True))
            continue
        if reading.game is not game:
            english = "a log of {found}, not of {game}"
            why = UserMessage("log-of-other-game", english, found=reading.name, game=game.name)
            left.append(SkippedLog(str(log), why, unusable=True))
            continue
        for step in reading.match.steps:
            counts.update(rules_of(step.notes))
        counts.update(finding.rule for finding in reading.findings if finding.rule is not None)
    return counts


def _chapters(game: AnyGame) -> list[tuple[str | None, list[RuleBook]]]:
    book = list(game.book)
    chapters: list[tuple[str | None, list[RuleBook]]] = [
        (None, [rule for rule in book if not rule.ruling]),
        ("rulings", [rule for rule in book if rule.ruling]),
        ("table-rules", list(TableRule)),
    ]
    return [(key, some) for key, some in chapters if some]


def _listed(
    some: list[RuleBook], game: AnyGame, texts: Texts, counts: Counter[str] | None, width: int
) -> Iterator[Text]:
    indent = max(len(rule.number) for rule in (*game.book, *TableRule)) + 4
    for rule in some:
        head, sentence = Text(f"  {rule.number}", style="cyan"), Text(texts.rule(rule, game))
        if counts is None:
            yield from block(head, indent, sentence, width)
        else:
            yield from block(head, indent, sentence, width, _times(counts[rule.number], texts), 12)


def _times(count: int, texts: Texts) -> Text:
    return Text(texts.format("steps-count", count=count)) if count else Text(texts.format("never"), style="bold red")


def _data(rule: RuleBook, game: AnyGame, texts: Texts, counts: Counter[str] | None) -> dict[str, Any]:
    data = {"rule": rule.number, "ruling": rule.ruling, "text": texts.rule(rule, game)}
    return data if counts is None else {**data, "steps": counts[rule.number]}
