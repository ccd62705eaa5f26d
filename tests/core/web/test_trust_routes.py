"""Fair deals, marks and signatures over HTTP: what a client sends, gets, and is refused."""

from typing import Any

import msgpack
import pytest
from attrs import define, field
from kifu.core.host import Host
from kifu.core.stores import MemoryStore
from kifu.core.trust import formulas, records, signing
from kifu.core.trust.audit import audit
from kifu.core.trust.signing import SigningKey

from .conftest import NAMES, Entropy, bearer
from .streams import watch

pytest.importorskip("msgspec", reason="needs kifu[web]")
pytest.importorskip("httpx2", reason="needs kifu[dev]")
from kifu.core.web.http_codec import decode_bytes, encode_bytes

pytestmark = pytest.mark.skipif(not signing.is_available, reason="needs kifu[replay]")
HOST_KEY = SigningKey(bytes(31) + b"h")


@define
class Player:
    """A client that knows nothing but what it gets."""

    client: Any
    match: str
    seat: int
    key: str = ""
    signing: SigningKey = field(factory=SigningKey.new)
    entries: list[records.Entry] = field(factory=list)
    sent: int = 0

    def secret(self, attempt: int) -> bytes:
        return bytes([self.seat + 1, attempt]) * 16

    def promise(self, attempt: int) -> str:
        return encode_bytes(formulas.commitment(self.match, attempt, self.seat, self.secret(attempt)))

    def get(self, path: str = "") -> Any:
        return self.client.get(f"/api/matches/{self.match}{path}", headers=bearer(self.key or None))

    def post(self, path: str, body: Any, **headers: str) -> Any:
        return self.client.post(
            f"/api/matches/{self.match}{path}", headers={**bearer(self.key or None), **headers}, json=body
        )

    @property
    def trust(self) -> Any:
        return self.get().json()["trust"]

    def join(self, **more: Any) -> Any:
        body = {"name": NAMES[self.seat], "seat": self.seat, "commitment": self.promise(1)}
        response = self.post("/seats", {**body, "public_key": encode_bytes(self.signing.public), **more})
        if response.status_code == 201:
            self.key = response.json()["key"]
        return response

    def reveal(self, **more: Any) -> Any:
        trust = self.trust
        digest = formulas.roster_digest(decode_bytes(trust["roster"]))
        body = {"attempt": trust["attempt"], "roster": encode_bytes(digest), "secret": encode_bytes(self.secret(1))}
        body["sig"] = encode_bytes(self.signing.sign(formulas.agreement_message(digest, self.seat)))
        return self.post("/fair", {**body, **more})

    @property
    def of(self) -> bytes:
        return formulas.roster_digest(decode_bytes(self.trust["roster"]))

    def keep(self, kind: int, number: int, told: Any) -> None:
        parts = [decode_bytes(told[part]) for part in ("told", "salt", "mark", "sig")]
        self.entries.append(records.Entry(kind, number, *parts))

    def listen(self) -> Any:
        since = sum(entry.kind == records.EVENT for entry in self.entries)
        history = self.get(f"/history?since={since}").json()
        for event in history["events"]:
            self.keep(records.EVENT, event["seq"], event)
        observation = self.get("/observation").json()
        self.keep(records.LOOK, observation["count"], observation)
        if "ended" in observation:
            assert history["ended"] == observation["ended"]
            for each in observation["ended"]["proposals"]:
                wish = records.Entry(
                    records.WISH, each["moment"], decode_bytes(each["told"]), None, decode_bytes(each["mark"]), None
                )
                self.entries.append(wish)
            self.keep(records.END, observation["ended"]["number"], observation["ended"])
        return observation

    def act(self, **more: Any) -> Any:
        observation = self.listen()
        self.sent += 1
        ident = bytes([self.seat]) * 8 + bytes([self.sent]) * 8
        command = observation["legal"][0]
        mark, at = decode_bytes(observation["mark"]), observation["count"]
        message = formulas.command_message(self.of, self.seat, at, mark, command["tag"], command["fields"], ident)
        body = {
            "tag": command["tag"],
            "fields": command["fields"],
            "expected_events": at,
            "idempotency_key": ident.hex(),
        }
        return self.post("/commands", {**body, "sig": encode_bytes(self.signing.sign(message)), **more})

    @property
    def record(self) -> bytes:
        trust = self.trust
        head = records.head(self.seat, decode_bytes(trust["roster"]), decode_bytes(trust["roster_sig"]))
        return msgpack.packb(head) + b"".join(entry.packed() for entry in self.entries)


@pytest.fixture
def players(make_client) -> list[Player]:
    """Open a match with a fair deal."""
    client = make_client(Host(MemoryStore(), clock=lambda: 1_000_000, entropy=Entropy(), sign=HOST_KEY))
    opened = client.post("/api/matches", json={"game": "cake", "seats": [{}] * 3, "fair": True, "reveal_ms": 5000})
    assert opened.status_code == 201, opened.text
    assert opened.json()["trust"]["phase"] == "joining"
    return [Player(client, opened.json()["match"], seat) for seat in range(3)]


def dealt(players: list[Player]) -> None:
    for player in players:
        assert player.join().status_code == 201
    for player in players:
        assert player.reveal().status_code == 200


def test_a_match_over_http_verifies(players):
    for player in players:
        assert player.join().json()["begun"] is False
    trust = players[0].trust
    assert (trust["phase"], trust["deadline_at_ms"]) == ("revealing", 1_005_000)
    digest = formulas.roster_digest(decode_bytes(trust["roster"]))
    assert signing.check(HOST_KEY.public, formulas.roster_message(digest), decode_bytes(trust["roster_sig"]))
    for player in players:
        revealed = player.reveal().json()
        message = formulas.reveal_message(digest, 1, player.seat)
        assert signing.check(HOST_KEY.public, message, decode_bytes(revealed["receipt"]))
    assert revealed["trust"]["phase"] == "dealt"
    for _ in range(8):
        acting = min(players[0].get("/observation").json()["to_act"])
        receipt = players[acting].act()
        assert receipt.status_code == 201, receipt.text
        assert len(decode_bytes(receipt.json()["mark"])) == 32
    for player in players:
        player.listen()
    count = players[0].get("/observation").json()["count"]
    proposal = None
    for player in players:
        mark = records.read_bytes(player.record).marks()[count]
        message = formulas.wish_message(player.of, player.seat, count, mark, "abandon", 0)
        sig = encode_bytes(player.signing.sign(message))
        if proposal is None:
            proposal = player.post("/proposals", {"kind": "abandon", "sig": sig}).json()
            assert (proposal["count"], decode_bytes(proposal["message"])) == (count, message)
        else:
            (seen,) = player.get("/observation").json()["proposals"]
            assert decode_bytes(seen["message"]) == message
            answered = player.post(f"/proposals/{proposal['number']}", {"accept": True, "sig": sig})
            assert answered.status_code == 200, answered.text
    for player in players:
        player.listen()
    log = players[0].get("/log").content
    assert audit(log).findings == []
    for player in players:
        verdict = records.verify(player.record, log)
        assert (verdict.findings, verdict.signed, verdict.ended) == ((), True, "by consent")
        assert records.verify(player.get("/record").content, log).findings == ()


def test_a_watcher_gets_what_is_kept_and_the_end(players):
    dealt(players)
    players[0].act()
    players[0].client.app.state.context.host.force_abandon(players[0].match)
    with watch(players[0], players[1].key) as watcher:
        messages = [watcher.receive_json() for _ in range(1 + 2 + 1)]
    kinds = [next(iter(message)) for message in messages]
    assert kinds == ["about", "event", "event", "ended"]
    assert all(each["event"]["told"] and each["event"]["sig"] for each in messages[1:3])
    assert messages[-1]["ended"]["number"] == 2


OTHER = encode_bytes(bytes(32))
BEFORE_THE_DEAL = [
    (lambda each: each.join(seat=None), 409, "not-now", "join with a seat and a commitment"),
    (lambda each: each.join(commitment=None), 409, "not-now", "join with a seat and a commitment"),
    (lambda each: each.join(commitment="AAAA"), 422, "commitment", "a commitment is 32 bytes"),
    (lambda each: each.join(public_key="AAAA"), 422, "signature", "a public key is 32 bytes"),
    (lambda each: each.join(public_key="A" * 43), 422, "signature", "this key is weak"),
    (lambda each: each.join(commitment="AAB"), 400, "malformed", "base64url"),
    (lambda each: each.join(commitment="AB"), 400, "malformed", "base64url"),
    (lambda each: each.join(commitment="A=="), 400, "malformed", ""),
    (lambda each: each.post("/fair", {"attempt": 1, "commitment": "A" * 43}), 401, "key-refused", ""),
    (lambda each: each.post("/fair", {"attempt": 1}), 400, "malformed", "a commitment, or a roster and a secret"),
    (lambda each: each.post("/fair", {"attempt": 9}), 400, "malformed", ""),
    (lambda each: each.get("/record"), 401, "key-refused", ""),
]
AT_THE_DEAL = [
    (lambda each: each.reveal(roster=OTHER), 422, "commitment", "this is another roster: nothing was revealed"),
    (lambda each: each.reveal(secret=OTHER), 422, "commitment", "this secret does not open the commitment of seat 0"),
    (lambda each: each.reveal(sig=None), 422, "signature", "seat 0 has not signed the roster with its key"),
    (lambda each: each.reveal(sig="A" * 86), 422, "signature", "seat 0 has not signed the roster with its key"),
    (lambda each: each.reveal(attempt=2), 409, "not-now", "attempt 1 is on, not 2"),
]


def test_what_is_refused_before_and_at_the_deal(players):
    for calls in (BEFORE_THE_DEAL, AT_THE_DEAL):
        for call, status, kind, said in calls:
            response = call(players[0])
            problem = response.json()
            assert (response.status_code, problem["type"]) == (status, f"urn:kifu:problem:{kind}"), said
            assert said in problem["detail"]
        for player in players:
            player.join()
    refused = players[0].post("/fair", {"attempt": 1, "roster": OTHER, "secret": OTHER}, **{"Accept-Language": "ja"})
    assert "名簿が違う" in refused.json()["detail"]


def test_what_is_refused_of_a_signature(players):
    dealt(players)
    acting = players[min(players[0].get("/observation").json()["to_act"])]
    for sig, said in ((None, "this one is not signed"), (encode_bytes(bytes(64)), "not seat"), ("AA", "not seat")):
        response = acting.act(sig=sig)
        assert (response.status_code, response.json()["type"]) == (422, "urn:kifu:problem:signature")
        assert said in response.json()["detail"]
    assert acting.act(sig="A").status_code == 400
    stale = acting.act(expected_events=99)
    assert stale.status_code == 409
    assert len(decode_bytes(stale.json()["mark"])) == 32
    refused = acting.post("/proposals", {"kind": "abandon"})
    assert (refused.status_code, refused.json()["type"]) == (422, "urn:kifu:problem:signature")
