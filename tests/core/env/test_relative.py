"""Seats counted from the one who looks."""

import attrs
import kifu
import pytest
from fireworks import GAME as FIREWORKS
from goofspiel import GAME as GOOFSPIEL
from high_card import GAME as HIGH_CARD
from kifu.core.env import action_encoding_of, aec_env, parallel_env
from kifu.core.env.relative import RelativeEncoding
from kifu.core.game import encoding_of
from kifu.core.game.shuffle import Shuffler
from kifu.core.match.random_play import choose
from reversi import GAME as REVERSI

np = pytest.importorskip("numpy", reason="needs the extra `env`")
zoo = pytest.importorskip("pettingzoo.test", reason="needs the extra `env`")

from kifu.core.env.observation import ObservationEncoder  # noqa: E402

from .plain_encoders import relative_view  # noqa: E402

GAMES = [*(kifu.games.find(name) for name in kifu.games.names()), HIGH_CARD]
MASKED = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be gymnasium.spaces.box"),
    pytest.mark.filterwarnings("ignore:.*infinite|.*maximum|.*minimum"),  # of whole numbers
]
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


def views(game, events=60):
    match = kifu.new(game, [f"seat {seat}" for seat in range(game.seats[0])], seed=bytes(32))
    shuffler = Shuffler(bytes(32), 9)
    for _ in range(events):
        for seat in range(len(match.header.seats)):
            yield match, seat, match.view(seat)
        chosen = choose(match.position, shuffler)
        if chosen is None:
            return
        match.play(*chosen)


@each_game
@pytest.mark.parametrize("relative", [False, True])
class TestTheirs:
    pytestmark = MASKED

    def test_api(self, game, relative):
        zoo.api_test(aec_env(game, relative=relative), num_cycles=15)

    def test_parallel_api(self, game, relative):
        zoo.parallel_api_test(parallel_env(game, relative=relative, max_cycles=15), num_cycles=15)


@each_game
def test_the_own_seat_is_0_and_all_turn_with_it(game):
    for match, seat, view in views(game):
        seats = len(match.header.seats)
        turned = relative_view(game, view, seat, seats)
        assert turned.viewer == 0
        hands = getattr(view, "hands", None)
        if hands is not None:
            assert turned.hands[0] == hands[seat]
        if hasattr(view, "to_act"):
            assert turned.to_act == frozenset((each - seat) % seats if each >= 0 else each for each in view.to_act)
        back = relative_view(game, turned, (seats - seat) % seats, seats)
        assert back == view


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


@each_game
def test_the_same_match_is_played_by_relative_actions(game):
    """Each relative mask allows exactly the commands that are legal, by their own numbers."""
    for match, seat, _ in views(game, 20):
        if seat not in match.to_act:
            continue
        env = aec_env(game, relative=True)
        env.reset(seed=1)
        encoding = env._episode._encodings[seat]
        numbered = {encoding.encode(each) for each in match.legal(seat)[:300]}
        assert len(numbered) == len(match.legal(seat)[:300])


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


@attrs.frozen(kw_only=True)
class WithPast(type(REVERSI.view(REVERSI.start(REVERSI.options(), 2), None))):  # type: ignore[misc]
    """The view of a game that has a rule of repetition: positions as texts, and moves as numbers."""

    past: tuple[str, ...]
    moves: tuple[int, ...]


def with_past(state, viewer):
    moves = len(state.discs) - state.discs.count(None) - 4
    seen = REVERSI.view(state, viewer)
    fields = {each.name: getattr(seen, each.name) for each in attrs.fields(type(seen))}
    return WithPast(**fields, past=("b…w",) * moves, moves=tuple(range(moves)))


PAST = REVERSI.altered(view=with_past)
DECLARED = PAST.altered(extras=(attrs.evolve(encoding_of(REVERSI), sizes={"past": 300, "moves": 70}),))


@pytest.mark.parametrize(
    "game",
    [REVERSI, GOOFSPIEL, FIREWORKS, PAST, DECLARED],
    ids=["reversi", "goofspiel", "fireworks", "a past that nobody declared", "a past"],
)
def test_games_of_other_kinds_are_played_to_their_end(game):
    env = aec_env(game, relative=True)
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, _, over, cut, _ = env.last()
        assert env.observation_space(agent).contains(observation)
        env.step(None if over or cut else int(np.flatnonzero(observation["action_mask"])[-1]))
    assert env.unwrapped.match.result is not None
    assert game.name != "reversi" or len(env.unwrapped.match.events) > 40


def test_declared_lists_are_seen_to_their_end_and_others_by_their_latest_items():
    state = attrs.evolve(REVERSI.start(REVERSI.options(), 2), discs=(1,) * 60 + (None,) * 4)
    declared = ObservationEncoder(DECLARED, state)
    start = REVERSI.start(REVERSI.options(4), 2)
    other, view = ObservationEncoder(PAST.altered(cards=lambda state: ()), start), with_past(state, 0)
    for encoder, most in ((declared, 70), (other, 16)):
        moves = encoder.encode(view)[encoder.places["moves"]]
        assert len(moves) == 1 + most
        assert moves[-1 if most == 16 else 56] != 0
    past = declared.encode(view)[declared.places["past"]]
    assert np.count_nonzero(past) == 1 + 56 * 4


def test_a_space_of_a_board_is_one_action():
    env = aec_env(REVERSI)
    env.reset(seed=1)
    actions = env.unwrapped.legal_actions("seat_0")
    labels = [env.unwrapped._episode.encoding.label(action) for action in actions]
    assert labels == ["d3", "c4", "f5", "e6"]
