"""`replay rules`: the rules of a game by number, and which of them some logs show at work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Annotated, Any

import typer
from rich.text import Text

from ...core.game import Game, RuleBook, TableRule
from ...core.log import Reading
from ...core.text.texts import Texts
from ..call_errors import CallError
from ..logs.locations import Location, SentFile, logs_of, reading_of
from ..options import GameArgument, JsonOption, LangOption, PlainOption, game_of, texts
from ..render.console import ConsoleWriter
from ..render.typeset import block, section

LogsArgument = Annotated[
    list[str] | None,
    typer.Argument(metavar="[LOG]...", help="With --coverage: logs, or folders of them."),
]
CoverageOption = Annotated[bool, typer.Option("--coverage", help="Count how often each rule is at work in the logs.")]


def rules(
    game: GameArgument,
    logs: LogsArgument = None,
    coverage: CoverageOption = False,
    lang: LangOption = None,
    json: JsonOption = False,
    plain: PlainOption = False,
) -> int:
    """Print the rules of a game by number, then our rulings, then what holds for every game.

    With --coverage, tell how many steps of the logs each rule is told in, a refused command at their end included.
    """
    chosen, writer, words = game_of(game), ConsoleWriter(plain=plain), texts(lang)
    if coverage != bool(logs):
        raise CallError("coverage-with-logs", "--coverage and logs go together: replay rules GAME --coverage LOG…")
    paths = logs_of(logs or [])
    shown = covered(map(_read(chosen), paths)) if coverage else None
    if json:
        for rule in (*chosen.book, *TableRule):
            writer.json(_data(rule, chosen, words, shown))
        return 0
    for key, some in _chapters(chosen):
        title = words.title(chosen) if key is None else words.format(key)
        writer.print(section(title, writer.width), *_listed(some, chosen, words, shown, writer.width), "")
    if shown is not None:
        worked = sum(shown[rule.number] > 0 for rule in chosen.book)
        writer.print(words.format("coverage", shown=worked, all=len(chosen.book), logs=len(paths)))
    return 0


def covered(readings: Iterable[Reading]) -> Counter[str]:
    """Count by number the steps in whose notes each rule stands, and the commands that it refused."""
    counts: Counter[str] = Counter()
    for reading in readings:
        for step in reading.match.steps if reading.match is not None else ():
            counts.update({note.rule.number for note in step.notes if note.rule is not None})
        counts.update(finding.rule for finding in reading.findings if finding.rule is not None)
    return counts


def _read(game: Game[Any, Any, Any]) -> Any:
    def reading(path: Location | SentFile) -> Reading:
        found = reading_of(path)
        if found.match is None:
            raise found.error(str(path))
        if found.game is not game:
            raise CallError(
                "log-of-other-game",
                "{file}: a log of {found}, not of {game}; give logs of one game",
                file=path,
                found=found.name,
                game=game.name,
            )
        return found

    return reading


def _chapters(game: Game[Any, Any, Any]) -> list[tuple[str | None, list[RuleBook]]]:
    book = list(game.book)
    chapters: list[tuple[str | None, list[RuleBook]]] = [
        (None, [rule for rule in book if not rule.ruling]),
        ("rulings", [rule for rule in book if rule.ruling]),
        ("table-rules", list(TableRule)),
    ]
    return [(key, some) for key, some in chapters if some]


def _listed(
    some: list[RuleBook], game: Game[Any, Any, Any], words: Texts, shown: Counter[str] | None, width: int
) -> Iterator[Text]:
    indent = max(len(rule.number) for rule in (*game.book, *TableRule)) + 4
    for rule in some:
        head, said = Text(f"  {rule.number}", style="cyan"), Text(words.rule(rule, game))
        if shown is None:
            yield from block(head, indent, said, width)
        else:
            yield from block(head, indent, said, width, _times(shown[rule.number], words), 12)


def _times(count: int, words: Texts) -> Text:
    return Text(words.format("steps-count", count=count)) if count else Text(words.format("never"), style="bold red")


def _data(rule: RuleBook, game: Game[Any, Any, Any], words: Texts, shown: Counter[str] | None) -> dict[str, Any]:
    data = {"rule": rule.number, "ruling": rule.ruling, "text": words.rule(rule, game)}
    return data if shown is None else {**data, "steps": shown[rule.number]}
