"""Changes of several matches in one transaction: one that makes it fail harms no other."""

from __future__ import annotations

import sqlite3

from kifu.core.errors import StoreError
from kifu.core.stores import Append, Create, MetadataRow, commit_one, open_store

ROW = MetadataRow("some_game", "going", True, 1000, b"")


def test_where_one_makes_the_transaction_fail_the_others_are_stored(tmp_path):
    store = open_store(f"sqlite:{tmp_path / 'kifu.db'}")
    for match in "abc":
        commit_one(store, Create(match, b"header", ROW))
    commit_one(store, Append("b", 0, [b"lost"]))
    other = sqlite3.connect(tmp_path / "kifu.db")
    with other:
        other.execute("DELETE FROM events")
    other.close()
    failures = store.commit([Append(match, int(match == "b"), [b"event"]) for match in "abc"])
    assert [type(each) for each in failures] == [type(None), StoreError, type(None)]
    assert [store.read(match).events for match in "ac"] == [(b"event",)] * 2
    store.close()
