"""`replay store rotate-keys` and `resume`: keys for the seats of a live match, and of a log that becomes one."""

import shutil
from contextlib import closing

import kifu
import pytest
from attrs import evolve
from kifu.core.errors import KeyRefused
from kifu.core.host import Host
from kifu.core.match.game_files import load_game
from kifu.core.stores import open_store
from kifu.replay.starter import FILE as STARTER


@pytest.fixture
def served(tmp_path):
    """A match that is being served, and the address of its store."""
    address = f"sqlite:{tmp_path}/m.db"
    store = open_store(address)
    host = Host(store)
    opened = host.open("take_and_share", ["Aki", "Ren", "Mio"])
    yield address, host, opened
    store.close()


def test_new_keys_are_printed_a_line_a_seat_and_open_what_is_served(replay, served):
    address, host, opened = served
    called = replay("store", "rotate-keys", address, opened.match, exits=0)
    rows = [line.split("  ") for line in called.out.splitlines()]
    assert [row[0] for row in rows] == ["0", "1", "2"]
    assert rows[0][1] == "Aki"
    assert [host.seat(opened.match, row[-1]) for row in rows] == [0, 1, 2]
    for key in opened.keys:
        with pytest.raises(KeyRefused):
            host.seat(opened.match, key)


def test_one_seat_gets_a_link(replay, served):
    address, host, opened = served
    page = "https://play.example/tables/"
    called = replay("store", "rotate-keys", address, opened.match, "--seat", "2", "--page", page, "--json")
    (row,) = called.lines
    assert (row["seat"], row["name"]) == (2, "Mio")
    assert row["link"] == f"{page}#match={opened.match}&key={row['key']}"
    assert host.seat(opened.match, row["key"]) == 2
    assert host.seat(opened.match, opened.keys[0]) == 0


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (["{address}", "none"], "no match"),
        (["{address}", "{match}", "--seat", "7"], "seat 7 has no player"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_makes_nothing(refused, served, tmp_path, args, expected):
    address, host, opened = served
    before = sorted(tmp_path.iterdir())
    call = [each.format(match=opened.match, address=address) for each in args]
    assert expected in refused("store", "rotate-keys", *call)
    assert sorted(tmp_path.iterdir()) == before
    assert host.seat(opened.match, opened.keys[0]) == 0


def test_a_match_of_a_game_in_a_file_gets_new_keys_and_witnesses(replay, refused, tmp_path, monkeypatch) -> None:
    shutil.copy(STARTER, tmp_path / "gallop.py")
    game = load_game(str(tmp_path / "gallop.py"))
    address = f"sqlite:{tmp_path}/m.db"
    with closing(open_store(address)) as store:
        match = Host(store, find=lambda _: game).open("gallop", ["Aki", "Ren"]).match
    assert "'gallop': not installed" in refused("store", "rotate-keys", address, match)
    assert replay("store", "rotate-keys", address, match, "--game", tmp_path / "gallop.py").code == 0
    assert replay("store", "witness", address, "--game", tmp_path / "gallop.py").code == 0


@pytest.fixture
def begun(tmp_path):
    """A match that was begun elsewhere."""
    match = kifu.new("take_and_share", ["Aki", "Ren", "Mio"], seed=bytes(32), match="begun")
    match.header = evolve(match.header, seats=("Aki", "Ren\x1b[2J", "Mio"))
    match.play(match.header.options.first, match.legal(match.header.options.first)[0])
    match.save(tmp_path / "begun.log")
    return tmp_path / "begun.log"


def test_a_match_is_played_on_with_the_keys_that_are_printed(replay, begun, tmp_path):
    address = f"sqlite:{tmp_path}/live.db"
    called = replay("store", "resume", address, begun, "--bot", "2=random", "--page", "https://play.example/", "--json")
    assert (called.code, called.err) == (0, "")
    rows = called.lines
    assert [row["seat"] for row in rows] == [0, 1]
    assert rows[0]["link"] == f"https://play.example/#match=begun&key={rows[0]['key']}"
    store = open_store(address)
    host = Host(store)
    assert [host.seat("begun", row["key"]) for row in rows] == [0, 1]
    observation = host.observe("begun", rows[0]["key"])
    assert observation.count == len(kifu.load(begun).events)
    assert host.about("begun").terms.bots == {2: "random"}
    again = replay("store", "resume", address, begun)
    assert (again.code, again.out, again.err.count("\n")) == (2, "", 1)
    store.close()


def test_a_log_that_breaks_a_rule_is_refused(refused, begun, tmp_path):
    begun.write_bytes(begun.read_bytes()[:-3] + b"abc")
    refused("store", "resume", f"sqlite:{tmp_path}/live.db", begun)
    store = open_store(f"sqlite:{tmp_path}/live.db")
    assert [*store.list()] == []
    store.close()
