"""A seat record held against the log that the host gave (`docs/trust.md`)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from attrs import define, field

from ..errors import KifuError, Message, TrustError
from ..game import FORMAT_COMMANDS, AnyGame, AnyStep, Event, Game, RuleViolation, Step
from ..log.findings import FindingKind
from ..log.header_codec import upcasts
from ..log.reader import Find
from ..log.validation import is_text
from ..match.engine import engine_name, engine_of
from ..match.fold import call_game
from ..match.registry import find as find_installed
from ..wire import FORMAT_TAGS, wire_of
from . import signing
from .audit import BY_THE_RULES, Audit, audit, has_todays_rules
from .canonical import canonical, same
from .evidence import END_PARTS, keys_apart, noted, other_keys, plain_view, shown
from .formulas import END, EVENT, LOOK, salt, veil_commitment
from .header_keys import read_veil
from .raw_log import RawEvent
from .roster import roster_of
from .seat_record import FULL, Entry, Record, Slot
from .signature_audit import signed_command
from .verdict import NOTHING_IN_COMMON, OWNER, Findings, OwnChecks, Verdict, parsed, put_audited


def verify(
    record: Record | bytes,
    log: bytes | None = None,
    *,
    find: Find = find_installed,
    engine: str | None = None,
    parent: bytes | None = None,
) -> Verdict:
    """Hold a seat record against the log of its match, or without one check what it says by itself; never raises.

    `log` is the file as it was recorded. Notes are compared, and the rules asked about takebacks, if `engine` recorded
    the log: by default this program. `parent` is the log that a fork began from.
    """
    findings = Findings()
    read = parsed(record, findings)
    if read is None:
        return Verdict(findings.sorted())
    own = OwnChecks(read).run()
    if log is None:
        return own.verdict()
    engine = engine or engine_name()
    audited = audit(log, find, parent=parent, engine=engine)
    match = audited.log.header.get("match")
    if is_text(match) and match != read.roster.match:
        findings.add("head", None, Message("other-match", "the record is of another match than the log"))
        return Verdict(findings.sorted(), read.roster.match, read.seat, host_key=read.roster.keys.host)
    return _Against(own, audited, engine).run()


def verify_fork(fork: bytes, parent: bytes, find: Find = find_installed) -> Verdict:
    """Hold the log of a fork against that of its parent, without a record; never raises."""
    audited = audit(fork, find, parent=parent)
    findings, log = Findings(), audited.log
    put_audited(findings, audited, signed=audited.log_signed)
    match, end = log.header.get("match"), log.end or {}
    return Verdict(
        findings.sorted(),
        match if is_text(match) else None,
        first=0 if log.events else None,
        last=len(log.events) - 1 if log.events else None,
        ended={"over": "over", "abandoned": "called off"}.get(str(end.get("end"))),
        played_for=audited.played_for,
        host_key=audited.host_key,
        unchecked=audited.unchecked,
        log_signed=audited.log_signed,
    )


Pair = tuple[str, Any, Any]
"""The name of something, as it was told, and as the log gives it."""
Shown = tuple[str, dict[str, Any] | None, bool]
"""Tag, fields and redaction of what a seat is shown of an event; fields None where an upcast changed them."""


def _packed(value: Any) -> bytes | None:
    """Return the canonical form of a value, None if it has none."""
    with suppress(TrustError):
        return canonical(value)
    return None


@define
class _Against:
    """One record against one log."""

    own: OwnChecks
    audited: Audit
    engine: str
    veil: bytes | None = None
    """The log's veil, if it is the one that was promised."""
    game: Game[Any, Any, Any] | None = None
    agreed: int = 0
    """How many events there are whose states and marks are the recorded ones: so far notes can be compared."""
    place: int = 0
    """Of the entry that is checked."""
    unchecked: dict[str, str] = field(factory=dict)
    given: dict[tuple[int, int, str], bytes | None] = field(factory=dict)
    """By kind and number of what is told, and the name of a part of it, what the log gives, packed."""
    shown: dict[int, Shown | None] = field(factory=dict)

    @property
    def record(self) -> Record:
        return self.own.record

    @property
    def findings(self) -> Findings:
        return self.own.findings

    @property
    def events(self) -> tuple[RawEvent, ...]:
        return self.audited.log.events

    @property
    def is_hosts(self) -> bool:
        """Whether the host of the record has signed the log."""
        return self.audited.log_signed and self.audited.host_key == self.own.key

    def run(self) -> Verdict:
        put_audited(self.findings, self.audited, signed=self.is_hosts)
        self._roster()
        self._veil()
        self._answers()
        if self.audited.log.header:
            self._fold()
            self._marks()
            for place, entry in enumerate(self.record.entries):
                self.place = place
                self._entry(entry)
        log, ended = self.audited.log, None
        if log.end is not None:
            mark = None if self.veil is None else log.marks[-1]
            ended = "over" if log.end.get("end") == "over" else self.own.how_abandoned(len(self.events), mark)
        return self.own.verdict(
            unchecked=tuple(dict.fromkeys([*self.unchecked.values(), *self.audited.unchecked])),
            ended=ended,
            log_signed=self.is_hosts,
            played_for=self.audited.played_for,
        )

    def _leave(self, key: str, why: str) -> None:
        """Note what is not compared."""
        self.unchecked.setdefault(key, why)

    def _wrong(
        self, kind: FindingKind, seq: int | None, why: str, word: str | None = None, *, by_rules: bool = False
    ) -> None:
        """Add a finding: the host's word if it has signed both the log and, by default, the entry.

        Nor is it the host's what today's rules say of a match that had others.
        """
        is_hosts = self.is_hosts and (not by_rules or has_todays_rules(self.audited, seq))
        self.findings.add(kind, seq, why, (word or self.own.word([self.place])) if is_hosts else OWNER)

    def _roster(self) -> None:
        record, word = self.record, self.own.roster_word
        try:
            roster = roster_of(self.audited.log.header, record.roster.version)
            if roster.packed() == record.roster.packed():
                return
        except TrustError as cause:
            english = "no roster can be made of the header: {why}"
            self._wrong("head", None, Message("no-roster-of", english, why=cause.why))
            return
        if record.roster.digest not in [digest for digest, _ in roster.past]:
            english = "the roster of the log is not the one that was agreed to before the first deal"
            self._wrong("head", None, Message("other-head", english), word)
        else:
            english = "the record begins with the roster of attempt {attempt}, which failed"
            why = Message("failed-head", english, attempt=record.roster.attempt)
            self._wrong("head", None, why, word if self.own.valid else OWNER)

    def _veil(self) -> None:
        log, record = self.audited.log, self.record.roster
        try:
            veil = read_veil(log.header)
            if veil is None:
                why: str = Message("veil-missing", "the log has no veil")
            elif veil_commitment(record.match, veil) != record.veil:
                why = Message("other-veil", "the veil is not the one that was promised")
            else:
                self.veil = veil
                return
        except TrustError as cause:
            why = cause.why
        self._wrong("veil", None, why, self.own.roster_word)

    def _answers(self) -> None:
        """Hold what the seat has signed in the log against what it has in the record."""
        log, seat, roster = self.audited.log, self.record.seat, self.record.roster
        if log.roster is not None and log.roster.digest == roster.digest:
            for seq, event in enumerate(self.events):
                signed = signed_command(log, seq) if event.seat == seat and event.has_meta("sign") else None
                if signed is not None and signing.check(roster.keys.of(seat), *signed):
                    self.own.answer(signed[0], seq)

    def _fold(self) -> None:
        """Find out how far the fold agrees with the recorded states."""
        reading = self.audited.reading
        self.game = reading.game if reading.header is not None else None
        folded = 0 if reading.match is None else len(reading.match.events)
        apart = [each.seq for each in reading.findings if each.kind == "digest" and each.seq is not None]
        self.agreed = min([folded, *apart])

    def _marks(self) -> None:
        """Find the first mark that is not of the log's bytes."""
        if self.veil is None:
            self._leave("marks", Message("marks-unchecked", "marks and salts: the veil does not open them"))
            return
        log = self.audited.log
        known: dict[Slot, bytes | None] = {("moment", at): mark for at, mark in enumerate(log.marks)}
        known["end", len(self.events)] = log.end_mark
        told = [(min(places), slot, mark) for slot, marks in self.own.marks.items() for mark, places in marks.items()]
        if not any(slot in known for _, slot, _ in told):
            self._leave("moments", NOTHING_IN_COMMON)
        for place, slot, mark in sorted(told):
            if known.get(slot) not in (None, mark):
                self.place = place
                english = "the log's bytes up to here are not those that the host had when it gave this mark"
                self._wrong("mark", self.record.entries[place].number, Message("other-mark", english))
                self.agreed = min(self.agreed, max(slot[1] - 1, 0))
                return

    def _entry(self, entry: Entry) -> None:
        """Check one entry: is it in the log, and is it what the log gives this seat?"""
        if entry.kind > END or self._is_missing(entry):
            return
        if self.record.form != FULL:
            self._leave("public", Message("public-unchecked", "what was told: the record is in the public form"))
            return
        given = salt(self.veil or b"", entry.kind, entry.number, self.record.seat)
        if self.veil is not None and entry.salt != given:
            self._wrong("told", entry.number, Message("other-salt", "the salt is not the one that the veil gives"))
        checks: dict[int, Callable[[Entry], None]] = {EVENT: self._event, LOOK: self._look, END: self._end}
        checks[entry.kind](entry)

    def _is_missing(self, entry: Entry) -> bool:
        count, number = len(self.events), entry.number
        why: str | None = None
        if entry.kind == END and (number != count or self.audited.log.end is None):
            english = "the seat was told that the match ended after {told} events, the log has {count}, or no end"
            why = Message("end-elsewhere", english, told=number, count=count)
        elif number > count or (entry.kind == EVENT and number == count):
            why = Message("events-missing", "the seat was told of it, the log has {count} events", count=count)
        if why is not None:
            self._wrong("missing", number, why)
        return why is not None

    def _event(self, entry: Entry) -> None:
        event = self.events[entry.number]
        at, by = event.of_meta("at"), event.of_meta("by")
        seq, actor, tag, fields, redacted, told_at, told_by, told_notes, *program = entry.value()
        pairs = [("number", seq, entry.number), ("actor", actor, event.seat), ("at", told_at, at), ("by", told_by, by)]
        parts, other = self._shown(entry.number), self._why_other_program(program)
        if program and other is not None:
            self._leave("told-program", Message("told-not-ours", "what was shown of commands: {why}", why=other))
        elif parts is not None:
            pairs += [("tag", self._told_tag(entry.number, tag, program), parts[0]), ("redacted", redacted, parts[2])]
            if parts[1] is not None:
                pairs.append(("fields", fields, parts[1]))
        both = self._notes(entry.number, program)
        if both and not any(same(told_notes, notes) for notes in both):
            pairs.append(("notes", told_notes, both[0]))
        as_it_stands = [("tag of the log", tag, event.tag), ("fields of the log", fields, event.fields)]
        hides = redacted or not self._apart(entry, as_it_stands)  # as another program may do
        self._compare(entry, pairs, OWNER if other is not None and hides else None)

    def _told_tag(self, seq: int, tag: str, program: list[str]) -> str:
        """Return the tag in the log of an event that any rules of the match up to its end call by this tag.

        A program that names itself may have told it by today's name after that, too.
        """
        versions = self.audited.log.versions
        last = None if program else 1 + versions[-1][0] - versions[seq][0]
        with suppress(KifuError):
            if any(tag == known for _, known, _ in self._upcasts(seq)[:last]):
                return str(self.events[seq].tag)
        return tag

    def _compare(self, entry: Entry, pairs: list[Pair], by_rules: str | None = None) -> None:
        """Find what was told otherwise; `by_rules` is whose word it is if only rules say so, by default the entry's."""
        if wrong := self._apart(entry, pairs):
            english = "the log gives the seat something else: {parts}"
            why = Message("told-otherwise", english, parts=", ".join(wrong))
            rests_on_rules = BY_THE_RULES.issuperset(wrong)
            self._wrong("told", entry.number, why, by_rules if rests_on_rules else None, by_rules=rests_on_rules)

    def _apart(self, entry: Entry, pairs: list[Pair]) -> list[str]:
        """Name what was told otherwise than it was given; what is given, the same each time, is packed once."""
        wrong = []
        for name, told, given in pairs:
            key = entry.kind, entry.number, name
            if key not in self.given:
                self.given[key] = _packed(given)
            if self.given[key] is None or self.given[key] != _packed(told):
                wrong.append(name)
        return wrong

    def _shown(self, seq: int) -> Shown | None:
        """Return what the log gives this seat; None where the game cannot be asked, which is noted."""
        if seq not in self.shown:
            self.shown[seq] = self._ask_what_is_shown(seq)
        return self.shown[seq]

    def _ask_what_is_shown(self, seq: int) -> Shown | None:
        """Ask the game. What is no command of it is given as it stands in the log."""
        event = self.events[seq]
        english = "what was shown of commands: the game or its rules cannot be asked"
        unchecked = Message("told-unchecked", english)
        if self.game is None or self.audited.log.versions[seq][0] > self.game.version:
            self._leave("told", unchecked)
            return None
        try:
            seat, tag, fields = self._upcasts(seq)[-1]
            command = wire_of(self.game).decode(tag, fields)
            observed = command
            if not isinstance(command, FORMAT_COMMANDS):
                step = self._step(self.game, seq, seat, command)
                observed = call_game(step.game, step.game.redact, step, self.record.seat)
            shown_tag, shown_fields, redacted = shown(self.game, observed)
        except RuleViolation:
            return str(event.tag), dict(event.fields) if event.fields.__class__ is dict else {}, False
        except KifuError:
            self._leave("told", unchecked)
            return None
        if (tag, fields) == (event.tag, event.fields):
            return shown_tag, shown_fields, redacted
        self._leave("upcast", Message("upcast-unchecked", "fields that an upcast changes"))
        return event.tag if shown_tag == tag else shown_tag, None, redacted

    def _step(self, game: AnyGame, seq: int, seat: int, command: Any) -> AnyStep:
        """Return the step of an event; of one that the rules forbid without the states, which no game then knows."""
        match = self.audited.reading.match
        if match is not None and seq < len(match.events):
            return match.steps[seq]
        return Step(Event(seq, seat, command), None, None, game)

    def _upcasts(self, seq: int) -> list[tuple[int, Any, Any]]:
        """Return seat, tag and fields of an event as they stand in the log, and as each upcast makes them."""
        event = self.events[seq]
        steps = [(event.seat, event.tag, event.fields)]
        if event.is_event and self.game is not None and event.tag not in FORMAT_TAGS.values():
            for each in upcasts(self.game, self.audited.log.versions[seq][0]):
                steps.append(call_game(self.game, each.event, *steps[-1]))
        return steps

    def _notes(self, seq: int, program: list[str]) -> list[list[Any]]:
        """Return the notes that this engine gives: all, and those that a seat is told later; none where it cannot."""
        why = self._why_no_notes(seq, program)
        match, game = self.audited.reading.match, self.audited.reading.game
        if why is None and match is not None and game is not None:
            try:
                notes = call_game(game, match.steps[seq].notes_for, self.record.seat)
                return [noted(notes), noted(note for note in notes if not note.momentary)]
            except KifuError:  # which accuses nobody
                why = Message("notes-game-failed", "notes: the game fails on event {seq}", seq=seq)
        self._leave("notes", why or "")
        return []

    def _why_no_notes(self, seq: int, program: list[str]) -> Message | None:
        """Say why the notes of an event cannot be compared, None if they can."""
        reading, header = self.audited.reading, self.audited.log.header
        if reading.game is None or header.get("rules") != reading.game.version:
            return Message("notes-other-rules", "notes: they were told under other rules than today's")
        if (other := self._why_other_program(program)) is not None:
            return Message("notes-not-ours", "notes: {why}", why=other)
        if reading.match is None or seq >= self.agreed:
            english = "notes: from event {seq} on the log is not what was recorded"
            return Message("notes-apart", english, seq=self.agreed)
        return None

    def _why_other_program(self, program: list[str]) -> Message | None:
        """Say why what was told may be another program's than this one, None if it is this one's.

        It is the program that it names, or the one of the log's header.
        """
        game, (engine, *_) = self.audited.reading.game, [*program, self.audited.log.header.get("engine")]
        own = self.engine if game is None else engine_of(game, self.engine)
        if engine != own:
            english = "they were told by {engine}, this is {own}"
            return Message("other-engine", english, engine=ascii(engine)[:120], own=own)
        return None

    def _look(self, entry: Entry) -> None:
        moment, told, *program = entry.value()
        self._compare(entry, [("number", moment, entry.number)])
        view = self._view(entry.number, program)
        if view is not None:
            wrong = list(keys_apart(told, view))
            if not wrong and (others := other_keys(told, view)):
                why = self._why_other_program(program)
                if why is None:
                    wrong = others
                else:
                    english = "views: keys that only one of two programs has, {keys}: {why}"
                    self._leave("views-keys", Message("views-keys", english, keys=", ".join(others)[:200], why=why))
            if wrong:
                english = "the log gives the seat another view: {parts}"
                why = Message("other-view", english, parts=", ".join(wrong)[:200])
                other = self._why_other_program(program)
                self._wrong("view", entry.number, why, None if other is None else OWNER, by_rules=True)

    def _view(self, moment: int, program: list[str]) -> Any:
        """Return the view that this engine gives the seat; None where there is none to compare.

        Another program that has told it may have another layout than that of the log.
        """
        if program and (why := self._why_other_program(program)) is not None:
            self._leave("views-program", Message("views-not-ours", "views: {why}", why=why))
            return None
        game, match = self.audited.reading.game, self.audited.reading.match
        same = game is not None and self.audited.log.versions[moment][1] == game.past.layout
        if match is not None and same and moment <= len(match.events):
            with suppress(KifuError):
                return plain_view(call_game(match.game, match.game.view, match.states[moment], self.record.seat))
        self._leave("views", Message("views-unchecked", "views: of another layout, or after the fold stopped"))
        return None

    def _end(self, entry: Entry) -> None:
        end, told = self.audited.log.end or {}, entry.value()
        pairs = [(name, part, end.get(name)) for name, part in zip(END_PARTS, told, strict=True)]
        self._compare(entry, [("number", told[0], entry.number), *pairs])
