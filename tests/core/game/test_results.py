"""Results that tabletop games have: draws, shared victories, common losses, teams, co-operation, no half points."""

from types import SimpleNamespace

import pytest
from kifu.core.errors import MatchError
from kifu.core.game import Result
from kifu.core.text.texts import Texts
from kifu.games.bots.determinization import values_of
from kifu.replay.tournament.bot_records import BotRecords
from kifu.replay.tournament.played import PlayedMatch

WON = Result((3, 1), (0,))
DRAW = Result((2, 2), (0, 1))
SHARED = Result((2, 2, 1), (0, 1))
LOST = Result((6, 6), (), (0, 0))
TOGETHER = Result((6, 6), (0, 1), (0, 0))
PARTNERS = Result((9, 3, 1, 3), (0, 2), (0, 1, 0, 1))


@pytest.mark.parametrize(
    ("points", "winners", "teams", "says"),
    [
        ((0.5, 0.5), (0, 1), (), "count half points twice"),
        ((True, False), (0,), (), "whole numbers"),
        ((1, 0), (2,), (), "winners"),
        ((1, 1), (1, 0), (), "ascending"),
        ((1, 1), (0, 1), (0,), "a number for each seat"),
    ],
)
def test_a_result_that_no_log_can_hold_is_refused_when_it_is_made(points, winners, teams, says) -> None:
    with pytest.raises(MatchError, match=says):
        Result(points, winners, teams)


@pytest.mark.parametrize(
    ("result", "en", "ja"),
    [
        (WON, ["wins", ""], ["勝ち", ""]),
        (DRAW, ["draws", "draws"], ["引き分け", "引き分け"]),
        (
            SHARED,
            ["shares the victory", "shares the victory", ""],
            ["勝ち\uff08分け合う\uff09", "勝ち\uff08分け合う\uff09", ""],
        ),
        (LOST, ["loses", "loses"], ["負け", "負け"]),
        (TOGETHER, ["wins", "wins"], ["勝ち", "勝ち"]),
        (PARTNERS, ["wins", "", "wins", ""], ["勝ち", "", "勝ち", ""]),
    ],
)
def test_each_seat_reads_what_it_has(result: Result, en: list[str], ja: list[str]) -> None:
    for lang, words in (("en", en), ("ja", ja)):
        assert [Texts(lang).won(result, seat) for seat in range(len(result.points))] == words


def value(result: Result) -> list[float]:
    ended = SimpleNamespace(hints=None, result=lambda state: result)
    found = values_of(ended, None)
    assert found is not None
    return found


def test_a_search_prefers_the_higher_common_score_and_to_win_it() -> None:
    scores = [value(Result((points, points), (0, 1), (0, 0))) for points in (0, 1, 6, 25)]
    assert scores == sorted(scores)
    assert len({each[0] for each in scores}) == 4
    assert value(TOGETHER)[0] > value(LOST)[0] > value(Result((0, 0), (), (0, 0)))[0]
    assert value(Result((6, 1), ()))[0] > value(Result((6, 1), ()))[1], "without a winner the more points the better"


def test_a_common_loss_counts_as_no_victory_in_the_records_of_bots() -> None:
    records = BotRecords()
    records.add(PlayedMatch("a.log", "m", ("a", "b"), 4, LOST, "d", (0, 0)))
    assert [bot["won"] for bot in records.data()["bots"].values()] == [0.0, 0.0]


def test_ratings_compare_nobody_of_a_game_played_together() -> None:
    pytest.importorskip("choix", reason="needs kifu[stats]")
    from kifu.replay.tournament.ratings import Ratings

    ratings = Ratings()
    assert not ratings.add(("a", "b"), TOGETHER, "1")
    assert ratings.add(("a", "b", "a", "b"), PARTNERS, "2")
    assert ratings.add(("a", "b"), DRAW, "3")
