"""A command as a seat sees it, whatever the state is in which it is given."""

from __future__ import annotations

from typing import Any

from kifu.core.game import AnyGame, Event, Step


def redacted(game: AnyGame, command: Any, seat: int, viewer: int | None) -> Any:
    return game.redact(Step(Event(0, seat, command), None, None, game), viewer)
