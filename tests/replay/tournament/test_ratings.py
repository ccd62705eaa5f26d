"""Ratings of bots, duplicate deals, and `replay rate`."""

from math import log10
from random import Random

import kifu
import pytest
from kifu.core.game import Result, Seat

pytest.importorskip("choix", reason="needs the extra `rating`")

from kifu.replay.stats.figures import student, wilson
from kifu.replay.tournament.bot_records import WinRecord
from kifu.replay.tournament.ratings import Ratings, bots_of


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Draw the deals again less often: how sure a rating is need not be known to the digit."""
    monkeypatch.setattr("kifu.replay.tournament.ratings.RESAMPLES", 200)


def simulated(replay, folder, *args):
    call = ["simulate", "cake", "--seats", 3, "--games", 6, "--seed", "01" * 32, "-o", folder, "--json"]
    called = replay(*call, "--bots", "greedy,random", *args, exits=0)
    return called.lines


WON, LOST, LEVEL = Result((5, 1), (Seat(0),)), Result((1, 5), (Seat(1),)), Result((3, 3), (Seat(0), Seat(1)))


def rated(*matches):
    """Rate matches, each as (bots, result, deal)."""
    ratings = Ratings()
    assert all(ratings.add(*match) for match in matches)
    return ratings.data()


def test_who_is_ahead_nine_times_of_ten_has_odds_of_nine():
    """400 points are odds of 10 to 1; the prior is one match in which they are level."""
    data = rated(*[(("a", "b"), LOST if each == 0 else WON, str(each)) for each in range(10)])
    assert list(data) == ["a", "b"]
    assert data["a"]["mu"] == -data["b"]["mu"] == pytest.approx(200 * log10(9.5 / 1.5), abs=0.05)
    low, high = data["a"]["interval"]
    assert 0 <= low < data["a"]["mu"] < high
    assert (data["a"]["matches"], data["a"]["deals"]) == (10, 10)


def test_matches_in_any_order_have_the_same_ratings():
    shuffler = Random(5)
    matches = [(("a", "b", "c"), Result((n % 7, n % 3, n % 5), (Seat(0),)), str(n // 3)) for n in range(90)]
    before = rated(*matches)
    for _ in range(3):
        shuffler.shuffle(matches)
        assert rated(*matches) == before
    assert list(rated(*matches)) == list(before)


def test_the_same_deal_again_tells_nothing_new():
    """Twenty deals played four times with the same outcome are twenty observations, not eighty."""
    deals = [(("a", "b"), LOST if each % 3 == 0 else WON, str(each)) for each in range(20)]
    once, again = rated(*deals), rated(*deals * 4)
    as_if_new = rated(*[(bots, result, f"{deal} {each}") for each in range(4) for bots, result, deal in deals])
    assert again["a"]["mu"] == as_if_new["a"]["mu"]
    assert again["a"]["deals"] == once["a"]["deals"] == 20
    assert again["a"]["sigma"] >= once["a"]["sigma"] > 1.7 * as_if_new["a"]["sigma"]


def test_one_deal_has_no_interval():
    data = rated((("a", "b"), WON, "1"), (("b", "a"), LOST, "1"))
    assert data["a"]["sigma"] is None
    assert data["a"]["interval"] is None


def test_who_is_level_says_nothing():
    """Partners have the same place in every match; nobody is drawn to the partner's strength."""
    alone = rated(*[(("a", "b"), WON, str(each)) for each in range(5)])
    partners = [(("a", "b"), LEVEL, f"level {each}") for each in range(50)]
    assert rated(*[(("a", "b"), WON, str(each)) for each in range(5)], *partners)["a"]["mu"] == alone["a"]["mu"]


def test_what_was_never_compared_is_not_compared():
    data = rated((("a", "b"), WON, "1"), (("c", "d"), WON, "2"), (("d", "e"), WON, "3"))
    assert {name: each["group"] for name, each in data.items()} == {"c": 0, "d": 0, "e": 0, "a": 1, "b": 1}
    for group in ("ab", "cde"):
        assert sum(data[name]["mu"] for name in group) == pytest.approx(0, abs=0.2)


def test_what_cannot_be_rated():
    ratings = Ratings()
    assert not ratings.add(("a", "b"), None, "1")
    assert not ratings.add(("a", "a"), WON, "2")
    assert ratings.data() == {}


def test_partners_are_one_team():
    data = rated((("a", "b", "a", "b"), Result((5, 1, 5, 1), (Seat(0), Seat(2))), "1"))
    assert {name: each["matches"] for name, each in data.items()} == {"a": 1, "b": 1}


def test_the_same_logs_give_the_same_ratings(replay, tmp_path):
    for folder in ("a", "b"):
        simulated(replay, tmp_path / folder)
    (said,) = replay("rate", tmp_path / "a", "--json").lines
    assert said["left_out"] == 0
    assert list(said["ratings"]) == ["greedy", "random"]
    assert replay("rate", tmp_path / "b", "--json").lines == [said]
    assert "6 matches, 6 deals)" in replay("rate", tmp_path / "b", "--plain").out


def test_duplicate_deals_are_played_from_every_seat_and_intervals_are_over_deals(replay, tmp_path):
    *lines, last = simulated(replay, tmp_path, "--duplicate")
    matches = [kifu.load(line["log"]) for line in lines]
    assert len({match.header.match for match in matches}) == 6
    assert [match.header.seed == matches[0].header.seed for match in matches] == [True] * 3 + [False] * 3
    assert len({tuple(line["bots"]) for line in lines[:3]}) == 3
    (rated,) = replay("rate", tmp_path, "--json").lines
    for found in (last["summary"]["bots"], rated["ratings"]):
        counted = {name: (each["matches"], each["deals"]) for name, each in found.items()}
        assert counted == {"greedy": (6, 2), "random": (6, 2)}


def record(won, deals):
    each = WinRecord()
    each.deals, each.won, each.points = list(deals), list(won), [10 * share for share in won]
    each.fair = [0.5] * len(won)
    return each


def test_an_interval_is_over_deals_not_over_matches():
    won = [1.0, 0.0] * 20
    alone = record(won, map(str, range(40)))
    assert alone.interval == wilson(20, 40)  # a match a deal: as before
    same = record(sorted(won), [str(n // 4) for n in range(40)])  # four matches of a deal, all with one outcome
    low, high = same.interval
    assert (low, high) == wilson(5, 10, student(9))
    assert same.margin > 1.9 * alone.margin
    fair = record(won, [str(n // 4) for n in range(40)])  # each deal divided evenly: never better than 40 matches
    assert fair.interval == wilson(20, 40, student(9))
    assert fair.margin == 0
    once = record([1.0] * 4, ["1"] * 4)
    assert once.interval[0] < 0.1
    assert once.margin is None


def test_what_is_left_out_is_counted(replay, tmp_path):
    match = kifu.new("cake", ["a", "b", "c"], seed=bytes(32))
    match.save(tmp_path / "a.log")
    (tmp_path / "b.log").write_bytes(b"no log")
    assert bots_of(match) is None
    called = replay("rate", tmp_path, "--json")
    assert (called.code, called.lines) == (2, [{"ratings": {}, "left_out": 2}])
    called = replay("rate", tmp_path / "c.log", "--plain")
    assert (called.code, f"left out: {tmp_path / 'c.log'}: cannot be read" in called.out) == (2, True)
    (tmp_path / "b.log").unlink()
    assert replay("rate", tmp_path, "--json").code == 0


def test_a_player_is_one_however_the_name_was_typed():
    match = kifu.new("mabr", ["a", "b"], seed=bytes(32))
    for name in ("が", "か\u3099", "が ", "が\u200b"):
        seat = min(match.to_act)
        match.play(seat, match.legal(seat)[0], kifu.Meta(by=name))
    assert bots_of(match) == ("が", "が")
