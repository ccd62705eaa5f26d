"""The games as OpenSpiel's: its own tests, its algorithms, and logs of what was played."""

import pickle
import subprocess
import sys

import kifu
import pytest
from kifu.core.env import openspiel_game
from kifu.core.env.snapshot import DrawNeeded, ScriptedShuffler
from kifu.core.log import log_bytes, read_bytes

np = pytest.importorskip("numpy", reason="needs the extra `env`")
pyspiel = pytest.importorskip("pyspiel", reason="needs the extra `env`")

QUICK = [(name, seats) for name in kifu.games.names() if name != "mabr" for seats in kifu.games.find(name).seats]


def play(state, random, most=10_000):
    """Go on at random to the end."""
    for _ in range(most):
        if state.is_terminal():
            break
        state.apply_action(int(random.choice(state.legal_actions())))
    return state


def of_a_minute(table):
    """Palace has long matches, and its states are long too; so have those of mabr."""
    return pytest.param(*table, marks=pytest.mark.long if {"palace", "mabr"} & {*table} else ())


@pytest.mark.parametrize(("name", "seats"), [*map(of_a_minute, [*QUICK, ("mabr", 2), ("mabr", 3)])])
def test_their_simulation_with_every_state_serialized(name, seats, capfd):
    pyspiel.random_sim_test(openspiel_game(name, seats), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize(("name", "seats"), [*QUICK, ("mabr", 2)])
def test_a_match_is_saved_as_a_log_that_audits_clean(name, seats):
    state = play(
        openspiel_game(name, seats).new_initial_state(), np.random.default_rng(4), 120 if name == "mabr" else 10_000
    )
    reading = read_bytes(log_bytes(state.match))
    assert reading.findings == []
    assert reading.ended == ("over" if state.is_terminal() else None)
    assert reading.header.seed is None
    assert sum(state.returns()) == pytest.approx(0)
    if reading.result is not None:
        shares = [reward + 1 / seats for reward in state.returns()]
        assert {seat for seat, share in enumerate(shares) if share > 0.01} == set(reading.result.winners)


def test_each_match_has_an_id_of_its_own():
    (state, random), (other, _) = dealt("cake", seed=1), dealt("cake", seed=2)
    begun = state.match.header.match
    assert begun != other.match.header.match
    assert play(state, random).match.header.match == begun


def test_a_draw_makes_the_deal_that_the_shuffle_would():
    """Hold that chance's draws are those of a Fisher-Yates shuffle, the last place first."""
    with pytest.raises(DrawNeeded) as due:
        ScriptedShuffler(()).shuffle("abc")
    assert due.value.bound == 3
    assert ScriptedShuffler((0, 1)).shuffle("abc") == ("c", "b", "a")
    assert {ScriptedShuffler((one, other)).shuffle("abc") for one in range(3) for other in range(2)} == {
        tuple(order) for order in ("abc", "acb", "bac", "bca", "cab", "cba")
    }


def test_chance_nodes_have_every_outcome_equally_likely():
    state = openspiel_game("cake").new_initial_state()
    bounds = []
    while state.is_chance_node():
        outcomes, chances = zip(*state.chance_outcomes(), strict=True)
        assert outcomes == tuple(range(len(outcomes)))
        assert sum(chances) == pytest.approx(1)
        assert len(set(chances)) == 1
        bounds.append(len(outcomes))
        state.apply_action(0)
    assert bounds == list(range(56, 1, -1))


def dealt(name, seats=None, seed=1):
    state, random = openspiel_game(name, seats).new_initial_state(), np.random.default_rng(seed)
    while state.is_chance_node():
        state.apply_action(int(random.choice(state.legal_actions())))
    return state, random


def test_indistinguishable_deals_give_one_information_state():
    """Swap two cards of piles that nobody has opened: the elder who opens another cannot know."""
    draws = [0] * 55
    states = []
    for second in (0, 1):
        state = openspiel_game("cake", 3).new_initial_state()
        for at, _ in enumerate(draws):
            state.apply_action(second if at == 19 else 0)
        states.append(state)
    piles = [state.match.state.piles for state in states]
    assert piles[0] != piles[1]
    for player in range(3):
        assert states[0].information_state_string(player) == states[1].information_state_string(player)
    same = next(at for at, (one, other) in enumerate(zip(*piles, strict=True)) if one == other)
    other = next(at for at, (one, other) in enumerate(zip(*piles, strict=True)) if one != other)
    for pile, distinguishable in ((same, False), (other, True)):
        opened = [state.child(state.legal_actions()[pile]) for state in states]
        assert (opened[0].information_state_string(0) != opened[1].information_state_string(0)) is distinguishable
        assert opened[0].information_state_string(1) == opened[1].information_state_string(1)


def test_information_states_remember_what_views_forget():
    """Turn two cards of a stack of mabr round: who checked and laid down sees the same, and knows."""
    states = []
    for turned in (0, 1):
        state = openspiel_game("mabr", 2).new_initial_state()
        draws = 0
        while state.is_chance_node():
            draws += 1
            state.apply_action(turned if draws == 4 else 0)  # the last draw of the first stack, of letter K
        while len(state.match.events) < 3:  # seat 0 draws, and lays down what it has checked at
            labels = {state.action_to_string(0, action): action for action in state.legal_actions()}
            state.apply_action(labels.get("K", state.legal_actions()[0]))
        states.append(state)
    assert states[0].match.state.rows != states[1].match.state.rows
    assert states[0].observation_string(0) == states[1].observation_string(0)
    assert states[0].information_state_string(0) != states[1].information_state_string(0)
    assert states[0].information_state_string(1) == states[1].information_state_string(1)


def test_an_incomplete_command_is_part_of_the_information_state():
    state, _ = dealt("cake", 3)
    state.apply_action(state.legal_actions()[0])
    player = state.current_player()
    before = state.information_state_string(player)
    others = [state.information_state_string(seat) for seat in range(3) if seat != player]
    state.apply_action(state.legal_actions()[0])
    assert state.current_player() == player
    assert state.information_state_string(player) != before
    assert others == [state.information_state_string(seat) for seat in range(3) if seat != player]


def test_a_state_comes_back_from_its_text_and_from_a_copy():
    state, random = dealt("palace", 4)
    for _ in range(30):
        state.apply_action(int(random.choice(state.legal_actions())))
    game, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), state))
    for other in (again, state.clone()):
        assert str(other) == str(state)
        assert other.legal_actions() == state.legal_actions()
        assert [other.information_state_string(seat) for seat in range(4)] == [
            state.information_state_string(seat) for seat in range(4)
        ]
    assert game.num_players() == 4
    copy = state.clone()
    copy.apply_action(copy.legal_actions()[0])
    assert str(copy) != str(state)


def test_games_and_states_go_to_other_processes():
    state, _ = dealt("cake", 4)
    script = "import pickle, sys; print(*map(str, pickle.load(sys.stdin.buffer)), sep='\\n')"
    sent = pickle.dumps((state.get_game(), state))
    done = subprocess.run([sys.executable, "-c", script], input=sent, capture_output=True, check=True)
    assert done.stdout.decode().splitlines() == [str(state.get_game()), str(state)]


def test_their_learning_environment_plays_to_the_end():
    from open_spiel.python.algorithms.random_agent import RandomAgent
    from open_spiel.python.rl_environment import ChanceEventSampler, Environment

    np.random.seed(1)
    env = Environment(openspiel_game("take_and_share", 3), chance_event_sampler=ChanceEventSampler(seed=1))
    agents = [RandomAgent(player, env.action_spec()["num_actions"]) for player in range(3)]
    step = env.reset()
    while not step.last():
        step = env.step([agents[step.observations["current_player"]].step(step).action])
    assert sum(step.rewards) == pytest.approx(0)
    assert any(step.rewards)


def test_options_go_through_their_registry_maps_too():
    game = openspiel_game("cake", 4, {"first": 2, "elder_votes": False})
    again = pyspiel.load_game(str(game))
    state = again.new_initial_state()
    while state.is_chance_node():
        state.apply_action(0)
    assert state.current_player() == 2
    assert state.match.header.options.elder_votes is False
    game = openspiel_game("gosne", 4, {"chestnuts": {0: 2, 13: 3}, "whistleblower": True})
    again = pyspiel.load_game(str(game)).new_initial_state()
    assert dict(again.match.header.options.chestnuts) == {0: 2, 13: 3}


def test_an_observation_without_private_information_shows_no_hand():
    from open_spiel.python.observation import make_observation

    def kind(private, recall=False, public=True):
        return pyspiel.IIGObservationType(public_info=public, perfect_recall=recall, private_info=private)

    secrets = pyspiel.PrivateInfoType
    (state, _), (other, _) = dealt("take_and_share", seed=1), dealt("take_and_share", seed=2)
    game, players = state.get_game(), range(3)
    for recall in (False, True):
        public = make_observation(game, kind(secrets.NONE, recall))
        assert len({public.string_from(each, player) for each in (state, state.clone()) for player in players}) == 1
        mine = make_observation(game, kind(secrets.SINGLE_PLAYER, recall))
        assert len({mine.string_from(each, player) for each in (state, other) for player in players}) == 6
        whole = make_observation(game, kind(secrets.ALL_PLAYERS, recall))
        assert len({whole.string_from(each, player) for each in (state, other) for player in players}) == 2
    public = make_observation(game, kind(secrets.NONE))
    public.set_from(state, 0)
    table = game.episode.encoder.observe(state.match.state, None)
    assert (public.tensor == table).all()
    assert public.string_from(state, 0) == state.observation_text(None)
    assert make_observation(game, kind(secrets.SINGLE_PLAYER, public=False)) is None


def test_a_game_that_is_not_installed_can_be_played():
    from high_card import GAME

    pyspiel.random_sim_test(openspiel_game(GAME, np.int64(2)), num_sims=1, serialize=True, verbose=False)
    with pytest.raises(kifu.GameError, match="OpenSpiel knows another game of this name already"):
        openspiel_game(GAME.altered())


def test_an_action_that_is_not_legal_is_refused_and_changes_nothing():
    state = openspiel_game("cake").new_initial_state()
    with pytest.raises(kifu.MatchError, match="chance has no outcome 56 here; it draws 0 to 55"):
        state.apply_action(56)
    assert state.legal_actions() == list(range(56))
    state, _ = dealt("cake")
    before = str(state)
    with pytest.raises(kifu.MatchError, match="there is no action 6 here; the mask allows 11 '0', "):
        state.apply_action(6)
    assert str(state) == before
    over = play(state.clone(), np.random.default_rng(1))
    with pytest.raises(kifu.MatchError, match="the match is over"):
        over.apply_action(6)
    with pytest.raises(kifu.GameError, match="there is no action 99; there are 0 to 18"):
        state.action_to_string(0, 99)


def test_their_outcome_sampling_runs_and_learns():
    from open_spiel.python.algorithms.outcome_sampling_mccfr import OutcomeSamplingSolver

    np.random.seed(1)
    game = openspiel_game("cake", 3)
    solver = OutcomeSamplingSolver(game)
    for _ in range(4):
        solver.iteration()
    state, _ = dealt("cake", 3)
    policy = solver.average_policy().action_probabilities(state)
    assert sorted(policy) == state.legal_actions()
    assert sum(policy.values()) == pytest.approx(1)
    assert len(solver._infostates) > 100


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (lambda: openspiel_game("chess"), "game 'chess': not installed"),
        (lambda: openspiel_game("cake", 2), "cake takes 3 to 5 seats, not 2"),
        (lambda: openspiel_game("mabr", 2, {"judge": "table"}), "cannot be numbered"),
        (lambda: openspiel_game("cake", chance="dice"), "chance is one of exact, sampled, not 'dice'"),
    ],
)
def test_what_cannot_be_played_is_refused_in_one_line(call, why):
    with pytest.raises(kifu.KifuError, match=why):
        call()
