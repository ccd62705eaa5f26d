"""Bots finish: a table of greedy bots alone comes to its end, and in a time that people would play."""

import kifu
import pytest

from .conftest import between

TABLES = [(name, seats) for name in kifu.games.names() for seats in kifu.games.find(name).seats]
FULL = {name: kifu.games.find(name).seats[-1] for name in kifu.games.names()}
AT_MOST = 5
"""A table of bots may take so many times as long as one of random play."""
OPTIONS = {"mabr": {"lexicon": "kifu-ja-1"}}


def length(name: str, seats: int, bot: str, number: int, most: int = 10_000) -> int:
    """Return the events of a match between bots of one kind, which must have come to its end."""
    seed = number.to_bytes(32)
    match = between.__wrapped__(name, seats, bot, most=most, seed=seed, **OPTIONS.get(name, {}))
    assert match.result is not None, f"{bot} bots have not ended {name} with {seats} seats after {most} events"
    return len(match.events)


@pytest.mark.ci
@pytest.mark.parametrize(
    ("name", "seats"), [pytest.param(*each, marks=[pytest.mark.long] * (each not in FULL.items())) for each in TABLES]
)
def test_an_all_greedy_table_ends(name: str, seats: int) -> None:
    length(name, seats, "greedy", seats, AT_MOST * length(name, seats, "random", 0))


@pytest.mark.long
@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_an_all_greedy_table_ends_whatever_the_deal(name: str, seats: int) -> None:
    most = AT_MOST * length(name, seats, "random", 0)
    for number in range(100, 124 if name == "palace" else 106):
        length(name, seats, "greedy", number, most)
