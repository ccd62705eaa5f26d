"""The whole audit of a log: what its bytes and the rules say, and what `fair`, `veil` and `sign` in its header do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from attrs import define, evolve, field, frozen

from ..errors import KifuError, Message, TrustError
from ..game import Seat
from ..log import Finding, Reading, read_bytes
from ..log.reader import Find
from ..match import AnyMatch
from ..match.engine import engine_name, engine_of
from ..match.fold import call_game
from ..match.registry import find as find_installed
from ..match.takebacks import Learnt
from .fork_audit import check_fork, excess
from .formulas import HOST, commitment, seed
from .header_keys import FairDeal, read_fair, read_keys, read_veil
from .raw_log import RawLog, read_log
from .roster import roster_of
from .signature_audit import audit_signatures, is_signed_by_host, joined


@define
class TakebackRules:
    """The rules, asked about a log that `engine` has recorded; of another engine's they say nothing."""

    log: RawLog
    reading: Reading
    data: bytes
    find: Find
    engine: str
    unchecked: list[Message] = field(factory=list)
    """What could not be asked, and why."""
    _match: AnyMatch | None = None
    _learnt: Learnt | None = None

    def why_consent_is_needed(self, seq: int, wisher: int, to: int) -> Message | None:
        """Say why the takeback that is event `seq` needed the others' consent; None if it did not, or nobody knows."""
        match = self._own_match()
        if match is not None and seq < len(match.events):
            with suppress(KifuError):  # the game fails on it, which accuses nobody
                self._learnt = self._learnt or Learnt(match)
                return call_game(match.game, self._learnt.why_consent_is_needed, Seat(wisher), to, seq)  # type: ignore[no-any-return]
        english = "whether the takeback at event {seq} needed consent: its program knows, {engine}"
        recorder = ascii(self.log.header.get("engine"))[:60]
        self.unchecked.append(Message("consent-unchecked", english, seq=seq, engine=recorder))
        return None

    def _own_match(self) -> AnyMatch | None:
        """Return the match as this engine has recorded it, None if it has not."""
        header, game = self.log.header, self.reading.game
        if game is None or header.get("engine") != engine_of(game, self.engine) or header.get("rules") != game.version:
            return None
        if self._match is None:
            self._match = self.reading.match or read_bytes(self.data, self.find).match
        return self._match


BY_THE_RULES = frozenset({"rule", "rules", "digest", "result", "tag", "fields", "redacted"})
"""The kinds of findings, and what is told of an event, that rest on the game's code."""
MAX_NAME = 200
"""The most characters of a name that a log gives."""


@frozen
class Audit:
    """A log as it was read, with everything that is wrong with it: by event, and what is on none last."""

    reading: Reading
    log: RawLog
    log_signed: bool = False
    """Whether the host that the header names has signed the whole log."""
    unchecked: tuple[str, ...] = ()
    """What was not checked, and why."""
    played_for: Mapping[int, Mapping[str, int]] = field(factory=dict)
    """For each seat with a key, how many of its commands somebody else gave, by the name that stands in `by`."""

    @property
    def findings(self) -> list[Finding]:
        """Everything that is wrong with the log."""
        return self.reading.findings

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings

    @property
    def refused(self) -> tuple[tuple[int, ...], ...]:
        """Who is said to have refused, of each attempt at a fair deal that failed."""
        return () if self.log.deal is None else tuple(each.refusers for each in self.log.deal.past)

    @property
    def host_key(self) -> bytes | None:
        """The host's public key that the header names; None if there is none, or `sign` is malformed."""
        return None if self.log.keys is None else self.log.keys.host


def has_todays_rules(audited: Audit, moment: int | None) -> bool:
    """Return True if the rules at a moment, by default the last, are those of the game that judges."""
    game, versions = audited.reading.game, audited.log.versions
    at = -1 if moment is None else min(moment, len(versions) - 1)
    return game is not None and game.version == versions[at][0]


def audit(
    data: bytes,
    find: Find = find_installed,
    *,
    keep_states: bool = True,
    parent: bytes | None = None,
    engine: str | None = None,
) -> Audit:
    """Audit a log from its bytes; never raises. With `keep_states` false the reading has no match.

    `parent` is the log that a fork began from: its shared events, and the consents to it, are held against that.
    Whether a takeback needed consent is asked of the rules if `engine`, by default this program, recorded the log.
    """
    return complete(read_bytes(data, find, keep_states=keep_states), data, find, parent, engine)


def complete(
    reading: Reading,
    data: bytes,
    find: Find = find_installed,
    parent: bytes | None = None,
    engine: str | None = None,
) -> Audit:
    """Complete what was read of these bytes by what `fair`, `veil` and `sign` say of them."""
    log = read_log(data, strict=bool(reading.findings))
    rules = TakebackRules(log, reading, data, find, engine or engine_name())
    added = audit_signatures(log, rules.why_consent_is_needed, rules.unchecked.append)
    signed = is_signed_by_host(log)
    if log.marks and log.roster is not None and not signed and log.end is not None and "sign" in log.end:
        english = "the end: the signature is not the host's to this log"
        added.append(Finding("signature", Message("end-not-signed-so", english)))
    added += [*check_fair(log.header), *excess(log)]
    try:
        read_veil(log.header)
    except TrustError as cause:
        added.append(Finding("veil", cause.why))
    old = None if parent is None else audit(parent, find, engine=engine)
    if old is not None:
        matches = reading.match, old.reading.match
        found = check_fork(log, old.log, matches, rules.unchecked.append, is_sound=old.ok)
        added += _held_to(found, old, log, signed=signed)
    reading.findings = in_order([*reading.findings, *added]) if added else reading.findings
    return Audit(
        reading,
        log,
        signed,
        (*_unchecked(log, old), *rules.unchecked),
        _played_for(log),
    )


def _held_to(found: list[Finding], old: Audit, log: RawLog, *, signed: bool) -> list[Finding]:
    """Return what was found as a fork was held against its parent's log, which must be without findings itself.

    It is the host's word where it has signed both, as far as one is the other's fork.
    """
    origin = log.header.get("fork")
    if "fork" in log.header and old.findings:
        english = "the parent's log has findings of its own: audit it"
        found.append(Finding("head", Message("parent-has-findings", english)))
    if origin.__class__ is not dict or origin.get("match") != old.log.header.get("match"):
        signed = False
    is_hosts = signed and old.ok and old.log_signed and old.host_key == read_keys(log.header).host
    return [evolve(each, by="host" if is_hosts else "owner") for each in found]


def _unchecked(log: RawLog, parent: Audit | None) -> tuple[str, ...]:
    """Say what of the events that a fork shares is left out: what is in its parent, or all if that is not at hand."""
    if parent is not None:
        return tuple(each for each in parent.unchecked if getattr(each, "values", {}).get("seq", 0) <= log.forked_at)
    if log.header.get("fork").__class__ is not dict or log.forked_at < 0 or not log.is_trusted:
        return ()
    english = "events 0 to {last}, which a fork shares: signatures and deals are in its parent's log"
    return (Message("fork-unchecked", english, last=log.forked_at),)


def _played_for(log: RawLog) -> dict[int, dict[str, int]]:
    """Count the commands that somebody else gave for a seat with a key: everybody was told so, and none is signed."""
    if log.keys is None:
        return {}
    found: dict[int, Counter[str]] = {}
    for event in log.events:
        if log.keys.of(event.seat) is not None and event.of_meta("by") is not None:
            found.setdefault(event.seat, Counter())[str(event.of_meta("by"))[:MAX_NAME]] += 1
    return {seat: dict(sorted(found[seat].items())) for seat in sorted(found)}


def check_fair(header: Mapping[str, Any]) -> list[Finding]:
    """Check the fair deal of a log's header, as the file has it; returns at most one finding, which says all.

    Without `fair` there is nothing to check. Never raises.
    """
    try:
        deal = read_fair(header)
    except TrustError as cause:
        return [Finding("fair", cause.why)]
    return [] if deal is None else joined("fair", None, list(_wrong(header, deal)))


def _wrong(header: Mapping[str, Any], deal: FairDeal) -> Iterator[str]:
    if "fork" in header:
        yield Message("fair-in-fork", "a fork has no fair deal of its own")
    match = header.get("match")
    used: dict[bytes, tuple[int, int]] = {}
    for number, attempt in enumerate(deal.attempts, 1):
        for party, pair in ((HOST, attempt.host), *enumerate(attempt.seats)):
            if pair is None or pair[1] is None:
                continue
            if not isinstance(match, str) or commitment(match, number, party, pair[1]) != pair[0]:
                english = "attempt {attempt}: {party} has opened another secret than it committed to"
                yield Message("not-opened", english, attempt=number, party=party_name(party))
            if pair[1] in used:
                english = "attempt {attempt}: {party} has used a secret that was used before"
                yield Message("secret-twice", english, attempt=number, party=party_name(party))
            used[pair[1]] = (number, party)
        if number < len(deal.attempts) and not attempt.refusers:
            yield Message("nobody-refused", "attempt {attempt} has failed, and nobody refused", attempt=number)
    yield from _wrong_seed(header, deal)


def _wrong_seed(header: Mapping[str, Any], deal: FairDeal) -> Iterator[str]:
    if header.get("seed") is None:
        yield Message("fair-without-seed", "a fair deal without a seed")
        return
    try:
        digest = roster_of(header).digest
    except TrustError as cause:
        if cause.kind != "signature":  # else it is a finding of its own
            yield Message("no-roster-of", "no roster can be made of the header: {why}", why=cause.why)
        return
    if seed(digest, *deal.secrets) != header["seed"]:
        yield Message("other-seed", "the seed is not the one that the roster and the secrets give")


def party_name(party: int) -> str:
    """Name a party of a fair deal."""
    return Message("the-host", "the host") if party == HOST else Message("seat-number", "seat {seat}", seat=party)


def in_order(findings: list[Finding]) -> list[Finding]:
    """Sort findings: what makes a log unusable first, then by event, then those on no event."""
    return sorted(findings, key=lambda each: (each.kind != "header", each.seq is None, each.seq or 0))
