"""Something learns: the page's learner beats random players, and what it learnt plays as a bot."""

import importlib.util
from pathlib import Path

import kifu
import pytest
from kifu.core.env import policy_bot, seat_env
from kifu.core.errors import BotError
from kifu.core.game import Seat
from kifu.core.match.bot import ObservationHistory, Player, random_bot

np = pytest.importorskip("numpy", reason="needs the extra `env`")
pytest.importorskip("gymnasium", reason="needs the extra `env`")

PAGE = Path(__file__).parents[3] / "docs" / "examples" / "learn" / "kifu_learnt.py"


@pytest.fixture(scope="module")
def page():
    spec = importlib.util.spec_from_file_location("kifu_learnt", PAGE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.long
@pytest.mark.parametrize(("game", "matches", "share"), [("cake", 12_000, 0.65), ("take_and_share", 6_000, 0.40)])
def test_it_beats_random_players(page, game, matches, share):
    network, _ = page.train(game, matches)
    env, random = seat_env(game, reward="points"), np.random.default_rng(99)
    assert np.mean([page.play(env, network, random) for _ in range(600)]) >= share


def test_a_short_run_trains_and_its_file_plays_as_a_bot(page, tmp_path):
    network, curve = page.train("gosne", 80)
    assert len(curve) == 10
    assert all(np.isfinite(each).all() for each in network.weights.values())
    np.savez(tmp_path / "gosne.npz", **network.weights)
    bot = page.learnt(bytes(32), str(tmp_path / "gosne.npz"))
    match = kifu.new("gosne", ["a", "b", "c", "d"], seed=bytes(32))
    players = [Player(match, Seat(seat), bot, "learnt", random_bot(bytes(32))) for seat in range(4)]
    while match.to_act:
        players[min(match.to_act)].act()
        match.deal()
    assert {event.meta.by for event in match.events if event.seat >= 0} == {"learnt"}
    with pytest.raises(BotError, match="no file of weights"):
        page.learnt(bytes(32), "nowhere.npz")


@pytest.mark.parametrize("game", ["cake", "gosne", "mabr", "palace", "take_and_share"])
@pytest.mark.parametrize("relative", [True, False])
def test_a_policy_as_a_bot_sees_what_it_would_see_in_the_environment(game, relative):
    shown = []

    def policy(observation, mask):
        shown.append(observation)
        return int(np.flatnonzero(mask)[0])

    env = seat_env(game, 1, illegal="raise", relative=relative)
    observation, info = env.reset(seed=5)
    bot = policy_bot(policy, relative=relative)
    known = ObservationHistory(env.match, Seat(1)).information_state()
    before, command = len(env.match.events), bot(known)
    for each in shown:
        assert (each == observation).all()
        observation, *_, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
    assert env.match.events[before].command == command
