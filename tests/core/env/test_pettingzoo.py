"""The games as PettingZoo environments: PettingZoo's own tests, and what only a game of kifu has."""

import pickle
from copy import deepcopy
from functools import partial
from types import SimpleNamespace

import kifu
import pytest
from high_card import GAME as HIGH_CARD
from kifu.core.env import aec_env, openspiel_game, parallel_env
from kifu.core.log import log_bytes, read_bytes

np = pytest.importorskip("numpy", reason="needs the extra `env`")
zoo = pytest.importorskip("pettingzoo.test", reason="needs the extra `env`")

TABLES = [(name, seats) for name in kifu.games.names() for seats in kifu.games.find(name).seats if name != "mabr"]
TABLES.append(("mabr", 2))  # more seats have many more words, and little that is new
few = pytest.mark.parametrize(
    ("name", "seats"), [(name, kifu.games.find(name).seats[0]) for name in kifu.games.names()]
)

MASKED = [  # what api_test says to all environments with masks but PettingZoo's own, which it knows by name
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be gymnasium.spaces.box"),
]


@pytest.fixture(params=TABLES, ids=lambda table: f"{table[0]}-{table[1]}")
def table(request):
    return request.param


class TestTheirs:
    """What PettingZoo asks of every environment."""

    pytestmark = MASKED

    def test_api(self, table):
        zoo.api_test(aec_env(*table), num_cycles=30)

    @few
    def test_api_of_cycles(self, name, seats):
        zoo.api_test(aec_env(name, seats, max_cycles=20), num_cycles=30)

    def test_parallel_api(self, table):
        zoo.parallel_api_test(parallel_env(*table), num_cycles=60)

    @pytest.mark.parametrize("game", [*kifu.games.names(), pytest.param(HIGH_CARD, id="a game of other people")])
    def test_api_of_relative_seats(self, game):
        zoo.api_test(aec_env(game, relative=True), num_cycles=15)
        zoo.parallel_api_test(parallel_env(game, relative=True, max_cycles=15), num_cycles=15)

    @few
    def test_seeds(self, name, seats):
        zoo.seed_test(partial(aec_env, name, seats), num_cycles=20)
        zoo.parallel_seed_test(partial(parallel_env, name, seats), num_cycles=20)

    @few
    def test_render(self, name, seats, capsys):
        zoo.render_test(partial(aec_env, name, seats))
        assert "seat_0 (" in capsys.readouterr().out

    @few
    def test_max_cycles(self, name, seats):
        both = SimpleNamespace(env=partial(aec_env, name, seats), parallel_env=partial(parallel_env, name, seats))
        zoo.max_cycles_test(both)


def play(env, seed=5, most=10_000):
    """Play at random by the masks, and give what each agent got in all."""
    random = np.random.default_rng(seed)
    env.reset(seed=seed)
    rewards = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter(most):
        observation, reward, ended, cut, _ = env.last()
        rewards[agent] += reward
        over = ended or cut
        env.step(None if over else int(random.choice(np.flatnonzero(observation["action_mask"]))))
    return rewards


@few
def test_a_match_is_saved_as_a_log_that_audits_clean(name, seats, tmp_path):
    env = aec_env(name, seats)
    play(env, most=60 if name == "mabr" else 10_000)
    env.match.save(tmp_path / "game.log")
    reading = read_bytes((tmp_path / "game.log").read_bytes())
    assert reading.findings == []
    assert reading.ended == (env.match.end if name == "mabr" else "over")
    assert reading.header.seed is not None


def test_a_copy_goes_its_own_way():
    env = aec_env("cake", 3)
    env.reset(seed=1)
    copy = deepcopy(env)
    action = int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[-1])
    env.step(action)
    assert len(copy.match.events) == len(env.match.events) - 1
    copy.step(action)
    assert copy.match.state == env.match.state


def test_a_match_cut_off_is_saved_as_one_that_goes_on():
    env = aec_env("take_and_share", 3, max_cycles=5)
    play(env)
    match = env.unwrapped.match
    assert 1 < len(match.events) <= 1 + 5
    assert match.result is None
    assert read_bytes(log_bytes(match)).findings == []


def test_at_the_end_each_info_has_the_points():
    env = aec_env("cake", 4)
    env.reset(seed=2)
    while not any(env.terminations.values()):
        env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    assert [env.infos[name]["points"] for name in env.agents] == list(env.match.result.points)
    assert sum(env.rewards.values()) == pytest.approx(0)


def test_options_are_those_of_the_match():
    env = aec_env("cake", 5, {"first": 3})
    env.reset()
    assert env.agent_selection == "seat_3"
    assert env.match.header.options.first == 3


def test_seats_that_vote_at_once_act_in_one_cycle():
    env = parallel_env("cake", 3)
    env.reset(seed=1)
    for _ in range(500):
        voting = {int(name[-1]) for name in env.agents} & {int(seat) for seat in env.match.to_act}
        before = len(env.match.events)
        env.step({name: int(np.flatnonzero(seen["action_mask"])[0]) for name, seen in env._observations().items()})
        if len(voting) > 1:
            assert len(env.match.events) == before + 3
            return
    pytest.fail("nobody ever voted")


def test_a_seat_to_act_without_a_legal_command_waits():
    """Law 3 demands a legal command of one of the seats to act, not of each."""

    def all_of_them(state):
        to_act = HIGH_CARD.to_act(state)
        return to_act if kifu.TABLE in to_act or not to_act else frozenset(range(len(state.hands)))

    game = HIGH_CARD.altered(name="slow_card", to_act=all_of_them)
    env = aec_env(game, 3)
    play(env)
    assert env.match.result is not None
    pyspiel = pytest.importorskip("pyspiel", reason="needs the extra `env`")
    pyspiel.random_sim_test(openspiel_game(game, 3), num_sims=1, serialize=False, verbose=False)


def test_a_simultaneous_command_is_hidden_from_the_others():
    env = aec_env("cake", 3)
    env.reset(seed=1)
    while len(env.match.to_act) < 3:
        env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    seen = []
    for vote in (3, 4):
        other = aec_env("cake", 3)
        other.reset(seed=1)
        for event in env.match.events[1:]:
            other.match.play(event.seat, event.command)
        other._episode._begin_choices()
        other.step(vote)
        seen.append(other.observe("seat_2")["observation"])
    assert (seen[0] == seen[1]).all()


def test_a_refused_action_changes_nothing():
    env = aec_env("take_and_share")
    env.reset(seed=1)
    before = env.match.state
    with pytest.raises(kifu.MatchError, match=r"there is no action 6 here; the mask allows 13 '6', "):
        env.step(6)
    assert env.match.state is before

    together = parallel_env("take_and_share")
    together.reset(seed=1)
    *_, infos = together.step({"seat_0": 6, "seat_1": 0, "seat_2": 9})
    assert [info.get("refused", False) for info in infos.values()] == [True, False, True]
    *_, infos = together.step({"seat_1": 9, "seat_2": np.int64(0)})  # who is not to act can only wait
    assert [info.get("refused", False) for info in infos.values()] == [True, True, False]
    assert len(together.match.events) == 1


def test_what_numpy_counts_with_is_an_int():
    env = aec_env("cake", np.int64(4), max_cycles=np.uint8(3))
    env.reset(seed=np.int64(5))
    env.step(np.array(11))
    plain = aec_env("cake", 4, max_cycles=3)
    plain.reset(seed=5)
    plain.step(11)
    assert env.unwrapped.match.state == plain.unwrapped.match.state


def test_an_observation_has_the_tokens_of_its_seat_alone():
    env = aec_env("cake", 3)
    env.reset(seed=1)
    while True:
        agent, before = env.agent_selection, {name: env.observe(name)["observation"] for name in env.agents}
        events = len(env.match.events)
        env.step(int(np.flatnonzero(env.observe(agent)["action_mask"])[0]))
        if len(env.match.events) == events:
            break
    changed = {name for name in env.agents if (env.observe(name)["observation"] != before[name]).any()}
    assert changed == {agent}


def test_the_table_is_rendered_when_the_match_is_over():
    env = parallel_env("gosne", render_mode="ansi")
    seen, _ = env.reset(seed=1)
    while env.agents:
        seen, *_ = env.step({name: int(np.flatnonzero(seen[name]["action_mask"])[0]) for name in env.agents})
    assert env.render().startswith("the table: ")
    assert env.state().any()
    assert env.match.result is not None
    with pytest.raises(kifu.MatchError, match="the match is over: call reset to begin another"):
        env.step({})


@pytest.mark.parametrize("made", [aec_env, parallel_env])
def test_an_environment_goes_to_other_processes(made):
    env = made("mabr", 2)
    env.reset(seed=1)
    other = pickle.loads(pickle.dumps(env))
    for each in (env, other):
        each.reset()
    assert env.match.state == other.match.state
    assert (env.state() == other.state()).all()


def test_none_is_for_those_whose_match_is_over_and_for_no_others():
    env = aec_env("gosne")
    env.reset(seed=1)
    with pytest.raises(kifu.MatchError, match="seat_0 is asked to act"):
        env.step(None)
    while not any(env.terminations.values()):
        env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    with pytest.raises(kifu.MatchError, match="takes None, since its match is over"):
        env.step(1)
    for _ in range(4):
        env.step(None)
    assert env.agents == []


def test_a_wrapper_of_theirs_makes_it_a_loss():
    from pettingzoo.utils.wrappers import TerminateIllegalWrapper

    env = TerminateIllegalWrapper(aec_env("take_and_share"), illegal_reward=-1)
    env.reset(seed=1)
    with pytest.MonkeyPatch.context() as quiet:
        quiet.setattr("pettingzoo.utils.env_logger.EnvLogger.warn_on_illegal_move", staticmethod(lambda: None))
        env.step(6)
    assert all(env.terminations.values())
    assert env.rewards["seat_0"] == -1


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (lambda: aec_env("chess"), "game 'chess': not installed"),
        (lambda: aec_env("cake", 9), "cake takes 3 to 5 seats, not 9"),
        (lambda: aec_env("cake", 3, {"first": 7}), "option 'first': a seat is 0 to 2"),
        (lambda: aec_env("mabr", 2, {"judge": "table"}), "cannot be numbered"),
        (lambda: aec_env("cake", render_mode="rgb_array"), "render_mode is one of ansi, human or None"),
        (lambda: aec_env(5), "game '5': not installed"),
        (lambda: aec_env("cake", 10**9), "cake takes 3 to 5 seats, not 1000000000"),
        (lambda: aec_env("cake", "3"), "the number of seats is an int, not '3'"),
        (lambda: aec_env("cake", options=["first"]), "option 'options': must be a map"),
        (lambda: aec_env("cake", max_cycles=0), "max_cycles is 1 or more, not 0"),
        (lambda: parallel_env("cake", max_cycles=2.5), "max_cycles is an int, not 2.5"),
        (lambda: aec_env("cake").step(1), "call reset first"),
        (lambda: aec_env("cake").last(), "call reset first"),
        (lambda: aec_env("cake").agent_iter(), "call reset first"),
        (lambda: aec_env("cake").state(), "call reset first"),
        (lambda: aec_env("cake").match, "call reset first"),
        (lambda: parallel_env("cake").step({}), "call reset first"),
        (lambda: aec_env("cake").reset(seed=-1), "a seed is 0 or more, not -1"),
        (lambda: aec_env("cake").reset(seed="x"), "a seed is an int, not 'x'"),
        (lambda: begun(aec_env).step([11]), r"an action is an int, not \[11\]"),
        (lambda: begun(aec_env).step(11.0), "an action is an int, not 11.0"),
        (lambda: begun(aec_env).observe("seat_3"), "there is no agent 'seat_3'; there are seat_0, seat_1, seat_2"),
        (lambda: begun(aec_env).action_space(0), "there is no agent 0"),
        (lambda: begun(parallel_env).step({0: 11}), "there is no agent 0"),
        (lambda: begun(parallel_env).step([11]), "actions are a map of one for each agent"),
        (lambda: begun(parallel_env).step({"seat_0": "x"}), "an action is an int, not 'x'"),
    ],
)
def test_what_cannot_be_played_is_refused_in_one_line(call, why):
    with pytest.raises(kifu.KifuError, match=why):
        call()


def begun(made):
    env = made("cake")
    env.reset(seed=1)
    return env


def test_a_drawing_has_each_seat_and_its_cards():
    env = aec_env("take_and_share", render_mode="ansi")
    env.reset(seed=3)
    lines = env.render().splitlines()
    assert [line.partition(":")[0] for line in lines] == ["the table", "seat_0 (leads)", "seat_1", "seat_2"]
    held = [kifu.games.find("take_and_share").face(card).text for card in env.match.state.hands[1]]
    assert " ".join(held) in lines[2]
