"""Checks of a command that games share: each names the rule that it breaks, in the order in which it is judged."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from kifu.core.game import ALONE, DEALER, NOBODY, TABLE, RuleViolation, Seat, TableRule
from kifu.core.game.checks import check_cards, check_count, check_deck, check_order, check_seat

SEAT = Seat(1)
check_table_order = partial(check_order, deals=True)
DECK = (1, 2, 2, 3)


@pytest.mark.parametrize(
    ("rule", "check", "given"),
    [
        (None, check_count, (SEAT, (1, 2), 2)),
        (TableRule.FORM, check_count, (SEAT, (1,), 2)),
        (None, check_cards, (SEAT, (1, 3, 3), DECK)),
        (TableRule.FORM, check_cards, (SEAT, (1, 4), DECK)),
        (None, check_seat, (SEAT, 0, 3)),
        (None, check_seat, (SEAT, 2, 3)),
        (TableRule.FORM, check_seat, (SEAT, -1, 3)),
        (TableRule.FORM, check_seat, (SEAT, 3, 3)),
        (None, check_order, (ALONE[1], SEAT, "play", "play")),
        (TableRule.ORDER, check_order, (ALONE[1], SEAT, "play", "share")),
        (TableRule.TURN, check_order, (ALONE[0], SEAT, "play", "share")),
        (TableRule.OVER, check_order, (NOBODY, SEAT, "play", "play")),
        (TableRule.TURN, check_order, (DEALER, TABLE, "play", "play")),
        (None, check_table_order, (DEALER, TABLE, "roll", "roll")),
        (TableRule.ORDER, check_table_order, (DEALER, TABLE, "roll", "draw")),
        (TableRule.TURN, check_table_order, (ALONE[1], TABLE, "roll", "roll")),
        (TableRule.TURN, check_table_order, (DEALER, SEAT, "roll", "roll")),
        (None, check_deck, (DEALER, TABLE, (2, 1, 3, 2), DECK)),
        (TableRule.FORM, check_deck, (NOBODY, TABLE, (2, 1, 4, 2), DECK)),
        (TableRule.OVER, check_deck, (NOBODY, TABLE, (2, 1, 3), DECK)),
        (TableRule.TURN, check_deck, (DEALER, SEAT, (2, 1, 3, 2), DECK)),
        (TableRule.DEAL, check_deck, (DEALER, TABLE, (2, 1, 3), DECK)),
        (TableRule.DEAL, check_deck, (DEALER, TABLE, (2, 1, 3, 3), DECK)),
    ],
)
def test_a_check_names_the_first_rule_that_is_broken(
    rule: TableRule | None, check: Callable[..., None], given: tuple[Any, ...]
) -> None:
    if rule is None:
        check(*given)
        return
    with pytest.raises(RuleViolation) as caught:
        check(*given)
    assert caught.value.rule is rule
