"""The reward of each seat: five kinds, one function, and the same number from the log alone."""

import json

import attrs
import kifu
import pytest
from kifu.core.env import REWARDS, aec_env, openspiel_game, parallel_env, rewards
from kifu.core.errors import MatchError
from kifu.core.game import Result, Seat


def result(points: tuple[int, ...], *winners: int) -> Result:
    return Result(points, tuple(map(Seat, winners)))


ALONE, TIE_BREAK, SHARED = result((4, 8, 3), 1), result((7, 7, 4), 1), result((7, 7, 4, 4), 0, 1)
LOST, TOGETHER = Result((4, 4), (), (0, 0)), Result((6, 6), (Seat(0), Seat(1)), (0, 0))
PARTNERS = Result((9, 3, 1, 4), (Seat(0), Seat(2)), (0, 1, 0, 1))
"""A common loss is nobody's, a common victory everybody's; partners have one place, and share their points."""


@pytest.mark.parametrize(
    ("ended", "kind", "expected"),
    [
        (ALONE, "victory", (0, 1, 0)),
        (ALONE, "zero_sum", (-1 / 3, 2 / 3, -1 / 3)),
        (ALONE, "points", (-1, 3, -2)),
        (ALONE, "score", (4, 8, 3)),
        (ALONE, "placing", (0.5, 1, 0)),
        (TIE_BREAK, "placing", (0.5, 1, 0)),
        (SHARED, "victory", (0.5, 0.5, 0, 0)),
        (SHARED, "placing", (5 / 6, 5 / 6, 1 / 6, 1 / 6)),
        (LOST, "victory", (0, 0)),
        (LOST, "zero_sum", (0, 0)),
        (LOST, "score", (4, 4)),
        (LOST, "placing", (0.5, 0.5)),
        (TOGETHER, "score", (6, 6)),
        (PARTNERS, "points", (1.5, -1.5, 1.5, -1.5)),
        (PARTNERS, "victory", (0.5, 0, 0.5, 0)),
        (PARTNERS, "placing", (5 / 6, 1 / 6, 5 / 6, 1 / 6)),
    ],
)
def test_what_each_kind_counts(ended: Result, kind: str, expected: tuple[float, ...]) -> None:
    assert rewards(ended, kind) == pytest.approx(expected)


def test_only_the_reward_score_tells_a_better_common_score() -> None:
    """The others compare seats, and there is nothing to compare."""
    worse = attrs.evolve(TOGETHER, points=(0, 0))
    assert [kind for kind in REWARDS if rewards(worse, kind) != rewards(TOGETHER, kind)] == ["score"]


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
