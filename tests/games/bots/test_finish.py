"""Bots finish: a table of greedy bots alone comes to its end, and in a time that people would play."""

from __future__ import annotations

from statistics import median

import kifu
import pytest

from .conftest import between

MEDIANS = {
    ("cake", 3): 64,
    ("cake", 4): 73,
    ("cake", 5): 96,
    ("gosne", 4): 33,
    ("mabr", 2): 31,
    ("mabr", 3): 132,
    ("mabr", 4): 249,
    ("palace", 3): 132,
    ("palace", 4): 164,
    ("palace", 5): 168,
    ("palace", 6): 152,
    ("take_and_share", 3): 61,
    ("take_and_share", 4): 71,
}
"""How many events a match of random play has, by game and number of seats."""
AT_MOST = 5
"""A table of bots may take so many times the median length of random play."""
OPTIONS = {"mabr": {"lexicon": "kifu-ja-1"}}


def length(name: str, seats: int, bot: str, number: int, most: int) -> int:
    """Return the events of a match between bots of one kind, which must have come to its end."""
    seed = number.to_bytes(32)
    match = between.__wrapped__(name, seats, bot, most=most, seed=seed, **OPTIONS.get(name, {}))
    assert match.result is not None, f"{bot} bots have not ended {name} with {seats} seats after {most} events"
    return len(match.events)


def test_every_game_and_number_of_seats_has_its_median() -> None:
    assert set(MEDIANS) == {(name, seats) for name in kifu.games.names() for seats in kifu.games.find(name).seats}


FULL = {name: kifu.games.find(name).seats[-1] for name in kifu.games.names()}


@pytest.mark.ci
@pytest.mark.parametrize(
    ("name", "seats"),
    [pytest.param(*each, marks=[pytest.mark.long] * (each not in FULL.items())) for each in MEDIANS],
)
def test_an_all_greedy_table_ends(name: str, seats: int) -> None:
    length(name, seats, "greedy", seats, AT_MOST * MEDIANS[name, seats])


@pytest.mark.long
@pytest.mark.parametrize("number", range(24))
@pytest.mark.parametrize("seats", kifu.games.find("palace").seats)
def test_an_all_greedy_table_of_palace_ends_whatever_the_deal(seats: int, number: int) -> None:
    length("palace", seats, "greedy", number, AT_MOST * MEDIANS["palace", seats])


@pytest.mark.long
@pytest.mark.parametrize("number", range(100, 106))
@pytest.mark.parametrize(("name", "seats"), [each for each in MEDIANS if each[0] != "palace"])
def test_an_all_greedy_table_ends_whatever_the_deal(name: str, seats: int, number: int) -> None:
    length(name, seats, "greedy", number, AT_MOST * MEDIANS[name, seats])


@pytest.mark.long
@pytest.mark.parametrize(("name", "seats"), MEDIANS)
def test_the_medians_are_those_of_random_play(name: str, seats: int) -> None:
    lengths = [length(name, seats, "random", number, 10_000) for number in range(9 if name != "mabr" else 31)]
    assert median(lengths) == MEDIANS[name, seats]
