"""Arrays and actions: what is equal and not the same is told apart, and a choice goes the way of its commands."""

from itertools import islice
from random import Random

import attrs
import pytest
from attrs import evolve
from fireworks import GAME as FIREWORKS
from goofspiel import GAME as GOOFSPIEL
from hearts import GAME as HEARTS
from kifu.core.env import aec_env
from kifu.core.game import Encoding
from kifu.core.match.legal import by_kind
from reversi import GAME as REVERSI
from small_poker import GAME as POKER

from .samples import GAMES, played

np = pytest.importorskip("numpy", reason="needs the extra `env`")

from kifu.core.env.action_encoding import ActionEncoding  # noqa: E402
from kifu.core.env.observation import ObservationEncoder  # noqa: E402
from kifu.core.env.partial_command import PartialCommand  # noqa: E402
from kifu.core.env.relative import RelativeEncoding  # noqa: E402


@attrs.frozen
class Told:
    """A view of what is equal and not the same."""

    viewer: int | None
    either: int | bool
    flag: bool
    count: int
    rows: tuple[int, ...]
    to_act: frozenset[int] = frozenset()


def test_what_is_equal_and_not_the_same_is_told_apart_whatever_was_seen_before():
    game = GOOFSPIEL.altered(view=lambda state, viewer: Told(viewer, 1, True, 1, (1, 0)), extras=())
    state = GOOFSPIEL.start(GOOFSPIEL.options(), 2)
    made = ObservationEncoder(game.altered(scene=lambda view: GOOFSPIEL.scene(GOOFSPIEL.view(state, 0))), state)
    views = [Told(0, either, flag, 1, (1, 0)) for either in (1, True) for flag in (True, False)]
    first = [made.encode(view).tobytes() for view in views]
    assert len(set(first)) == 4
    assert [made.encode(view).tobytes() for view in reversed(views)] == first[::-1]


def test_a_list_where_a_tuple_is_declared_is_read_all_the_same():
    env = aec_env("take_and_share")
    env.reset(seed=1)
    encoder, view = env._episode.encoder, env.match.view(0)
    as_lists = attrs.evolve(view, hands=[None if hand is None else list(hand) for hand in view.hands])
    assert (encoder.encode(as_lists) == encoder.encode(view)).all()


def test_a_field_of_the_view_may_be_called_tokens():
    match = played(FIREWORKS, 1, 4)
    made = ObservationEncoder(FIREWORKS, match.states[1])
    before, after = (made.encode(evolve(match.view(0), tokens=tokens)) for tokens in (1, 2))
    assert set(np.flatnonzero(before != after)) <= set(range(*made.places["tokens"].indices(made.size)))
    assert (before != after).any()
    assert made.places["tokens_"].stop == made.size
    assert sum(place.stop - place.start for place in made.places.values()) == made.size


def test_actions_of_a_command_do_not_depend_on_what_was_encoded_before():
    @attrs.frozen
    class Up:
        up: bool

    game = GOOFSPIEL.altered(wire={**GOOFSPIEL.wire, Up: "up"}, extras=(Encoding(vocabulary=(0, 1)),))
    for order in ((1, True), (True, 1)):
        encoding = ActionEncoding(game)
        assert {value.__class__: encoding.encode(Up(value)) for value in order} == {
            int: ActionEncoding(game).encode(Up(1)),
            bool: ActionEncoding(game).encode(Up(True)),
        }


def following(encoded, place):
    """Return the first place from this one on where commands differ by their actions, and the actions there."""
    while len({each[place] for each in encoded}) == 1:
        place += 1
    return place, tuple(sorted({each[place] for each in encoded}))


@pytest.mark.parametrize("game", [*GAMES, FIREWORKS, GOOFSPIEL, HEARTS, POKER, REVERSI], ids=lambda game: game.name)
def test_a_choice_goes_the_way_of_the_actions_of_each_of_its_commands(game):
    match, random = played(game, 3, 40 if game.name != "mabr" else 8), Random(3)
    seats, walked = len(match.header.seats), 0
    for event, state in zip(match.events, match.states, strict=False):
        listed = list(islice(game.legal(state, event.seat), 200))
        for encoding in (ActionEncoding(game), RelativeEncoding(ActionEncoding(game), event.seat, seats)):
            if len(listed) > 1:
                made = PartialCommand.of(game, encoding, state, event.seat)
                choice = made if len(listed) < 200 else PartialCommand(encoding, by_kind(listed))
                encoded, place = {encoding.encode(command): command for command in listed}, 0
                assert len(encoded) == len(listed)
                while choice.command is None:
                    place, actions = following(encoded, place)
                    assert choice.actions == actions
                    assert [*np.flatnonzero(np.frombuffer(choice.mask(), np.int8))] == [*actions]
                    action = random.choice(actions)
                    encoded = {each: own for each, own in encoded.items() if each[place] == action}
                    choice, walked = choice.after(action), walked + 1
                assert [choice.command] == [*encoded.values()]
    assert walked > 3


def test_an_array_is_of_whom_it_was_given_to():
    """A learner may write into what it was given, and nobody else sees it."""
    env = aec_env("cake")
    env.reset(seed=1)
    first = env.last()[0]
    kept = {name: array.copy() for name, array in first.items()}
    for array in (*first.values(), env.infos[env.agent_selection]["action_mask"]):
        array[:] = 1
    again = env.last()[0]
    assert all((again[name] == kept[name]).all() for name in kept)


def test_what_was_seen_is_seen_anew_when_the_match_goes_on():
    env = aec_env("take_and_share")
    env.reset(seed=1)
    before = env.observe("seat_1")["observation"]
    env.step(env.legal_actions("seat_0")[0])
    assert (env.observe("seat_1")["observation"] != before).any()
    env.match.undo(0)  # by its owner, not by a step
    assert (env.observe("seat_1")["observation"] == before).all()
