"""Whether the deals of a match came of the secrets of those who played it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..errors import Message, TrustError
from ..log.findings import Finding, one_message
from .formulas import HOST, commitment, roster_digest, seed
from .header_keys import FairDeal, read_fair, read_keys
from .roster import roster_of


def check(header: Mapping[str, Any]) -> list[Finding]:
    """Check the fair deal of a log's header, as the file has it; returns at most one finding, which says all.

    Without `fair` there is nothing to check. Never raises.
    """
    try:
        deal = read_fair(header)
    except TrustError as cause:
        return [Finding("fair", cause.why)]
    return [] if deal is None else joined("fair", None, list(_wrong(header, deal)))


def joined(kind: str, seq: int | None, reasons: list[str]) -> list[Finding]:
    """Make one finding of all these reasons, none if there is none."""
    return [Finding(kind, one_message(reasons), seq)] if reasons else []


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
                yield Message(
                    "not-opened",
                    "attempt {attempt}: {party} has opened another secret than it had committed to",
                    attempt=number,
                    party=party_name(party),
                )
            if pair[1] in used:
                yield Message(
                    "secret-twice",
                    "attempt {attempt}: {party} has used a secret that was used before",
                    attempt=number,
                    party=party_name(party),
                )
            used[pair[1]] = (number, party)
        if number < len(deal.attempts) and not attempt.refusers:
            yield Message("nobody-refused", "attempt {attempt} has failed, and nobody refused", attempt=number)
    yield from _wrong_seed(header, deal)


def _wrong_seed(header: Mapping[str, Any], deal: FairDeal) -> Iterator[str]:
    if header.get("seed") is None:
        yield Message("fair-without-seed", "a fair deal without a seed")
        return
    try:
        read_keys(header)
    except TrustError:
        return  # a finding of its own
    try:
        digest = roster_digest(roster_of(header).packed())
    except TrustError as cause:
        yield Message("no-roster-of", "no roster can be made of the header: {why}", why=cause.why)
        return
    if seed(digest, *secrets_of(deal)) != header["seed"]:
        yield Message("other-seed", "the seed is not the one that the roster and the secrets give")


def secrets_of(deal: FairDeal) -> tuple[bytes, list[bytes]]:
    """Return the secrets that a fair deal was dealt from: the host's, and those of the seats that contributed."""
    secrets = [pair[1] for pair in deal.last.seats if pair is not None]
    return deal.last.host[1] or b"", [secret or b"" for secret in secrets]


def party_name(party: int) -> str:
    """Name a party of a fair deal."""
    return Message("the-host", "the host") if party == HOST else Message("seat-number", "seat {seat}", seat=party)
