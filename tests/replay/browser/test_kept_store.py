"""The store of a browser keeps the contract of all stores, and begins with what it gave out to be kept."""

import sys
from pathlib import Path

import pytest

pytest.importorskip("msgspec", reason="needs kifu[web]")

from kifu.core.stores.store import NEWEST, Append, Claim, Create, Delete, Due, Schedule, commit_one
from kifu.games import find
from kifu.replay.browser.hosting import KeptStore
from msgpack import packb

sys.path.append(str(Path(__file__).parents[2] / "core" / "stores"))
from store_laws import objects_of, row, store_contract

sys.path.pop()

TestStore = store_contract(lambda _: KeptStore(), lasts=False)
LOG = objects_of(find("take_and_share"))


def filled():
    store = KeptStore()
    commit_one(store, Create("open", b"", row()))
    commit_one(store, Create("going", LOG.head, row()))
    commit_one(store, Append("going", 0, LOG.events[:3], row=row(1), due=Due(7, is_bot=True)))
    commit_one(store, Create("over", LOG.head, row()))
    commit_one(store, Append("over", 0, LOG.events, end=LOG.end, row=row(1, status="over")))
    return store


def content(store):
    return {match: (store.read(match), found) for match, found in store.list(NEWEST)}


def test_what_was_kept_is_there_again_with_all_that_is_due():
    store = filled()
    again = KeptStore(store.take_unkept())
    assert content(again) == content(store)
    assert again.earliest_due() == store.earliest_due() == 7
    assert again.claim(8, 20, 9, is_bot=True) == [Claim("going", 3)]
    assert again.take_unkept() == {}, "nothing has changed"


def test_only_what_has_changed_is_to_be_kept():
    store = filled()
    store.take_unkept()
    commit_one(store, Schedule("going", 3, Due(9)))
    assert [*store.take_unkept()] == ["going"]
    commit_one(store, Delete("over", 1))
    assert store.take_unkept() == {"over": None}
    with pytest.raises(Exception, match="going"):
        commit_one(store, Append("going", 99, LOG.events[:1]))
    assert store.take_unkept() == {}


@pytest.mark.parametrize("value", [b"", b"\x00", b"no value", b"\x93\x01\x02\x03", packb([1, [], b"", [], None, 0, 0])])
def test_what_it_never_gave_out_is_named_and_left_and_all_else_is_there(value):
    filled_again = KeptStore({"lost": value, **filled().take_unkept()})
    assert filled_again.unreadable == ["lost"]
    assert content(filled_again) == content(filled())
    assert filled_again.take_unkept() == {}
