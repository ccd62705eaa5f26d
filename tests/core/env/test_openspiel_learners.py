"""Information states as numbers, deals drawn at once, and what of OpenSpiel needs them: its NFSP and its deep CFR."""

import kifu
import pytest
from high_card import GAME as HIGH_CARD
from kifu.core.env import openspiel_game
from kifu.core.game import Encoding
from kifu.core.log import log_bytes, read_bytes

np = pytest.importorskip("numpy", reason="needs the extra `env`")
pyspiel = pytest.importorskip("pyspiel", reason="needs the extra `env`")

GAMES = [*(name for name in kifu.games.names() if name != "mabr"), HIGH_CARD]


def matches(game, count, **how):
    """Yield states of matches that go on at random, all of one number of seats."""
    spiel, random = openspiel_game(game, chance="sampled", **how), np.random.default_rng(7)
    for _ in range(count):
        state = spiel.new_initial_state()
        for _ in range(60):
            if state.is_terminal():
                break
            state.apply_action(int(random.choice(state.legal_actions())))
            yield state


def memory_of(state, player):
    whole, view = state.information_state_tensor(player), state.observation_tensor(player)
    assert whole[: len(view)] == view
    return whole[len(view) :]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: getattr(game, "name", game))
def test_equal_numbers_for_equal_information_states_and_no_others(game):
    numbers, texts = {}, {}
    for state in matches(game, 2):
        for player in range(state.num_players()):
            text = state.information_state_string(player)
            tensor = np.asarray(state.information_state_tensor(player), np.float32).tobytes()
            assert numbers.setdefault((player, text), tensor) == tensor
            assert texts.setdefault((player, tensor), text) == text


def test_rows_hold_seat_and_tag_and_card_of_each_event():
    state = next(each for at, each in enumerate(matches("take_and_share", 1)) if at == 3)
    rows = np.asarray(memory_of(state, 1)[4:]).reshape(71, 12)
    plays = [event for event in state.match.events if event.seat >= 0]
    tags = state._spiel.memory._tags
    assert rows[0][:2].tolist() == [1, tags["deal"] + 2]
    for row, event in zip(rows[1:], plays, strict=False):
        assert row[:3].tolist() == [event.seat + 2, tags["play"] + 2, event.command.card + 2]
    assert not rows[1 + len(plays) :].any()


def test_of_a_long_history_the_latest_events_have_rows():
    short = HIGH_CARD.altered(name="high_card_of_two_rows", extras=(Encoding(longest=2),))
    state = list(matches(short, 1))[-1]
    last = [event.seat + 2 for event in state.match.events[-2:]]
    assert np.asarray(memory_of(state, 0)[4:]).reshape(2, 12)[:, 0].tolist() == last


def test_a_sampled_deal_is_one_chance_node_that_anyone_repeats():
    spiel = openspiel_game("cake", chance="sampled")
    states = [spiel.new_initial_state() for _ in range(3)]
    outcomes, chances = zip(*states[0].chance_outcomes(), strict=True)
    assert (len(outcomes), sum(chances)) == (4096, pytest.approx(1))
    for state, outcome in zip(states, (5, 5, 6), strict=True):
        state.apply_action(outcome)
        assert state.current_player() == 0
    assert str(states[0]) == str(states[1]) != str(states[2])
    assert str(pyspiel.load_game(str(spiel)).new_initial_state().child(6)) == str(states[2])
    with pytest.raises(kifu.MatchError, match="chance has no outcome 4096 here; it draws 0 to 4095"):
        spiel.new_initial_state().apply_action(4096)


@pytest.mark.parametrize("game", GAMES[:-1])
def test_a_match_of_sampled_deals_audits_clean(game):
    state = list(matches(game, 1))[-1]
    assert read_bytes(log_bytes(state.match)).findings == []


def test_their_simulation_passes_on_sampled_deals(capfd):
    pyspiel.random_sim_test(openspiel_game("gosne", chance="sampled"), num_sims=1, serialize=True, verbose=False)


@pytest.mark.long
class TestLearners:
    """Each runs for a little, on one game: they take minutes to learn anything."""

    def test_nfsp_plays_and_trains(self):
        nfsp = pytest.importorskip("open_spiel.python.jax.nfsp", reason="needs the extra `spiel`")
        from open_spiel.python.rl_environment import ChanceEventSampler, Environment

        np.random.seed(1)
        game = openspiel_game("gosne", chance="sampled")
        env = Environment(game, chance_event_sampler=ChanceEventSampler(seed=1))
        agents = [
            nfsp.NFSP(
                player,
                state_representation_size=env.observation_spec()["info_state"][0],
                num_actions=env.action_spec()["num_actions"],
                hidden_layers_sizes=[16],
                reservoir_buffer_capacity=100,
                anticipatory_param=0.9,  # an agent that learns before its first best response fails in 2.0.2
                batch_size=8,
                min_buffer_size_to_learn=8,
                learn_every=16,
                allow_checkpointing=False,
            )
            for player in range(4)
        ]
        for _ in range(4):
            step = env.reset()
            while not step.last():
                step = env.step([agents[step.observations["current_player"]].step(step).action])
            for agent in agents:
                agent.step(step)
            assert sum(step.rewards) == pytest.approx(0)
        assert all(np.isfinite(loss) for agent in agents for loss in agent.loss if loss is not None)
        assert any(agent.loss[0] is not None for agent in agents)

    def test_deep_cfr_solves_a_small_game(self):
        deep_cfr = pytest.importorskip("open_spiel.python.jax.deep_cfr", reason="needs the extra `spiel`")
        np.random.seed(1)
        game = openspiel_game(HIGH_CARD, 2, chance="sampled")
        solver = deep_cfr.DeepCFRSolver(
            game,
            policy_network_layers=(8,),
            advantage_network_layers=(8,),
            num_iterations=2,
            num_traversals=2,
            batch_size_strategy=8,
            memory_capacity=1000,
            policy_network_train_steps=20,
            advantage_network_train_steps=20,
        )
        _, losses, _ = solver.solve()
        assert all(len(each) == 2 for each in losses.values())
        state = game.new_initial_state().child(3)
        policy = solver.action_probabilities(state)
        assert sorted(policy) == state.legal_actions()
        assert sum(policy.values()) == pytest.approx(1, abs=1e-3)
