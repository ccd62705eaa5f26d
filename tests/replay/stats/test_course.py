"""The course of one match: scores that end as the result, and how much of the table lay open to whom."""

from collections import Counter
from pathlib import Path

import kifu
import pytest
from kifu.core.game.scene import Face, Fact, Place, Scene, Thing, Zone
from kifu.replay.stats.course import _faces, _seen_cards, course_of
from kifu.replay.stats.tables import WIDTH, bars

FIXTURES = Path(__file__).parents[3] / "fixtures"
LOGS = sorted(FIXTURES.rglob("*.log"))


@pytest.mark.ci
def test_the_first_fact_before_a_seat_is_its_score() -> None:
    for log in LOGS:
        match = kifu.load(log)
        scores = [place.score for place in match.scene(kifu.TABLE).places]
        if match.result is not None:
            assert tuple(scores) == match.result.points, log
        assert all(isinstance(score, int) for score in scores), log


@pytest.mark.ci
@pytest.mark.parametrize("log", LOGS[::9], ids=lambda log: f"{log.parent.name}-{log.stem}")
def test_a_seat_sees_no_more_than_there_is_and_a_spectator_no_more_than_a_seat(log: Path) -> None:
    match = kifu.load(log)
    followed = course_of(match)
    assert len(followed.scores) == len(followed.cards) == len(followed.seen) == len(match.events) + 1
    for cards, seen in zip(followed.cards, followed.seen, strict=True):
        assert all(0 <= each <= cards for each in seen)
        assert seen[-1] <= min(seen)


def test_a_seat_sees_its_own_hand_and_what_lies_open() -> None:
    match = kifu.load(FIXTURES / "take_and_share" / "four_seats.log")
    followed = course_of(match)
    assert followed.cards[1] == 60
    assert followed.seen[1] == (18, 18, 18, 18, 4)  # 14 of the hand and the share cards
    assert followed.seen[-1] == (60,) * 5  # the scoring turns all up


def test_the_other_side_of_a_card_tells_nothing() -> None:
    """In MABR a face-down card shows the letter on its back."""
    match = kifu.load(FIXTURES / "mabr" / "two_seats.log")
    followed = course_of(match)
    assert any(seen[0] < cards for cards, seen in zip(followed.cards, followed.seen, strict=True))


def scene(*faces: str, label: str = "zone-hand", count: int = 1) -> Scene:
    things = tuple(Thing((Face(face),), count) for face in faces)
    return Scene(None, Place(None), (Place(0, (Zone(label, things),), (Fact("fact-points", 1),)),))


def test_cards_are_known_by_their_faces_zone_by_zone() -> None:
    whole = _faces(scene("A", "A", "B"))
    assert _seen_cards(whole, scene("A", "B", "C")) == 2
    assert _seen_cards(whole, scene("A", "A", "A")) == 2
    assert _seen_cards(whole, scene("A", label="zone-pile")) == 0
    assert _faces(scene()) == {(0, "zone-hand"): Counter()}


def test_a_score_is_a_number_of_a_seat() -> None:
    assert Place(0, facts=(Fact("fact-points", 3), Fact("fact-eaten", 1))).score == 3
    assert Place(0, facts=(Fact("fact-word", "kiku"),)).score is None
    assert Place(None, facts=(Fact("fact-round", 3),)).score is None


def test_bars_go_from_the_least_to_the_most_and_end_with_the_last() -> None:
    assert bars([0, 7], 0, 7) == "▁█"
    assert bars([3, 3], 3, 3) == "▁▁"
    many = bars([*range(1000), 0], 0, 1000)
    assert len(many) == WIDTH
    assert many[-1] == "▁"
    assert many[-2] == "▇"
