"""No hidden vote can be tried on what goes out before the end: a seat sees the same whatever another has voted."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from kifu.core.host import Host
from kifu.core.log.framing import ObjectStream
from kifu.core.stores import MemoryStore
from kifu.core.trust import signing
from kifu.core.trust.canonical import canonical
from kifu.core.wire import wire_of

from .conftest import Clock, Entropy
from .test_trust import seated

pytestmark = pytest.mark.skipif(not signing.is_available, reason="needs kifu[replay]")


def voted(choice: int) -> tuple[Any, int, list[bytes], bytes, int]:
    """Play to the first vote of a seat, let it cast this one, and return all that the other viewers got."""
    host = Host(
        MemoryStore(), clock=Clock(), entropy=Entropy(), engine="kifu tests", sign=signing.SigningKey(bytes(31) + b"h")
    )
    at = seated(host)
    voter = at.play_to_votes()[0]
    legal = host.observe(at.match, at.clients[voter].key).legal
    at.clients[voter].act(command=legal[choice])
    at.listen()
    got = []
    for client in (*at.clients, at.watcher):
        if client.seat != voter:
            status = host.about(at.match).trust
            got += [part for entry in client.entries if entry.salt for part in (entry.told, entry.salt)]
            got += [status.roster, repr(host.observe(at.match, client.key)).encode()]
    marks = [part for client in (*at.clients, at.watcher) if client.seat != voter for part in _opaque(client)]
    return at, voter, got, b"".join(marks), len(legal)


def _opaque(client: Any) -> list[bytes]:
    return [part for entry in client.entries for part in (entry.mark, entry.sig) if part is not None]


def test_every_vote_gives_the_others_the_same_but_for_marks() -> None:
    _, _, first, marks, choices = voted(0)
    assert choices > 1
    for choice in range(1, choices):
        _, _, got, others, _ = voted(choice)
        assert got == first
        assert others != marks, "marks bind the vote"


def test_no_vote_can_be_tried_on_a_mark_or_signature() -> None:
    """Whoever guesses the whole event, signature and all, still lacks the veil: no hash of a guess stands anywhere."""
    at, voter, got, marks, _ = voted(0)
    log, told = at.host.export_log(at.match), b"".join(got) + marks
    objects = [log[start:end] for _, start, end in ObjectStream(log)]
    event = objects[-1]
    known = [bytes(32), at.host.about(at.match).trust.veil, at.clients[0].marks[1], at.watcher.entries[-1].salt]
    game = at.host._context.find("cake")
    guesses = [event, event[:-18], canonical(list(wire_of(game).encode(_vote(at))))]
    for guess in guesses:
        for key in (b"", *known):
            for size in (16, 32):
                assert hashlib.blake2b(guess, digest_size=size, key=key).digest() not in told
                for mark in at.watcher.marks.values():
                    assert hashlib.blake2b(mark + guess, digest_size=size, key=key).digest() not in told
        assert hashlib.sha256(guess).digest() not in told
    signed = [entry.sig for entry in at.clients[voter].entries if entry.kind == 4]
    assert signed
    assert all(each not in told for each in signed)
    secrets = [at.host._context.cache._matches[at.match].folded.header.seed]
    secrets += [dict(at.host._context.cache._matches[at.match].folded.header.more)["veil"]]
    assert all(each not in told for each in secrets)


def _vote(at: Any) -> Any:
    return at.host._context.cache._matches[at.match].folded.events[-1].command
