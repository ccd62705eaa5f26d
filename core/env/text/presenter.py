"""What a seat reads at its turn, made of what it has observed, its scene and its legal commands, as text or as JSON."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from ...errors import Message
from ...game import AnyGame, Note, ObservedEvent, RedactedCommand, Result, Scene
from ...text.texts import Names, Texts
from ...wire import plain, wire_of
from .drawing import SceneText
from .listing import LISTED, Listing

MAX_NOTES = 5000
"""How many notes' texts are kept."""


class SeatPresenter:
    """Presents a match of a game in one language; `names` are those of its seats (`shown_names`), or None."""

    def __init__(
        self,
        game: AnyGame,
        texts: Texts,
        seats: int,
        names: Names | None = None,
        *,
        listed: int = LISTED,
        brief: bool = False,
    ) -> None:
        self.game, self.texts, self.names = game, texts, names
        self._listed, self._brief = listed, brief
        self._notes: dict[Note, str] = {}
        self._drawing = SceneText(game, texts, [texts.seat(seat, names) for seat in range(seats)])

    def text(
        self,
        lines: list[str],
        scene: Scene,
        to_act: Collection[int],
        listing: Listing | None,
        result: Result | None,
    ) -> str:
        """Return what happened, in `lines`, the table, and what the seat may do, with a blank line between.

        `listing` has the seat's legal commands, None if it is not to act.
        """
        if not lines:
            lines = [self.say(Message("table-nothing", "Nothing has happened since."))]
        drawn = self._drawing.draw(scene, self.say(Message("table-own", "you")))
        asked = self._asked_lines(to_act, listing, result, "\n".join(lines))
        return "\n\n".join("\n".join(part) for part in (lines, drawn, asked))

    def plain(
        self,
        since: int,
        count: int,
        seen: Iterable[ObservedEvent[Any]],
        view: Any,
        to_act: Collection[int],
        listing: Listing | None,
        result: Result | None,
    ) -> dict[str, Any]:
        """Return the same as a dict of plain values, in the shapes of the web API; `more` counts a long list by tag."""
        legal, more = ([], {}) if listing is None else listing.plain(self._listed)
        return {
            "since": since,
            "count": count,
            "seen": [self._plain_event(event) for event in seen],
            "view": plain(view),
            "to_act": sorted(to_act),
            "legal": legal,
            "more": more,
            "result": None if result is None else plain(result),
        }

    def lines(self, seen: Iterable[ObservedEvent[Any]]) -> list[str]:
        """Return the notes of these events, each with its rule number; of an event without notes the command."""
        return [line for event in seen for line in self._event_lines(event)]

    def _event_lines(self, event: ObservedEvent[Any]) -> Iterator[str]:
        for note in event.notes:
            yield self.ruled(self._note(note), None if note.rule is None else note.rule.number)
        if not event.notes:
            words = self.texts.observed(event.command, self.game, self.names)
            yield f"{self.texts.seat(event.seat, self.names)}{self.texts.colon}{words}"

    def ruled(self, words: str, rule: str | None) -> str:
        """Return the words of a note with the number of its rule, if it has one."""
        return words if rule is None else words + self.texts.bracketed(rule)

    def _note(self, note: Note) -> str:
        """Return the text of a note; it takes a while to make, and several seats read the same."""
        known = self._notes.get(note)
        if known is None:
            if len(self._notes) > MAX_NOTES:
                self._notes.clear()
            known = self._notes[note] = self.texts.note(note, self.game, self.names)
        return known

    def say(self, message: Message) -> str:
        """Return a message in the language of the seat."""
        return self.texts.message(message)

    def called(self, seats: Iterable[int]) -> str:
        """Return the names of seats, ascending, with commas."""
        return self.texts.comma.join(self.texts.seat(each, self.names) for each in sorted(seats))

    def _asked_lines(
        self, to_act: Collection[int], listing: Listing | None, result: Result | None, told: str
    ) -> Sequence[str]:
        """Return what the seat is to do; of the points at the end only what is not `told` above."""
        if result is not None:
            given = enumerate(result.points)
            points = self.texts.comma.join(f"{self.texts.seat(seat, self.names)} {each}" for seat, each in given)
            over = [self.say(Message("table-over", "The match is over."))]
            if points not in told:
                over.append(self.say(Message("table-points", "Points: {points}.", points=points)))
            return [*over, self.say(self._won(result))]
        if listing is None and not to_act:
            return [self.say(Message("table-no-result", "The match was ended without a result."))]
        if listing is None:
            return [self.say(Message("table-wait", "It is not your turn. To act: {seats}.", seats=self.called(to_act)))]
        return list(listing.lines(self._listed, brief=self._brief))

    def _won(self, result: Result) -> Message:
        if not result.winners:
            return Message("table-nobody-won", "Nobody has won.")
        if result.is_draw:
            return Message("table-draw", "It is a draw.")
        return Message("table-won", "Won by: {winners}.", winners=self.called(result.winners))

    def _plain_event(self, event: ObservedEvent[Any]) -> dict[str, Any]:
        command: Any = event.command
        redacted = isinstance(command, RedactedCommand)
        tag, fields = wire_of(self.game).observed(command)
        notes = [
            {
                "text": self._note(note),
                "rule": note.rule.number if note.rule is not None else None,
                "begins": note.begins.value if note.begins is not None else None,
            }
            for note in event.notes
        ]
        return {
            "seq": event.seq,
            "seat": event.seat,
            "tag": tag,
            "fields": plain(fields),
            "redacted": redacted,
            "notes": notes,
        }
