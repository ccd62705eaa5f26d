"""A seat record held against the log that the host gave (`docs/trust.md`)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from attrs import define, field

from ..errors import Message, TrustError
from ..log.findings import FindingKind
from ..log.reader import Find
from ..log.validation import is_text
from ..match.engine import engine_name
from ..match.registry import find as find_installed
from . import signing
from .asked_game import AskedGame
from .audit import BY_THE_RULES, Audit, audit, has_todays_rules
from .canonical import canonical, same
from .evidence import END_PARTS, keys_apart
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
    if log is None:
        return OwnChecks(read).run().verdict()
    engine = engine or engine_name()
    audited = audit(log, find, parent=parent, engine=engine)
    match = audited.log.header.get("match")
    if is_text(match) and match != read.roster.match:
        findings.add("head", None, Message("other-match", "the record is of another match than the log"))
        return Verdict(findings.sorted(), read.roster.match, read.seat, host_key=read.roster.keys.host)
    return _Against(read, audited=audited, game=AskedGame(audited, engine, read.seat)).held()


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


def _packed(value: Any) -> bytes | None:
    """Return the canonical form of a value, None if it has none."""
    with suppress(TrustError):
        return canonical(value)
    return None


@define(kw_only=True)
class _Against(OwnChecks):
    """One record against one log."""

    audited: Audit
    game: AskedGame
    veil: bytes | None = None
    """The log's veil, if it is the one that was promised."""
    place: int = 0
    """Of the entry that is checked."""
    given: dict[tuple[int, int, str], bytes | None] = field(factory=dict)
    """By kind and number of what is told, and the name of a part of it, what the log gives, packed."""

    @property
    def events(self) -> tuple[RawEvent, ...]:
        return self.audited.log.events

    @property
    def is_hosts(self) -> bool:
        """Whether the host of the record has signed the log."""
        return self.audited.log_signed and self.audited.host_key == self.key

    def held(self) -> Verdict:
        """Check all of it, and return the verdict."""
        self.run()
        put_audited(self.findings, self.audited, signed=self.is_hosts)
        self._rosters()
        self._veil()
        self._answers()
        if self.audited.log.header:
            self._marks()
            for place, entry in enumerate(self.record.entries):
                self.place = place
                self._entry(entry)
        log, ended = self.audited.log, None
        if log.end is not None:
            mark = None if self.veil is None else log.marks[-1]
            ended = "over" if log.end.get("end") == "over" else self.how_abandoned(len(self.events), mark)
        return self.verdict(
            unchecked=tuple(dict.fromkeys([*self.game.unchecked.values(), *self.audited.unchecked])),
            ended=ended,
            log_signed=self.is_hosts,
            played_for=self.audited.played_for,
        )

    def _differs(
        self, kind: FindingKind, seq: int | None, why: str, word: str | None = None, *, by_rules: bool = False
    ) -> None:
        """Add a finding: the host's word if it has signed both the log and, by default, the entry.

        Nor is it the host's what today's rules say of a match that had others.
        """
        is_hosts = self.is_hosts and (not by_rules or has_todays_rules(self.audited, seq))
        self.findings.add(kind, seq, why, (word or self.word([self.place])) if is_hosts else OWNER)

    def _rosters(self) -> None:
        record, word = self.record, self.roster_word
        try:
            roster = roster_of(self.audited.log.header, record.roster.version)
            if roster.packed() == record.roster.packed():
                return
        except TrustError as cause:
            english = "no roster can be made of the header: {why}"
            self._differs("head", None, Message("no-roster-of", english, why=cause.why))
            return
        if record.roster.digest not in [digest for digest, _ in roster.past]:
            english = "the roster of the log is not the one that was agreed to before the first deal"
            self._differs("head", None, Message("other-head", english), word)
        else:
            english = "the record begins with the roster of attempt {attempt}, which failed"
            why = Message("failed-head", english, attempt=record.roster.attempt)
            self._differs("head", None, why, word if self.valid else OWNER)

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
        self._differs("veil", None, why, self.roster_word)

    def _answers(self) -> None:
        """Hold what the seat has signed in the log against what it has in the record."""
        log, seat, roster = self.audited.log, self.record.seat, self.record.roster
        if log.roster is not None and log.roster.digest == roster.digest:
            for seq, event in enumerate(self.events):
                signed = signed_command(log, seq) if event.seat == seat and event.has_meta("sign") else None
                if signed is not None and signing.check(roster.keys.of(seat), *signed):
                    self.answer(signed[0], seq)

    def _marks(self) -> None:
        """Find the first mark that is not of the log's bytes."""
        if self.veil is None:
            self.game.leave("marks", Message("marks-unchecked", "marks and salts: the veil does not open them"))
            return
        log = self.audited.log
        known: dict[Slot, bytes | None] = {("moment", at): mark for at, mark in enumerate(log.marks)}
        known["end", len(self.events)] = log.end_mark
        told = [(min(places), slot, mark) for slot, marks in self.marks.items() for mark, places in marks.items()]
        if not any(slot in known for _, slot, _ in told):
            self.game.leave("moments", NOTHING_IN_COMMON)
        for place, slot, mark in sorted(told):
            if known.get(slot) not in (None, mark):
                self.place = place
                english = "the log's bytes up to here are not those that the host had when it gave this mark"
                self._differs("mark", self.record.entries[place].number, Message("other-mark", english))
                self.game.agreed = min(self.game.agreed, max(slot[1] - 1, 0))
                return

    def _entry(self, entry: Entry) -> None:
        """Check one entry: is it in the log, and is it what the log gives this seat?"""
        if entry.kind > END or self._is_missing(entry):
            return
        if self.record.form != FULL:
            self.game.leave("public", Message("public-unchecked", "what was told: the record is in the public form"))
            return
        given = salt(self.veil or b"", entry.kind, entry.number, self.record.seat)
        if self.veil is not None and entry.salt != given:
            self._differs("told", entry.number, Message("other-salt", "the salt is not the one that the veil gives"))
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
            self._differs("missing", number, why)
        return why is not None

    def _event(self, entry: Entry) -> None:
        event = self.events[entry.number]
        at, by = event.of_meta("at"), event.of_meta("by")
        seq, actor, tag, fields, redacted, told_at, told_by, told_notes, *program = entry.value()
        pairs = [("number", seq, entry.number), ("actor", actor, event.seat), ("at", told_at, at), ("by", told_by, by)]
        parts, other = self.game.shown(entry.number), self.game.why_other_program(program)
        if program and other is not None:
            self.game.leave("told-program", Message("told-not-ours", "what was shown of commands: {why}", why=other))
        elif parts is not None:
            pairs += [
                ("tag", self.game.told_tag(entry.number, tag, program), parts[0]),
                ("redacted", redacted, parts[2]),
            ]
            if parts[1] is not None:
                pairs.append(("fields", fields, parts[1]))
        both = self.game.notes(entry.number, program)
        if both and not any(same(told_notes, notes) for notes in both):
            pairs.append(("notes", told_notes, both[0]))
        word = None
        if other is not None:
            as_it_stands = [("tag of the log", tag, event.tag), ("fields of the log", fields, event.fields)]
            if redacted or not self._apart(entry, as_it_stands):  # as another program may do
                word = OWNER
        self._compare(entry, pairs, word)

    def _compare(self, entry: Entry, pairs: list[Pair], by_rules: str | None = None) -> None:
        """Find what was told otherwise; `by_rules` is whose word it is if only rules say so, by default the entry's."""
        if wrong := self._apart(entry, pairs):
            english = "the log gives the seat something else: {parts}"
            why = Message("told-otherwise", english, parts=", ".join(wrong))
            rests_on_rules = BY_THE_RULES.issuperset(wrong)
            self._differs("told", entry.number, why, by_rules if rests_on_rules else None, by_rules=rests_on_rules)

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

    def _look(self, entry: Entry) -> None:
        moment, told, *program = entry.value()
        self._compare(entry, [("number", moment, entry.number)])
        view = self.game.view(entry.number, program)
        wrong, others = ([], []) if view is None else keys_apart(told, view)
        if not wrong and not others:
            return
        other = self.game.why_other_program(program)
        if not wrong and other is not None:
            english = "views: keys that only one of two programs has, {keys}: {why}"
            self.game.leave("views-keys", Message("views-keys", english, keys=", ".join(others)[:200], why=other))
        else:
            english = "the log gives the seat another view: {parts}"
            why = Message("other-view", english, parts=", ".join(wrong or others)[:200])
            self._differs("view", entry.number, why, None if other is None else OWNER, by_rules=True)

    def _end(self, entry: Entry) -> None:
        end, told = self.audited.log.end or {}, entry.value()
        pairs = [(name, part, end.get(name)) for name, part in zip(END_PARTS, told, strict=True)]
        self._compare(entry, [("number", told[0], entry.number), *pairs])
