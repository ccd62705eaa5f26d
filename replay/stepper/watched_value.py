"""A value that is watched from step to step."""

from __future__ import annotations

from typing import Any

from ...core.errors import KifuError
from ..analysis.expression import ABSENT
from ..analysis.values import format_state_value
from ..analysis.watch import ValueWatch
from ..call_errors import error_text
from .presenter import WRONG, StepPresenter


class WatchedValue:
    """An expression of `replay when`, as the viewer of each telling may see it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._last: ValueWatch | None = None

    def check(self, told: StepPresenter) -> None:
        """Raise `Unusable` where the expression has no sense for this viewer."""
        self._value(told, told.record.last)

    def say(self, told: StepPresenter, at: int) -> str:
        """Give the value at a place in words, or why there is none."""
        try:
            value, watch = self._value(told, at), self._watch(told)
        except KifuError as error:
            return f"{WRONG} {error_text(error, told.texts)}"
        if value is ABSENT:
            return told.texts.format("when-absent")
        if watch.is_condition:
            return told.texts.format("yes" if value else "no")
        return format_state_value(value, watch.kind, told.game)

    def changes(self, told: StepPresenter, at: int) -> bool:
        """Tell whether the step changed the value."""
        if not told.record.is_step(at):
            return False
        try:
            return bool(self._value(told, at) != self._value(told, at - 1))
        except KifuError:
            return False

    def _value(self, told: StepPresenter, at: int) -> Any:
        return self._watch(told).value(told.record.position(at))

    def _watch(self, told: StepPresenter) -> ValueWatch:
        if self._last is None or self._last.match is not told.record.match or self._last.viewer != told.viewer:
            self._last = ValueWatch(told.record.match, self.text, told.viewer)
        return self._last
