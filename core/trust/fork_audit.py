"""Whether a fork is of this match, and whether the seats of the match have agreed to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from attrs import evolve

from ..errors import Message, TrustError
from ..log.findings import Finding
from ..log.validation import is_int
from ..match import AnyMatch
from ..wire import wire_of
from . import signing
from .canonical import same
from .formulas import wish_message
from .header_keys import Keys, read_keys, read_veil
from .raw_log import RawEvent, RawLog
from .signature_audit import is_signatures, joined


def excess(log: RawLog) -> Iterator[Finding]:
    """Find a fork that says to share more events than it has: what is shared goes unchecked without the parent."""
    if log.is_trusted and log.forked_at >= len(log.events):
        english = "it says to share events 0 to {last} with its parent, and has {count}"
        why = Message("fork-beyond-end", english, last=log.forked_at, count=len(log.events))
        yield Finding("signature" if "sign" in log.header else "veil", why)


def check_fork(
    child: RawLog,
    old: RawLog,
    matches: tuple[AnyMatch | None, AnyMatch | None],
    leave: Callable[[Message], None],
    *,
    is_sound: bool,
) -> list[Finding]:
    """Hold the log of a fork against that of its parent, and `leave` what cannot be read here.

    `matches` are both as today's rules read them, as far as they can. Finds another parent, other shared events, keys,
    names or options (`head`), and consents that are malformed, missing or not the seats' (`signature`). After its end a
    match may be forked without consent, so none is missed where the parent has ended. Under two versions of the rules
    both are read as of today's. Consents are looked for at each moment of a parent that `is_sound`: another may be
    made of a hundred thousand at no cost.
    """
    origin = child.header.get("fork")
    if origin.__class__ is not dict or origin.get("match") != old.header.get("match"):
        return [Finding("head", Message("other-parent", "it is not a fork of this match"))]
    mine, its = ([(event.seat, event.tag, event.fields) for event in log.events] for log in (child, old))
    shared = min(child.forked_at + 1, len(child.events))
    if child.header.get("rules") != old.versions[0][0]:
        mine, its = map(_of_today, matches)
        if len(mine) < shared or len(its) < min(shared, len(old.events)):
            leave(Message("fork-unread", "the events that a fork shares: these rules cannot read both logs"))
            shared = min(shared, len(mine), len(its))
    consents = _wrong_consents(child, old) if is_sound else []
    return [*_other_events(child, old, shared, mine, its), *_other_header(child, old), *consents]


def _other_events(child: RawLog, old: RawLog, shared: int, mine: list[Any], its: list[Any]) -> Iterator[Finding]:
    for seq, event in enumerate(child.events[:shared]):
        if seq >= min(len(mine), len(its)) or not same(mine[seq], its[seq]):
            yield Finding("head", Message("other-shared-event", "the parent has another event there"), seq)
        elif not same(event.of_meta("by"), old.events[seq].of_meta("by")):
            yield Finding("head", Message("other-shared-actor", "the parent has another 'by' there"), seq)


def _of_today(match: AnyMatch | None) -> list[tuple[Any, Any, Any]]:
    """Return the events of a match as today's rules have them, as far as they can be read."""
    return [] if match is None else [(each.seat, *wire_of(match.game).encode(each.command)) for each in match.events]


def _other_header(child: RawLog, old: RawLog) -> Iterator[Finding]:
    """Find a fork that has not its parent's game, seats and keys; and options, under the same rules."""
    parts = ["game", "seats", *(["options"] if child.header.get("rules") == old.header.get("rules") else [])]
    wrong = [part for part in parts if not same(child.header.get(part), old.header.get(part))]
    if child.keys is not None and old.keys is not None:
        wrong += [] if child.keys == evolve(old.keys, version=child.keys.version) else ["keys"]
    if wrong:
        yield Finding("head", Message("other-in-parent", "not as in the parent: {parts}", parts=", ".join(wrong)))


def _wrong_consents(child: RawLog, old: RawLog) -> list[Finding]:
    try:
        keys, _ = read_keys(old.header), read_veil(old.header)
    except TrustError as cause:
        return [Finding("signature", cause.why)]
    sign = child.header.get("sign")
    agreed = sign.get("agreed", []) if sign.__class__ is dict else []
    if not is_signatures(agreed):
        english = "'agreed' is not a list of seats, ascending, and signatures"
        return [Finding("signature", Message("agreed-is-not", english))]
    moment = _moment(child, old, keys, agreed)
    missing = () if old.end is not None else _unsigned(old.events[:moment], keys, {seat for seat, _ in agreed})
    english = "seat {seat} has not signed the fork"
    wrong: list[str] = [Message("fork-not-signed", english, seat=seat) for seat in missing]
    if agreed and moment is None:
        english = "the signatures are not those of the seats to this fork, at one moment of the match"
        wrong.append(Message("fork-signed-otherwise", english))
    return joined("signature", None, wrong)


def _unsigned(before: Sequence[RawEvent], keys: Keys, have: set[int]) -> list[int]:
    """Return the seats with a key that have not signed, but for those whose holder has changed before."""
    changed = {event.seat for event in before if is_int(event.seat) and event.of_meta("by") == "new key"}
    return [seat for seat in keys.keyed if seat not in have | changed]


def _moment(child: RawLog, old: RawLog, keys: Keys, agreed: list[Any]) -> int | None:
    """Return the moment at which all these have signed the fork, None if there is none."""
    shared = child.forked_at + 1
    if not agreed or old.roster is None or shared > len(old.events):
        return None
    of = old.roster.of

    def signed(moment: int, seat: int, signature: bytes) -> bool:
        message = wish_message(of, seat, moment, old.marks[moment], "fork", shared)
        return signing.check(keys.of(seat), message, signature)

    moments = [each for each in range(len(old.marks)) if signed(each, *agreed[0])]  # all, for `signing.asking`
    return moments[-1] if moments and all(signed(moments[-1], *pair) for pair in agreed[1:]) else None
