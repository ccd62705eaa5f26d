"""Observations: a whole view as an array, and nothing else."""

import kifu
import pytest
from kifu.core.game.shuffle import Shuffler
from kifu.core.testing.play import play_on

np = pytest.importorskip("numpy", reason="needs the extra `env`")

from kifu.core.env.action_encoding import action_encoding_of  # noqa: E402
from kifu.core.env.observation import ObservationEncoder  # noqa: E402 (only with the extra)
from kifu.core.env.view_numbers import NOTHING, UNSEEN  # noqa: E402

TABLES = [(name, seats) for name in kifu.games.names() for seats in kifu.games.find(name).seats]


def matches(name, seats):
    """Play the first hundred events of two matches."""
    game = kifu.games.find(name)
    made = [kifu.new(game, [*map(str, range(seats))], seed=bytes([number]) * 32) for number in range(2)]
    for match in made:
        play_on(match, Shuffler(match.header.seed, 1000), 100 if name != "mabr" else 30)
    return game, made


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_equal_observations_are_of_equal_views(name, seats):
    game, played_out = matches(name, seats)
    encoder = ObservationEncoder(game, played_out[0].states[1])
    views = {}
    for match in played_out:
        for state in match.states[:: 1 + len(match.states) // 80]:
            for viewer in (*range(seats), None, kifu.TABLE):
                array = encoder.observe(state, viewer)
                assert array.shape == (encoder.size,)
                assert array.dtype == np.int32
                view = game.view(state, viewer)
                assert views.setdefault(array.tobytes(), view) == view
    assert len(views) > 20 * seats


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_seat_observes_the_same_in_every_determinization_of_its_view(name, seats):
    game, (match, _) = matches(name, seats)
    encoder = ObservationEncoder(game, match.states[1])
    for number, state in enumerate(match.states[1 :: 1 + len(match.states) // 10]):
        viewer = number % seats
        drawn = game.determinize(game.view(state, viewer), Shuffler(number.to_bytes(32, "big")))
        assert (encoder.observe(drawn, viewer) == encoder.observe(state, viewer)).all()


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
        assert at.stop - at.start > max(len(action_encoding_of(game).encode(event.command)) for event in encoded(match))


def encoded(match):
    return [event for event in match.events if event.seat != kifu.TABLE]


def test_a_text_is_its_letters():
    game, (match, _) = matches("mabr", 2)
    encoder = ObservationEncoder(game, match.states[1])
    state = match.states[-1]
    used = encoder.observe(state, 0)[encoder.places["used"]]
    word = state.used[0]
    assert list(used[: 2 + len(word)]) == [len(state.used) + 2, len(word) + 2, *map(ord, word)]


class TestALongList:
    """A view with a history, as a rule of repetition needs it."""

    @staticmethod
    def game(sizes: dict[str, int]):
        import attrs as made
        from high_card import GAME
        from kifu.core.game import Encoding

        View = type(GAME.view(GAME.start(GAME.options(), 2), None))

        def view(state, viewer):
            seen = GAME.view(state, viewer)
            fields = {field.name: getattr(seen, field.name) for field in made.fields(type(seen))}
            return WithPast(**fields, past=tuple(range(40)) if state.turned[0] else ())

        WithPast = made.make_class(
            "WithPast", {"past": made.field(type=tuple[int, ...])}, bases=(View,), frozen=True, kw_only=True
        )
        return GAME.altered(view=view, extras=(Encoding(sizes=sizes),))

    @staticmethod
    def states(game):
        from kifu.core.testing.play import played

        return played(game, 2, game.options(1), 0)

    def test_it_is_observed_by_its_latest_numbers_and_the_law_names_it(self) -> None:
        from kifu.core.env.observation import ObservationEncoder
        from kifu.core.testing.laws_of_scenes import lists_have_room

        game = self.game({})
        match = self.states(game)
        encoder = ObservationEncoder(game, match.states[1])
        place = encoder.places["past"]
        seen = encoder.observe(match.state, 0)[place]
        assert len(seen) == 31
        assert [seen[0], *seen[-2:]] == [42, 40, 41]
        with pytest.raises(AssertionError, match=r"'past' .*`Encoding\(sizes={'past': …}\)`, 40 or more"):
            lists_have_room(match)

    def test_the_size_that_the_game_declares_is_enough(self) -> None:
        from kifu.core.env.observation import ObservationEncoder
        from kifu.core.testing.laws_of_scenes import lists_have_room

        game = self.game({"past": 40})
        match = self.states(game)
        encoder = ObservationEncoder(game, match.states[1])
        seen = encoder.observe(match.state, 0)[encoder.places["past"]]
        assert list(seen) == [42, *range(2, 42)]
        lists_have_room(match)

    def test_a_size_of_a_field_that_there_is_not_is_named(self) -> None:
        from kifu.core.env.observation import ObservationEncoder
        from kifu.core.errors import GameError

        game = self.game({"nothing": 3})
        with pytest.raises(GameError, match="'nothing', which is no field of its view"):
            ObservationEncoder(game, self.states(game).states[1])
