"""Bots that know no game: the same choice from the same information state, always legal, and well chosen."""

from itertools import islice

import attrs
import kifu
import pytest
from kifu.core.errors import BotError
from kifu.core.game import TABLE
from kifu.core.game.shuffle import Shuffler
from kifu.core.game.weights import ordered_sum
from kifu.core.match import Match, registry
from kifu.core.match.bot import InformationState, ObservationHistory, is_by_stand_in
from kifu.core.match.legal import MAX_LEGAL
from kifu.core.match.registry import bot_names, find_bot
from kifu.core.testing.play import prefix
from kifu.games.bots.ismcts import Search
from kifu.games.bots.levels import LEVELS

from .conftest import SEED, between, first_choice

BOTS = ("random", "greedy", "ismcts:4")


def choices(match: Match) -> list[InformationState]:
    """Stop a match where a seat has a choice: early, halfway, and late."""
    found = []
    for events in (len(match.events) // 6, len(match.events) // 2, len(match.events) * 5 // 6):
        there = prefix(match, events)
        while there.to_act and not found_choice(there):
            event = match.events[len(there.events)]
            there.apply(event.seat, event.command)
        found += [ObservationHistory(there, seat).information_state() for seat in there.to_act if seat != TABLE][:1]
    return found


def found_choice(match: Match) -> bool:
    return any(len([*islice(match.game.legal(match.state, seat), 2)]) > 1 for seat in match.to_act - {TABLE})


@pytest.mark.parametrize("bot", BOTS)
def test_a_state_that_the_seat_cannot_tell_apart_gets_the_same_legal_answer(match, bot):
    """Law 5 for bots: a table that the seat cannot tell apart is played in the same way, whoever holds the history."""
    game = match.game
    for info_state in choices(match):
        answer = find_bot(bot)(SEED)(info_state)
        assert answer in info_state.legal or len(info_state.legal) == MAX_LEGAL
        determinization = game.determinize(info_state.view, Shuffler(SEED, 9))
        legal = tuple(game.legal(determinization, info_state.seat))[:MAX_LEGAL]
        there = attrs.evolve(info_state, view=game.view(determinization, info_state.seat), legal=legal)
        there = attrs.evolve(there, history=tuple(map(attrs.evolve, there.history)))
        assert find_bot(bot)(SEED)(there) == answer


@pytest.mark.ci
def test_another_seed_may_get_another_answer():
    info_state = first_choice("cake")
    for bot in ("random", "ismcts:10"):
        assert len({find_bot(bot)(bytes([number]) * 32)(info_state) for number in range(12)}) > 1


def test_a_seat_without_a_choice_is_not_searched():
    info_state = attrs.evolve(first_choice("take_and_share"), view=None)
    alone = attrs.evolve(info_state, legal=info_state.legal[:1])
    for bot in ("greedy", "ismcts:100000"):
        assert find_bot(bot)(SEED)(alone) == info_state.legal[0]
        with pytest.raises(AttributeError):
            find_bot(bot)(SEED)(info_state)  # else it looks at the view


NAMES = ("ismcts:0", "ismcts:-1", "ismcts:1h", "ismcts:ms", "ismcts:1.5s", "ismcts:9" + "9" * 20, "ismcts:٣")
OF_LEVELS = ("easy:1", "normal:fast", "strong:0ms", "strong:-1s", "strong:٣s")


@pytest.mark.parametrize("name", [*NAMES, *OF_LEVELS, "greedy:1", "random:x", "deep", "", ":", "\x1b[2J"])
def test_a_name_that_is_not_understood_is_refused_at_once(name):
    with pytest.raises(BotError) as refused:
        find_bot(name)
    assert "\x1b" not in str(refused.value)
    assert len(str(refused.value)) < 200


def test_the_bots_stand_in_their_group_like_anybodys(monkeypatch):
    assert {"greedy", "ismcts", "random", *LEVELS} <= set(bot_names())

    class Entry:
        value = "stranger:make"

        def load(self):
            return lambda seed, argument: lambda info_state: info_state.legal[int(argument)]

    monkeypatch.setattr(registry, "_entries", lambda group: {"first": Entry()})
    registry.find_bot.cache_clear()
    info_state = first_choice("take_and_share")
    assert find_bot("first:2")(SEED)(info_state) == info_state.legal[2]
    registry.find_bot.cache_clear()


def test_a_whole_match_of_searching_bots_is_played_without_help(match):
    played = between(match.game.name, match.game.seats[0], "ismcts:2", most=12)
    assert not any(map(is_by_stand_in, played.events))


def part_won(name: str, strong: str, weak: str, matches: int) -> float:
    """Return the part of the victories of one bot at a table of others; in gosne it is its own partner."""
    from kifu.replay.tournament.tournament import Tournament

    seats = {"mabr": 3}.get(name, 4)
    bots = (strong, weak) if name == "gosne" else (strong, *[weak] * (seats - 1))
    tournament, won = Tournament(name, seats, {}, bots, SEED), 0.0
    for index in range(matches):
        played = tournament.play(index)
        assert not any(map(is_by_stand_in, played.events))
        winners = played.result.winners
        won += sum(tournament.seating(index)[seat] == strong for seat in winners) / len(winners)
    return won / matches


CHANCE = {"gosne": 0.5, "mabr": 1 / 3}


@pytest.mark.long
@pytest.mark.parametrize("strong", ["greedy", "ismcts:40"])
@pytest.mark.parametrize("name", kifu.games.names())
def test_hints_and_searching_beat_random_play(name, strong):
    """The table of docs/bots.md has it measured; the same seed always gives the same matches, so chance has no say."""
    assert part_won(name, strong, "random", 12 if name == "mabr" else 24) > CHANCE.get(name, 0.25) + 0.1


@pytest.mark.long
@pytest.mark.parametrize("name", ["cake", "gosne", "take_and_share"])
def test_searching_beats_greedy_play(name):
    assert part_won(name, "ismcts:100", "greedy", 40) > CHANCE.get(name, 0.25) + 0.05


def test_a_search_says_what_it_thought(match):
    info_state = choices(match)[0]
    search = Search(info_state, SEED)
    before = search.thoughts()
    assert [(thought.visits, thought.mean) for thought in before] == [(0, None)] * len(before)
    assert [thought.prior for thought in before] == sorted((thought.prior for thought in before), reverse=True)
    chosen = search.choose(lambda iteration: iteration < 12)
    thoughts = search.thoughts()
    assert thoughts[0].command == chosen
    assert {thought.command for thought in thoughts} == {thought.command for thought in before}
    assert ordered_sum(thought.prior for thought in thoughts) == pytest.approx(1)
    assert sum(thought.visits for thought in thoughts) == (12 if len(thoughts) > 1 else 0)
    for thought in thoughts:
        assert (thought.mean is None) is (thought.visits == 0)
        assert thought.mean is None or 0 <= thought.mean <= 1
