"""Appends to several matches in one transaction: each is stored or fails by itself."""

from __future__ import annotations

import sqlite3
from threading import Event

import pytest
from kifu.core.errors import Conflict, NoMatch, StoreError
from kifu.core.stores import MetadataRow, open_store
from kifu.core.stores.store import Append

ROW = MetadataRow("some_game", "going", True, 1000, b"")


@pytest.fixture(params=["memory:", "sqlite:{}/kifu.db"])
def store(request, tmp_path):
    opened = open_store(request.param.format(tmp_path))
    for match in "abc":
        opened.create(match, b"header", ROW)
    yield opened
    opened.close()


def test_each_that_fits_is_stored_and_its_subscribers_are_told(store):
    told, forget = {match: Event() for match in "abc"}, []
    store.append("b", 0, [b"before"])
    forget = [store.subscribe(match, event.set) for match, event in told.items()]
    for event in told.values():
        event.clear()
    appends = [
        Append("a", 0, [b"one", b"two"]),
        Append("b", 0, [b"late"]),
        Append("none", 0, [b""]),
        Append("c", 0, []),
    ]
    failures = store.append_together(appends)
    assert [type(each) for each in failures] == [type(None), Conflict, NoMatch, type(None)]
    assert store.read("a").events == (b"one", b"two")
    assert store.read("b").events == (b"before",)
    assert told["a"].wait(10)
    for each in forget:
        each()


def test_where_one_makes_the_transaction_fail_the_others_are_stored(tmp_path):
    store = open_store(f"sqlite:{tmp_path / 'kifu.db'}")
    for match in "abc":
        store.create(match, b"header", ROW)
    store.append("b", 0, [b"lost"])
    other = sqlite3.connect(tmp_path / "kifu.db")
    with other:
        other.execute("DELETE FROM events")
    other.close()
    failures = store.append_together([Append(match, int(match == "b"), [b"event"]) for match in "abc"])
    assert [type(each) for each in failures] == [type(None), StoreError, type(None)]
    assert [store.read(match).events for match in "ac"] == [(b"event",)] * 2
    store.close()
