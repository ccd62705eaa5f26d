"""Two seat records of one match held against each other, while it goes on or after (`docs/trust.md`)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from typing import Any

from ..errors import Message
from ..log.findings import FindingKind
from ..log.validation import is_text
from .canonical import canonical, same
from .formulas import END, EVENT
from .seat_record import FULL, Record, Slot
from .verdict import HOST, NOTHING_IN_COMMON, OWNER, WORDS, Findings, OwnChecks, Verdict, parsed


def compare(a: Record | bytes, b: Record | bytes) -> Verdict:
    """Hold two records against each other; never raises."""
    findings = Findings()
    one, other = parsed(a, findings), parsed(b, findings)
    if one is None or other is None:
        return Verdict(findings.sorted())
    key = one.roster.host_key if one.roster.host_key == other.roster.host_key else None
    if one.roster.match != other.roster.match:
        findings.add("head", None, Message("other-matches", "the records are of two matches"))
        return Verdict(findings.sorted(), one.roster.match, host_key=key)
    mine, theirs = OwnChecks(one).run(), OwnChecks(other).run()
    for message, seq in theirs.answers.values():
        mine.answer(message, seq)
    for each in (mine, theirs):
        findings.put_all(each.findings.sorted())
    if key is None:
        convicted = [each.key for each in (mine, theirs) if HOST in {found.by for found in each.findings.sorted()}]
        key = convicted[0] if convicted else None
    pair = _Pair(mine, theirs, findings)
    pair.run()
    return _verdict(pair, mine, theirs, key)


def _verdict(pair: _Pair, mine: OwnChecks, theirs: OwnChecks, key: bytes | None) -> Verdict:
    """Return the verdict over what both records cover."""
    one, other = mine.verdict(), theirs.verdict()
    both = mine.marks.keys() & theirs.marks.keys()
    common = [slot for slot in both if slot[0] == "moment"]
    ends = {each.ended for each in (one, other)} - {None}
    return Verdict(
        findings=pair.findings.sorted(),
        match=one.match,
        first=max((each.first for each in (one, other) if each.first is not None), default=None),
        last=min((each.last for each in (one, other) if each.last is not None), default=None),
        gaps=tuple(sorted({*one.gaps, *other.gaps})),
        mark=next(iter(mine.marks[max(common)])) if common else None,
        signed=one.signed and other.signed,
        ended=ends.pop() if len(ends) == 1 else None,
        unchecked=tuple(
            dict.fromkeys([*one.unchecked, *other.unchecked, *([] if both else [NOTHING_IN_COMMON]), *pair.unchecked])
        ),
        attempt=max(one.attempt, other.attempt),
        refused=max(one.refused, other.refused, key=len),
        host_key=key,
    )


class _Pair:
    """What two records say of each other; the host's word is what it has signed in both."""

    def __init__(self, mine: OwnChecks, theirs: OwnChecks, findings: Findings) -> None:
        self.mine, self.theirs, self.findings = mine, theirs, findings
        self.unchecked: dict[str, None] = {}
        self.is_one_host = mine.key is not None and mine.key == theirs.key

    def run(self) -> None:
        self._rosters()
        slot = self._first_apart()
        if slot is not None:
            english = "the host has two histories: the marks of this moment differ"
            seq = slot[1] if slot[0] == "end" else max(slot[1] - 1, 0)
            words = (each.word(next(iter(each.marks[slot].values()))) for each in (self.mine, self.theirs))
            self._add("mark", seq, Message("two-histories", english), *words)
        self._ended_and_went_on(self.mine, self.theirs)
        self._ended_and_went_on(self.theirs, self.mine)
        self._told_apart()

    def _add(self, kind: FindingKind, seq: int | None, why: str, *words: str) -> None:
        """Add a finding, which rests on what each record has by somebody's word."""
        self.findings.add(kind, seq, why, HOST if self.is_one_host and set(words) == {HOST} else OWNER)

    def _rosters(self) -> None:
        """Find two rosters. Those of two attempts may both be signed, but only for the last one is anything told."""
        mine, theirs = self.mine.roster, self.theirs.roster
        if mine.packed() == theirs.packed():
            return
        dealt = mine.attempt == theirs.attempt or (self.mine.valid and self.theirs.valid)
        words = (self.mine.roster_word, self.theirs.roster_word) if dealt else ()
        self._add("head", None, Message("two-rosters", "the host has shown two rosters"), *words)

    def _first_apart(self) -> Slot | None:
        """Find the first moment, or end, of which both have marks, and not the same."""
        mine, theirs = self.mine.marks, self.theirs.marks
        common = sorted(mine.keys() & theirs.keys(), key=lambda slot: (slot[1], slot[0] == "end"))
        return next((slot for slot in common if mine[slot].keys() != theirs[slot].keys()), None)

    def _ended_and_went_on(self, ended: OwnChecks, going: OwnChecks) -> None:
        """Find ends that were told in one record, after which the other has more."""
        latest = {HOST: -1, OWNER: -1}
        """The last moment that was told by each word."""
        for at, each in enumerate(going.record.entries):
            if each.kind <= END:
                latest[going.word([at])] = max(latest[going.word([at])], each.moment)
        for place, entry in enumerate(ended.record.entries):
            after = [word for word in (HOST, OWNER) if latest[word] > entry.number]
            if entry.kind == END and after:
                english = "one was told that the match had ended here, the other that it went on"
                words = ended.word([place]), min(after, key=WORDS.index)
                self._add("missing", entry.number, Message("ended-and-went-on", english), *words)

    def _told_apart(self) -> None:
        """Find the events, and the ends, of which two seats were told two things, each time what differs."""
        if self.mine.record.form != FULL or self.theirs.record.form != FULL:
            return
        for number, mine, theirs, words in self._tellings(END):
            if not same(mine, theirs):
                self._add("told", number, Message("told-two-ends", "two seats were told two ends"), *words)
        for number, mine, theirs, words in self._tellings(EVENT):
            programs = [_program(self.mine, mine), _program(self.theirs, theirs)]
            is_one = programs[0] == programs[1]
            if not is_one:
                english = "what was shown of commands: {programs} have told it"
                named = ", ".join(ascii(str(each)[:120]) for each in programs)
                self.unchecked[Message("two-programs", english, programs=named)] = None
            if parts := _parts_apart(mine, theirs, is_one_program=is_one):
                english = "two seats were told two things: {parts}"
                why = Message("told-two-things", english, parts=", ".join(parts)[:200])
                self._add("told", number, why, *words)

    def _tellings(self, kind: int) -> Iterator[tuple[int, list[Any], list[Any], tuple[str, str]]]:
        """Yield each pair of tellings of one event or end: its number, what either has, and whose words these are."""
        mine, theirs = _by_number(self.mine, kind), _by_number(self.theirs, kind)
        for number in sorted(mine.keys() & theirs.keys()):
            if max(len(mine[number]), len(theirs[number])) > MOST_TELLINGS:
                english = "what was told of event {seq}: more than {most} times, each time otherwise"
                self.unchecked[Message("many-tellings", english, seq=number, most=MOST_TELLINGS)] = None
            compared = mine[number][:MOST_TELLINGS], theirs[number][:MOST_TELLINGS]
            for (one, word), (other, other_word) in product(*compared):
                yield number, one, other, (word, other_word)


MOST_TELLINGS = 16
"""An event is told once. Of one that was told in more ways, so many are compared: else it takes for ever."""


def _by_number(own: OwnChecks, kind: int) -> dict[int, list[tuple[list[Any], str]]]:
    """Return by number how each event or end was told, its fields packed, by whose word: first what the host signed."""
    found: defaultdict[int, dict[bytes, tuple[list[Any], str]]] = defaultdict(dict)
    entries = [(place, entry) for place, entry in enumerate(own.record.entries) if entry.kind == kind]
    for place, entry in sorted(entries, key=lambda each: each[0] not in own.valid):
        ways = found[entry.number]
        if len(ways) <= MOST_TELLINGS:
            told = entry.value()
            if kind == EVENT:
                told[3] = {name: canonical(value) for name, value in told[3].items()}
            ways.setdefault(canonical(_compared(told) if kind == EVENT else told), (told, own.word([place])))
    return {number: list(ways.values()) for number, ways in found.items()}


def _compared(told: list[Any]) -> list[Any]:
    """Return what is compared of how an event was told: not its notes, nor fields of which others see other ones."""
    _, actor, tag, fields, redacted, at, by, _, *program = told
    return [actor, tag, {} if redacted else fields, redacted, at, by, *program]


def _program(own: OwnChecks, told: list[Any]) -> Any:
    """Return the whole name of the program that has told an event; None where the roster has none."""
    engine = own.roster.engine
    return [*told[8:], engine if is_text(engine) else None][0]


def _parts_apart(one: list[Any], other: list[Any], *, is_one_program: bool) -> list[str]:
    """Name what both were shown, and not the same: of fields one may see its own row, so none if either is redacted.

    Two programs may call a command and its fields by two names.
    """
    pairs = [(name, one[at], other[at]) for name, at in (("actor", 1), ("at", 5), ("by", 6))]
    pairs += [("tag", one[2], other[2])] if is_one_program else []
    mine, theirs = (one[3], other[3]) if is_one_program and not (one[4] or other[4]) else ({}, {})
    fields = sorted({name for name, _ in mine.items() ^ theirs.items()})
    return [*(name for name, mine, theirs in pairs if not same(mine, theirs)), *fields]
