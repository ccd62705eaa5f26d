"""Marks, records and signatures at a host: what goes out binds the log, and what a seat signs stands in it."""

from __future__ import annotations

from typing import Any

import msgpack
import pytest
from attrs import define, evolve, field
from kifu.core.errors import LogError, MatchError, TrustError
from kifu.core.game import Meta, Note
from kifu.core.game.shuffle import Shuffler
from kifu.core.host import About, Host, Terms
from kifu.core.log import log_bytes, read_bytes
from kifu.core.match import Match
from kifu.core.match.header import new_header
from kifu.core.match.random_play import draw_command
from kifu.core.match.registry import find
from kifu.core.stores import MemoryStore
from kifu.core.trust import records, signing
from kifu.core.trust.audit import audit
from kifu.core.trust.canonical import from_canonical
from kifu.core.trust.formulas import command_message, roster_digest, wish_message
from kifu.core.trust.signing import SigningKey
from kifu.core.wire import wire_of

from ..trust.test_tampering import put_together, taken_apart
from ..trust.vectors import FILES

NAMES = ["Aki", "Ren", "Mio", "Sou"]
needs_keys = pytest.mark.skipif(not signing.is_available, reason="needs kifu[replay]")


@define
class Client:
    """One viewer of a match, who keeps all that it is told, and signs with its key if it has one."""

    host: Host
    match: str
    seat: int | None
    key: str | None
    signing: SigningKey | None = None
    entries: list[records.Entry] = field(factory=list)
    sent: int = 0

    @property
    def of(self) -> bytes:
        return roster_digest(self.host.about(self.match).trust.roster)

    @property
    def marks(self) -> dict[int, bytes]:
        return {each.number + 1: each.mark for each in self.entries if each.kind == records.EVENT}

    def listen(self) -> None:
        """Take down what is new: events, the present look, the end."""
        since = sum(each.kind == records.EVENT for each in self.entries)
        for each in self.host.history(self.match, self.key, since):
            self.entries.append(each.told())
        observed = self.host.observe(self.match, self.key)
        self.entries.append(observed.told())
        ending = self.host.ending(self.match, self.key)
        if ending is not None:
            self.entries += [*filter(None, [ending.agreed]), ending.told]

    def act(
        self, *, at: int | None = None, command: Any = None, signature: bytes | None = None, replaced: Any = None
    ) -> Any:
        """Submit a legal command, signed if there is a key."""
        observed = self.host.observe(self.match, self.key)
        self.sent += 1
        # a fork has its parent's keys, and another host may go on with the same log
        ident = bytes([self.seat or 0, self.sent, observed.count]) + self.match.encode()[:20]
        if command is None:
            command = draw_command(observed.legal, Shuffler(bytes(32), observed.count))
        at = observed.count if at is None else at
        game = self.host._context.find(self.host.about(self.match).game)
        tag, fields = wire_of(game).encode(command)
        if self.signing is not None and signature is None:
            message = command_message(self.of, self.seat, at, self.marks[at], tag, fields, ident, replaced)
            signature = self.signing.sign(message)
            receipt = self.host.submit(self.match, self.key, (tag, fields), at, ident, signature, None, replaced)
            self.entries.append(records.Entry(records.SENT, receipt.seq, message, None, self.marks[at], signature))
            return receipt
        return self.host.submit(self.match, self.key, (tag, fields), at, ident, signature)

    def consent(self, kind: str, target: int, count: int) -> bytes | None:
        if self.signing is None:
            return None
        return self.signing.sign(wish_message(self.of, self.seat, count, self.marks[count], kind, target))

    def propose(self, kind: str, target: int = 0) -> Any:
        """Propose this, signed if there is a key."""
        signed = self.consent(kind, target, int(self.host.about(self.match).count or 0))
        given = () if kind == "abandon" else (target,)
        return getattr(self.host, kind)(self.match, self.key, *given, signed)

    def accept(self, proposal: Any) -> Any:
        """Accept this, signed if there is a key."""
        signed = self.consent(proposal.kind, proposal.target, proposal.count)
        return self.host.accept(self.match, self.key, proposal.number, signed)

    def record(self) -> bytes:
        status = self.host.about(self.match).trust
        head = records.head(self.seat, status.roster, status.roster_sig)
        return msgpack.packb(head) + b"".join(each.packed() for each in self.entries)


@define
class Tables:
    """A match in which every seat joins with a key of its own, and what each keeps."""

    host: Host
    match: str
    clients: list[Client]
    watcher: Client

    def listen(self) -> None:
        for each in (*self.clients, self.watcher):
            each.listen()

    def play(self, events: int) -> None:
        """Play on to so many events, or to the end."""
        self.listen()
        while (to_act := self.about.to_act) and self.count < events:
            self.clients[min(to_act)].act()
            self.listen()

    def play_to_votes(self) -> list[int]:
        """Play on until several seats are to act together; return them."""
        while len(to_act := self.about.to_act) < 2:
            assert to_act, "nobody acts together"
            self.play(self.count + 1)
        return sorted(to_act)

    @property
    def about(self) -> About:
        return self.host.about(self.match)

    @property
    def count(self) -> int:
        return int(self.about.count or 0)

    @property
    def log(self) -> bytes:
        return self.host.export_log(self.match)

    def moved(self, **changes: Any) -> Tables:
        """Return the same players, who go on at another host, or in a fork."""
        clients = [evolve(each, **changes) for each in self.clients]
        return evolve(self, clients=clients, watcher=evolve(self.watcher, **changes), **changes)

    def forget(self) -> None:
        """Let nobody have been told anything."""
        for each in (*self.clients, self.watcher):
            each.entries = []


def seated(host: Host, game: str = "cake", *, keys: bool = True) -> Tables:
    seats = 4 if game == "gosne" else 3
    opened, clients = host.open(game, seats), []
    for seat in range(seats):
        signing = SigningKey(bytes([seat + 1]) * 32) if keys else None
        joined = host.join(opened.match, NAMES[seat], seat, public_key=signing and signing.public)
        clients.append(Client(host, opened.match, seat, joined.key, signing))
    return Tables(host, opened.match, clients, Client(host, opened.match, None, None))


def check(at: Tables) -> None:
    """Hold every record against the log and against every other: nothing is found."""
    log, clients = at.log, (*at.clients, at.watcher)
    assert audit(log).findings == []
    for each in clients:
        verdict = records.verify(each.record(), log, engine=read_bytes(log).header.engine)
        assert verdict.findings == ()
        assert verdict.unchecked == audit(log).unchecked, "but for what a fork shares"
        hidden = records.verify(records.public(each.record()), log)
        assert hidden.findings == ()
        for other in clients:
            assert records.compare(each.record(), other.record()).findings == ()


@pytest.mark.ci
@pytest.mark.parametrize("game", ["cake", "take_and_share", "gosne", "palace"])
def test_what_a_host_tells_makes_records_that_hold(host, game):
    at = seated(host, game, keys=False)
    at.play(30)
    check(at)


@pytest.mark.ci
def test_a_signed_match_verifies_to_its_end(signing_host):
    at = seated(signing_host, "take_and_share")
    at.play(10_000)
    assert at.about.status == "over"
    check(at)
    verdict = records.verify(at.clients[1].record(), at.log)
    assert (verdict.signed, verdict.ended) == (True, "over")


def test_the_record_of_the_host_is_that_of_the_client(signing_host):
    at = seated(signing_host)
    at.play(6)
    own = records.read_bytes(signing_host.record(at.match, at.clients[1].key))
    told = [each for each in at.clients[1].entries if each.kind == records.EVENT]
    assert list(own.entries) == told
    assert own.head() == records.read_bytes(at.clients[1].record()).head()


def test_a_command_that_is_not_signed_is_refused(signing_host):
    at = seated(signing_host)
    at.listen()
    client, count = at.clients[0], at.count
    command = signing_host.observe(at.match, client.key).legal[0]
    for ident, signature, refusal in (
        (b"1234", None, "seat 0 signs its commands: this one is not signed"),
        (None, bytes(64), "this one is not signed"),
        (b"1234", bytes(64), "this signature is not seat 0's to this command"),
        (b"1234", b"short", "this signature is not seat 0's"),
        (b"1234", client.signing.sign(b"something else"), "this signature is not seat 0's"),
    ):
        with pytest.raises(TrustError, match=refusal) as refused:
            signing_host.submit(at.match, client.key, command, count, ident, signature)
        assert refused.value.kind == "signature"
    assert at.count == count
    keyless = seated(signing_host, keys=False)
    keyless.listen()
    with pytest.raises(TrustError, match="seat 0 has no key"):
        keyless.clients[0].act(signature=bytes(64))


@pytest.mark.ci
def test_who_acts_together_may_sign_an_earlier_moment(signing_host):
    at = seated(signing_host)
    together = at.play_to_votes()
    moment = at.count
    for seat in together:
        at.clients[seat].act(at=moment)
    at.listen()
    check(at)


@pytest.mark.ci
@pytest.mark.parametrize("free", [True, False])
def test_takebacks_are_signed_by_all_who_must(signing_host, free):
    at = seated(signing_host)
    one, two, three = at.clients
    if free:
        one = at.clients[at.play_to_votes()[0]]
        one.act()  # a vote that nobody else sees
        at.listen()
    else:
        at.play(4)
    count = at.count
    to = count - 2 if free else 1
    with pytest.raises(TrustError, match="not signed"):
        signing_host.take_back(at.match, one.key, to)
    proposal = one.propose("take_back", to)
    if not free:
        message = wish_message(two.of, 1, count, two.marks[count], "take_back", to)
        assert signing_host.consent_message(at.match, two.key, proposal) == message
        with pytest.raises(TrustError, match="not seat 1's"):
            signing_host.accept(at.match, two.key, proposal.number, one.consent("take_back", to, count))
        two.accept(proposal)
        proposal = three.accept(proposal)
    assert proposal.status == "accepted"
    at.listen()
    at.play(count + 3)
    check(at)


@pytest.mark.ci
def test_abandoning_by_consent_is_told_with_the_end(signing_host):
    at = seated(signing_host)
    at.play(4)
    proposal = at.clients[0].propose("abandon")
    for each in at.clients[1:]:
        each.accept(proposal)
    at.listen()
    check(at)
    assert records.verify(at.clients[2].record(), at.log).ended == "by consent"


def test_signed_consent_to_abandon_is_for_its_moment_only(signing_host):
    at = seated(signing_host)
    at.play(3)
    proposal = at.clients[0].propose("abandon")
    at.play(at.count + 1)
    with pytest.raises(MatchError, match="expired"):
        at.clients[1].accept(proposal)


def test_a_match_that_is_called_off_says_so(host):
    at = seated(host, keys=False)
    at.play(3)
    host.force_abandon(at.match)
    at.listen()
    check(at)
    if signing.is_available:
        assert records.verify(at.clients[2].record(), at.log).ended == "called off"


@pytest.mark.ci
def test_a_fork_has_its_own_veil_the_keys_and_who_agreed(signing_host):
    at = seated(signing_host)
    at.play(4)
    proposal = at.clients[0].propose("fork", 2)
    for each in at.clients[1:]:
        proposal = each.accept(proposal)
    parent, child = at.log, signing_host.export_log(proposal.fork)
    keys = [dict(read_bytes(each).header.more) for each in (parent, child)]
    assert keys[0]["veil"] != keys[1]["veil"]
    assert keys[1]["sign"]["seats"] == keys[0]["sign"]["seats"]
    assert [seat for seat, _ in keys[1]["sign"]["agreed"]] == [0, 1, 2]
    assert "fair" not in keys[1]
    assert records.verify_fork(child, parent).ok
    forked = at.moved(match=proposal.fork)
    forked.forget()
    forked.play(6)
    check(forked)


@pytest.mark.ci
def test_a_new_holder_of_a_seat_signs_nothing_and_everybody_is_told(signing_host):
    at = seated(signing_host)
    at.play(3)
    seat = min(at.about.to_act)
    at.clients[seat].key = signing_host.rotate_keys(at.match, [seat]).keys[seat]
    with pytest.raises(TrustError, match=f"seat {seat} has no key"):
        at.clients[seat].act()
    at.clients[seat].signing = None
    receipt = at.clients[seat].act()
    assert signing_host.history(at.match)[receipt.seq].actor == "new key"
    at.listen()
    with pytest.raises(MatchError, match="new holder"):
        signing_host.take_back(at.match, at.clients[seat].key, 0)
    at.play(receipt.seq + 4)
    check(at)
    assert [each.signs for each in at.about.trust.seats] == [each != seat for each in range(3)]


def test_who_joins_with_a_key_of_its_own_signs_whoever_sat_there_before(signing_host):
    opened, signing = signing_host.open("cake", 3), SigningKey(bytes([9]) * 32)
    signing_host.join(opened.match, "Zoe", 0, public_key=SigningKey(bytes([8]) * 32).public)
    signing_host.rotate_keys(opened.match, [0])
    signing_host.remove_player(opened.match, opened.opener_key, 0)
    for seat in range(3):
        signing_host.join(opened.match, NAMES[seat], seat, public_key=None if seat else signing.public)
    assert [each.signs for each in signing_host.about(opened.match).trust.seats] == [True, False, False]


def test_weak_and_malformed_keys_are_refused(signing_host):
    opened = signing_host.open("cake", 3)
    for key, refusal in ((bytes(32), "this key is weak"), (b"short", "a public key is 32 bytes")):
        with pytest.raises(TrustError, match=refusal):
            signing_host.join(opened.match, "Aki", 0, public_key=key)
    assert signing_host.about(opened.match).seats == (None, None, None)


@pytest.mark.ci
def test_a_log_under_another_hosts_key_goes_on_nowhere_else(signing_host, make_host):
    at = seated(signing_host)
    at.play(3)
    with pytest.raises(MatchError, match="signed by another host's key"):
        make_host().import_log(at.log)
    again = make_host(sign=signing_host._context.sign, engine=signing_host._context.engine)
    keys = again.import_log(at.log).keys
    moved = at.moved(host=again)
    for each, key in zip(moved.clients, keys, strict=True):
        each.key = key
    moved.play(6)
    check(moved)


@pytest.mark.parametrize("signs", [False, True], ids=["changed", "its own"])
def test_a_host_signs_nothing_of_an_ended_log_that_it_has_not_signed(signing_host, make_host, signs):
    """A player changes the time of an event, and has the host serve that: its word would contradict what it signed."""
    at = seated(signing_host, keys=False)
    at.play(4)
    signing_host.force_abandon(at.match)
    at.listen()
    header, events, end = taken_apart(at.log)
    events[3][2] = {**(events[3][2] or {}), "at": 7_000_000}
    again = make_host(sign=signing_host._context.sign, engine=signing_host._context.engine)
    again.import_log(at.log if signs else put_together((header, events, end)))
    served = Client(again, at.match, None, None)
    served.listen()
    assert {each.sig is not None for each in served.entries} == {signs}
    assert (again.about(at.match).trust.roster_sig is not None) == signs
    verdict = records.compare(at.clients[0].record(), served.record())
    assert (verdict.ok, verdict.proof) == (signs, False)


def test_a_log_without_a_veil_is_served_without_marks(host, table, make_host):
    at = table("cake", 3)
    header, *rest = taken_apart(at.log)
    del header["veil"]
    other = make_host()
    keys = other.import_log(put_together((header, *rest)), Terms(fair=True)).keys
    about = other.about(at.match)
    assert (about.trust, about.terms.fair) == (None, False)
    assert other.history(at.match)[0].told() is None
    assert other.observe(at.match).told() is None
    with pytest.raises(MatchError, match="no marks"):
        other.record(at.match, keys[0])


@needs_keys
def test_a_log_in_which_an_audit_finds_anything_is_not_taken_in(host, table, make_host):
    """No host says of it then that it was dealt fairly, or that its commands are signed."""
    header, *rest = taken_apart(table("cake", 3).log)
    short = put_together(({**header, "veil": b"short"}, *rest))
    unfair, unsigned = FILES["secret-of-five-bytes.log"], FILES["a-signature-taken-out.log"]
    for kind, log in {"fair": unfair, "signature": unsigned, "veil": short}.items():
        with pytest.raises(LogError) as refusal:
            make_host().import_log(log)
        assert refusal.value.kind == kind
    other = make_host()
    taken = other.import_log(FILES["base.log"])
    assert other.about(taken.match).terms.fair


def test_no_signature_of_a_seat_is_told_before_the_end(signing_host):
    at = seated(signing_host)
    at.play(6)
    signed = [each.sig for client in at.clients for each in client.entries if each.kind == records.SENT]
    assert len(signed) > 2
    told = b"".join(each.packed() for each in at.watcher.entries)
    for each in at.clients:
        told += b"".join(entry.packed() for entry in each.entries if entry.kind != records.SENT)
    assert all(each not in told for each in signed)
    assert all(isinstance(from_canonical(each.told), list) for each in at.watcher.entries)


@pytest.mark.parametrize("replaced", [b"", b"short", bytes(33), "x" * 32])
def test_what_a_command_replaces_is_a_hash_or_the_host_takes_no_command(signing_host, replaced):
    """Else the log that the host signs has a signature that no audit can read."""
    at = seated(signing_host)
    at.listen()
    with pytest.raises(TrustError, match="is not seat"):
        at.clients[min(at.about.to_act)].act(replaced=replaced)


def test_a_match_that_signs_as_version_1_does_takes_nothing_that_replaces_another(signing_host):
    game, mine = find("take_and_share"), SigningKey(bytes(31) + b"p")
    header = new_header(game, ("Aki", "Ren", "Mio"), {}, bytes(32), match="old", started=0, engine="kifu 1")
    sign = {"v": 1, "host": SigningKey(bytes(31) + b"h").public, "seats": [mine.public] * 3}
    match = Match(game, evolve(header, more=(("veil", bytes(32)), ("sign", sign))))
    match.deal(Meta(0), lambda size: bytes(size))
    keys = signing_host.import_log(log_bytes(match)).keys
    seat, count = min(signing_host.observe("old").to_act), signing_host.about("old").count
    observed = signing_host.observe("old", keys[seat])
    parts = wire_of(game).encode(observed.legal[0])
    signed = mine.sign(command_message("old", seat, count, observed.told().mark, *parts, bytes(16)))
    with pytest.raises(TrustError, match="'replaced' has no place in this match"):
        signing_host.submit("old", keys[seat], parts, count, bytes(16), signed, None, bytes(32))
    signing_host.submit("old", keys[seat], parts, count, bytes(16), signed)
    signing_host.force_abandon("old")
    assert audit(signing_host.export_log("old")).findings == []


def test_who_cannot_consent_and_has_not_acted_yet_is_waited_for_before_a_fork(signing_host):
    """Nothing in the log says before that the seat has a new holder: the fork would lack a signature."""
    at = seated(signing_host)
    at.play(3)
    seat = min(at.about.to_act)
    new = at.clients[seat]
    new.key, new.signing = signing_host.rotate_keys(at.match, [seat]).keys[seat], None
    one, other = [each for each in at.clients if each is not new]
    with pytest.raises(MatchError, match=f"seat {seat} has a new holder, who signs nothing: fork once that player"):
        one.propose("fork", 2)
    new.act()
    at.listen()
    proposal = one.propose("fork", 2)
    other.accept(proposal)
    child = new.accept(proposal).fork
    assert records.verify_fork(signing_host.export_log(child), at.log).ok


@needs_keys
def test_a_program_that_goes_on_with_a_match_names_itself_and_is_held_to_no_other_s_notes(make_host):
    """Also where it tells what was recorded before it; and in a signed match it takes back nothing alone."""
    store, key = MemoryStore(), SigningKey(bytes(31) + b"h")
    at = seated(make_host(store, sign=key))
    seats = at.play_to_votes()
    other = find("cake").altered(explain=lambda *_: (Note("another"),))
    host = make_host(store, sign=key, engine="kifu of tomorrow", find=lambda _: other)
    at = at.moved(host=host)
    at.forget()
    at.listen()
    count, one = at.count, at.clients[seats[0]]
    one.act()
    at.listen()
    assert one.propose("take_back", count - 1).status == "pending"
    at.play(count + 4)
    host.force_abandon(at.match)
    at.listen()
    for each in at.clients:
        found = records.verify(each.record(), at.log, engine="kifu tests")
        assert (found.findings, found.log_signed, found.partial) == ((), True, True)
        assert any("told by 'kifu of tomorrow'" in why for why in found.unchecked)
