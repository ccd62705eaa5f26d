"""What a bot is given holds nothing that its seat may not know, and a bot that fails loses nobody's match."""

import gc
import types

import attrs
import kifu
import pytest
from kifu.core.errors import BotError
from kifu.core.game import TABLE, Game, RedactedCommand, Seat
from kifu.core.match import Match
from kifu.core.match.bot import InformationState, ObservationHistory, Player, ask_bot, is_by_stand_in, random_bot
from kifu.core.match.legal import MAX_LEGAL
from kifu.core.testing.play import played, prefix
from kifu.games import bots
from kifu.games.take_and_share.model import Deal, Play

SEED = bytes(range(32))
GAMES = kifu.games.names()


def midway(name: str, part: float = 0.6) -> Match:
    game = kifu.games.find(name)
    return played(game, game.seats[-1], game.options(), 1, part)


def information_states(match: Match) -> list[InformationState]:
    return [ObservationHistory(match, Seat(seat)).information_state() for seat in range(len(match.header.seats))]


@pytest.mark.parametrize("name", GAMES)
def test_no_state_can_be_reached_from_an_information_state(name):
    match = midway(name)
    info_states = information_states(match)
    found = reachable([[each.view, each.legal, each.history] for each in info_states])
    assert not any(isinstance(each, type(match.state) | Match) for each in found)
    assert {id(each.view) for each in info_states} <= set(map(id, found))
    assert any(isinstance(each, type(match.state)) for each in reachable([match.states]))  # the walk does see them


def reachable(things: list) -> list:
    """Walk from these objects to all that they hold; what is code, or the rules, is not walked into."""
    found, waiting = {}, [things]
    while waiting:
        each = waiting.pop()
        if id(each) in found or isinstance(each, type | types.ModuleType | types.FunctionType | Game):
            continue
        found[id(each)] = each
        waiting += gc.get_referents(each)
    return list(found.values())


@pytest.mark.parametrize("name", GAMES)
def test_a_history_has_each_event_as_its_seat_saw_it(name):
    match = midway(name)
    growing = prefix(match, 0)
    history = ObservationHistory(growing, Seat(1))
    for event in match.events:
        growing.apply(event.seat, event.command)
        if event.seq % 3 == 0:
            history.information_state()
    info_state = history.information_state()
    assert info_state.view == match.view(1)
    assert info_state.legal == tuple(match.legal(1)[:MAX_LEGAL])
    assert [(each.seq, each.seat, each.command, each.notes) for each in info_state.history] == [
        (step.seq, step.seat, step.command_for(Seat(1)), step.notes_for(Seat(1))) for step in match.steps
    ]
    assert any(isinstance(each.command, RedactedCommand) for each in info_state.history)


def test_what_a_seat_cannot_know_does_not_change_its_information_state():
    match = midway("take_and_share", 0.3)
    other = with_two_cards_exchanged(match, 2, 3)
    assert other.state.hands != match.state.hands
    assert information_states(other)[:2] == information_states(match)[:2]
    assert information_states(other)[2:] != information_states(match)[2:]


def with_two_cards_exchanged(match: Match, one: int, another: int) -> Match:
    """Play the same match after a deal in which two seats had a card of one suit exchanged that they still hold."""
    hands = match.state.hands
    mine, theirs = next((a, b) for a in hands[one] for b in hands[another] if a // 100 == b // 100)
    swap = {mine: theirs, theirs: mine}
    again = Match(match.game, attrs.evolve(match.header, seed=None))
    for event in match.events:
        command = event.command
        if isinstance(command, Deal):
            command = Deal(tuple(swap.get(card, card) for card in command.cards))
        again.apply(event.seat, command)
    return again


@pytest.mark.parametrize("name", GAMES)
def test_a_bot_at_random_gives_legal_commands_the_same_again_for_the_same_seed(name):
    game = kifu.games.find(name)
    logs = []
    for _ in range(2):
        match = kifu.new(name, [*map(str, range(game.seats[0]))], seed=SEED, match="m", started=0)
        players = [
            Player(match, Seat(seat), random_bot(SEED), "random", random_bot(SEED)) for seat in range(game.seats[0])
        ]
        while match.to_act and len(match.events) < 30:
            players[min(match.to_act)].act()
            match.deal()
        logs.append(kifu.log.log_bytes(match))
        assert {event.meta.by for event in match.events if event.seat != TABLE} == {"random"}
    assert logs[0] == logs[1]


def throws(info_state):
    raise ZeroDivisionError("of a stranger")


def ends_the_program(info_state):
    raise SystemExit(0)


class Unequal:
    def __eq__(self, other):
        raise RuntimeError("compared")


FAILING = {
    "throws": (throws, "raised ZeroDivisionError"),
    "ends the program": (ends_the_program, "raised SystemExit"),
    "nothing": (lambda info_state: None, "answered NoneType, no command"),
    "no command": (lambda info_state: "draw", "answered str, no command"),
    "another's": (lambda info_state: Deal(()), "broke TURN"),
    "a card that is no int": (lambda info_state: Play("x"), "answered a malformed command"),
    "a card that cannot be compared": (lambda info_state: Play(Unequal()), "raised RuntimeError"),
    "an illegal card": (
        lambda info_state: Play(next(c for c in (1, 2, 3) if Play(c) not in info_state.legal)),
        "broke TS-2",
    ),
}


@pytest.mark.parametrize(("bot", "why"), FAILING.values(), ids=FAILING.keys())
def test_a_bot_that_fails_is_stood_in_for(bot, why):
    match = kifu.new("take_and_share", list("abcd"), seed=SEED)
    step = Player(match, Seat(0), bot, "mine", random_bot(SEED)).act()
    assert step.command == random_bot(SEED)(
        ObservationHistory(kifu.new("take_and_share", list("abcd"), seed=SEED), Seat(0)).information_state()
    )
    assert step.event.meta.by == f"stand-in for mine: {why}"[:64]
    assert is_by_stand_in(step.event)
    assert kifu.log.read_bytes(kifu.log.log_bytes(match)).ok


def test_a_command_that_is_merely_equal_is_given_as_it_stands_in_the_log():
    match = kifu.new("take_and_share", list("abcd"), seed=SEED)
    info_state = ObservationHistory(match, Seat(0)).information_state()
    command = ask_bot(lambda info_state: Play(float(info_state.legal[0].card)), info_state)
    assert type(command.card) is int
    with pytest.raises(BotError, match="malformed"):
        ask_bot(lambda info_state: Play(0.5), info_state)


@pytest.mark.parametrize("name", [None, 3, "", "stockfish"])
def test_a_bot_that_is_none_is_refused_with_those_there_are(name):
    with pytest.raises(BotError, match="not installed; there are: "):
        bots.find(name)
