"""A value that the stepper watches."""

from __future__ import annotations

from typing import Any

from ...core.errors import KifuError
from ..analysis.expression import ABSENT
from ..analysis.values import format_state_value
from ..analysis.watch import ValueWatch
from ..call_errors import error_text
from .presenter import WRONG, StepPresenter


class WatchedValue:
    """An expression of `replay when`, evaluated on what the viewer may see."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._last: ValueWatch | None = None

    def check(self, presenter: StepPresenter) -> None:
        """Raise `CallError` if the expression is malformed, or uses what this viewer does not see."""
        self._value(presenter, presenter.record.last)

    def format(self, presenter: StepPresenter, at: int) -> str:
        """Format the value at a place, or the reason why there is none."""
        try:
            value, watch = self._value(presenter, at), self._watch(presenter)
        except KifuError as error:
            return f"{WRONG} {error_text(error, presenter.texts)}"
        if value is ABSENT:
            return presenter.texts.format("when-absent")
        if watch.is_condition:
            return presenter.texts.format("yes" if value else "no")
        return format_state_value(value, watch.kind, presenter.game)

    def changes(self, presenter: StepPresenter, at: int) -> bool:
        """Return True if the step changed the value."""
        if not presenter.record.is_step(at):
            return False
        try:
            return bool(self._value(presenter, at) != self._value(presenter, at - 1))
        except KifuError:
            return False

    def _value(self, presenter: StepPresenter, at: int) -> Any:
        return self._watch(presenter).value(presenter.record.position(at))

    def _watch(self, presenter: StepPresenter) -> ValueWatch:
        if (
            self._last is None
            or self._last.match is not presenter.record.match
            or self._last.viewer != presenter.viewer
        ):
            self._last = ValueWatch(presenter.record.match, self.text, presenter.viewer)
        return self._last
