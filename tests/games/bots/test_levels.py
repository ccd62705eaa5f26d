"""The levels of bots: for every game, each stronger than the one before, and within their time."""

import attrs
import pytest
from kifu.core.errors import BotError
from kifu.core.game import SEARCH_ITERATIONS, hints_of
from kifu.core.match.bot import random_bot
from kifu.core.match.legal import MAX_LEGAL
from kifu.core.match.registry import find_bot
from kifu.games.bots import greedy, ismcts, levels
from kifu.games.bots.first import first_bot
from kifu.games.bots.levels import LEVELS

from .conftest import SEED, first_choice, with_hints
from .test_bots import choices


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_plays_every_game(match, level, monkeypatch):
    for info_state in choices(match):
        quick = with_hints(info_state, iterations=3, rollouts=min(hints_of(match.game).rollouts, 2))
        command = find_bot(level)(SEED)(quick)
        open_ended = match.game.open_ended(match.state, info_state.seat) or len(info_state.legal) == MAX_LEGAL
        assert open_ended or command in info_state.legal
        assert find_bot(level)(SEED)(quick) == command


def test_normal_is_greedy_and_easy_errs():
    info_state = first_choice("take_and_share")
    by_hints = find_bot("greedy")
    seeds = [bytes([number]) * 32 for number in range(12)]
    assert all(find_bot("normal")(seed)(info_state) == by_hints(seed)(info_state) for seed in seeds)
    assert any(find_bot("easy")(seed)(info_state) != by_hints(seed)(info_state) for seed in seeds)


@pytest.fixture
def searched(monkeypatch) -> list[int]:
    """Return a list that gets the number of iterations of each search."""
    counts = []

    class Counted(ismcts.Search):
        def choose(self, goes_on):
            def counting(iteration):
                going = goes_on(iteration)
                if not going:
                    counts.append(iteration)
                return going

            return super().choose(counting)

    monkeypatch.setattr(levels, "Search", Counted)
    return counts


def test_a_strong_bot_searches_as_long_as_its_game_says(searched):
    info_state = first_choice("take_and_share")
    for iterations in (4, 7):
        find_bot("strong")(SEED)(with_hints(info_state, iterations=iterations))
    assert searched == [4, 7]


def test_a_game_without_hints_has_three_levels_too(searched, monkeypatch):
    monkeypatch.setattr(levels, "SEARCH_ITERATIONS", 16)
    info_state = first_choice("take_and_share", 3)
    info_state = attrs.evolve(info_state, game=info_state.game.altered(extras=()))
    for level in (*LEVELS, "ismcts:5"):
        assert find_bot(level)(SEED)(info_state) in info_state.legal
    assert searched == [2, 16]
    assert find_bot("greedy")(SEED)(info_state) == random_bot(SEED)(info_state)
    assert SEARCH_ITERATIONS > 16


@pytest.mark.ci
def test_a_level_stops_at_its_limit_of_time(searched, monkeypatch):
    """The clock moves on by 300 ms with each look at it: 800 ms are over at the third."""
    ticks = iter(range(0, 10**6, 300))
    monkeypatch.setattr(ismcts, "monotonic", lambda: next(ticks) / 1000)
    find_bot("strong:800ms")(SEED)(first_choice("take_and_share"))
    assert searched == [3]
    find_bot("strong")(SEED)(first_choice("cake"))
    assert searched == [3, hints_of(first_choice("cake").game).iterations]


def test_strong_does_not_search_where_the_hints_know_better(searched, monkeypatch):
    """It weighs the commands over more states than `normal`."""
    drawn = []
    real = greedy.determinizer_of

    def counting(info_state, level):
        draw = real(info_state, level)
        return lambda shuffler: (drawn.append(level), draw(shuffler))[1]

    monkeypatch.setattr(greedy, "determinizer_of", counting)
    info_state = with_hints(first_choice("cake"), iterations=0)
    assert find_bot("strong")(SEED)(info_state) in info_state.legal
    assert searched == []
    assert drawn == ["strong"] * levels.MORE_STATES
    assert levels.MORE_STATES > greedy.DETERMINIZATIONS


def test_the_first_bot_does_not_look():
    info_state = first_choice("take_and_share")
    assert all(first_bot(bytes([number]) * 32)(info_state) == info_state.legal[0] for number in range(3))
    with pytest.raises(BotError):
        first_bot(SEED, "1")
