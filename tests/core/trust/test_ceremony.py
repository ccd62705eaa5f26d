"""A fair deal from the first commitment to the seed, its refusals, and what an auditor finds of it."""

from __future__ import annotations

from typing import Any

import kifu
import pytest
from kifu.core.errors import MatchError, TrustError
from kifu.core.log import log_bytes, read_bytes
from kifu.core.match.engine import engine_name
from kifu.core.trust.audit import audit
from kifu.core.trust.audit import check_fair as check
from kifu.core.trust.ceremony import Ceremony
from kifu.core.trust.formulas import commitment, roster_digest, veil_commitment
from kifu.core.trust.roster import read_roster
from kifu.core.trust.signing import SigningKey
from kifu.core.wire import wire_of
from kifu.games.cake import GAME as CAKE

MATCH = "a1b2c3d4e5f60718"
OPTIONS = wire_of(CAKE).plain_options(CAKE.options())


KEY, OTHER_KEY = (SigningKey(bytes([seed]) * 32).public for seed in (7, 8))


class Entropy:
    """Other bytes each time, the same in every run."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, size: int) -> bytes:
        self.count += 1
        return self.count.to_bytes(size, "big")


def ceremony(who: tuple[int, ...] = (0, 0, 2), **changes: Any) -> Ceremony:
    parts: dict[str, Any] = {"veil": bytes([9]) * 32, "entropy": Entropy(), **changes}
    return Ceremony(MATCH, "cake", CAKE.version, OPTIONS, ["Aki", "Ren", "Mio"][: len(who)], who, **parts)


def secret(seat: int, attempt: int) -> bytes:
    return bytes([100 + seat, attempt]) * 16


def commit(deal: Ceremony, *seats: int) -> None:
    for seat in seats:
        deal.commit(seat, commitment(MATCH, deal.attempt, seat, secret(seat, deal.attempt)))


def reveal(deal: Ceremony, *seats: int) -> None:
    assert deal.digest is not None
    for seat in seats:
        deal.reveal(seat, deal.digest, secret(seat, deal.attempt))


def dealt(who: tuple[int, ...] = (0, 0, 2), **changes: Any) -> Ceremony:
    deal = ceremony(who, **changes)
    seats = [seat for seat, kind in enumerate(who) if kind == 0]
    commit(deal, *seats)
    reveal(deal, *seats)
    return deal


def header(deal: Ceremony, **changes: Any) -> dict[str, Any]:
    head = {
        "engine": engine_name(),
        "game": "cake",
        "rules": CAKE.version,
        "seats": ["Aki", "Ren", "Mio"],
        "options": OPTIONS,
        "seed": deal.seed,
    }
    return {**head, "match": MATCH, **deal.header(), **changes}


def test_all_commit_all_reveal_and_there_is_a_seed_that_an_auditor_confirms() -> None:
    deal = ceremony()
    assert deal.waits_for == (0, 1)
    assert deal.roster is None
    commit(deal, 0)
    assert deal.waits_for == (1,)
    commit(deal, 1)
    assert deal.waits_for == (0, 1)
    assert deal.digest == roster_digest(deal.roster)
    roster = read_roster(deal.roster)
    assert (roster.match, roster.attempt, roster.host) == (MATCH, 1, deal.commitment)
    assert (roster.who, roster.veil) == ((0, 0, 2), veil_commitment(MATCH, deal.veil))
    reveal(deal, 1, 0)
    assert deal.waits_for == ()
    assert len(deal.seed) == 32
    assert check(header(deal)) == []


def test_the_seed_depends_on_every_secret_and_on_all_that_is_public() -> None:
    class Other(Entropy):
        def __call__(self, size: int) -> bytes:
            return bytes(size - 1) + b"\xff"

    deals = [dealt(), dealt(entropy=Other()), dealt(veil=bytes(32)), dealt((0, 0, 1)), dealt(host_key=KEY)]
    assert len({deal.seed for deal in deals}) == len(deals)
    assert dealt().seed == dealt().seed


@pytest.mark.parametrize(
    ("change", "error", "says"),
    [
        (lambda deal: deal.commit(0, b"short"), TrustError, "a commitment is 32 bytes"),
        (lambda deal: deal.commit(0, bytes(32)), MatchError, "seat 0 has committed already"),
        (lambda deal: deal.commit(2, bytes(32)), MatchError, "seat 2 contributes nothing to this deal"),
        (lambda deal: deal.commit(7, bytes(32)), MatchError, "seat 7 contributes nothing to this deal"),
        (lambda deal: deal.reveal(0, bytes(32), secret(0, 1)), TrustError, "another roster: nothing was revealed"),
        (lambda deal: deal.reveal(1, deal.digest, secret(0, 1)), TrustError, "does not open the commitment of seat 1"),
        (lambda deal: deal.reveal(1, deal.digest, None), TrustError, "does not open the commitment of seat 1"),
        (lambda deal: deal.seed, MatchError, "it waits for the secrets of seats 0 and 1"),
        (lambda deal: deal.header(), MatchError, "it waits for the secrets of seats 0 and 1"),
    ],
)
def test_what_is_refused_changes_nothing(change: Any, error: type[Exception], says: str) -> None:
    deal = ceremony()
    commit(deal, 0, 1)
    before = deal.save()
    with pytest.raises(error, match=says):
        change(deal)
    assert deal.save() == before


def test_the_same_message_again_gets_the_same_answer() -> None:
    deal = ceremony()
    for _ in range(2):
        commit(deal, 0, 1)
    for _ in range(2):
        reveal(deal, 0)
    assert deal.revealed == (True, False, False)
    assert deal.waits_for == (1,)


def test_no_secret_is_taken_before_all_have_committed() -> None:
    deal = ceremony()
    commit(deal, 0)
    with pytest.raises(MatchError, match="it waits for the commitments of seat 1"):
        deal.reveal(0, bytes(32), secret(0, 1))


def test_who_does_not_answer_is_named_in_every_later_roster() -> None:
    deal = ceremony()
    commit(deal, 0, 1)
    first = deal.digest
    reveal(deal, 0)
    assert deal.fail() == (1,)
    assert (deal.attempt, deal.waits_for, deal.past) == (2, (0, 1), [(first, (1,))])
    commit(deal, 1)
    assert deal.fail() == (0,)
    commit(deal, 0, 1)
    assert [refused for _, refused in read_roster(deal.roster).past] == [(1,), (0,)]
    reveal(deal, 0, 1)
    assert check(header(deal)) == []
    with pytest.raises(MatchError, match="all have revealed"):
        deal.fail()


def test_after_eight_failed_attempts_nothing_is_dealt() -> None:
    deal = ceremony()
    commitments = set()
    for attempt in range(1, 9):
        assert deal.attempt == attempt
        commitments.add(deal.commitment)
        commit(deal, 0)
        assert deal.fail() == (1,)
    assert deal.failed
    assert len(commitments) == 8, "the host's secret is fresh each time"
    assert (len(deal.past), deal.waits_for, deal.roster) == (8, (), None)
    for call in (deal.fail, lambda: deal.seed, lambda: commit(deal, 0)):
        with pytest.raises(MatchError, match="eight attempts have failed: seat 1 refused; open it anew"):
            call()


def test_a_secret_that_was_used_is_refused_and_so_never_spoils_the_log() -> None:
    deal = ceremony()
    same = bytes([5]) * 32
    for seat in (0, 1):
        deal.commit(seat, commitment(MATCH, 1, seat, same))
    deal.reveal(0, deal.digest, same)
    with pytest.raises(TrustError, match="was used before"):
        deal.reveal(1, deal.digest, same)
    assert deal.fail() == (1,)
    deal.commit(0, commitment(MATCH, 2, 0, same))
    commit(deal, 1)
    with pytest.raises(TrustError, match="was used before"):
        deal.reveal(0, deal.digest, same)


def test_a_ceremony_goes_on_where_it_was_killed() -> None:
    deal = ceremony()
    commit(deal, 0, 1)
    reveal(deal, 0)
    deal.fail()
    commit(deal, 1)
    again = ceremony()
    again.restore(deal.save())
    assert (again.commitment, again.past, again.waits_for) == (deal.commitment, deal.past, deal.waits_for)
    for each in (deal, again):
        commit(each, 0)
        reveal(each, 0, 1)
    assert again.seed == deal.seed
    assert again.header() == deal.header()


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"who": (1, 2, 2)}, "a fair deal needs a seat that joins"),
        ({"who": (0, 0, 3)}, "'who' is not 0, 1 or 2 for each seat"),
        ({"who": (0, 0, True)}, "'who' is not 0, 1 or 2 for each seat"),
        ({"veil": bytes(31)}, "'veil' is not 32 bytes"),
        ({"veil": None, "host_key": KEY}, "signatures need marks"),
        ({"seat_keys": (None,)}, "there is a key, or None, for each seat"),
    ],
)
def test_a_ceremony_of_wrong_parts_is_refused(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(MatchError, match=says):
        ceremony(**changes)


def test_a_weak_key_is_refused() -> None:
    with pytest.raises(TrustError, match="this key is weak"):
        ceremony(seat_keys=(bytes(32), None, None))


def shapes(head: dict[str, Any]) -> list[dict[str, Any]]:
    """Return headers in each of which one thing is not as it must be."""
    fair, veil = head["fair"], head["veil"]
    past = {"host": fair["host"], "seats": fair["seats"]}
    fairs = [
        *(None, [], {}, {**fair, "v": 3}, {**fair, "v": True}, {**fair, "more": 1}),
        *({**fair, "who": who} for who in (None, [0, 0], [1, 1, 2], [0, 0, 3], [0, False, 2], [0, 1, 2])),
        *({**fair, "host": host} for host in (None, [], [fair["host"][0], None], [bytes(31), bytes(32)])),
        *({**fair, "seats": seats} for seats in (None, [], fair["seats"][:2], [*fair["seats"][:2], fair["seats"][0]])),
        *({**fair, "seats": [pair, *fair["seats"][1:]]} for pair in (None, [None, None], [bytes(32), None])),
        *({**fair, "past": each} for each in (None, [None], [past], [past] * 8, [{**past, "more": 1}])),
    ]
    heads = [{**head, "fair": each} for each in fairs]
    heads += [{**head, "seed": each} for each in (None, bytes(32), "seed")]
    heads += [{**head, "fork": {"match": "m", "seq": 1}}, {**head, "veil": bytes(32)}, {**head, "veil": veil[:31]}]
    heads += [{key: each for key, each in head.items() if key != gone} for gone in ("veil", "seed", "match", "options")]
    others = {"seats": ["Aki", "Ren", "Moi"], "rules": CAKE.version + 1, "game": "palace"}
    return [*heads, *({**head, key: other} for key, other in others.items())]


def test_a_header_in_which_one_thing_is_wrong_is_one_finding() -> None:
    head = header(dealt())
    assert check(head) == []
    assert check({key: each for key, each in head.items() if key != "fair"}) == []
    for wrong in shapes(head):
        (finding,) = check(wrong)
        assert (finding.kind, finding.seq) == ("fair", None)


def test_a_malformed_sign_leaves_the_seed_unchecked() -> None:
    deal = dealt(host_key=KEY)
    head = header(deal)
    assert check(head) == []
    assert check({**head, "sign": {"v": 1, "host": OTHER_KEY, "seats": [None] * 3}})
    assert check({**head, "sign": None}) == []


def test_a_match_is_dealt_from_a_ceremony_that_was_held_for_it() -> None:
    deal = dealt()
    match = kifu.new("cake", ["Aki", "Ren", "Mio"], trust=deal)
    assert (match.header.seed, match.header.match, len(match.events)) == (deal.seed, MATCH, 1)
    raw = log_bytes(match)
    assert audit(raw).ok
    assert log_bytes(read_bytes(raw).match) == raw


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"seats": ["Aki", "Ren", "Moi"]}, "held for a match of another id, game, names, options or program"),
        ({"engine": "another"}, "held for a match of another id"),
        ({"game": "gosne", "seats": list("ABCD")}, "held for a match of another id"),
        ({"options": {"first": 1}}, "held for a match of another id"),
        ({"match": "other"}, "held for a match of another id"),
        ({"seed": bytes(32)}, "a fair deal has its own seed"),
        ({"trust": ceremony()}, "it waits for the commitments of seats 0 and 1"),
    ],
)
def test_another_match_is_not_dealt_from_it(changes: dict[str, Any], says: str) -> None:
    parts: dict[str, Any] = {"game": "cake", "seats": ["Aki", "Ren", "Mio"], "trust": dealt(), **changes}
    with pytest.raises(MatchError, match=says):
        kifu.new(**parts)
