"""`replay store resume`: a log becomes a live match of a store."""

from pathlib import Path

import kifu
import pytest
from attrs import evolve
from kifu.core.host import Host
from kifu.core.stores import open_store


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A match that was begun elsewhere."""
    match = kifu.new("take_and_share", ["Aki", "Ren", "Mio"], seed=bytes(32), match="begun")
    match.header = evolve(match.header, seats=("Aki", "Ren\x1b[2J", "Mio"))
    match.play(match.header.options.first, match.legal(match.header.options.first)[0])
    match.save(tmp_path / "begun.log")
    return tmp_path / "begun.log"


def test_a_match_is_played_on_with_the_keys_that_are_printed(replay, log, tmp_path):
    address = f"sqlite:{tmp_path}/live.db"
    called = replay("store", "resume", address, log, "--bot", "2=random", "--page", "https://play.example/", "--json")
    assert (called.code, called.err) == (0, "")
    rows = called.lines
    assert [row["seat"] for row in rows] == [0, 1]
    assert rows[0]["link"] == f"https://play.example/#match=begun&key={rows[0]['key']}"
    store = open_store(address)
    host = Host(store)
    assert [host.seat("begun", row["key"]) for row in rows] == [0, 1]
    observation = host.observe("begun", rows[0]["key"])
    assert observation.count == len(kifu.load(log).events)
    assert host.about("begun").terms.bots == {2: "random"}
    again = replay("store", "resume", address, log)
    assert (again.code, again.out, again.err.count("\n")) == (2, "", 1)
    store.close()


def test_a_log_that_breaks_a_rule_is_refused(refused, log, tmp_path):
    log.write_bytes(log.read_bytes()[:-3] + b"abc")
    refused("store", "resume", f"sqlite:{tmp_path}/live.db", log)
    store = open_store(f"sqlite:{tmp_path}/live.db")
    assert [*store.list()] == []
    store.close()
