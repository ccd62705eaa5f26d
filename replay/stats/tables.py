"""The figures as text: a table for each group, and the course of a match in small bars."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from ...core.match import registry
from ...core.text.sanitize import sanitize
from ...core.text.texts import Texts
from ..render.typeset import block, columns, section
from .course import Course
from .figures import Group, Spread

BARS = "▁▂▃▄▅▆▇█"
WIDTH = 40
"""The maximum number of bars in a row."""


def report(groups: Sequence[Group], course: Course | None, texts: Texts, width: int) -> Iterator[Text]:
    """Yield the report of every group, or of the only match if its course is given."""
    for place, group in enumerate(groups):
        if place:
            yield Text()
        yield from group_report(group, texts, width) if course is None else match_report(group, course, texts, width)


def group_report(group: Group, texts: Texts, width: int) -> Iterator[Text]:
    """Yield the report of one game with one number of seats: its ends, each seat, the lengths, the rules."""
    yield _title(group, texts, width)
    yield Text(texts.format("stats-logs", logs=group.logs, finished=group.finished, others=_others(group, texts)))
    seats = [texts.seat(seat) for seat in range(group.seats)]
    if group.finished:
        yield from columns(list(_by_seat(group, texts, seats)), 2)
        if group.draws:
            yield Text(f"  {texts.format('stats-draws', count=group.draws)}", style="dim")
        if group.lost:
            yield Text(f"  {texts.format('stats-lost', count=group.lost)}", style="dim")
        if group.shared:
            yield Text(f"  {texts.format('stats-shared', count=group.shared)}", style="dim")
        yield from block(Text(), 2, Text(_length(group, texts)), width)
    yield from _moves(group, texts, seats)
    yield from _rules(group, texts, width)


def match_report(group: Group, course: Course, texts: Texts, width: int) -> Iterator[Text]:
    """Yield the report of a group's only match: its end, each seat's score over time, and how many cards it saw."""
    yield _title(group, texts, width)
    seats = [texts.seat(seat, course.names) for seat in range(group.seats)]
    yield Text(texts.format("stats-match", events=len(course.scores) - 1, others=_others(group, texts)))
    if group.finished:
        won = [texts.format("winner") if group.wins[seat] else "" for seat in range(group.seats)]
        points = [str(next(iter(counted))) for counted in group.points]
        yield from columns(
            [["", texts.format("stats-points"), ""], *map(list, zip(seats, points, won, strict=True))], 2
        )
    yield from _moves(group, texts, seats)
    yield from _course(course, texts, seats)
    yield from _rules(group, texts, width)


def _title(group: Group, texts: Texts, width: int) -> Text:
    game = registry.find(group.game)
    return section(texts.format("stats-title", title=texts.title(game), seats=group.seats), width)


def _length(group: Group, texts: Texts) -> str:
    spread = Spread.of(group.lengths)
    assert spread is not None
    if spread.least == spread.most:
        return texts.format("stats-length-same", least=spread.least)
    numbers = {name: _number(getattr(spread, name)) for name in ("least", "lower", "median", "upper", "most")}
    return texts.format("stats-length", **numbers)


def _others(group: Group, texts: Texts) -> str:
    some = [
        texts.format(f"stats-{end.replace(' ', '-')}", count=count)
        for end, count in group.ends.items()
        if end != "over"
    ]
    return "".join(texts.comma + each for each in sorted(some))


def _by_seat(group: Group, texts: Texts, seats: Sequence[str]) -> Iterator[list[str]]:
    head = ("won", "rate", "sure", "mean-points", "least", "quartiles", "most")
    yield ["", *(texts.format(f"stats-{key}") for key in head)]
    for seat, name in enumerate(seats):
        rate, (low, high) = group.rate(seat), group.interval(seat)
        assert rate is not None
        spread = _spread_row("", Spread.of(group.points[seat]))[1:]
        yield [name, str(group.wins[seat]), _percent(rate), f"{_percent(low)}-{_percent(high)}", *spread]


def _moves(group: Group, texts: Texts, seats: Sequence[str]) -> Iterator[Text]:
    rows = [
        _spread_row(seats[seat], spread)
        for seat, durations in enumerate(group.moves)
        if (spread := Spread.of(durations, 0.1)) is not None
    ]
    if rows:
        head = ("mean", "least", "quartiles", "most")
        yield Text()
        yield from columns([[texts.format("stats-moves"), *(texts.format(f"stats-{key}") for key in head)], *rows], 2)


def _spread_row(name: str, spread: Spread | None) -> list[str]:
    if spread is None:
        return [name, "", "", "", ""]
    quartiles = " ".join(map(_number, (spread.lower, spread.median, spread.upper)))
    return [name, f"{spread.mean:.1f}", _number(spread.least), quartiles, _number(spread.most)]


def _rules(group: Group, texts: Texts, width: int) -> Iterator[Text]:
    """Yield how often each rule decided, in the order of the rulebook."""
    game = registry.find(group.game)
    applied = [rule for rule in game.book if group.matches_with[rule.number]]
    if not applied:
        return
    yield Text()
    rows = [
        [rule.number, str(group.matches_with[rule.number]), f"{group.steps[rule.number] / group.logs:.1f}"]
        for rule in applied
    ]
    heads = columns([["", texts.format("stats-matches"), texts.format("stats-each")], *rows], 2)
    if group.logs == 1:
        rows = [[rule.number, str(group.steps[rule.number])] for rule in applied]
        heads = columns([["", texts.format("stats-steps")], *rows], 2)
    indent = max(len(head.plain) for head in heads) + 3
    yield heads[0]
    for rule, head in zip(applied, heads[1:], strict=True):
        sentence = sanitize(texts.rule(rule, game), width - indent)
        yield from block(head, indent, Text(sentence, style="dim"), width)


def _course(course: Course, texts: Texts, seats: Sequence[str]) -> Iterator[Text]:
    scores = [[each[seat] or 0 for each in course.scores] for seat in range(len(seats))]
    least, most = min(map(min, scores)), max(map(max, scores))
    yield from _drawn(
        texts.format("stats-chart-score"),
        [[name, bars(line, least, most), str(line[-1])] for name, line in zip(seats, scores, strict=True)],
    )
    seen = [[each[place] for each in course.seen] for place in range(len(seats) + 1)]
    viewers = [*seats, texts.seat(None)]
    cards = max(course.cards)
    yield from _drawn(
        texts.format("stats-seen", cards=cards),
        [[name, bars(line, 0, cards), f"{min(line)}-{max(line)}"] for name, line in zip(viewers, seen, strict=True)],
    )


def _drawn(title: str, rows: list[list[str]]) -> list[Text]:
    return [Text(), Text(f"  {title}", style="dim"), *columns([["", "", ""], *rows], 2)[1:]]


def bars(numbers: Sequence[int], least: int, most: int) -> str:
    """Draw numbers as a row of bars between `least` and `most`; of many numbers an even selection with the last."""
    shown = min(len(numbers), WIDTH)
    some = [numbers[(place + 1) * len(numbers) // shown - 1] for place in range(shown)]
    return "".join(BARS[(number - least) * (len(BARS) - 1) // (most - least) if most > least else 0] for number in some)


def _percent(rate: float) -> str:
    return f"{100 * rate:.0f}%"


def _number(number: float) -> str:
    return f"{number:.0f}" if number == int(number) else f"{number:.1f}"
