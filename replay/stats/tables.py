"""The figures as text: a table for each group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from ...core.match import registry
from ...core.text.sanitize import sanitize
from ...core.text.texts import Texts
from ..render.typeset import block, columns, section
from .figures import Group, Spread


def report(groups: Sequence[Group], texts: Texts, width: int) -> Iterator[Text]:
    """Yield the report of every group."""
    for place, group in enumerate(groups):
        if place:
            yield Text()
        yield from _group(group, texts, width)


def _group(group: Group, texts: Texts, width: int) -> Iterator[Text]:
    """Yield the report of one game with one number of seats: its ends, each seat, the lengths, the rules."""
    yield _title(group, texts, width)
    yield Text(texts.format("stats-logs", logs=group.logs, finished=group.finished, others=_others(group, texts)))
    seats = [texts.seat(seat) for seat in range(group.seats)]
    if group.finished:
        yield from columns(list(_by_seat(group, texts, seats)), 2)
        for end, count in (("draws", group.draws), ("lost", group.lost), ("shared", group.shared)):
            if count:
                yield Text(f"  {texts.format(f'stats-{end}', count=count)}", style="dim")
        for team, won in sorted(group.team_wins.items()):
            yield Text(f"  {texts.format('stats-team', team=team, count=won, of=group.finished)}", style="dim")
        yield from block(Text(), 2, Text(_length(group, texts)), width)
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
        spread = Spread.of(group.points[seat])
        assert spread is not None
        quartiles = " ".join(map(_number, (spread.lower, spread.median, spread.upper)))
        points = [f"{spread.mean:.1f}", _number(spread.least), quartiles, _number(spread.most)]
        yield [name, str(group.wins[seat]), _percent(rate), f"{_percent(low)}-{_percent(high)}", *points]


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
    indent = max(len(head.plain) for head in heads) + 3
    yield heads[0]
    for rule, head in zip(applied, heads[1:], strict=True):
        sentence = sanitize(texts.rule(rule, game), width - indent)
        yield from block(head, indent, Text(sentence, style="dim"), width)


def _percent(rate: float) -> str:
    return f"{100 * rate:.0f}%"


def _number(number: float) -> str:
    return f"{number:.0f}" if number == int(number) else f"{number:.1f}"
