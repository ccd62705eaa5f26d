"""The differences between two logs: of their headers, events and ends. Of two engines: `core/trace/trace_diff.py`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

import attrs
from attrs import frozen

from ...core.game import Event
from ...core.log import Reading
from ...core.match import AnyMatch
from ...core.match.fold import call_game
from ...core.text.sanitize import sanitize
from ...core.text.texts import Texts
from ...core.wire import plain, wire_of
from ..call_errors import CallError
from .findings import rules_of

Pair = tuple[Any, Any]
ENDS = ("over", "abandoned", None)


@frozen
class LogDiff:
    """The differences between two logs of one game; times, ids and actors are not compared."""

    a: AnyMatch
    b: AnyMatch
    header: dict[str, Pair]
    """Key to the values of A and B, for the keys whose values differ."""
    events: list[tuple[int, Event[Any] | None, Event[Any] | None]]
    ends: tuple[str | None, str | None]
    """Of each log: `over`, `abandoned`, what is wrong with it, or None."""
    texts: Texts

    @classmethod
    def of(cls, a: Reading, b: Reading, texts: Texts) -> LogDiff:
        """Compare two logs; raises `CallError` if their games differ."""
        assert a.match is not None
        assert b.match is not None
        if a.game is not b.game:
            english = "logs of different games cannot be compared: {one} and {other}"
            raise CallError("two-games", english, one=a.name, other=b.name)
        header, events = dict(_header(a.match, b.match)), list(_events(a.match, b.match))
        return cls(a.match, b.match, header, events, (_end(a), _end(b)), texts)

    @property
    def differ(self) -> bool:
        """True if there is any difference."""
        return bool(self.header or self.events or self.ends[0] != self.ends[1])

    def text_lines(self, *, every: bool = False) -> Iterator[str]:
        """Yield the report: the header's differences, the first event that differs (or all), and the ends."""
        for key, (one, other) in self.header.items():
            yield self.texts.format("log-diff-header", key=key, one=_value_text(one), other=_value_text(other))
        for seq, one, another in self.events if every else self.events[:1]:
            yield self.texts.format("log-diff-event", seq=seq)
            yield f"  A {self._command_text(one, self.a)}"
            yield f"  B {self._command_text(another, self.b)}"
        if len(self.events) > 1 and not every:
            yield self.texts.format("log-diff-more", count=len(self.events) - 1)
        if self.ends[0] != self.ends[1]:
            one, other = map(self._end_text, self.ends)
            yield self.texts.format("log-diff-end", one=one, other=other)
        if not self.differ:
            yield self.texts.format("log-diff-none", events=len(self.a.events))

    def data(self, *, every: bool = False) -> Iterator[dict[str, Any]]:
        """Yield the report as plain data: an object for each event that differs, then one for the whole."""
        for seq, one, another in self.events if every else self.events[:1]:
            yield {"event": seq, "a": _event_data(one, self.a), "b": _event_data(another, self.b)}
        yield {
            "header": {key: {"a": plain(one), "b": plain(other)} for key, (one, other) in self.header.items()},
            "differ": len(self.events),
            "first": self.events[0][0] if self.events else None,
            "end": {"a": self.ends[0], "b": self.ends[1]},
        }

    def _command_text(self, event: Event[Any] | None, match: AnyMatch) -> str:
        if event is None:
            return self.texts.format("log-diff-absent")
        names = match.header.seats
        rules = " ".join(_rules(event, match))
        what = self.texts.command(event.command, match.game, names)
        doing = f"{self.texts.seat(event.seat, names)}{self.texts.colon}{what}"
        return f"{doing}  {rules}" if rules else doing

    def _end_text(self, end: str | None) -> str:
        """Format one of `ends`."""
        return self.texts.format(f"log-diff-{end or 'open'}") if end in ENDS else sanitize(self.texts.message(end), 80)


def _header(a: AnyMatch, b: AnyMatch) -> Iterator[tuple[str, Pair]]:
    ours, theirs = _flat(a), _flat(b)
    return ((key, (ours[key], theirs[key])) for key in ours if ours[key] != theirs[key])


def _flat(match: AnyMatch) -> dict[str, Any]:
    """Return the header's values by name, each option under its own."""
    values = attrs.asdict(match.header, recurse=False)
    options = wire_of(match.game).plain_options(values.pop("options"))
    return {**values, **{f"option {name}": value for name, value in options.items()}}


def _events(a: AnyMatch, b: AnyMatch) -> Iterator[tuple[int, Event[Any] | None, Event[Any] | None]]:
    for seq, (one, other) in enumerate(zip_longest(a.events, b.events)):
        if one is None or other is None or (one.seat, one.command) != (other.seat, other.command):
            yield seq, one, other


def _end(reading: Reading) -> str | None:
    problem = reading.problem()
    return reading.ended if problem is None else problem.summary


def _event_data(event: Event[Any] | None, match: AnyMatch) -> dict[str, Any] | None:
    if event is None:
        return None
    tag, fields = wire_of(match.game).encode(event.command)
    return {"seat": event.seat, "tag": tag, "fields": plain(fields), "rules": _rules(event, match)}


def _rules(event: Event[Any], match: AnyMatch) -> list[str]:
    """Return the numbers of the rules at work in the event's step."""
    notes = call_game(match.game, lambda: match.steps[event.seq].notes)
    return rules_of(notes)


def _value_text(value: Any) -> str:
    data = plain(value)
    return sanitize("none" if data is None else str(data), 2000)
