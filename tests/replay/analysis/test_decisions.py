"""Decisions judged from what their seat knew: planted blunders are found, and what is hidden changes nothing."""

from collections.abc import Sequence
from itertools import islice
from typing import Any

import attrs
import kifu
import pytest
from kifu.core.game import TABLE, Seat
from kifu.core.game.shuffle import Shuffler
from kifu.core.game.weights import ordered_sum
from kifu.core.match import Match
from kifu.core.match.bot import Player, random_bot
from kifu.core.match.header import new_header
from kifu.core.match.registry import find_bot
from kifu.core.testing.play import prefix
from kifu.games.bots.rollouts import paired_outcomes
from kifu.replay.analysis.decisions import DEPTH, Decision, Interval, decisions_of, judge

pytestmark = pytest.mark.ci

SEED = bytes(32)
OTHER_SEED = bytes(range(32))

DECIDED_LATE = [
    *[("take_and_share", 3, 2), ("take_and_share", 3, 5), ("take_and_share", 3, 10)],
    *[("cake", 3, 14), ("cake", 3, 21), ("gosne", 4, 3), ("gosne", 4, 13)],
]
"""Matches of greedy bots whose last decision decides who wins: game, seats, seed."""


def greedy_match(name: str, seats: int, number: int) -> Match:
    seed = bytes([number]) * 32
    match: Match = kifu.new(name, [*map(str, range(seats))], seed=seed, match="m", started=0)
    players = [Player(match, Seat(seat), find_bot("greedy")(seed), "greedy", random_bot(seed)) for seat in range(seats)]
    while match.to_act and len(match.events) < 400:
        players[min(match.to_act)].act()
        match.deal()
    return match


def with_last(match: Match, seq: int, seat: Seat, command: Any) -> Decision:
    """Return the decision of a seat that plays this command as event `seq`."""
    there = prefix(match, seq)
    there.play(seat, command)
    return next(decision for decision in decisions_of(there) if decision.seq == seq)


def wins(match: Match, decision: Decision, command: Any) -> bool:
    """Return True if the seat wins with this command, when all that follows is the first legal command."""
    there = prefix(match, decision.seq)
    there.play(decision.seat, command)
    while there.to_act:
        seat = min(there.to_act)
        there.play(seat, there.legal(seat)[0])
    assert there.result is not None
    return decision.seat in there.result.winners


@pytest.mark.parametrize(("name", "seats", "number"), DECIDED_LATE)
def test_a_command_that_gives_the_victory_away_is_found(name: str, seats: int, number: int) -> None:
    match = greedy_match(name, seats, number)
    last = decisions_of(match)[-1]
    winning = [command for command in last.info_state.legal if wins(match, last, command)]
    losing = [command for command in last.info_state.legal if command not in winning]
    judgement = judge(with_last(match, last.seq, last.seat, losing[0]), SEED)
    assert judgement is not None
    assert judgement.is_swing
    assert judgement.best in winning
    assert judgement.chance_loss.low > 0
    assert judgement.best_estimate.chance > judgement.played_estimate.chance
    if len(winning) == 1:
        kept = judge(with_last(match, last.seq, last.seat, winning[0]), SEED)
        assert kept is not None
        assert (kept.best, kept.is_swing, kept.value_loss) == (winning[0], False, Interval(0.0, 0.0, 0.0))


def test_what_is_public_needs_no_interval() -> None:
    """In the last share all cards are known: each determinization has the same outcome."""
    match = greedy_match("take_and_share", 3, 2)
    last = decisions_of(match)[-1]
    losing = next(command for command in last.info_state.legal if not wins(match, last, command))
    judgement = judge(with_last(match, last.seq, last.seat, losing), SEED)
    assert judgement is not None
    assert judgement.chance_loss == Interval(1.0, 1.0, 1.0)


def test_the_same_command_has_the_same_outcomes_on_a_pair() -> None:
    info_state = decisions_of(greedy_match("take_and_share", 3, 2))[20].info_state
    command, other = info_state.legal[:2]
    rows = list(islice(paired_outcomes(info_state, [command, other, command], SEED), 20))
    assert all(first == third for first, _, third in rows)
    assert any(first != second for first, second, _ in rows)
    assert len({row[0] for row in rows}) > 1


def two_deals() -> tuple[Match, Match]:
    """Return two matches that the first seat to act cannot tell apart: two others' cards are exchanged."""
    game = kifu.games.find("take_and_share")
    header = new_header(game, list("abcd"), {}, None, match="m", started=0, engine="kifu test")
    deal = game.deal(Match(game, header).state, Shuffler(SEED))
    matches = []
    for exchanged in (False, True):
        match: Match = Match(game, header)
        cards, size = list(deal.cards), len(deal.cards) // 4
        if exchanged:
            cards[size], cards[2 * size] = cards[2 * size], cards[size]
        match.apply(TABLE, attrs.evolve(deal, cards=tuple(cards)))
        matches.append(match)
    return matches[0], matches[1]


def test_what_a_seat_cannot_know_changes_nothing() -> None:
    one, other = two_deals()
    assert one.state.hands != other.state.hands
    (seat,) = one.to_act
    assert seat not in (1, 2)
    played = one.legal(seat)[3]
    for match in (one, other):
        match.apply(seat, played)
    decisions = [decisions_of(match)[0] for match in (one, other)]
    assert decisions[0] == decisions[1]  # all that the judgement is given
    assert judge(decisions[0], SEED, 6) == judge(decisions[1], SEED, 6) is not None


def test_takebacks_and_what_they_undid_are_no_decisions() -> None:
    match = prefix(greedy_match("take_and_share", 3, 2), 12)
    before = [decision.seq for decision in decisions_of(match)]
    match.take_back(6)
    assert [decision.seq for decision in decisions_of(match)] == [seq for seq in before if seq <= 6]


def test_a_forced_command_is_no_decision() -> None:
    match = greedy_match("take_and_share", 3, 2)
    forced = [
        step.seq
        for step in match.steps
        if step.seat != TABLE and len(list(match.game.legal(step.before, step.seat))) == 1
    ]
    assert forced
    assert not {decision.seq for decision in decisions_of(match)} & {*forced}


def test_an_interval_is_that_of_student() -> None:
    assert Interval.of([1.0, 0.0, 1.0, 0.0, 1.0]) == Interval(0.6, -0.0801, 1.2801)


def mean_values(decision: Decision, commands: Sequence[Any], seed: bytes, pairs: int) -> list[float]:
    rows = list(islice(paired_outcomes(decision.info_state, commands, seed, DEPTH), pairs))
    return [ordered_sum([row[place].value for row in rows]) / max(len(rows), 1) for place in range(len(commands))]


def planted(name: str, seats: int, least: float, wanted: int) -> list[Decision]:
    """Plant blunders in matches of greedy bots, worse than another command by `least` on draws of other seeds."""
    found: list[Decision] = []
    for number in range(1, 120):
        match = greedy_match(name, seats, number)
        for decision in decisions_of(match)[number % 5 + 4 :: 5]:
            legal = decision.info_state.legal
            commands = legal[:: 1 + len(legal) // 10]
            means = mean_values(decision, commands, OTHER_SEED, 12)
            pair = [commands[means.index(max(means))], commands[means.index(min(means))]]
            if max(means) - min(means) < least:
                continue
            best, worst = mean_values(decision, pair, OTHER_SEED[::-1], 100)
            if best - worst >= least:
                found.append(with_last(match, decision.seq, decision.seat, pair[1]))
                break
        if len(found) == wanted:
            return found
    raise AssertionError(f"too few blunders in {name}")


@pytest.mark.long
@pytest.mark.parametrize(("name", "seats"), [("take_and_share", 4), ("cake", 4), ("gosne", 4)])
def test_three_planted_blunders_are_found(name: str, seats: int) -> None:
    judgements = [judge(decision, SEED) for decision in planted(name, seats, 0.3, 3)]
    assert [judgement is not None and judgement.is_swing for judgement in judgements] == [True] * 3
