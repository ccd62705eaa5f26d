"""What games share: moving cards, showing a seat its own, drawing what is hidden."""

from __future__ import annotations

import pytest
from kifu.core.game import TABLE, tabletop


def test_one_value_is_replaced_and_no_other() -> None:
    rows = [tabletop.replace_at((0, 1, 2), place, 9) for place in range(3)]
    assert rows == [(9, 1, 2), (0, 9, 2), (0, 1, 9)]


def test_points_are_added_seat_by_seat() -> None:
    assert tabletop.add_each((1, 2), (10, 20)) == (11, 22)
    with pytest.raises(ValueError, match="zip"):
        tabletop.add_each((1, 2), (10,))


def test_cards_are_removed_as_often_as_they_are_named() -> None:
    assert tabletop.remove_cards((3, 1, 3, 2), (3, 2)) == (1, 3)
    assert tabletop.remove_card((3, 1, 3), 3) == (1, 3)
    for missing in ((4,), (1, 1)):
        assert not tabletop.contains_cards((3, 1), missing)
        with pytest.raises(ValueError, match="not in list"):
            tabletop.remove_cards((3, 1), missing)
    assert tabletop.contains_cards((3, 1, 3), (3, 3))


def test_hands_are_dealt_from_the_top_and_sorted() -> None:
    assert tabletop.deal_hands((5, 2, 9, 1, 7), 2, 2) == ((2, 5), (1, 9))


def test_what_is_visible_to_some_seats_is_to_the_table() -> None:
    seen = [tabletop.visible_to(viewer, 1, 2) for viewer in (TABLE, 1, 2, 0, None)]
    assert seen == [True, True, True, False, False]


def test_hidden_cards_are_drawn_from_those_that_nothing_shows() -> None:
    unseen = tabletop.unseen_cards((1, 1, 1, 2, 3), (1,), None, (3, 1))
    assert unseen == [1, 2]
    assert tabletop.draw_rows([(3,), None, ()], [1, 2, 0], unseen) == ((3,), (1, 2), ())
    assert unseen == []
    assert tabletop.draw_rows([None], [2], [1, 2], ascending=False) == ((2, 1),)
