"""A seat record held against the log that the host gave (`docs/trust.md`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from attrs import define, field

from ..errors import KifuError, Message, TrustError
from ..game import FORMAT_COMMANDS, Game, RuleViolation
from ..log.header_codec import upcasts
from ..log.reader import Find
from ..log.validation import is_text
from ..match.engine import engine_name, is_own
from ..match.fold import call_game
from ..match.registry import find as find_installed
from ..wire import FORMAT_TAGS, wire_of
from .audit import Audit, audit
from .canonical import canonical
from .formulas import END, EVENT, LOOK, salt, told_digest, veil_commitment
from .header_keys import read_veil
from .raw_log import RawEvent
from .roster import roster_of
from .seat_record import FULL, Entry, Record, moment_of
from .told import noted, plain_view, seen_by, shown
from .verdict import Findings, OwnChecks, Verdict, parsed


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
    findings.put_all(audited.findings)
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
    )


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
    unchecked: dict[str, str] = field(factory=dict)

    @property
    def record(self) -> Record:
        return self.own.record

    @property
    def findings(self) -> Findings:
        return self.own.findings

    @property
    def events(self) -> tuple[RawEvent, ...]:
        return self.audited.log.events

    def run(self) -> Verdict:
        self.findings.put_all(self.audited.findings)
        if self.audited.signatures == "unchecked":
            english = "signatures: that needs an extra: pip install 'kifu[sign]'"
            self._leave("signatures", Message("signatures-unchecked", english))
        self._roster()
        self._veil()
        if self.audited.log.header:
            self._fold()
            self._marks()
            for entry in self.record.entries:
                self._entry(entry)
        unchecked = dict.fromkeys([*self.own.unchecked, *self.unchecked.values(), *self.audited.unchecked])
        end = self.audited.log.end
        ended = None
        if end is not None:
            ended = "over" if end.get("end") == "over" else self.own.how_abandoned(len(self.events))
        return self.own.verdict(unchecked=tuple(unchecked), ended=ended, played_for=self.audited.played_for)

    def _leave(self, key: str, why: str) -> None:
        """Note what is not compared."""
        self.unchecked.setdefault(key, why)

    def _roster(self) -> None:
        try:
            same = roster_of(self.audited.log.header).packed() == self.record.roster_raw
        except TrustError as cause:
            self.findings.add(
                "head", None, Message("no-roster-of", "no roster can be made of the header: {why}", why=cause.why)
            )
            return
        if not same:
            english = "the roster of the log is not the one that was agreed to before the first deal"
            self.findings.add("head", None, Message("other-head", english))

    def _veil(self) -> None:
        try:
            veil = read_veil(self.audited.log.header)
        except TrustError as cause:
            self.findings.add("veil", None, cause.why)
            return
        promised = self.record.roster.veil
        if veil is None:
            self.findings.add("veil", None, Message("veil-missing", "the log has no veil"))
        elif veil_commitment(self.record.roster.match, veil) != promised:
            self.findings.add("veil", None, Message("other-veil", "the veil is not the one that was promised"))
        else:
            self.veil = veil

    def _fold(self) -> None:
        """Find out how far the fold agrees with the recorded states."""
        reading = self.audited.reading
        self.game = reading.game if reading.header is not None else None
        folded = 0 if reading.match is None else len(reading.match.events)
        apart = [each.seq for each in reading.findings if each.kind == "digest" and each.seq is not None]
        self.agreed = min([folded, *apart])

    def _marks(self) -> None:
        if self.veil is None:
            self._leave("marks", Message("marks-unchecked", "marks and salts: the veil does not open them"))
            return
        log = self.audited.log
        known = {("moment", moment): mark for moment, mark in enumerate(log.marks(self.veil))}
        end = log.end_mark(self.veil)
        if end is not None:
            known["end", len(self.events)] = end
        for entry in self.record.entries:
            slot = moment_of(entry, self.record.form)
            if known.get(slot, entry.mark) != entry.mark:
                english = "the log's bytes up to here are not those that the host had when it gave this mark"
                self.findings.add("mark", entry.number, Message("other-mark", english))
                self.agreed = min(self.agreed, max(slot[1] - 1, 0))
                return

    def _entry(self, entry: Entry) -> None:
        """Check one entry: is it in the log, and is it what the log gives this seat?"""
        if entry.kind > END or self._is_missing(entry):
            return
        salted = self.veil is not None and self.record.form == FULL
        if salted and entry.salt != self._salt(entry):
            self._lie(entry, Message("other-salt", "the salt is not the one that the veil gives"))
        checks: dict[int, Callable[[Entry], None]] = {EVENT: self._event, LOOK: self._look, END: self._end}
        checks[entry.kind](entry)

    def _salt(self, entry: Entry) -> bytes:
        """Return the salt that the veil gives."""
        return salt(self.veil or b"", entry.kind, entry.number, self.record.seat)

    def _is_missing(self, entry: Entry) -> bool:
        count, number = len(self.events), entry.number
        why: str | None = None
        if entry.kind == END and self.audited.log.end is None:
            why = Message("end-missing", "the seat was told that the match has ended, the log has no end record")
        elif entry.kind == END and number != count:
            english = "the seat was told that the match ended after {told} events, the log has {count}"
            why = Message("end-elsewhere", english, told=number, count=count)
        elif number > count or (entry.kind == EVENT and number == count):
            why = Message("events-missing", "the seat was told of it, the log has {count} events", count=count)
        if why is not None:
            self.findings.add("missing", number, why)
        return why is not None

    def _lie(self, entry: Entry, why: str) -> None:
        self.findings.add("told", entry.number, why)

    def _event(self, entry: Entry) -> None:
        event, both = self.events[entry.number], self._notes(entry.number)
        parts = self._shown(entry.number)
        at, by = event.of_meta("at"), event.of_meta("by")
        if self.record.form != FULL:
            if parts is not None and both:
                self._hash(entry, *([entry.number, event.seat, *parts, at, by, notes] for notes in both))
            else:
                self._leave("public", Message("public-unchecked", "what was told: the record is in the public form"))
            return
        seq, actor, tag, fields, redacted, told_at, told_by, told_notes = entry.value()
        pairs = [("number", seq, entry.number), ("actor", actor, event.seat), ("at", told_at, at), ("by", told_by, by)]
        if parts is not None:
            pairs += [("tag", self._told_tag(entry.number, tag), parts[0]), ("redacted", redacted, parts[2])]
            if parts[1] is not None:
                pairs.append(("fields", fields, parts[1]))
        if both and not any(_same(told_notes, notes) for notes in both):
            pairs.append(("notes", told_notes, both[0]))
        self._compare(entry, pairs)

    def _told_tag(self, seq: int, tag: str) -> str:
        """Return the tag in the log of an event whose upcast has this tag, if the match went on under newer rules."""
        log = self.audited.log
        if log.version_at(len(log.events))[0] == log.version_at(seq)[0]:
            return tag
        try:
            return str(self.events[seq].tag) if self._upcast(seq)[1] == tag else tag
        except KifuError:
            return tag

    def _compare(self, entry: Entry, pairs: list[tuple[str, Any, Any]]) -> None:
        wrong = [name for name, told, given in pairs if not _same(told, given)]
        if wrong:
            english = "the log gives the seat something else: {parts}"
            self._lie(entry, Message("told-otherwise", english, parts=", ".join(wrong)))

    def _hash(self, entry: Entry, *told: list[Any]) -> None:
        """Hold the hash of what was told against what the log gives: one of these."""
        if self.veil is None:
            return
        if entry.told not in [told_digest(self._salt(entry), _canonical(parts)) for parts in told]:
            self._lie(entry, Message("told-other-hash", "the log gives the seat something else than the hash is of"))

    def _shown(self, seq: int) -> tuple[str, dict[str, Any] | None, bool] | None:
        """Return tag, fields and redaction of what the log gives this seat; fields None where an upcast changed them.

        What is no command of the game is given as it stands in the log. Returns None where the game cannot be asked.
        """
        event = self.events[seq]
        english = "what was shown of commands: the game or its rules cannot be asked"
        unchecked = Message("told-unchecked", english)
        if self.game is None:
            self._leave("told", unchecked)
            return None
        try:
            seat, tag, fields = self._upcast(seq)
            command = wire_of(self.game).decode(tag, fields)
            format_command = isinstance(command, FORMAT_COMMANDS)
            observed = command if format_command else seen_by(self.game, command, seat, self.record.seat)
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

    def _upcast(self, seq: int) -> tuple[int, Any, Any]:
        event = self.events[seq]
        seat, tag, fields = event.seat, event.tag, event.fields
        if not event.is_event or self.game is None or tag in FORMAT_TAGS.values():
            return seat, tag, fields
        for each in upcasts(self.game, self.audited.log.version_at(seq)[0]):
            seat, tag, fields = call_game(self.game, each.event, seat, tag, fields)
        return seat, tag, fields

    def _notes(self, seq: int) -> list[list[Any]]:
        """Return the notes that this engine gives: all, and those that a seat is told later; none where it cannot."""
        why = self._why_no_notes(seq)
        match, game = self.audited.reading.match, self.audited.reading.game
        if why is None and match is not None and game is not None:
            try:
                notes = call_game(game, match.steps[seq].notes_for, self.record.seat)
                return [noted(notes), noted(note for note in notes if not note.momentary)]
            except KifuError:  # which accuses nobody
                why = Message("notes-game-failed", "notes: the game fails on event {seq}", seq=seq)
        self._leave("notes", why or "")
        return []

    def _why_no_notes(self, seq: int) -> Message | None:
        """Say why the notes of an event cannot be compared, None if they can."""
        reading, header = self.audited.reading, self.audited.log.header
        if reading.game is None or header.get("rules") != reading.game.rules:
            return Message("notes-other-rules", "notes: they were told under other rules than today's")
        if (other := self._why_other_program()) is not None:
            return Message("notes-not-ours", "notes: {why}", why=other)
        if reading.match is None or seq >= self.agreed:
            english = "notes: from event {seq} on the log is not what was recorded"
            return Message("notes-apart", english, seq=self.agreed)
        return None

    def _why_other_program(self) -> Message | None:
        """Say why what was told may be another program's than this one, None if it is this one's."""
        game, engine = self.audited.reading.game, self.audited.log.header.get("engine")
        if engine != self.engine:
            english = "they were told by {engine}, this is {own}"
            return Message("other-engine", english, engine=ascii(engine)[:60], own=self.engine)
        if (game is None or not is_own(game)) and self.engine == engine_name():
            return Message("other-package", "the game is of another package, whose version no log has")
        return None

    def _look(self, entry: Entry) -> None:
        if self.record.form != FULL:
            self._leave("public", Message("public-unchecked", "what was told: the record is in the public form"))
            return
        moment, told = entry.value()
        self._compare(entry, [("number", moment, entry.number)])
        view = self._view(entry.number)
        if view is not None:
            wrong = list(_apart(told, view))
            if not wrong and (others := _other_keys(told, view)):
                why = self._why_other_program()
                if why is None:
                    wrong = others
                else:
                    english = "views: keys that only one of two programs has, {keys}: {why}"
                    self._leave("views-keys", Message("views-keys", english, keys=", ".join(others)[:200], why=why))
            if wrong:
                english = "the log gives the seat another view: {parts}"
                self.findings.add("view", entry.number, Message("other-view", english, parts=", ".join(wrong)[:200]))

    def _view(self, moment: int) -> Any:
        """Return the view that this engine gives the seat; None where there is none to compare."""
        reading = self.audited.reading
        game, match = reading.game, reading.match
        same = game is not None and self.audited.log.version_at(moment)[1] == game.layout
        if game is None or match is None or not same or moment > len(match.events):
            self._leave("views", Message("views-unchecked", "views: of another layout, or after the fold stopped"))
            return None
        try:
            return plain_view(call_game(game, game.view, match.states[moment], self.record.seat))
        except KifuError:
            self._leave("views", Message("views-unchecked", "views: of another layout, or after the fold stopped"))
            return None

    def _end(self, entry: Entry) -> None:
        end = self.audited.log.end or {}
        given = [entry.number, end.get("end"), end.get("points"), end.get("winners")]
        if self.record.form != FULL:
            self._hash(entry, given)
        else:
            names = ("number", "end", "points", "winners")
            self._compare(entry, list(zip(names, entry.value(), given, strict=True)))


def _canonical(parts: list[Any]) -> bytes:
    """Return the canonical bytes of what was told, none where it has no canonical form."""
    try:
        return canonical(parts)
    except TrustError:
        return b""


def _same(told: Any, given: Any) -> bool:
    try:
        return canonical(told) == canonical(given)
    except TrustError:
        return False


def _apart(told: Any, view: Any) -> Iterator[str]:
    """Name the keys that both views have and that differ."""
    if told.__class__ is not dict or not isinstance(view, dict):
        if not _same(told, view):
            yield "view"
        return
    yield from (key for key in told if key in view and not _same(told[key], view[key]))


def _other_keys(told: Any, view: Any) -> list[str]:
    """Name the keys that only one of two views has."""
    return sorted(set(told) ^ set(view)) if told.__class__ is dict and isinstance(view, dict) else []
