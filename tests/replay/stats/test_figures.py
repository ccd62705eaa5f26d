"""The sums over logs: they add up, whatever the order, and the intervals are Wilson's."""

from collections import Counter

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kifu.core.game import Result, Seat
from kifu.replay.logs.locations import SkippedLog
from kifu.replay.stats.figures import Figures, Spread, figures, group_data, of_match, student, wilson
from kifu.replay.stats.figures import grouped as groups_of

from ..conftest import FIXTURES, played


def grouped(some: list[Figures]) -> list[dict]:
    return [group_data(group) for group in groups_of(some)]


@pytest.fixture(scope="module")
def golden() -> list[Figures]:
    counted = [figures(path) for path in sorted(FIXTURES.rglob("*.log"))]
    assert not [each for each in counted if isinstance(each, SkippedLog)]
    return counted


@pytest.mark.ci
def test_what_is_counted_adds_up(golden: list[Figures]) -> None:
    groups = grouped(golden)
    assert sum(group["logs"] for group in groups) == len(golden)
    assert len({(group["game"], group["seats"]) for group in groups}) == len(groups)
    for group in groups:
        assert group["finished"] + group["abandoned"] + group["going_on"] == group["logs"]
        assert (
            sum(seat["alone"] for seat in group["by_seat"]) + group["shared"] + group["draws"] + group["lost_by_all"]
            == group["finished"]
        )
        assert group["events"]["count"] == group["finished"]
        for seat in group["by_seat"]:
            low, high = seat["interval"]
            assert 0 <= low <= seat["rate"] <= high <= 1
            assert seat["rate"] == pytest.approx(seat["won"] / group["finished"], abs=1e-4)
            assert sum(times for _, times in seat["points"]["counts"]) == group["finished"]
        for rule in group["rules"]:
            assert 0 < rule["logs"] <= min(rule["steps"], group["logs"])


def test_teams_have_rows_of_their_own() -> None:
    def partners(*winners: int, teams: tuple[int, ...] = (0, 1, 0, 1)) -> Figures:
        return Figures("gosne", 4, 9, "over", Result((1, 0, 1, 0), winners, teams))

    (group,) = grouped([partners(0, 2), partners(0, 2), partners(1, 3), partners()])
    assert group["by_team"] == [{"team": 0, "won": 2}, {"team": 1, "won": 1}]
    (alone,) = grouped([partners(0, teams=())])
    assert alone["by_team"] == []


@pytest.mark.ci
def test_the_figures_of_golden_logs_stay_what_they_are(golden: list[Figures]) -> None:
    (gosne,) = [group for group in grouped(golden) if group["game"] == "gosne"]
    assert (gosne["logs"], gosne["shared"], gosne["draws"]) == (22, 20, 1)
    assert {key: gosne["by_seat"][0][key] for key in ("won", "alone", "rate", "interval")} == {
        "won": 15,
        "alone": 1,
        "rate": 0.6818,
        "interval": [0.4732, 0.8364],
    }
    assert gosne["by_seat"][0]["points"]["median"] == 20
    assert gosne["events"]["counts"] == [[29, 5], [30, 3], [33, 11], [117, 1], [132, 2]]
    assert {"rule": "GOS-2", "logs": 13, "steps": 76} in gosne["rules"]


@given(st.integers(0, 5000), st.integers(1, 5000))
def test_an_interval_holds_its_rate_and_narrows_with_more_of_the_same(hits: int, of: int) -> None:
    hits = min(hits, of)
    low, high = wilson(hits, of)
    assert 0 <= low <= hits / of <= high <= 1
    more = wilson(10 * hits, 10 * of)
    assert more[1] - more[0] < high - low
    assert wilson(of - hits, of) == pytest.approx((1 - high, 1 - low))


def test_wilson_against_published_numbers() -> None:
    """From Newcombe, Statistics in Medicine 17 (1998), table I."""
    for (hits, of), (low, high) in {
        (81, 263): (0.2553, 0.3662),
        (15, 148): (0.0624, 0.1605),
        (0, 20): (0.0, 0.1611),
        (1, 29): (0.0061, 0.1718),
    }.items():
        assert wilson(hits, of) == pytest.approx((low, high), abs=5e-5)
    assert wilson(0, 0) == (0, 1)


def test_student_against_published_numbers() -> None:
    """Any table of the two-sided 95 % points."""
    table = {1: 12.706, 2: 4.303, 5: 2.571, 10: 2.228, 11: 2.201, 15: 2.131, 30: 2.042, 120: 1.980, 100_000: 1.960}
    for free, t in table.items():
        assert student(free) == pytest.approx(t, abs=6e-4)


@given(st.lists(st.integers(-50, 50), min_size=1))
def test_a_spread_is_in_order_and_within_what_was_counted(numbers: list[int]) -> None:
    spread = Spread.of(Counter(numbers))
    least, lower, median, upper, most = attrs.astuple(spread)[1:6]
    assert min(numbers) == least <= lower <= median <= upper <= most == max(numbers)
    assert spread.mean == pytest.approx(sum(numbers) / len(numbers))
    assert Spread.of(Counter()) is None


def test_rules_are_counted_once_a_step() -> None:
    match = played("a", "b", "c")
    counted = Counter(
        number for step in match.steps for number in {note.rule.number for note in step.notes if note.rule is not None}
    )
    assert dict(of_match(match).rules) == counted


def test_a_game_is_not_asked_for_the_notes_of_a_takeback() -> None:
    def explain(step, viewer):
        assert type(step.command) in game.wire
        return game.explain(step, viewer)

    match = played("a", "b", "c", most=4)
    game = match.game
    counted = of_match(match)
    match.abandoned = False
    match.undo(match.events[-1].seat)
    match.game = game.altered(explain=explain)
    assert of_match(match).rules == counted.rules


def test_a_victory_that_is_shared_counts_for_each_who_has_it() -> None:
    groups = grouped(
        [
            Figures("gosne", 4, 9, "over", Result((4, 1, 4, 1), (Seat(0), Seat(2)))),
            Figures("gosne", 4, 9, "over", Result((1, 2, 0, 0), (Seat(1),))),
            Figures("gosne", 4, 5, "abandoned"),
        ]
    )
    (group,) = groups
    assert [(seat["won"], seat["alone"]) for seat in group["by_seat"]] == [(1, 0), (1, 1), (1, 0), (0, 0)]
    assert (group["shared"], group["finished"], group["logs"]) == (1, 2, 3)
