"""Checks that the rules of many games share, in the order in which a command is judged: FORM, TURN, ORDER, DEAL."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import Any, TypeVar

from ..errors import Message
from .rule_book import TableRule
from .seats import TABLE
from .violation import RuleViolation, check_turn, malformed_command

T = TypeVar("T")


def check_count(seat: int, cards: Sequence[Any], count: int) -> None:
    """Raise a violation of FORM unless there are exactly `count` cards."""
    if len(cards) != count:
        english = "it takes {count} cards, not {given}"
        raise malformed_command(seat, Message("card-count", english, count=count, given=len(cards)))


def check_cards(seat: int, cards: Iterable[T], known: Container[T]) -> None:
    """Raise a violation of FORM if a card is not one of the known ones."""
    for card in cards:
        if card not in known:
            raise malformed_command(seat, Message("no-such-card", "{card} is not a card of this deck", card=card))


def check_seat(seat: int, named: int, seats: int) -> None:
    """Raise a violation of FORM if there is no seat of this number."""
    if not 0 <= named < seats:
        raise malformed_command(
            seat, Message("no-such-seat", "a seat is 0 to {last}, not {given}", last=seats - 1, given=named)
        )


def check_order(to_act: frozenset[int], seat: int, command: str, expected: str, *, deals: bool = False) -> None:
    """Raise a violation of OVER or TURN unless the seat may act, of ORDER unless this command is expected of it.

    `deals` is True for a command of the table.
    """
    if command != expected or seat not in to_act or (seat == TABLE) is not deals:
        check_turn(to_act, seat, deals=deals)
        raise RuleViolation(TableRule.ORDER, seat, expected=expected)


def check_deck(to_act: frozenset[int], seat: int, cards: Sequence[T], deck: tuple[T, ...]) -> None:
    """Raise a violation unless the table may deal now, and deals the whole deck; `deck` is ascending.

    An unknown card violates FORM, another time OVER or TURN, a missing or repeated card DEAL.
    """
    check_cards(seat, cards, frozenset(deck))
    check_turn(to_act, seat, deals=True)
    if tuple(sorted(cards)) != deck:  # type: ignore[type-var]
        raise RuleViolation(
            TableRule.DEAL, seat, expected=Message("the-deck", "the {count} cards of the deck", count=len(deck))
        )
