"""`replay rules`: the rules of a game by number, and how often each is at work in some logs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Annotated, Any

import typer
from rich.text import Text

from ...core.game import AnyGame, RuleBook, TableRule
from ...core.log import Reading
from ...core.page.lesson import lesson, lesson_data
from ...core.text.texts import Texts
from ..call_errors import CallError
from ..logs.locations import Location, SentFile, logs_of, reading_of
from ..options import GameArgument, JsonOption, LangOption, PlainOption, game_of, texts_for
from ..progress import progress_bar
from ..render.console import ConsoleWriter
from ..render.lesson import LessonRenderer
from ..render.typeset import block, section

LogsArgument = Annotated[
    list[str] | None,
    typer.Argument(metavar="[LOG]...", help="With --coverage: logs, or folders of them."),
]
LearnOption = Annotated[
    bool, typer.Option("--learn", help="Print how the game is played, for somebody who does not know it.")
]
CoverageOption = Annotated[bool, typer.Option("--coverage", help="Count how often each rule is at work in the logs.")]


def rules(
    game: GameArgument,
    logs: LogsArgument = None,
    coverage: CoverageOption = False,
    learn: LearnOption = False,
    lang: LangOption = None,
    json: JsonOption = False,
    plain: PlainOption = False,
) -> int:
    """Print the rules of a game by number, then our rulings, then the rules that hold for every game.

    With --learn, print how the game is played instead: goal, cards, a turn, an example, the score, hints.
    With --coverage, print in how many steps of the logs each rule is at work, including a refused command at the end.
    """
    chosen, writer, texts = game_of(game), ConsoleWriter(plain=plain), texts_for(lang)
    if coverage != bool(logs):
        raise CallError("coverage-with-logs", "--coverage and logs go together: replay rules GAME --coverage LOG…")
    if learn:
        return _learn(chosen, writer, texts, coverage=coverage, json=json)
    paths = logs_of(logs or [])
    shown = progress_bar(paths, "rules", len(paths), shown=not plain)
    counts = coverage_of(map(_reader(chosen), shown)) if coverage else None
    if json:
        for rule in (*chosen.book, *TableRule):
            writer.json(_data(rule, chosen, texts, counts))
        return 0
    for key, some in _chapters(chosen):
        title = texts.title(chosen) if key is None else texts.format(key)
        writer.print(section(title, writer.width), *_listed(some, chosen, texts, counts, writer.width), "")
    if counts is not None:
        applied = sum(counts[rule.number] > 0 for rule in chosen.book)
        writer.print(texts.format("coverage", shown=applied, all=len(chosen.book), logs=len(paths)))
    return 0


def _learn(game: AnyGame, writer: ConsoleWriter, texts: Texts, *, coverage: bool, json: bool) -> int:
    if coverage:
        raise CallError("learn-alone", "--learn goes with --lang, --json and --plain alone")
    found = lesson(game, texts.lang)
    if found is None:
        raise CallError("no-lesson", "{game} has no lesson; give --learn for a game that has one", game=game.name)
    if json:
        writer.json(lesson_data(found))
    else:
        writer.print(*LessonRenderer(texts, game, found, writer.width).draw(), "")
    return 0


def coverage_of(readings: Iterable[Reading]) -> Counter[str]:
    """Count, by rule number, the steps with a note of the rule and the commands that it refused."""
    counts: Counter[str] = Counter()
    for reading in readings:
        for step in reading.match.steps if reading.match is not None else ():
            counts.update({note.rule.number for note in step.notes if note.rule is not None})
        counts.update(finding.rule for finding in reading.findings if finding.rule is not None)
    return counts


def _reader(game: AnyGame) -> Any:
    def read(path: Location | SentFile) -> Reading:
        reading = reading_of(path)
        if reading.match is None:
            raise reading.error(str(path))
        if reading.game is not game:
            raise CallError(
                "log-of-other-game",
                "{file}: a log of {found}, not of {game}; give logs of one game",
                file=path,
                found=reading.name,
                game=game.name,
            )
        return reading

    return read


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
