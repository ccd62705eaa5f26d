"""One seat as a Gymnasium environment: Gymnasium's own checks, opponents, illegal actions, vectors of matches."""

import pickle
import warnings

import pytest
from kifu.core.errors import BotError, MatchError

from .samples import GAMES, each_game

np = pytest.importorskip("numpy", reason="needs the extra `env`")
gymnasium = pytest.importorskip("gymnasium", reason="needs the extra `env`")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from kifu.core.env import aec_env, rewards, seat_env  # noqa: E402

check_warnings = pytest.mark.filterwarnings("ignore:.*WARN")


def play(env, seed, actions=None):
    env.reset(seed=seed)
    taken = []
    while True:
        action = env.legal_actions()[0] if actions is None else actions[len(taken)]
        taken.append(action)
        _, reward, over, _, info = env.step(action)
        if over:
            return taken, reward, info


@each_game
@check_warnings
def test_gymnasiums_own_check(game):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(seat_env(game, illegal="end"))


@pytest.mark.parametrize("game", [game for game in GAMES if game.name != "mabr"], ids=lambda game: game.name)
def test_the_last_reward_is_the_seats_own(game):
    env = seat_env(game, 1, reward="points", opponents="random")
    _, reward, info = play(env, 7)
    assert reward == rewards(env.match.result, "points")[1]
    assert info["points"] == env.match.result.points[1]


def test_the_same_seed_gives_the_same_match():
    first, second = (seat_env("take_and_share", opponents="greedy,random") for _ in range(2))
    taken, *_ = play(first, 3)
    play(second, 3, taken)
    assert first.match.events == second.match.events
    assert first.seat == second.seat


@pytest.mark.parametrize("asked", ["action_masks", "legal_actions", "render", "match"])
def test_what_is_asked_before_the_first_reset_says_so(asked):
    with pytest.raises(MatchError, match="no match has begun here: call reset first"):
        getattr(seat_env("cake", render_mode="ansi"), asked)()


def test_a_step_before_the_first_reset_says_so():
    for env in (seat_env("cake"), pickle.loads(pickle.dumps(seat_env("cake")))):
        with pytest.raises(MatchError, match="no match has begun here: call reset first"):
            env.step(0)
        play(env, 1)
        with pytest.raises(MatchError, match="the match is over: call reset"):
            env.step(0)


def test_without_a_seat_it_sits_everywhere():
    env = seat_env("cake")
    seats = set()
    env.reset(seed=1)
    for _ in range(30):
        env.reset()
        seats.add(env.seat)
    assert seats == {0, 1, 2}


def test_what_becomes_of_a_forbidden_action():
    env = seat_env("cake", 0, illegal="end")
    env.reset(seed=1)
    assert env.step(0)[1:3] == (-1.0, True)
    with pytest.raises(MatchError, match="over"):
        env.step(0)
    env = seat_env("cake", 0, illegal="random")
    env.reset(seed=1)
    before = len(env.match.events)
    *_, info = env.step(0)
    assert info["illegal"] is True
    assert len(env.match.events) > before
    env = seat_env("cake", 0, illegal="raise")
    env.reset(seed=1)
    with pytest.raises(MatchError, match="mask allows"):
        env.step(0)


def test_a_bot_that_fails_is_stood_in_for():
    def broken(seed):
        def bot(info_state):
            raise ValueError

        return bot

    env = seat_env("cake", 0, opponents=[broken])
    play(env, 1)
    assert env.match.result is not None


@pytest.mark.parametrize(
    ("how", "error"),
    [
        ({"illegal": "ignore"}, MatchError),
        ({"seat": 9}, MatchError),
        ({"opponents": "nobody"}, BotError),
        ({"render_mode": "human"}, MatchError),
        ({"reward": "money"}, MatchError),
    ],
)
def test_what_cannot_be_is_refused(how, error):
    with pytest.raises(error):
        seat_env("cake", **how)


def test_the_mask_is_what_sb3_contrib_asks_for():
    env = seat_env("cake", 0)
    _, info = env.reset(seed=1)
    assert env.action_masks().dtype == np.bool_
    assert (env.action_masks() == info["action_mask"].astype(bool)).all()


def test_it_pickles_in_the_middle_of_a_match():
    env = seat_env("cake", 0)
    env.reset(seed=1)
    again = pickle.loads(pickle.dumps(env))
    assert (env.step(env.legal_actions()[0])[0] == again.step(again.legal_actions()[0])[0]).all()


def test_gymnasium_makes_it_by_name_alone_and_in_vectors():
    env = gymnasium.make("kifu.core.env:kifu/cake-v1", seat=0)
    env.reset(seed=1)
    many = gymnasium.make_vec("kifu/cake-v1", num_envs=2, vectorization_mode="async", seat=0)
    observations, info = many.reset(seed=1)
    assert observations.shape[0] == 2
    many.step(np.array([np.flatnonzero(mask)[0] for mask in info["action_mask"]]))
    many.close()


def test_reset_takes_no_option_of_the_game_without_a_word() -> None:
    for env in (seat_env("take_and_share"), aec_env("take_and_share", seats=3)):
        env.reset(seed=1, options={"options": 1})  # as the checks of PettingZoo do
        with pytest.raises(MatchError, match="reset takes no option of the game"):
            env.reset(seed=1, options={"first": 2})
