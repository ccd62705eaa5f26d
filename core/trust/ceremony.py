"""A fair deal without clock and network: commitments, the roster, secrets, and the seed that they give."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from secrets import token_bytes
from typing import Any

from attrs import evolve

from ..errors import MatchError, Message, TrustError
from ..game import Game, replace_at
from ..log.format import header_bytes
from ..log.validation import is_int
from ..match.engine import engine_name
from ..match.header import Header
from .formulas import HOST, SECRET_BYTES, agreement_message, veil_commitment
from .formulas import commitment as commitment_of
from .formulas import seed as seed_of
from .header_keys import (
    BOT,
    JOINED,
    MAX_ATTEMPTS,
    Attempt,
    FairDeal,
    Pair,
    check_commitment,
    checked_keys,
)
from .raw_log import read_log
from .roster import Roster, roster_of, with_attempts
from .shapes import fits
from .signing import check as check_signature


class Ceremony:
    """One fair deal, from the first commitment to the seed; who holds it is its host, and knows the deals.

    `options` is the map of the log's header, every option with its value. `who` says who holds each seat: 0 one who
    joined and commits, 1 one whom the opener named, 2 a bot. `veil` are 32 fresh bytes, or None for a match without
    marks. `engine` and `layout` are those of the log's header: this program, and the layout of the game's state. Raises
    `MatchError` if nobody can commit, `TrustError` for a key that is none, or is two seats'.
    """

    def __init__(
        self,
        match: str,
        game: str,
        rules: int,
        options: Mapping[str, Any],
        names: Sequence[str],
        who: Sequence[int],
        *,
        veil: bytes | None = None,
        host_key: bytes | None = None,
        seat_keys: Sequence[bytes | None] = (),
        engine: str | None = None,
        layout: int = 1,
        entropy: Callable[[int], bytes] = token_bytes,
    ) -> None:
        _check_who(who, len(names))
        if veil is not None and not fits(veil, SECRET_BYTES):
            raise MatchError(Message("veil-is-not", "'veil' is not {count} bytes", count=SECRET_BYTES))
        self.keys = checked_keys(host_key, seat_keys or [None] * len(names))
        if len(self.keys.seats) != len(names):
            raise MatchError(Message("a-key-a-seat", "there is a key, or None, for each seat"))
        if self.keys.some and veil is None:
            raise MatchError(Message("keys-need-veil", "signatures need marks: there is no veil"))
        self.match = match
        self.who = tuple(who)
        self.veil = veil
        self._entropy = entropy
        self._public = Roster(
            *(match, game, rules, options, tuple(names)),
            veil=None if veil is None else veil_commitment(match, veil),
            host_key=self.keys.host,
            seat_keys=self.keys.seats,
            engine=engine or engine_name(),
            layout=layout,
        )
        self._public.packed()  # for its refusals
        self._past: tuple[Attempt, ...] = ()
        self._made: tuple[tuple[Attempt, ...], Roster] | None = None
        self._begin()

    def _begin(self) -> None:
        """Draw the host's secret for the next attempt."""
        secret = self._entropy(SECRET_BYTES)
        promise = commitment_of(self.match, self.attempt, HOST, secret)
        seats = tuple((None, None) if kind == JOINED else None for kind in self.who)
        self._now, self._agreed = Attempt((promise, secret), seats), dict[int, bytes]()

    @property
    def attempt(self) -> int:
        """The attempt that is on: 1 to 8."""
        return min(len(self._past) + 1, MAX_ATTEMPTS)

    @property
    def failed(self) -> bool:
        """Whether eight attempts have failed: nothing will be dealt."""
        return len(self._past) == MAX_ATTEMPTS

    @property
    def commitment(self) -> bytes:
        """The host's commitment of this attempt."""
        return self._now.host[0] or b""

    @property
    def commitments(self) -> tuple[bytes | None, ...]:
        """The commitment of each seat in this attempt, None where there is none, or none yet."""
        return self._now.commitments

    @property
    def revealed(self) -> tuple[bool, ...]:
        """Whether each seat has revealed its secret in this attempt."""
        return tuple(pair is not None and pair[1] is not None for pair in self._now.seats)

    @property
    def waits_for(self) -> tuple[int, ...]:
        """The seats whose commitments are waited for; once all have committed, those whose secrets are."""
        return () if self.failed else self._now.refusers

    @property
    def past(self) -> list[tuple[bytes, tuple[int, ...]]]:
        """For each failed attempt the digest of its roster, and the seats that refused."""
        return list(self._roster.past)

    @property
    def roster(self) -> bytes | None:
        """The roster of this attempt, once all have committed."""
        return self._roster.packed() if self._is_fixed else None

    @property
    def digest(self) -> bytes | None:
        """H0, the digest of the roster, once there is one."""
        return self._roster.digest if self._is_fixed else None

    @property
    def _is_fixed(self) -> bool:
        return not self.failed and all(pair is None or pair[0] is not None for pair in self._now.seats)

    @property
    def _roster(self) -> Roster:
        attempts = (*self._past, self._now)
        if self._made is None or self._made[0] != attempts:
            self._made = attempts, with_attempts(self._public, self.who, attempts)
        return self._made[1]

    def commit(self, seat: int, commitment: bytes) -> None:
        """Take a seat's commitment for this attempt; the same again changes nothing.

        Raises `TrustError` for what is no commitment, `MatchError` for a seat that has none to give, or gave another.
        """
        check_commitment(commitment)
        pair = self._pair(seat)
        if pair[0] is not None and pair[0] != commitment:
            raise MatchError(Message("committed-already", "seat {seat} has committed already", seat=seat))
        self._set(seat, (commitment, pair[1]))

    def withdraw(self, seat: int) -> None:
        """Forget a seat's commitment, as its player has gone; raises `MatchError` once all have committed."""
        self._pair(seat)
        if self._is_fixed:
            raise MatchError(Message("all-committed", "all have committed already: nobody can be removed"))
        self._set(seat, (None, None))

    def reveal(self, seat: int, digest: bytes, secret: bytes, signature: bytes | None = None) -> None:
        """Take a seat's secret, which it gives for the roster of this digest; the same again changes nothing.

        A seat with a key signs the roster with it (`formulas.agreement_message`). Raises `MatchError` where secrets are
        not asked for yet, `TrustError` for another roster, a secret that does not open the seat's commitment or was
        used before, and a signature that is not the seat's.
        """
        pair, known = self._pair(seat), self.digest
        if known is None:
            raise self._waits()
        if digest != known:
            raise TrustError("commitment", Message("other-roster", "this is another roster: nothing was revealed"))
        opens = fits(secret, SECRET_BYTES) and commitment_of(self.match, self.attempt, seat, secret) == pair[0]
        if not opens:
            english = "this secret does not open the commitment of seat {seat}"
            raise TrustError("commitment", Message("secret-opens-not", english, seat=seat))
        if pair[1] is None and secret in self._used:
            raise TrustError(
                "commitment", Message("secret-used", "this secret was used before: a secret is drawn anew")
            )
        key = self.keys.of(seat)
        if key is not None and not check_signature(key, agreement_message(digest, seat), signature):
            english = "seat {seat} has not signed the roster with its key"
            raise TrustError("signature", Message("roster-not-signed", english, seat=seat))
        self._set(seat, (pair[0], secret))
        if key is not None and signature is not None:
            self._agreed[seat] = signature

    @property
    def _used(self) -> set[bytes | None]:
        """All secrets that are known."""
        return {pair[1] for each in (*self._past, self._now) for pair in (each.host, *each.seats) if pair is not None}

    def fail(self) -> tuple[int, ...]:
        """End this attempt, because somebody does not answer, and begin the next; returns the seats that refused.

        After the eighth there is no next one. Raises `MatchError` where nobody is waited for.
        """
        self._check_not_failed()
        refusers = self.waits_for
        if not refusers:
            raise MatchError(Message("nobody-awaited", "all have revealed: it can be dealt"))
        self._past = (*self._past, self._now)
        if not self.failed:
            self._begin()
        return refusers

    @property
    def seed(self) -> bytes:
        """The seed, once all have revealed; else raises `MatchError`, naming who is waited for."""
        self._check_not_failed()
        digest = self.digest
        if digest is None or self.waits_for:
            raise self._waits()
        return seed_of(digest, *self._deal.secrets)

    @property
    def _deal(self) -> FairDeal:
        return FairDeal(self.who, self._past, self._now)

    def _waits(self) -> MatchError:
        """Return the error that somebody is waited for."""
        if self._is_fixed:
            return MatchError(
                Message("waits-secrets", "it waits for the secrets of {seats}", seats=seats_listed(self.waits_for))
            )
        english = "it waits for the commitments of {seats}"
        return MatchError(Message("waits-commitments", english, seats=seats_listed(self.waits_for)))

    def header(self) -> dict[str, Any]:
        """Return the further keys of the log's header, once all have revealed; raises `MatchError` before."""
        _ = self.seed
        keys: dict[str, Any] = {"fair": self._deal.header()}
        if self.veil is not None:
            keys["veil"] = self.veil
        if self.keys.some:
            agreed = [self._agreed.get(seat) for seat in range(len(self.who))]
            keys["sign"] = {**self.keys.header(), "roster": agreed}
        return keys

    def save(self) -> dict[str, Any]:
        """Return all attempts as plain data, secrets and all: what `restore` goes on from after a kill."""
        past, agreed = [attempt.header() for attempt in self._past], list(map(list, self._agreed.items()))
        return {"past": past, "now": self._now.header(), "agreed": agreed}

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Go on from what `save` returned, of a ceremony of the same parts."""
        self._past, self._now = tuple(map(Attempt.of, saved["past"])), Attempt.of(saved["now"])
        self._agreed = dict(saved.get("agreed", ()))

    def _pair(self, seat: int) -> Pair:
        self._check_not_failed()
        pair = self._now.seats[seat] if is_int(seat) and seat < len(self.who) else None
        if pair is None:
            english = "seat {seat} contributes nothing to this deal"
            raise MatchError(Message("contributes-not", english, seat=repr(seat)))
        return pair

    def _set(self, seat: int, pair: Pair) -> None:
        self._now = evolve(self._now, seats=replace_at(self._now.seats, seat, pair))

    def _check_not_failed(self) -> None:
        if self.failed:
            refused = seats_listed(self._past[-1].refusers)
            english = "eight attempts have failed: {seats} refused; open it anew"
            raise MatchError(Message("eight-failed", english, seats=refused))


def check_ceremony(deal: object) -> None:
    """Raise `MatchError` for what is no ceremony."""
    if not isinstance(deal, Ceremony):
        raise MatchError(Message("no-ceremony", "a fair deal is given as a Ceremony"))


def with_deal(header: Header, game: Game[Any, Any, Any], deal: Ceremony) -> Header:
    """Return the header of a match that is dealt from this ceremony: with its seed, and what lets anybody check that.

    Raises `MatchError` while somebody is waited for, and for a ceremony that was held for another match.
    """
    if header.seed is not None:
        raise MatchError(Message("seed-and-deal", "a fair deal has its own seed: give none"))
    dealt = evolve(header, seed=deal.seed, more=(*header.more, *deal.header().items()))
    try:
        is_its = roster_of(read_log(header_bytes(dealt, game)).header).packed() == deal.roster
    except TrustError:  # it is of another number of seats
        is_its = False
    if not is_its:
        english = "the ceremony was held for a match of another id, game, names, options or program"
        raise MatchError(Message("other-ceremony", english))
    return dealt


def seats_listed(seats: Sequence[int]) -> str:
    """Name these seats."""
    *first, last = seats or (0,)
    if not first:
        return Message("seat-number", "seat {seat}", seat=last)
    return Message("seats-and", "seats {seats} and {last}", seats=", ".join(map(str, first)), last=last)


def _check_who(who: Sequence[int], seats: int) -> None:
    if len(who) != seats or not all(is_int(each) and each <= BOT for each in who):
        raise MatchError(Message("fair-who", "'who' is not 0, 1 or 2 for each seat"))
    if JOINED not in who:
        raise MatchError(Message("nobody-joins", "a fair deal needs a seat that joins"))
