"""What this program's game gives a seat of a log: what a seat was told is held against it."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from attrs import define, field

from ..errors import KifuError, Message
from ..game import FORMAT_COMMANDS, AnyGame, AnyStep, Event, RuleViolation, Step
from ..log.header_codec import upcasts
from ..match.engine import engine_of
from ..match.fold import call_game
from ..wire import FORMAT_TAGS, wire_of
from .audit import Audit
from .evidence import noted, plain_view, shown

Shown = tuple[str, dict[str, Any] | None, bool]
"""Tag, fields and redaction of what a seat is shown of an event; fields None where an upcast changed them."""


@define
class AskedGame:
    """The game of a log, asked about one seat. What it cannot be asked accuses nobody, and is noted."""

    audited: Audit
    engine: str
    """This program, without the game's package."""
    seat: int | None
    game: AnyGame | None = field(init=False)
    """None where nothing is known of the log's game."""
    agreed: int = field(init=False)
    """How many events there are whose states and marks are the recorded ones: so far notes can be compared."""
    unchecked: dict[str, str] = field(factory=dict, init=False)
    """What is not compared, and why."""
    _shown_of: dict[int, Shown | None] = field(factory=dict, init=False)

    @game.default
    def _game(self) -> AnyGame | None:
        reading = self.audited.reading
        return reading.game if reading.header is not None else None

    @agreed.default
    def _agreed(self) -> int:
        reading = self.audited.reading
        folded = 0 if reading.match is None else len(reading.match.events)
        return min([folded, *(each.seq for each in reading.findings if each.kind == "digest" and each.seq is not None)])

    def leave(self, key: str, why: str) -> None:
        """Note what is not compared."""
        self.unchecked.setdefault(key, why)

    def told_tag(self, seq: int, tag: str, program: list[str]) -> str:
        """Return the tag in the log of an event that any rules of the match up to its end call by this tag.

        A program that names itself may have told it by today's name after that, too.
        """
        versions = self.audited.log.versions
        last = None if program else 1 + versions[-1][0] - versions[seq][0]
        with suppress(KifuError):
            if any(tag == known for _, known, _ in self._upcasts(seq)[:last]):
                return str(self.audited.log.events[seq].tag)
        return tag

    def shown(self, seq: int) -> Shown | None:
        """Return what the log gives this seat; None where the game cannot be asked, which is noted."""
        if seq not in self._shown_of:
            self._shown_of[seq] = self._ask_what_is_shown(seq)
        return self._shown_of[seq]

    def _ask_what_is_shown(self, seq: int) -> Shown | None:
        """Ask the game. What is no command of it is given as it stands in the log."""
        event = self.audited.log.events[seq]
        english = "what was shown of commands: the game or its rules cannot be asked"
        unchecked = Message("told-unchecked", english)
        if self.game is None or self.audited.log.versions[seq][0] > self.game.version:
            self.leave("told", unchecked)
            return None
        try:
            seat, tag, fields = self._upcasts(seq)[-1]
            command = wire_of(self.game).decode(tag, fields)
            observed = command
            if not isinstance(command, FORMAT_COMMANDS):
                step = self._step(self.game, seq, seat, command)
                observed = call_game(step.game, step.game.redact, step, self.seat)
            shown_tag, shown_fields, redacted = shown(self.game, observed)
        except RuleViolation:
            return str(event.tag), dict(event.fields) if event.fields.__class__ is dict else {}, False
        except KifuError:
            self.leave("told", unchecked)
            return None
        if (tag, fields) == (event.tag, event.fields):
            return shown_tag, shown_fields, redacted
        self.leave("upcast", Message("upcast-unchecked", "fields that an upcast changes"))
        return event.tag if shown_tag == tag else shown_tag, None, redacted

    def _step(self, game: AnyGame, seq: int, seat: int, command: Any) -> AnyStep:
        """Return the step of an event; of one that the rules forbid without the states, which no game then knows."""
        match = self.audited.reading.match
        if match is not None and seq < len(match.events):
            return match.steps[seq]
        return Step(Event(seq, seat, command), None, None, game)

    def _upcasts(self, seq: int) -> list[tuple[int, Any, Any]]:
        """Return seat, tag and fields of an event as they stand in the log, and as each upcast makes them."""
        event = self.audited.log.events[seq]
        steps = [(event.seat, event.tag, event.fields)]
        if event.is_event and self.game is not None and event.tag not in FORMAT_TAGS.values():
            for each in upcasts(self.game, self.audited.log.versions[seq][0]):
                steps.append(call_game(self.game, each.event, *steps[-1]))
        return steps

    def notes(self, seq: int, program: list[str]) -> list[list[Any]]:
        """Return the notes that this engine gives: all, and those that a seat is told later; none where it cannot."""
        why = self._why_no_notes(seq, program)
        match, game = self.audited.reading.match, self.audited.reading.game
        if why is None and match is not None and game is not None:
            try:
                notes = call_game(game, match.steps[seq].notes_for, self.seat)
                return [noted(notes), noted(note for note in notes if not note.momentary)]
            except KifuError:  # which accuses nobody
                why = Message("notes-game-failed", "notes: the game fails on event {seq}", seq=seq)
        self.leave("notes", why or "")
        return []

    def _why_no_notes(self, seq: int, program: list[str]) -> Message | None:
        """Say why the notes of an event cannot be compared, None if they can."""
        reading, header = self.audited.reading, self.audited.log.header
        if reading.game is None or header.get("rules") != reading.game.version:
            return Message("notes-other-rules", "notes: they were told under other rules than today's")
        if (other := self.why_other_program(program)) is not None:
            return Message("notes-not-ours", "notes: {why}", why=other)
        if reading.match is None or seq >= self.agreed:
            english = "notes: from event {seq} on the log is not what was recorded"
            return Message("notes-apart", english, seq=self.agreed)
        return None

    def why_other_program(self, program: list[str]) -> Message | None:
        """Say why what was told may be another program's than this one, None if it is this one's.

        It is the program that it names, or the one of the log's header.
        """
        game, (engine, *_) = self.audited.reading.game, [*program, self.audited.log.header.get("engine")]
        own = self.engine if game is None else engine_of(game, self.engine)
        if engine != own:
            english = "they were told by {engine}, this is {own}"
            return Message("other-engine", english, engine=ascii(engine)[:120], own=own)
        return None

    def view(self, moment: int, program: list[str]) -> Any:
        """Return the view that this engine gives the seat; None where there is none to compare.

        Another program that has told it may have another layout than that of the log.
        """
        if program and (why := self.why_other_program(program)) is not None:
            self.leave("views-program", Message("views-not-ours", "views: {why}", why=why))
            return None
        game, match = self.audited.reading.game, self.audited.reading.match
        same = game is not None and self.audited.log.versions[moment][1] == game.past.layout
        if match is not None and same and moment <= len(match.events):
            with suppress(KifuError):
                return plain_view(call_game(match.game, match.game.view, match.states[moment], self.seat))
        self.leave("views", Message("views-unchecked", "views: of another layout, or after the fold stopped"))
        return None
