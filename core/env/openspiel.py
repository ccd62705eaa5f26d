"""A game as one of OpenSpiel's: each draw of a deal is a chance node, and a command is a sequence of actions."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from json import JSONDecodeError, dumps, loads
from typing import Any
from urllib.parse import quote, unquote

import numpy as np
import pyspiel
from attrs import evolve

from ..errors import GameError, KifuError, MatchError
from ..game import TABLE, AnyGame, Seat, Shuffler
from ..match import AnyMatch, Match, registry
from ..match.header import SEED_BYTES
from ..wire import pack, plain, wire_of
from .episode import Episode
from .partial_command import PartialCommand, can_act
from .reward import DEFAULT_REWARD, SUM_TO_ZERO, one_of, rewards
from .snapshot import (
    DerivedCache,
    DrawNeeded,
    HistoryEncoder,
    ScriptedShuffler,
    Snapshot,
    widest_draw,
)

MAX_GAME_LENGTH = 100_000
"""The most actions of a match, as OpenSpiel demands one: the rules of a game need not force an end."""

_registered: dict[str, AnyGame] = {}

EXACT, SAMPLED = CHANCES = ("exact", "sampled")
"""How a deal is drawn: a chance node for each draw of its shuffle, or one that draws one of `SAMPLES` deals."""

SAMPLES = 4096

_SAMPLES = tuple((number, 1 / SAMPLES) for number in range(SAMPLES))

DEFAULTS = {"reward": DEFAULT_REWARD, "chance": EXACT}
"""The parameters of a game besides its players and options."""

MAX_POINTS = 1000.0
"""The bound of a `points` reward that OpenSpiel is told of: no game says how many points there are."""

PREFIX = "kifu_"
"""The beginning of every game's name in OpenSpiel."""


def load(
    game: AnyGame,
    seats: int | None,
    options: Mapping[str, Any] | None,
    *,
    reward: str = DEFAULT_REWARD,
    chance: str = EXACT,
) -> SpielGame:
    """Return a game, loaded through OpenSpiel's own registry so that it can be serialized."""
    episode = Episode(game, seats, options, one_of("reward", reward, SUM_TO_ZERO))  # kifu's errors
    one_of("chance", chance, CHANCES)
    _register(game)
    plain_options = wire_of(game).plain_options(episode.match.header.options)
    quoted = quote(dumps({name: plain_options[name] for name in episode.options}), safe="")
    given = {"players": episode.seats, "options": quoted, "reward": reward, "chance": chance}
    return pyspiel.load_game(PREFIX + game.name, given)  # type: ignore[no-any-return]


class SpielGame(pyspiel.Game):
    """One game with a number of seats and options; `_register` makes a subclass for each game."""

    rules: AnyGame

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        game = self.rules
        given = dict(params or {})
        seats = int(given.get("players", game.seats[0]))
        reward = one_of("reward", str(given.get("reward", DEFAULT_REWARD)), SUM_TO_ZERO)
        self.episode = Episode(game, seats, _options(game, str(given.get("options", ""))), reward)
        self.memory = HistoryEncoder(game, self.episode.encoding)
        self.sampled = one_of("chance", str(given.get("chance", EXACT)), CHANCES) == SAMPLED
        least, most = (-1 / seats, 1 - 1 / seats) if reward == DEFAULT_REWARD else (-MAX_POINTS, MAX_POINTS)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.episode.encoding),
            max_chance_outcomes=SAMPLES if self.sampled else widest_draw(game, self.episode.start()),
            num_players=seats,
            min_utility=least,
            max_utility=most,
            utility_sum=0.0,
            max_game_length=MAX_GAME_LENGTH,
        )
        super().__init__(_type_of(game), info, given)

    def __reduce__(self) -> tuple[Any, ...]:
        return _load, (str(self),)

    def new_initial_state(self) -> SpielState:
        """Return the state before the first deal."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver | None:
        """Return an observer; None for private information without public information, which is not supported."""
        if iig_obs_type is not None and not iig_obs_type.public_info:
            return None
        return SpielObserver(self, iig_obs_type, params)


class SpielState(pyspiel.State):
    """A match of such a game, action by action.

    OpenSpiel copies and pickles what a state holds: `_snapshot`, which is immutable, and `_cache`, which is derived
    from it.
    """

    def __init__(self, spiel: SpielGame) -> None:
        super().__init__(spiel)
        start = spiel.episode.start()
        self._snapshot = Snapshot(start, start)
        self._cache = DerivedCache()

    @property
    def match(self) -> AnyMatch:
        """The match so far, with the deals that chance drew and no seed."""
        snapshot, episode = self._snapshot, self._episode
        deals = [command for seat, command, _ in snapshot.steps if seat == TABLE]
        match_id = blake2b(pack(deals[:1]), digest_size=8).hexdigest()  # its own, as its deal is
        match: AnyMatch = Match(episode.game, episode.header(None, match_id))
        for seat, command, _ in snapshot.steps:
            match.apply(seat, command)
        return match

    def current_player(self) -> int:
        """Return the lowest seat that can act, or OpenSpiel's number of chance or of a terminal state."""
        to_act = self._to_act()
        if not to_act:
            return int(pyspiel.PlayerId.TERMINAL)
        if TABLE in to_act:
            return int(pyspiel.PlayerId.CHANCE)
        if len(to_act) == 1:
            return int(*to_act)
        rules, state = self._episode.game, self._snapshot.state
        return int(next((seat for seat in sorted(to_act) if can_act(rules, state, seat)), min(to_act)))

    def is_terminal(self) -> bool:
        """Return True if the match is over."""
        return not self._to_act()

    def _legal_actions(self, player: int) -> list[int]:
        return list(self._choice().actions) if player == self.current_player() else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of the draw that is due, each with its probability."""
        if self._spiel.sampled:
            return list(_SAMPLES)
        due = self._deal(self._snapshot)
        assert isinstance(due, DrawNeeded)
        return [(draw, 1 / due.bound) for draw in range(due.bound)]

    def _apply_action(self, action: int) -> None:
        snapshot, rules, player = self._snapshot, self._episode.game, self.current_player()
        if player == pyspiel.PlayerId.TERMINAL:
            raise MatchError("the match is over: there are no more actions")
        if player == pyspiel.PlayerId.CHANCE:
            drawn = evolve(snapshot, draws=(*snapshot.draws, action))
            deal = self._sample(action) if self._spiel.sampled else self._deal(drawn)
            if isinstance(deal, DrawNeeded):
                self._set(drawn)
            else:
                self._set(snapshot.with_command(TABLE, deal, rules.apply(snapshot.state, TABLE, deal)))
            return
        choice = self._choice().after(action)
        if choice.command is None:
            self._set(evolve(snapshot, tokens=(*snapshot.tokens, action)))
            self._cache.choice = choice
        else:
            seat = Seat(player)
            self._set(snapshot.with_command(seat, choice.command, rules.apply(snapshot.state, seat, choice.command)))

    def returns(self) -> list[float]:
        """Return the reward of each seat; all 0 before the end."""
        result = self._episode.game.result(self._snapshot.state)
        return list(rewards(result, self._episode.reward, self._episode.seats))

    def _action_to_string(self, player: int, action: int) -> str:
        return f"draw {action}" if player < 0 else self._episode.encoding.label(action)

    def __str__(self) -> str:
        snapshot = self._snapshot
        return dumps([plain(snapshot.state), snapshot.draws, snapshot.tokens], ensure_ascii=False)

    def info(self, seat: int | None) -> str:
        """Return the information state of a seat as text: a digest of its history, and its actions so far."""
        history = self._cache.history(self._episode.game, self._snapshot, seat)
        return " ".join([history.digest.hex(), *map(str, self._tokens(seat))])

    def observation_text(self, seat: int | None) -> str:
        """Return the view of a seat, and its actions so far of an incomplete command, as JSON."""
        view = self._episode.game.view(self._snapshot.state, seat)
        return dumps([plain(view), self._tokens(seat)], ensure_ascii=False)

    def observation(self, seat: int | None) -> Any:
        """Return the view of a seat, and its actions so far of an incomplete command, as an int32 array."""
        return self._episode.encoder.observe(self._snapshot.state, seat, self._tokens(seat))

    def write_history(self, seat: int | None, array: Any) -> None:
        """Write the history of a seat into an array of zeros, as `HistoryEncoder` lays it out."""
        self._spiel.memory.write(self._cache.history(self._episode.game, self._snapshot, seat), array)

    @property
    def _spiel(self) -> SpielGame:
        if self._cache.spiel is None:
            self._cache.spiel = self.get_game()
        return self._cache.spiel  # type: ignore[no-any-return]

    @property
    def _episode(self) -> Episode:
        return self._spiel.episode

    def _set(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._cache.choice = None

    def _to_act(self) -> frozenset[int]:
        return self._episode.game.to_act(self._snapshot.state)

    def _tokens(self, seat: int | None) -> tuple[int, ...]:
        return self._snapshot.tokens if seat == self.current_player() else ()

    def _choice(self) -> PartialCommand:
        if self._cache.choice is None:
            episode, snapshot = self._episode, self._snapshot
            first = PartialCommand.of(episode.game, episode.encoding, snapshot.state, Seat(self.current_player()))
            self._cache.choice = first.through(snapshot.tokens)
        return self._cache.choice  # type: ignore[no-any-return]

    def _deal(self, snapshot: Snapshot) -> Any:
        """Return the deal that the draws so far make, or a `DrawNeeded` with the draw that is due."""
        try:
            return self._episode.game.deal(snapshot.state, ScriptedShuffler(snapshot.draws))
        except DrawNeeded as due:
            return due

    def _sample(self, number: int) -> Any:
        """Return the deal of this number of the sample; raises `MatchError` for one that is not in it."""
        if not 0 <= number < SAMPLES:
            raise MatchError(f"chance has no outcome {number} here; it draws 0 to {SAMPLES - 1}")
        seed = blake2b(b"kifu sample %d" % number, digest_size=SEED_BYTES).digest()
        return self._episode.game.deal(self._snapshot.state, Shuffler(seed, len(self._snapshot.steps)))


class SpielObserver:
    """The observer of OpenSpiel: with perfect recall it gives the information state of a player, else its view.

    Without private information it gives the view of a spectator, with that of all players the view of the table.
    """

    def __init__(self, spiel: SpielGame, kind: Any = None, params: Any = None) -> None:
        if params:
            raise MatchError(f"an observation has no parameters, and so not {params!r}")
        self._recalls = kind is not None and kind.perfect_recall
        self._private = pyspiel.PrivateInfoType.SINGLE_PLAYER if kind is None else kind.private_info
        view, memory = spiel.episode.encoder, spiel.memory
        self.tensor: Any = np.zeros(view.size + (memory.size if self._recalls else 0), np.float32)
        self._view, self._memory = self.tensor[: view.size], self.tensor[view.size :]
        self.dict = {name: self._view[at] for name, at in view.places.items()}
        if self._recalls:
            self.dict |= {name: self._memory[at] for name, at in memory.places.items()}

    def set_from(self, state: SpielState, player: int) -> None:
        """Set `tensor` to what a player sees; with perfect recall, what it has observed stands behind that."""
        viewer = self._viewer(player)
        self._view[:] = state.observation(viewer)
        if self._recalls:
            self._memory[:] = 0
            state.write_history(viewer, self._memory)

    def string_from(self, state: SpielState, player: int) -> str:
        """Return the observation of a player as text."""
        viewer = self._viewer(player)
        return state.info(viewer) if self._recalls else state.observation_text(viewer)

    def _viewer(self, player: int) -> int | None:
        if self._private == pyspiel.PrivateInfoType.NONE:
            return None
        return TABLE if self._private == pyspiel.PrivateInfoType.ALL_PLAYERS else Seat(player)


def _load(text: str) -> Any:
    """Load a game by its string in OpenSpiel; importing this module has registered it there."""
    return pyspiel.load_game(text)


def _options(game: AnyGame, quoted: str) -> dict[str, Any]:
    """Return the options in the parameter `options`: a JSON object, percent-encoded since it must have no commas."""
    try:
        options = loads(unquote(quoted) or "{}")
    except JSONDecodeError as cause:
        raise MatchError(f"the parameter options is no JSON object: {cause}") from None
    if not isinstance(options, dict):
        raise MatchError("the parameter options is no JSON object")
    return wire_of(game).json_options(options)


def _type_of(game: AnyGame) -> Any:
    return pyspiel.GameType(
        short_name=PREFIX + game.name,
        long_name=f"{game.name} of kifu, rules version {game.version}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.seats[-1],
        min_num_players=game.seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": game.seats[0], "options": "", **DEFAULTS},
    )


def _register(game: AnyGame) -> None:
    """Register a game with OpenSpiel, once; raises `GameError` if another game has its name there."""
    known = _registered.get(game.name)
    if known is game:
        return
    if known is not None:
        raise GameError(game.name, "OpenSpiel knows another game of this name already")
    _registered[game.name] = game
    # A class: OpenSpiel releases its factories after Python has ended, and only a class survives that.
    pyspiel.register_game(_type_of(game), type(f"Spiel_{game.name}", (SpielGame,), {"rules": game}))


def _register_installed() -> None:
    """Register every installed game with OpenSpiel, but for those that cannot be loaded."""
    for name in registry.names():
        try:
            registry.described(name, _register)
        except KifuError:
            continue


_register_installed()
