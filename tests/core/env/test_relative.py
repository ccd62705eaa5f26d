"""Seats counted from the one who looks."""

from itertools import product

import attrs
import kifu
import pytest
from fireworks import GAME as FIREWORKS
from goofspiel import GAME as GOOFSPIEL
from kifu.core.env import action_encoding_of, aec_env
from kifu.core.env.relative import RelativeEncoding, view_turns
from reversi import GAME as REVERSI

from .samples import each_game, played

np = pytest.importorskip("numpy", reason="needs the extra `env`")
pytest.importorskip("pettingzoo", reason="needs the extra `env`")

from kifu.core.env.observation import ObservationEncoder  # noqa: E402


def relative_view(game, view, seat, seats):
    """Return a seat's view with its seats counted from it, lists by seat begun with its own."""
    turns = view_turns(game, type(view), seats)
    return attrs.evolve(view, **{name: turn(getattr(view, name), seat, seats) for name, turn in turns})


@each_game
def test_the_own_seat_is_0_and_all_turn_with_it(game):
    match = played(game, 0, 60)
    seats, encoder = len(match.header.seats), ObservationEncoder(game, match.states[1])
    for state, seat in product(match.states[1:], range(seats)):
        view = game.view(state, seat)
        turned = relative_view(game, view, seat, seats)
        assert turned.viewer == 0
        assert getattr(turned, "hands", [None])[0] == getattr(view, "hands", [None] * seats)[seat]
        if hasattr(view, "to_act"):
            assert turned.to_act == frozenset((each - seat) % seats if each >= 0 else each for each in view.to_act)
        assert relative_view(game, turned, (seats - seat) % seats, seats) == view
        assert (encoder.counted_from(seat, seats).encode(view) == encoder.encode(turned)).all()


def test_a_share_is_turned_as_its_seats_are():
    from kifu.games.take_and_share.model import Share

    for seat, shared in ((1, Share((4, 5, 3))), (0, Share((3, 4, 5)))):
        assert relative("take_and_share", seat).encode(Share((3, 4, 5))) == absolute("take_and_share").encode(shared)
    from kifu.games.cake.model import Claim

    assert relative("cake", 2).encode(Claim(0)) == absolute("cake").encode(Claim(1))


def absolute(name):
    return action_encoding_of(kifu.games.find(name))


def relative(name, seat):
    return RelativeEncoding(absolute(name), seat, 3)


def test_the_mask_is_there_without_an_observation():
    env = aec_env("cake")
    env.reset(seed=3)
    while env.agents:
        agent = env.agent_selection
        if env.terminations[agent]:
            env.step(None)
            continue
        observation, _, _, _, info = env.last(observe=False)
        assert observation is None
        assert tuple(np.flatnonzero(info["action_mask"])) == env.legal_actions(agent)
        assert (info["action_mask"] == env.observe(agent)["action_mask"]).all()
        for other in {*env.agents} - {agent}:
            assert "action_mask" not in env.infos[other]
        env.step(env.legal_actions(agent)[0])


@pytest.mark.parametrize("game", [REVERSI, GOOFSPIEL, FIREWORKS], ids=lambda game: game.name)
def test_games_of_other_kinds_are_played_to_their_end(game):
    env = aec_env(game, relative=True)
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, _, over, cut, _ = env.last()
        assert env.observation_space(agent).contains(observation)
        env.step(None if over or cut else int(np.flatnonzero(observation["action_mask"])[-1]))
    assert env.unwrapped.match.result is not None
    assert game.name != "reversi" or len(env.unwrapped.match.events) > 40


def test_a_space_of_a_board_is_one_action():
    env = aec_env(REVERSI)
    env.reset(seed=1)
    actions = env.unwrapped.legal_actions("seat_0")
    labels = [env.unwrapped._episode.encoding.label(action) for action in actions]
    assert labels == ["d3", "c4", "f5", "e6"]
