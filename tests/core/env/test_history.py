"""What a seat has observed as rows of its observation (`history=N`), the latest event last."""

import kifu
import pytest
from high_card import GAME as HIGH_CARD
from kifu.core.env import action_encoding_of, aec_env, seat_env
from kifu.core.errors import MatchError

np = pytest.importorskip("numpy", reason="needs the extra `env`")
zoo = pytest.importorskip("pettingzoo.test", reason="needs the extra `env`")

from kifu.core.env.history import ROW  # noqa: E402

GAMES = [*(kifu.games.find(name) for name in kifu.games.names()), HIGH_CARD]
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


def played(game, turns, **how):
    """Return an AEC environment after so many first actions."""
    env = aec_env(game, **how)
    env.reset(seed=5)
    for turn in range(turns):
        if not env._episode.to_act:
            break
        actions = env.legal_actions(env.agent_selection)
        env.step(actions[turn % len(actions)])
    return env


def rows(env, agent, count):
    return env.observe(agent)["observation"][-count * ROW :].reshape(count, ROW)


@each_game
@pytest.mark.parametrize("relative", [False, True])
@pytest.mark.parametrize("encoding", ["whole", "planes"])
def test_it_stands_behind_the_view_and_within_its_bounds(game, relative, encoding):
    how = {"relative": relative, "encoding": encoding}
    for turns in (0, 3, 25):
        plain, env = played(game, turns, **how), played(game, turns, history=6, **how)
        for agent in env.agents:
            observation = env.observe(agent)["observation"]
            assert env.observation_space(agent)["observation"].contains(observation)
            assert (observation[: -6 * ROW] == plain.observe(agent)["observation"]).all()
        assert env.state().shape == plain.state().shape


@each_game
def test_the_latest_event_is_the_last_row(game):
    env = played(game, 9, history=4)
    encoding = action_encoding_of(game)
    for seat in range(game.seats[0]):
        shown = rows(env, f"seat_{seat}", 4)
        for row, step in zip(reversed(shown), reversed(env.match.steps), strict=False):
            assert row[0] == step.seat + 2
            command = step.command_for(seat)
            tag = command.tag if hasattr(command, "tag") else game.wire[type(command)]
            kind = next(kind for kind, own in game.wire.items() if own == tag)
            assert row[1] == encoding.tag(kind) + 1
            if type(command) is kind:
                actions = encoding.encode(command)[: ROW - 1]
                assert tuple(row[1 : 1 + len(actions)] - 1) == actions


@each_game
def test_before_the_first_event_there_is_nothing(game):
    env = played(game, 0, history=50)
    shown = rows(env, "seat_0", 50)
    count = len(env.match.events)
    assert not shown[: 50 - count].any()
    assert shown[50 - count :].any(axis=1).all()


def test_relative_rows_count_from_the_one_who_looks():
    turned = played("cake", 12, history=8, relative=True)
    for seat in range(3):
        for row, step in zip(reversed(rows(turned, f"seat_{seat}", 8)), reversed(turned.match.steps), strict=False):
            assert row[0] == (1 if step.seat < 0 else 2 + (step.seat - seat) % 3)


def test_a_share_that_was_announced_stays_in_sight():
    """Piles lie face down: without history no observation tells any more who got which card."""
    env = aec_env("take_and_share", history=40)
    env.reset(seed=1)
    while not any(game_tag(env, step) == "share" for step in env.match.steps):
        env.step(env.legal_actions(env.agent_selection)[0])
    for _ in range(4):
        env.step(env.legal_actions(env.agent_selection)[0])
    share = next(step for step in env.match.steps if game_tag(env, step) == "share")
    actions = [1 + action for action in action_encoding_of(env.match.game).encode(share.command)]
    for agent in env.possible_agents:
        assert any((row[1 : 1 + len(actions)] == actions).all() for row in rows(env, agent, 40))


def game_tag(env, step):
    return env.match.game.wire[type(step.command)]


@each_game
def test_it_tells_nothing_that_the_seat_does_not_know(game):
    """Two matches that a seat cannot tell apart by what it observed have the same rows."""
    env = played(game, 20, history=30)
    for seat in range(game.seats[0]):
        seen = [(step.seat, step.command_for(seat), step.notes_for(seat)) for step in env.match.steps]
        hidden = [place for place, (_, command, _) in enumerate(seen) if hasattr(command, "tag")]
        for place in hidden:
            tag, fields = seen[place][1].tag, dict(seen[place][1].fields)
            at = len(seen) - place
            if at > 30:
                continue
            row = rows(env, f"seat_{seat}", 30)[30 - at]
            encoding = action_encoding_of(game)
            public = len(encoding.encode_public(tag, fields))
            shown = [note for note in seen[place][2] if "cards" in dict(note.values)]
            assert shown or not row[1 + public :].any()


@pytest.mark.filterwarnings("ignore:Observation")
def test_gymnasium_has_it_too_and_their_api_test_passes():
    env = seat_env("cake", history=10)
    observation, _ = env.reset(seed=1)
    assert env.observation_space.contains(observation)
    assert np.isfinite(env.observation_space.low).all()
    assert env.observation_space.shape == (seat_env("cake").observation_space.shape[0] + 10 * ROW,)
    zoo.api_test(aec_env("cake", history=10, encoding="planes"), num_cycles=20)


def test_a_history_is_a_count():
    with pytest.raises(MatchError, match="history is 0 or more"):
        aec_env("cake", history=-1)
    with pytest.raises(MatchError, match="history is an int"):
        seat_env("cake", history="all")
    with pytest.raises(MatchError, match="history is at most 100000"):
        aec_env("cake", history=10**9)


def test_a_strangers_redacted_field_that_is_no_number_is_left_out():
    encoding = action_encoding_of(HIGH_CARD)
    tag = next(iter(HIGH_CARD.wire.values()))
    only = encoding.encode_public(tag, {"count": 3})
    assert len(only) == 2
    assert encoding.encode_public(tag, {"what": "text", "count": (3, None)}) == only
