"""What opens a log, or holds for its bytes alone, never goes along into another log."""

from __future__ import annotations

from pathlib import Path

import attrs
import kifu
import msgpack
import pytest
from kifu.core.host import Host, Terms
from kifu.core.log import LogWriter, log_bytes, read_bytes
from kifu.core.match import Match
from kifu.core.match.registry import find
from kifu.core.stores import MemoryStore
from kifu.core.trust.audit import Audit
from kifu.replay.analysis.minimize import minimize
from kifu.replay.logs.anonymized import anonymized

from ..log.pebbles import GAME
from ..log.rewriting import chained, unchained

OPENS = {"fair": {"v": 1, "host": [bytes(32), b"H" * 32]}, "veil": b"V" * 32, "sign": {"v": 1, "host": b"K" * 32}}
SECRETS = (b"H" * 32, b"V" * 32, b"K" * 32, b"S" * 64)
OLD = Path(__file__).parents[1] / "log" / "versions" / "one.log"


def trusted(match: Match, **changes: object) -> Match:
    """Return the match with all that opens it, and a signature beside every command."""
    header = attrs.evolve(match.header, more=(("site", "x"), *OPENS.items()), **changes)
    metas = [attrs.evolve(event.meta or kifu.Meta(at=1), more=(("sign", [0, b"S" * 64]),)) for event in match.events]
    events = [attrs.evolve(event, meta=meta) for event, meta in zip(match.events, metas, strict=True)]
    return Match(match.game, header, fold=match._fold, events=events)


def played(**changes: object) -> Match:
    match = kifu.new("take_and_share", ["Aki", "Ren", "Mio"], seed=bytes(32), match="m1", started=0)
    for _ in range(9):
        match.play(seat := min(match.to_act), match.legal(seat)[0])
    return trusted(match, **changes)


def opens(log: bytes) -> list[str]:
    """Name what is in a log of that which opens another."""
    reading = read_bytes(log, lambda name: GAME if name == "pebbles" else find(name))
    assert reading.header is not None
    keys = [key for key, _ in reading.header.more if key in OPENS]
    signed = [str(event.seq) for event in reading.match.events if event.meta and dict(event.meta.more).get("sign")]
    return keys + signed + [secret.decode()[:1] for secret in SECRETS if secret in log]


@pytest.fixture
def unquestioned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a host import these logs, though what opens them is made up."""
    monkeypatch.setattr(Audit, "findings", [])


@pytest.mark.usefixtures("unquestioned")
@pytest.mark.parametrize("over", [True, False])
def test_a_fork_has_nothing_that_opens_its_parent(over: bool) -> None:
    host = Host(MemoryStore(), clock=lambda: 0)
    parent = host.import_log(log_bytes(played()))
    if over:
        host.force_abandon(parent.match)
    number = host.fork(parent.match, parent.keys[0], 5).number
    for key in parent.keys[1:] if not over else ():
        host.accept(parent.match, key, number)
    (wish,) = host.observe(parent.match).proposals
    assert opens(host.export_log(wish.fork)) == ["veil"], "its own"
    assert opens(host.export_log(parent.match)) != [], "the parent keeps its own"


def of_older_rules() -> bytes:
    """Return a log of rules version 1 with all that opens it."""
    header, events = unchained(OLD.read_bytes())
    signed = [[seq, seat, {"sign": [0, b"S" * 64]}, *three] for seq, seat, _, *three in events[:3]]
    return chained(msgpack.packb({**msgpack.unpackb(header), "match": "m1", **OPENS}), signed)


def test_a_log_of_older_rules_is_saved_without_what_held_for_its_bytes(tmp_path: Path) -> None:
    assert opens(of_older_rules()) != []
    read = read_bytes(of_older_rules(), lambda name: GAME).match
    assert opens(log_bytes(read)) == []
    again = Match(read.game, read.header, fold=read._fold, events=read.events)
    assert opens(log_bytes(again)) == []
    LogWriter.create(tmp_path / "new.log", read).close()
    assert opens((tmp_path / "new.log").read_bytes()) == []


@pytest.mark.usefixtures("unquestioned")
def test_a_log_of_older_rules_goes_on_at_a_host_without_what_held_for_its_bytes() -> None:
    host = Host(MemoryStore(), find=lambda name: GAME, clock=lambda: 0)
    host.import_log(of_older_rules(), Terms())
    assert opens(host.export_log("m1")) == []


def test_a_match_that_is_read_and_saved_keeps_it_as_long_as_its_bytes_are_the_same() -> None:
    raw = log_bytes(played())
    read = read_bytes(raw).match
    assert log_bytes(read) == raw
    seat = min(read.to_act)
    read.play(seat, read.legal(seat)[0])
    assert log_bytes(read).startswith(raw)


@pytest.mark.parametrize("change", ["digests", "names"])
def test_other_bytes_have_none_of_it(change: str) -> None:
    read = read_bytes(log_bytes(played())).match
    if change == "names":
        read.header = attrs.evolve(read.header, seats=("A", "B", "C"))
    assert opens(log_bytes(read, digests=change != "digests")) == []


def test_a_scrubbed_log_has_none_of_it() -> None:
    raw = log_bytes(played())
    assert opens(anonymized(raw, read_bytes(raw))) == []


def test_the_shortest_match_has_none_of_it() -> None:
    class First:
        rules = frozenset[str]()

        def holds(self, match: Match) -> int | None:
            return 1 if match.events else None

    found = minimize(played(), First(), 3, 5.0)
    assert found is not None
    assert opens(log_bytes(found.match)) == []
