"""The examples that people copy: a board, bids at once, a hidden hand of one's own. They play as in OpenSpiel.

Each is a package of its own under docs/examples, installed and played by `.ci/games` as anybody's would be.
"""

import runpy
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import kifu
import pytest
from fireworks import GAME as FIREWORKS
from goofspiel import GAME as GOOFSPIEL
from hearts import GAME as HEARTS
from kifu.core.game import TABLE, Card, Game
from kifu.core.log import read
from kifu.core.trace.golden import check, golden_logs
from reversi import GAME as REVERSI

EXAMPLES = Path(__file__).parents[1] / "docs" / "examples"
GAMES: dict[str, Game[Any, Any, Any]] = {
    "hearts": HEARTS,
    "reversi": REVERSI,
    "goofspiel": GOOFSPIEL,
    "fireworks": FIREWORKS,
}
LINES = {"reversi": 310, "goofspiel": 300, "fireworks": 510}
HEARTS_LOGS = EXAMPLES / "hearts" / "tests" / "golden"
MATCHES = 1000


@pytest.mark.parametrize("name", GAMES)
def test_its_golden_logs_are_as_they_were(name: str) -> None:
    logs = golden_logs(EXAMPLES / name / "tests" / "golden")
    assert logs
    for path in logs:
        result = check(path, lambda _: GAMES[name])
        assert result.ok, list(result.lines())


@pytest.mark.parametrize("name", LINES)
def test_all_modules_and_texts_can_be_read_in_one_sitting(name: str) -> None:
    files = [*(EXAMPLES / name / "src").rglob("*.py"), *(EXAMPLES / name / "src").rglob("*.ftl")]
    assert 0 < sum(len(path.read_text("utf-8").splitlines()) for path in files) < LINES[name]


def test_a_log_of_version_1_keeps_its_first_trick() -> None:
    """The queen of spades in the first trick was legal then, and is no longer."""
    match = read(HEARTS_LOGS / "version_1.log", lambda _: HEARTS).match
    assert (match.header.rules, match.header.options.first_points) == (1, True)
    assert Card(36) in [getattr(event.command, "card", None) for event in match.events[5:9]]


def test_who_takes_all_the_points_has_none() -> None:
    match = read(HEARTS_LOGS / "moon.log", lambda _: HEARTS).match
    assert match.result.points == (0, 26, 26, 26)


# Games in one file: every tool takes them as they are.


@pytest.mark.parametrize(("name", "lines"), [("nim", 30), ("high_card", 60), ("small_poker", 130), ("holdem", 175)])
def test_a_game_in_one_file_is_short_and_plays(name: str, lines: int) -> None:
    """Blank lines are not counted."""
    path = EXAMPLES / f"{name}.py"
    assert 0 < sum(map(bool, path.read_text("utf-8").splitlines())) <= lines
    is_package = name == "high_card"  # the starter package has this name, too
    game = runpy.run_path(str(path), run_name=name)["GAME"] if is_package else import_module(name).GAME
    names = ["Aki", "Ren", "Mio"][: game.seats[0]]
    match = kifu.new(game, names, seed=None if name == "nim" else bytes(32))
    while match.to_act:
        seat = min(match.to_act)
        match.play(seat, match.legal(seat)[-1])
    assert match.game.name == name
    assert match.result is not None


# In lockstep with OpenSpiel: the same legal commands at each step, the same points and winners in the end.


def reversi(pyspiel: Any, random: Random) -> None:
    other, state = pyspiel.load_game("othello").new_initial_state(), REVERSI.start(REVERSI.options(), 2)
    while (seat := state.turn) is not None:
        assert other.current_player() == seat
        legal = {action_of(each): each for each in REVERSI.legal(state, seat)}
        assert sorted(legal) == other.legal_actions()
        action = random.choice(sorted(legal))
        other.apply_action(action)
        state = REVERSI.apply(state, seat, legal[action])
    assert other.is_terminal()
    ended = REVERSI.result(state)
    assert other.returns() == won(ended.winners, 2)


def action_of(command: Any) -> int:
    """A space by its number, or the pass."""
    spaces = [f"{column}{row}" for row in range(1, 9) for column in "abcdefgh"]
    return spaces.index(command.space) if hasattr(command, "space") else len(spaces)


def won(winners: tuple[int, ...], seats: int) -> list[float]:
    """What a game of two, won or lost, pays: a draw pays nothing."""
    return [0.0 if len(winners) == seats else 1.0 if seat in winners else -1.0 for seat in range(seats)]


def goofspiel(pyspiel: Any, random: Random) -> None:
    order, size = random.choice(["random", "ascending", "descending"]), random.choice([4, 7, 10, 13])
    seats = random.choice([2, 3, 5])
    rules = {"num_cards": size, "points_order": order, "returns_type": "total_points", "players": seats}
    spiel = pyspiel.load_game("goofspiel", rules)
    options = GOOFSPIEL.options(size, "shuffled" if order == "random" else order)
    other, state = spiel.new_initial_state(), GOOFSPIEL.start(options, seats)
    if order == "random":
        prizes = tuple(map(Card, random.sample(range(1, size + 1), size)))
        state = GOOFSPIEL.apply(state, TABLE, next(iter(GOOFSPIEL.wire))(prizes))
    for turn in range(size):
        if other.is_chance_node():
            other.apply_action(state.prizes[turn] - 1)
        actions = []
        for seat in range(seats):
            legal = {each.card - 1: each for each in GOOFSPIEL.legal(state, seat)}
            if not other.is_terminal():  # the last bids are no choice, and it makes them itself
                assert sorted(legal) == other.legal_actions(seat)
            actions.append(random.choice(sorted(legal)))
            state = GOOFSPIEL.apply(state, seat, legal[actions[-1]])
        if not other.is_terminal():
            other.apply_actions(actions)
    assert other.is_terminal()
    assert other.returns() == list(map(float, GOOFSPIEL.result(state).points))


def fireworks(pyspiel: Any, random: Random) -> None:
    colours, lives, seats = random.choice([2, 3, 4, 5]), random.choice([1, 2, 3]), random.choice([2, 3, 4, 5])
    size = 5 if seats < 4 else 4
    if colours == 2 and seats == 5:
        seats = 3  # the whole deck would be dealt, which OpenSpiel does not take
        size = 5
    rules = {"players": seats, "colors": colours, "max_life_tokens": lives, "hand_size": size}
    other = pyspiel.load_game("hanabi", rules).new_initial_state()
    state = FIREWORKS.start(FIREWORKS.options(colours, lives), seats)
    deal = FIREWORKS.deal(state, Shuffled(random))
    state = FIREWORKS.apply(state, TABLE, deal)
    cards = iter(deal.cards)
    while not other.is_terminal():
        if other.is_chance_node():
            card = next(cards)
            other.apply_action((card // 10 - 1) * 5 + card % 10 - 1)
            continue
        seat = other.current_player()
        assert FIREWORKS.to_act(state) == {seat}
        legal = {spoken(each, seat, seats): each for each in FIREWORKS.legal(state, seat)}
        actions = {other.action_to_string(seat, action): action for action in other.legal_actions()}
        assert sorted(legal) == sorted(actions)
        # a card played blindly ends most matches soon: hints and discards come more often
        chosen = random.choice(
            sorted(legal, key=lambda each: (each.startswith("(Play"), each))[: max(1, len(legal) - 3)]
        )
        other.apply_action(actions[chosen])
        state = FIREWORKS.apply(state, seat, legal[chosen])
    assert FIREWORKS.to_act(state) == frozenset()
    assert FIREWORKS.result(state).points == tuple(map(int, other.returns()))


def spoken(command: Any, seat: int, seats: int) -> str:
    """A command in OpenSpiel's words."""
    if not hasattr(command, "kind"):
        return f"({type(command).__name__} {command.place})"
    kind = f"rank {command.kind}" if command.kind.isdigit() else f"color {'RYGWB'['RYGBP'.index(command.kind)]}"
    return f"(Reveal player +{(command.seat - seat) % seats} {kind})"


class Shuffled:
    """A shuffler that draws from a generator of Python's."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def shuffle(self, cards: Any) -> Any:
        return tuple(self.random.sample(list(cards), len(list(cards))))


@pytest.mark.ci
@pytest.mark.parametrize(
    "play", [pytest.param(reversi, marks=pytest.mark.long), goofspiel, fireworks], ids=lambda play: play.__name__
)
def test_it_plays_as_in_openspiel(play: Callable[[Any, Random], None]) -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="needs the dependency group spiel")
    for number in range(MATCHES):
        play(pyspiel, Random(number))
