"""The changes of a value of the state, or of a condition, over the steps of a match."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import attrs
from attrs import frozen

from ...core.game import TABLE, AnyStep
from ...core.match import AnyMatch, AnyPosition
from ...core.trace.shape import Shape, inner, shape_of
from ..call_errors import CallError
from .expression import ABSENT, parse

MORE_NAMES: dict[str, Callable[[AnyPosition], Any]] = {
    "to_act": lambda position: position.to_act,
    "points": lambda position: position.result.points if position.result is not None else None,
    "winners": lambda position: position.result.winners if position.result is not None else None,
}
"""Names in expressions besides the fields of the state."""


@frozen
class ValueChange:
    """A value before and after a step; without a step: the value at the start."""

    step: AnyStep | None
    before: Any
    after: Any

    @property
    def seq(self) -> int:
        """The step's number; -1: the start."""
        return self.step.seq if self.step is not None else -1


class ValueWatch:
    """An expression evaluated over a match, on what one viewer may see.

    Raises `CallError` if the expression is malformed or uses an unknown name.
    """

    def __init__(self, match: AnyMatch, text: str, viewer: int | None) -> None:
        self.match = match
        self.text = text
        self.viewer = viewer
        cards = {match.game.face(card).text: card for card in match.game.cards(match.state)}
        self.expression = parse(text, cards)
        self.is_condition = self.expression.is_condition
        self._table = type(self._of(match.at(-1)))
        self._fields = {field.name for field in attrs.fields(self._table)}
        self._check_names()

    @property
    def shape(self) -> Shape:
        """The shape of a path's value; None if it is unknown."""
        path = self.expression.path
        if path is None:
            return None
        shape = shape_of(self._table)
        for step in path:
            if isinstance(step, int):
                shape = inner(shape, step)
            else:
                shape = shape.get(step) if isinstance(shape, dict) else None
        return shape

    def changes(self, span: range) -> Iterator[ValueChange]:
        """Yield the changes in a range of steps.

        If the range includes the start (-1), the value at the start comes first; a condition only if it is true there.
        """
        steps = self.match.steps
        value = self._value_after(max(span.start - 1, -1))
        if span.start < 0 and (value or not self.is_condition):
            yield ValueChange(None, ABSENT, value)
        for seq in range(max(span.start, 0), span.stop):
            before, value = value, self._value_after(seq)
            if before != value:
                yield ValueChange(steps[seq], before, value)

    def _value_after(self, seq: int) -> Any:
        """Return the value after an event, as the viewer may still look at it, or `ABSENT`."""
        position = attrs.evolve(self.match.at(seq), state=self.match.shown(seq, self.viewer))
        table = self._of(position)

        def look_up(name: str) -> Any:
            return getattr(table, name) if name in self._fields else MORE_NAMES[name](position)

        return self.expression.evaluate(look_up)

    def _of(self, position: AnyPosition) -> Any:
        return position.state if self.viewer == TABLE else position.view(self.viewer)

    def _check_names(self) -> None:
        names = self._fields | MORE_NAMES.keys()
        known = ", ".join(sorted(names))
        for name in sorted(self.expression.names - names):
            english = "{text}: there is no '{name}'; there are: {known}"
            raise CallError("no-value", english, text=self.text, name=name, known=known)
        if not self.expression.names:
            english = "{text}: it is the same at every step; name one of: {known}"
            raise CallError("always-the-same", english, text=self.text, known=known)
