"""The reward of each seat: five kinds, one function, and the same number from the log alone."""

import json

import kifu
import pytest
from kifu.core.env import REWARDS, aec_env, openspiel_game, parallel_env, rewards
from kifu.core.errors import MatchError
from kifu.core.game import Result, Seat


def result(points: tuple[int, ...], *winners: int) -> Result:
    return Result(points, tuple(map(Seat, winners)))


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("victory", (0, 1, 0)),
        ("zero_sum", (-1 / 3, 2 / 3, -1 / 3)),
        ("points", (-1, 3, -2)),
        ("score", (4, 8, 3)),
        ("placing", (0.5, 1, 0)),
    ],
)
def test_what_each_kind_counts(kind: str, expected: tuple[float, ...]) -> None:
    assert rewards(result((4, 8, 3), 1), kind) == pytest.approx(expected)


def test_a_shared_victory_and_a_level_place_are_divided() -> None:
    shared = result((7, 7, 4, 4), 0, 1)
    assert rewards(shared, "victory") == (0.5, 0.5, 0, 0)
    assert rewards(shared, "placing") == pytest.approx((5 / 6, 5 / 6, 1 / 6, 1 / 6))


def test_a_common_loss_gives_nobody_a_share_and_co_operation_its_score() -> None:
    lost, won = Result((4, 4), ()), Result((6, 6), (Seat(0), Seat(1)))
    assert rewards(lost, "victory") == rewards(lost, "zero_sum") == (0.0, 0.0)
    assert (rewards(lost, "score"), rewards(won, "score")) == ((4.0, 4.0), (6.0, 6.0))


def test_a_tie_break_that_points_do_not_show_puts_the_winner_ahead() -> None:
    assert rewards(result((7, 7, 4), 1), "placing") == (0.5, 1, 0)


def test_a_match_without_result_gives_nobody_anything() -> None:
    for kind in REWARDS:
        assert rewards(None, kind, 3) == (0, 0, 0)


def test_a_kind_that_there_is_not_is_refused() -> None:
    pytest.importorskip("pettingzoo", reason="needs the extra `env`")
    pytest.importorskip("pyspiel", reason="needs the extra `env`")
    for call in (
        lambda: rewards(None, "money", 3),
        lambda: aec_env("cake", reward="money"),
        lambda: openspiel_game("cake", reward="placing"),
    ):
        with pytest.raises(MatchError, match="reward is one of"):
            call()


@pytest.mark.parametrize("kind", REWARDS)
def test_a_reward_is_computed_again_from_the_log(kind: str, tmp_path, capsys) -> None:
    pytest.importorskip("pettingzoo", reason="needs the extra `env`")
    from kifu.replay.app import run

    env = aec_env("cake", reward=kind)
    env.reset(seed=5)
    got = {}
    for agent in env.agent_iter():
        observation, reward, over, *_ = env.last()
        got[agent] = reward
        env.step(None if over else int(observation["action_mask"].argmax()))
    env.match.save(tmp_path / "a.log")
    assert run(["audit", str(tmp_path / "a.log"), "--rewards", kind, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["rewards"] == pytest.approx(list(got.values()))
    assert said["rewards"] == pytest.approx(list(rewards(env.match.result, kind)))
    assert run(["audit", str(tmp_path / "a.log"), "--rewards", kind, "--plain"]) == 0
    assert "rewards " in capsys.readouterr().out


def test_an_abandoned_match_has_the_reward_0(tmp_path, capsys) -> None:
    from kifu.replay.app import run

    match = kifu.new("cake", ["a", "b", "c"], seed=bytes(32))
    match.abandon()
    match.save(tmp_path / "a.log")
    run(["audit", str(tmp_path / "a.log"), "--rewards", "placing", "--json"])
    assert json.loads(capsys.readouterr().out)["rewards"] == [0, 0, 0]


def test_the_parallel_environment_and_openspiel_take_it_too() -> None:
    pytest.importorskip("pettingzoo", reason="needs the extra `env`")
    pytest.importorskip("pyspiel", reason="needs the extra `env`")
    env = parallel_env("take_and_share", reward="points")
    observations, _ = env.reset(seed=1)
    while env.agents:
        actions = {name: int(each["action_mask"].argmax()) for name, each in observations.items()}
        observations, got, *_ = env.step(actions)
    assert tuple(got.values()) == rewards(env.match.result, "points")

    state = openspiel_game("take_and_share", reward="points").new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert tuple(state.returns()) == rewards(state.match.result, "points")
    assert sum(state.returns()) == pytest.approx(0)


def test_partners_share_their_points() -> None:
    partners = Result((9, 3, 1, 4), (Seat(0), Seat(2)), (0, 1, 0, 1))
    assert rewards(partners, "points") == (1.5, -1.5, 1.5, -1.5)
    assert rewards(partners, "victory") == (0.5, 0.0, 0.5, 0.0)
