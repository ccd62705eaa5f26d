"""Observations: a whole view as an array, and nothing else."""

from typing import Literal

import attrs
import kifu
import pytest
from high_card import GAME as HIGH_CARD
from kifu.core.errors import GameError
from kifu.core.game import Card, Encoding
from kifu.core.game.shuffle import Shuffler
from kifu.core.testing.laws_of_scenes import lists_have_room

from .samples import Point, Way, played

np = pytest.importorskip("numpy", reason="needs the extra `env`")

from kifu.core.env.action_encoding import action_encoding_of  # noqa: E402
from kifu.core.env.observation import ObservationEncoder  # noqa: E402 (only with the extra)
from kifu.core.env.view_numbers import NOTHING, UNSEEN, numbers_of  # noqa: E402

TABLES = [(name, seats) for name in kifu.games.names() for seats in kifu.games.find(name).seats]


@attrs.frozen
class Word:
    text: str


@pytest.mark.parametrize(
    ("kind", "value", "numbers"),
    [
        (int, 3, [5]),
        (int, -3, [-3]),
        (Card, Card(0), [2]),
        (bool, True, [3]),
        (Way, Way.DOWN, [3]),
        (Literal["x", "y"], "y", [3]),
        (int | None, None, [UNSEEN]),
        (int | None, 4, [6]),
        (str, "aか", [4, 97, 0x304B]),
        (tuple[int, ...], (7, 8), [4, 9, 10]),
        (tuple[str, ...], ("a", ""), [4, 3, 97, 2]),
        (frozenset[int], frozenset({2, 1}), [4, 3, 4]),
        (tuple[int, bool], (1, False), [3, 2]),
        (Point, Point(1, Way.UP), [3, 2]),
        (Point | Word | None, Word("b"), [3, 3, 98]),
        (Point | None, Point(1, Way.UP), [3, 2]),
    ],
)
def test_values_are_the_numbers_of_the_docs(kind, value, numbers):
    written = []
    numbers_of(kifu.games.find("cake"), kind).write(value, written)
    assert written == numbers


def matches(name, seats):
    """Return a game, and two matches of it of a hundred events at most."""
    game = kifu.games.find(name)
    return game, [played(game, number, 100 if name != "mabr" else 30, seats) for number in range(2)]


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_equal_observations_are_of_equal_views_and_none_tells_more(name, seats):
    """A seat observes the same in every determinization of its view."""
    game, played_out = matches(name, seats)
    encoder = ObservationEncoder(game, played_out[0].states[1])
    views = {}
    for match in played_out:
        for number, state in enumerate(match.states[1 :: 1 + len(match.states) // 80]):
            for viewer in (*range(seats), None, kifu.TABLE):
                array = encoder.observe(state, viewer)
                assert (array.shape, array.dtype) == ((encoder.size,), np.int32)
                view = game.view(state, viewer)
                assert views.setdefault(array.tobytes(), view) == view
            viewer = number % seats
            drawn = game.determinize(game.view(state, viewer), Shuffler(number.to_bytes(32, "big")))
            assert (encoder.observe(drawn, viewer) == encoder.observe(state, viewer)).all()
    assert len(views) > 20 * seats


def test_the_places_are_those_of_the_docs():
    game, (match, _) = matches("take_and_share", 3)
    encoder = ObservationEncoder(game, match.states[1])
    array = encoder.observe(match.states[1], 1)
    at = encoder.places
    assert (
        " ".join(at) == "viewer deals totals lead trick shares hand_sizes hands pile_sizes piles to_act scored tokens"
    )
    assert list(array[at["viewer"]]) == [1 + 2]
    assert list(array[at["hand_sizes"]][:5]) == [3 + 2, 15 + 2, 15 + 2, 15 + 2, NOTHING]
    hands = array[at["hands"]]
    assert list(hands[:3]) == [3 + 2, UNSEEN, 15 + 2]
    assert list(hands[3:18]) == [card + 2 for card in match.states[1].hands[1]]
    assert list(hands[18:20]) == [UNSEEN, NOTHING]


def test_the_tokens_come_last():
    game, (match, _) = matches("palace", 3)
    encoder = ObservationEncoder(game, match.states[1])
    first, later = encoder.observe(match.states[1], 0), encoder.observe(match.states[1], 0, (8, 10))
    at = encoder.places["tokens"]
    assert at.stop == encoder.size
    assert (first[: at.start] == later[: at.start]).all()
    assert list(first[at][:4]) == [2, NOTHING, NOTHING, NOTHING]
    assert list(later[at][:4]) == [2 + 2, 8 + 2, 10 + 2, NOTHING]


def test_there_is_room_for_the_longest_encoding():
    for name in kifu.games.names():
        game, (match, _) = matches(name, kifu.games.find(name).seats[0])
        at = ObservationEncoder(game, match.states[1]).places["tokens"]
        commands = [event.command for event in match.events if event.seat != kifu.TABLE]
        assert at.stop - at.start > max(len(action_encoding_of(game).encode(command)) for command in commands)


class TestALongList:
    """A view with a history, as a rule of repetition needs it."""

    @staticmethod
    def match_with_room(sizes: dict[str, int]):
        """Return a match of a game whose view ends with a list of forty items, for which there is such room."""
        View = type(HIGH_CARD.view(HIGH_CARD.start(HIGH_CARD.options(), 2), None))
        past = {"past": attrs.field(type=tuple[int, ...])}
        WithPast = attrs.make_class("WithPast", past, bases=(View,), frozen=True, kw_only=True)

        def view(state, viewer):
            seen = attrs.asdict(HIGH_CARD.view(state, viewer), recurse=False)
            return WithPast(**seen, past=tuple(range(40)) if state.turned[0] else ())

        game = HIGH_CARD.altered(view=view, extras=(Encoding(sizes=sizes),))
        return played(game, 0, 100, 2)

    def test_it_is_observed_by_its_latest_numbers_and_the_law_names_it(self) -> None:
        match = self.match_with_room({})
        encoder = ObservationEncoder(match.game, match.states[1])
        seen = encoder.observe(match.state, 0)[encoder.places["past"]]
        assert len(seen) == 31
        assert [seen[0], *seen[-2:]] == [42, 40, 41]
        with pytest.raises(AssertionError, match=r"'past' .*`Encoding\(sizes={'past': …}\)`, 40 or more"):
            lists_have_room(match)

    def test_the_size_that_the_game_declares_is_enough(self) -> None:
        match = self.match_with_room({"past": 40})
        encoder = ObservationEncoder(match.game, match.states[1])
        assert list(encoder.observe(match.state, 0)[encoder.places["past"]]) == [42, *range(2, 42)]
        lists_have_room(match)

    def test_a_size_of_a_field_that_there_is_not_is_named(self) -> None:
        match = self.match_with_room({"nothing": 3})
        with pytest.raises(GameError, match="'nothing', which is no field of its view"):
            ObservationEncoder(match.game, match.states[1])
