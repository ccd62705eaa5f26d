"""Views as planes, and seats counted from the one who looks."""

from collections import Counter

import attrs
import kifu
import pytest
from fireworks import GAME as FIREWORKS
from goofspiel import GAME as GOOFSPIEL
from high_card import GAME as HIGH_CARD
from kifu.core.env import action_encoding_of, aec_env, parallel_env
from kifu.core.env.relative import RelativeEncoding
from kifu.core.errors import MatchError
from kifu.core.game.shuffle import Shuffler
from kifu.core.match.random_play import choose
from reversi import GAME as REVERSI

np = pytest.importorskip("numpy", reason="needs the extra `env`")
zoo = pytest.importorskip("pettingzoo.test", reason="needs the extra `env`")

from kifu.core.env.planes import PlaneEncoder, drawn_in  # noqa: E402

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
@pytest.mark.parametrize("encoding", ["whole", "planes"])
@pytest.mark.parametrize("relative", [False, True])
class TestTheirs:
    pytestmark = MASKED

    def test_api(self, game, encoding, relative):
        zoo.api_test(aec_env(game, encoding=encoding, relative=relative), num_cycles=15)

    def test_parallel_api(self, game, encoding, relative):
        zoo.parallel_api_test(parallel_env(game, encoding=encoding, relative=relative, max_cycles=15), num_cycles=15)


@each_game
def test_two_views_give_equal_planes_only_if_they_differ_in_the_order_of_a_list_alone(game):
    known = {}
    env = aec_env(game, encoding="planes")
    for _, _, view in views(game):
        array = env._episode.encoder.encode(view)
        assert array.dtype == np.float32
        first = known.setdefault(array.tobytes(), view)
        assert unordered(game, first) == unordered(game, view)


@each_game
def test_planes_lie_within_bounds_that_are_no_wider_than_needed(game):
    env = aec_env(game, encoding="planes")
    env.reset(seed=1)
    space = env._episode.encoder.space()
    assert np.isfinite(space.low).all()
    assert np.isfinite(space.high).all()
    for _, _, view in views(game):
        array = env._episode.encoder.encode(view, (1,) * 40)
        assert space.contains(array), array[(array < space.low) | (array > space.high)]
    assert space.high.max() <= 2 + max(Counter(game.cards(env.match.state)).values())


def test_what_is_more_than_a_table_has_is_drawn_in_and_stays_different():
    values = [drawn_in(each, 2) for each in (-50, -3, -2, 0, 1, 2, 2.5, 3, 10, 1000)]
    assert values == sorted(set(values))
    assert values[2:6] == [-2, 0, 1, 2]
    assert all(-3 < each < 3 for each in values)


def unordered(game, view):
    """Return the fields of a view with the cards of a list in any order."""
    return [
        (field.name, _sorted(getattr(view, field.name), game.planes.get(field.name) == "sequence"))
        for field in attrs.fields(type(view))
        if field.name != "options"
    ]


def _sorted(value, keep):
    if not isinstance(value, tuple) or keep:
        return value
    if all(isinstance(each, int) and not isinstance(each, bool) for each in value):
        return ("cards or numbers", tuple(sorted(value)))
    return tuple(_sorted(each, keep) for each in value)


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


def test_an_encoding_that_there_is_not():
    with pytest.raises(MatchError, match="encoding is one of whole, planes"):
        aec_env("cake", encoding="waves")


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


PAST = attrs.evolve(REVERSI, view=with_past)


@pytest.mark.parametrize("encoding", ["whole", "planes"])
@pytest.mark.parametrize(
    "game",
    [REVERSI, GOOFSPIEL, FIREWORKS, PAST, attrs.evolve(PAST, sizes={"past": 300, "moves": 70})],
    ids=["reversi", "goofspiel", "fireworks", "a past that nobody declared", "a past"],
)
def test_games_of_other_kinds_are_played_to_their_end(game, encoding):
    env = aec_env(game, encoding=encoding, relative=True, history=2)
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, _, over, cut, _ = env.last()
        assert env.observation_space(agent).contains(observation)
        env.step(None if over or cut else int(np.flatnonzero(observation["action_mask"])[-1]))
    assert env.unwrapped.match.result is not None
    assert game.name != "reversi" or len(env.unwrapped.match.events) > 40


def test_declared_lists_are_seen_to_their_end_and_others_by_their_latest_items():
    state = attrs.evolve(REVERSI.start(REVERSI.options(), 2), discs=(1,) * 60 + (None,) * 4)
    declared = PlaneEncoder(attrs.evolve(PAST, sizes={"past": 300, "moves": 70}), state)
    start = REVERSI.start(REVERSI.options(4), 2)
    other, view = PlaneEncoder(attrs.evolve(PAST, cards=lambda state: ()), start), with_past(state, 0)
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
