"""Ratings of bots, duplicate deals, and `replay rate`."""

import json

import kifu
import pytest
from kifu.core.game import Result, Seat
from kifu.replay.app import run

pytest.importorskip("openskill", reason="needs the extra `rating`")

from kifu.replay.tournament.ratings import Ratings, bots_of


def simulated(folder, capsys, *args, games=6):
    call = ["simulate", "cake", "--seats", "3", "--games", str(games), "--seed", "01" * 32, "-o", str(folder), "--json"]
    assert run([*call, "--bots", "greedy,random", *args]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_who_wins_rises():
    ratings = Ratings()
    for _ in range(10):
        assert ratings.add(("a", "b"), Result((5, 1), (Seat(0),)))
    data = ratings.data()
    assert list(data) == ["a", "b"]
    assert data["a"]["mu"] > 25 > data["b"]["mu"]
    assert data["a"]["sigma"] < 25 / 3
    assert data["a"]["matches"] == 10


def test_what_cannot_be_rated():
    ratings = Ratings()
    assert not ratings.add(("a", "b"), None)
    assert not ratings.add(("a", "a"), Result((5, 1), (Seat(0),)))
    assert ratings.data() == {}


def test_partners_are_one_team():
    ratings = Ratings()
    ratings.add(("a", "b", "a", "b"), Result((5, 1, 5, 1), (Seat(0), Seat(2))))
    assert {name: each["matches"] for name, each in ratings.data().items()} == {"a": 1, "b": 1}


def test_the_same_logs_give_the_same_ratings(tmp_path, capsys):
    *_, first = simulated(tmp_path / "a", capsys, "--rating")
    *_, second = simulated(tmp_path / "b", capsys, "--rating")
    assert first["summary"]["ratings"] == second["summary"]["ratings"]
    assert list(first["summary"]["ratings"]) == ["greedy", "random"]
    *_, again = simulated(tmp_path / "a", capsys, "--rating")
    assert again["summary"] == first["summary"]
    assert run(["rate", str(tmp_path / "a"), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["left_out"] == 0
    assert said["ratings"].keys() == {"greedy", "random"}
    assert run(["rate", str(tmp_path / "b"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == said
    assert run(["rate", str(tmp_path / "b"), "--plain"]) == 0
    assert "matches)" in capsys.readouterr().out


def test_duplicate_deals_are_played_from_every_seat(tmp_path, capsys):
    *lines, _ = simulated(tmp_path, capsys, "--duplicate")
    matches = [kifu.load(line["log"]) for line in lines]
    assert len({match.header.match for match in matches}) == 6
    assert [match.header.seed == matches[0].header.seed for match in matches] == [True] * 3 + [False] * 3
    assert len({tuple(line["bots"]) for line in lines[:3]}) == 3


def test_without_the_option_the_record_is_what_it_was(tmp_path, capsys):
    simulated(tmp_path, capsys)
    record = json.loads((tmp_path / "simulate.json").read_text())
    assert set(record) == {"game", "seats", "options", "bots", "seed"}


def test_what_is_left_out_is_counted(tmp_path, capsys):
    match = kifu.new("cake", ["a", "b", "c"], seed=bytes(32))
    match.save(tmp_path / "a.log")
    (tmp_path / "b.log").write_bytes(b"no log")
    assert bots_of(match) is None
    assert run(["rate", str(tmp_path), "--json"]) == 2
    assert json.loads(capsys.readouterr().out) == {"ratings": {}, "left_out": 2}
    assert run(["rate", str(tmp_path / "c.log"), "--plain"]) == 2
    assert f"left out: {tmp_path / 'c.log'}: cannot be read" in capsys.readouterr().out
    (tmp_path / "b.log").unlink()
    assert run(["rate", str(tmp_path), "--json"]) == 0


def test_it_needs_bots(tmp_path, capsys):
    assert run(["simulate", "cake", "-o", str(tmp_path), "--rating"]) == 2
    assert "need --bots" in capsys.readouterr().err
