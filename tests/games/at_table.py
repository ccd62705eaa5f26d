"""What is asked of a table of any game: commands given one after the other, and what is told of one."""

from typing import Any

from attrs import frozen
from kifu.core.game import TABLE, AnyGame, Event, Note, Seat, Step


@frozen
class AtTable:
    """The tables of one game."""

    game: AnyGame

    def play(self, state: Any, *commands: tuple[int, Any]) -> Any:
        """Return the state after these seats have given these commands."""
        for seat, command in commands:
            state = self.game.apply(state, Seat(seat), command)
        return state

    def asked(self, state: Any) -> list[int]:
        return sorted(self.game.to_act(state))

    def told(self, state: Any, seat: int, command: Any, viewer: int | None = TABLE) -> tuple[Note, ...]:
        """Return the notes of a command for a viewer."""
        step = Step(Event(0, Seat(seat), command), state, self.play(state, (seat, command)), self.game)
        return tuple(step.notes_for(None if viewer is None else Seat(viewer)))

    def notes(self, *given: Any) -> dict[str, dict[str, Any]]:
        """Return the values of what is told, by the keys of the notes."""
        return {note.key: dict(note.values) for note in self.told(*given)}

    def rules_told(self, *given: Any) -> set[str]:
        return {note.rule.number for note in self.told(*given) if note.rule}

    def redacted(self, command: Any, seat: int, viewer: int | None) -> Any:
        """Return a command as a seat sees it, whatever the state is in which it is given."""
        return self.game.redact(Step(Event(0, seat, command), None, None, self.game), viewer)
