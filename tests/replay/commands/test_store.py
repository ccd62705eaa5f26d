"""`replay store`: check, copy, expire and rules, over stores that may be served meanwhile."""

import json
import sqlite3

import pytest
from kifu.core.game import Past, RuleViolation, Upcast
from kifu.core.host import Host, Terms
from kifu.core.match.registry import find
from kifu.core.stores import Create, commit_one, log_bytes_of, open_store


@pytest.fixture
def served(tmp_path):
    """Yield the address of a store with an open, a going and an abandoned match, and their ids."""
    address = f"sqlite:{tmp_path / 'live.db'}"
    store = open_store(address)
    host = Host(store)
    ids = [host.open("cake", ["a", "b", seat]).match for seat in (None, "c", "d")]
    host.force_abandon(ids[2])
    yield address, store, ids
    store.close()


def test_a_store_is_checked_and_what_is_wrong_is_named(replay, served, tmp_path):
    address, _store, ids = served
    called = replay("store", "check", address)
    assert (called.code, called.out.strip()) == (0, f"{address}: 3 matches checked, all whole")
    with sqlite3.connect(tmp_path / "live.db") as db:
        db.execute("UPDATE events SET body = CAST(body || x'00' AS BLOB)")
    db.close()
    called = replay("store", "check", address, exits=1)
    assert f"{ids[1]}  store {address}: the log of match {ids[1]} is not the one that was acknowledged" in called.out
    assert "2 with problems" in called.out


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ("data = x'90'", "is not a host's"),
        ("status = 'over'", "its row says over, but its log says otherwise"),
        ("status = 'open'", "its row says open, but its log says otherwise"),
    ],
)
def test_what_is_wrong_with_a_row_is_named(replay, served, tmp_path, change, expected):
    address, _store, ids = served
    with sqlite3.connect(tmp_path / "live.db") as db:
        db.execute(f"UPDATE matches SET {change} WHERE id = ?", (ids[1],))
    db.close()
    called = replay("store", "check", address)
    (line,) = [line for line in called.out.splitlines() if line.startswith(ids[1])]
    assert (called.code, expected in line) == (1, True)
    assert expected not in replay("store", "--lang", "ja", "check", address).out


def later(game, **changes):
    """Return the game at the next version of its rules, which changes nothing else."""
    upcasts = {**game.past.upcasts, game.version: Upcast(dict)}
    return game.altered(version=game.version + 1, past=Past(game.past.layout, upcasts), **changes)


def test_a_match_that_ended_because_newer_rules_forbid_it_is_whole(replay, served, monkeypatch):
    address, store, ids = served
    game = find("cake")

    def stricter(state, seat, command):
        if seat == -1:
            raise RuleViolation(next(iter(game.book)), seat)
        return game.apply(state, seat, command)

    newer = later(game, apply=stricter)
    host = Host(store, find=lambda _: newer)
    assert [(each.match, each.outcome) for each in host.update_rules()] == [(ids[1], "ended")]
    monkeypatch.setattr("kifu.replay.commands.store.find", lambda _: newer)
    out = replay("store", "check", address).out
    assert ids[1] not in out
    assert ids[2] in out, "its players ended it, and none of its events says that newer rules forbid it"


def test_a_fair_deal_that_waits_is_waited_for_where_it_was_copied_to(replay, tmp_path):
    address, target, now = f"sqlite:{tmp_path / 'live.db'}", f"sqlite:{tmp_path / 'other.db'}", [1_000_000]
    store = open_store(address)
    host = Host(store, clock=lambda: now[0])
    match = host.open("cake", ["a", "b", None], {}, Terms(fair=True, reveal_ms=1000)).match
    host.join(match, "c", 2, commitment=bytes(32))
    store.close()
    assert replay("store", "copy", address, target).code == 0
    copied = open_store(target)
    other = Host(copied, clock=lambda: now[0])
    assert other.run_due() == now[0] + 1000
    now[0] += 1000
    other.run_due()
    assert other.about(match).trust.attempt == 2
    copied.close()


def test_a_store_is_copied_and_what_is_new_follows(replay, served, tmp_path):
    address, store, ids = served
    target = f"sqlite:{tmp_path / 'other.db'}"
    assert replay("store", "copy", address, target).code == 0
    host = Host(store)
    host.join(ids[0], "late")
    rows = replay("store", "copy", address, target, "--json", exits=0)
    assert {json.loads(line)["match"] for line in rows.out.splitlines()} == set(ids)
    copied = open_store(target)
    for match in ids:
        assert log_bytes_of(copied.read(match)) == log_bytes_of(store.read(match))
        assert copied.read(match).row.data == store.read(match).row.data
    assert Host(copied).run_due() is None
    copied.close()
    assert replay("store", "check", target).code == 0


def test_another_log_in_the_target_is_left_alone(replay, served, tmp_path):
    address, store, ids = served
    target = f"sqlite:{tmp_path / 'other.db'}"
    other = open_store(target)
    commit_one(other, Create(ids[1], b"\x81\x01\x02", store.read(ids[1]).row))
    other.close()
    called = replay("store", "copy", address, target, exits=1)
    assert f"match {ids[1]} is there already, with another log" in called.out


def test_logs_go_out_of_a_store_and_into_another(replay, served, tmp_path):
    address, store, ids = served
    folder, target = tmp_path / "logs", f"sqlite:{tmp_path / 'other.db'}"
    assert replay("store", "export", address, str(folder)).out == f"{address}: 2 logs exported, all whole\n"
    for match in ids[1:]:
        assert (folder / f"{match}.log").read_bytes() == log_bytes_of(store.read(match))
    assert not (folder / f"{ids[0]}.log").exists(), "its log has not begun"
    (folder / "other.log").write_bytes(b"no log")
    called = replay("store", "import", target, str(folder))
    assert (called.code, called.out.splitlines()[-1]) == (1, f"{target}: 3 logs read, 1 refused")
    assert called.out.startswith(f"{folder / 'other.log'}  ")
    copied = open_store(target)
    for match in ids[1:]:
        assert log_bytes_of(copied.read(match)) == log_bytes_of(store.read(match))
    copied.close()
    called = replay("store", "import", target, str(folder / f"{ids[1]}.log"), "--lang", "ja")
    assert (called.code, called.out.splitlines()[-1]) == (1, f"{target}：1局の棋譜を読んだ。受け付けなかったもの：1局")


def test_an_exported_log_grows_and_takes_the_place_of_no_other(replay, served, tmp_path):
    address, store, ids = served
    file = tmp_path / f"{ids[1]}.log"
    assert replay("store", "export", address, str(tmp_path)).code == 0
    Host(store).force_abandon(ids[1])
    assert replay("store", "export", address, str(tmp_path)).code == 0
    assert file.read_bytes() == log_bytes_of(store.read(ids[1]))
    file.write_bytes(b"another")
    called = replay("store", "export", address, str(tmp_path), "--json")
    problems = [line["problem"] for line in called.lines if line["match"] == ids[1]]
    assert (called.code, problems) == (1, ["there already, and this log does not begin so"])
    assert file.read_bytes() == b"another"


def test_only_what_is_old_and_named_is_deleted(replay, served):
    address, store, ids = served
    assert replay("store", "expire", address, "--finished-days", "1").code == 0
    assert len(list(store.list())) == 3
    called = replay("store", "expire", address, "--finished-days", "0")
    assert called.out.splitlines() == [f"{ids[2]}  abandoned", f"{address}: 1 match deleted"]
    assert {match for match, _ in store.list()} == set(ids[:2])


def test_a_store_is_made_ready_for_newer_rules(replay, served, monkeypatch):
    """By the older kifu: the newer one cannot say any more what was shown."""
    address, store, ids = served
    older, real = find("cake"), Host.__init__
    newer = later(older)
    before = log_bytes_of(store.read(ids[1]))

    def called(game, *more):
        monkeypatch.setattr(Host, "__init__", lambda self, store, **_: real(self, store, find=lambda _: game))
        return replay("store", "witness", address, *more)

    late = called(newer)
    assert (late.code, late.out.splitlines()) == (
        1,
        [
            f"{ids[1]}  nothing says what was seen after event 0",
            f"{address}: 1 running match, 1 not ready for newer rules",
        ],
    )
    assert "新しい版に備えられなかったもの：1局" in called(newer, "--lang", "ja").out
    (row,) = called(older, "--json").out.splitlines()
    assert json.loads(row) == {"match": ids[1], "status": "going", "problem": None}
    assert called(older).out == f"{address}: 1 running match, each ready for newer rules\n"
    assert called(newer).code == 0
    assert log_bytes_of(store.read(ids[1])) == before


def test_newer_rules_are_tried_on_a_store_and_change_nothing(replay, served, monkeypatch):
    """Under rules by which all have what they had a match goes on; where a view differs it would end."""
    address, store, ids = served
    older = find("cake")
    newer = later(older)
    assert replay("store", "rules", address).out.startswith("Matches begun under older rules: 0 would go on")
    before = log_bytes_of(store.read(ids[1]))
    assert replay("store", "witness", address).code == 0

    def tried(game, *more):
        monkeypatch.setattr("kifu.replay.commands.store.find", lambda _: game)
        return replay("store", "rules", address, *more)

    called = tried(newer)
    assert (called.code, called.out.splitlines()) == (
        0,
        [
            f"{ids[1]}  it was begun under rules version {older.version}, and goes on under version {newer.version}",
            "Matches begun under older rules: 1 would go on, 0 would end, 0 would stay as they are",
        ],
    )
    called = tried(newer.altered(explain=lambda *_: iter(())), "--json")
    line = json.loads(called.out)
    assert (called.code, line["match"], line["outcome"]) == (1, ids[1], "ended")
    assert line["why"] == "after event 0 the table had another notes"
    assert "終わるもの1局" in tried(newer.altered(explain=lambda *_: iter(())), "--lang", "ja").out
    assert log_bytes_of(store.read(ids[1])) == before
