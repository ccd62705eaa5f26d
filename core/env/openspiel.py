"""A game as one of OpenSpiel's: each draw of a deal is a chance node, and commands are spelled action by action."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from hashlib import blake2b
from json import JSONDecodeError, dumps, loads
from typing import Any
from urllib.parse import quote, unquote

import numpy as np
import pyspiel

from .. import registry
from ..errors import GameError, KifuError, MatchError
from ..game import TABLE, Game, Seat
from ..match import Match
from ..shuffle import Shuffler
from ..wire import pack, plain, wire_of
from .chance import DrawNeeded, ScriptedShuffler, widest_draw
from .episode import Episode
from .partial_command import PartialCommand, can_act
from .reward import DEFAULT_REWARD, SUM_TO_ZERO, check_reward, rewards
from .snapshot import DerivedCache, Determinizer, PlayerHistory, Snapshot

MOST = 100_000
"""The most actions of a match that OpenSpiel is told of: not every game has an end that its rules force."""

_registered: dict[str, Game[Any, Any, Any]] = {}

MOST_POINTS = 1000.0
"""The bound of a `points` reward that OpenSpiel is told of: no game says how many points there are."""

PREFIX = "kifu_"
"""What its name in OpenSpiel begins with."""


def load(
    game: Game[Any, Any, Any],
    seats: int | None,
    options: Mapping[str, Any] | None,
    reward: str = DEFAULT_REWARD,
) -> SpielGame:
    """Load a game through OpenSpiel's own registry, so that it can be serialized."""
    table = Episode(game, seats, options)  # says in kifu's words what cannot be played
    _register(game)
    plainly = wire_of(game).plain_options(table.match.header.options)
    said = dumps({name: plainly[name] for name in table.options})
    given = {"players": table.seats, "options": quote(said, safe=""), "reward": check_reward(reward, SUM_TO_ZERO)}
    return pyspiel.load_game(PREFIX + game.name, given)  # type: ignore[no-any-return]


class SpielGame(pyspiel.Game):
    """One game, with a number of seats and options; `_register` makes a class of each game."""

    rules: Game[Any, Any, Any]

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        game = self.rules
        given = dict(params or {})
        seats = int(given.get("players", game.seats[0]))
        reward = check_reward(str(given.get("reward", DEFAULT_REWARD)), SUM_TO_ZERO)
        self.table = Episode(game, seats, _options(game, str(given.get("options", ""))), reward)
        least, most = (-1 / seats, 1 - 1 / seats) if reward == DEFAULT_REWARD else (-MOST_POINTS, MOST_POINTS)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.table.encoding),
            max_chance_outcomes=widest_draw(game, game.start(self.table.match.header.options, seats)),
            num_players=seats,
            min_utility=least,
            max_utility=most,
            utility_sum=0.0,
            max_game_length=MOST,
        )
        super().__init__(_type_of(game), info, given)

    def __reduce__(self) -> tuple[Any, ...]:
        return _load, (str(self),)

    def new_initial_state(self) -> SpielState:
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver | None:
        """Make what observes for a player; None where private things are asked for without what is public."""
        if iig_obs_type is not None and not iig_obs_type.public_info:
            return None
        return SpielObserver(self.table, iig_obs_type, params)


class SpielState(pyspiel.State):
    """A match of such a game, action by action.

    OpenSpiel copies and pickles what a state holds: all of it is in `_moment`, which never changes, and `_scratch`,
    which can be made again.
    """

    def __init__(self, spiel: SpielGame) -> None:
        super().__init__(spiel)
        table = spiel.table
        begun = table.game.start(table.match.header.options, table.seats)
        self._snapshot = Snapshot(begun, begun)
        self._scratch = DerivedCache()

    @property
    def match(self) -> Match[Any, Any, Any]:
        """The match so far, with the deals that chance drew and no seed; raises `MatchError` for a resampled state."""
        snapshot, table = self._snapshot, self._table
        if snapshot.base is not None:
            raise MatchError("a state that was resampled has no past: there is no match to be saved")
        deals = [command for seat, command, _ in snapshot.steps if seat == TABLE]
        named = blake2b(pack(deals[:1]), digest_size=8).hexdigest()  # a match has an id of its own, as its deal is
        match: Match[Any, Any, Any] = Match(table.game, table.header(None, named))
        for seat, command, _ in snapshot.steps:
            match.apply(seat, command)
        return match

    def current_player(self) -> int:
        asked = self._asked()
        if not asked:
            return int(pyspiel.PlayerId.TERMINAL)
        if TABLE in asked:
            return int(pyspiel.PlayerId.CHANCE)
        if len(asked) == 1:
            return int(*asked)
        rules, state = self._table.game, self._snapshot.state
        return int(next((seat for seat in sorted(asked) if can_act(rules, state, seat)), min(asked)))

    def is_terminal(self) -> bool:
        return not self._asked()

    def _legal_actions(self, player: int) -> list[int]:
        return list(self._choice().actions) if player == self.current_player() else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        due = self._drawn(self._snapshot)
        assert isinstance(due, DrawNeeded)
        return [(draw, 1 / due.bound) for draw in range(due.bound)]

    def _apply_action(self, action: int) -> None:
        snapshot, rules, player = self._snapshot, self._table.game, self.current_player()
        if player == pyspiel.PlayerId.TERMINAL:
            raise MatchError("the match is over: there are no more actions")
        if player == pyspiel.PlayerId.CHANCE:
            drew = snapshot.with_draw(action)
            deal = self._drawn(drew)
            if isinstance(deal, DrawNeeded):
                self._set(drew)
            else:
                self._set(snapshot.with_command(TABLE, deal, rules.apply(snapshot.state, TABLE, deal)))
            return
        choice = self._choice().after(action)
        if choice.command is None:
            self._set(snapshot.with_action(action))
            self._scratch.choice = choice
        else:
            seat = Seat(player)
            self._set(snapshot.with_command(seat, choice.command, rules.apply(snapshot.state, seat, choice.command)))

    def returns(self) -> list[float]:
        result = self._table.game.result(self._snapshot.state)
        return list(rewards(result, self._table.reward, self._table.seats))

    def _action_to_string(self, player: int, action: int) -> str:
        return f"draw {action}" if player < 0 else self._table.encoding.label(action)

    def __str__(self) -> str:
        snapshot = self._snapshot
        return dumps([plain(snapshot.state), snapshot.draws, snapshot.tokens], ensure_ascii=False)

    def info(self, seat: Seat | None) -> str:
        """Name by a digest all that a seat has seen and done since the match began, and what it has spelled now."""
        remembered = self._scratch.history(self._table.game, self._snapshot, seat)
        return " ".join([remembered.digest.hex(), *map(str, self._said(seat))])

    def observed_events(self, seat: Seat | None) -> str:
        """Give the view of a seat, and what it has spelled of its command."""
        view = self._table.game.view(self._snapshot.state, seat)
        return dumps([plain(view), self._said(seat)], ensure_ascii=False)

    def observation(self, seat: Seat | None) -> Any:
        """Give the view of a seat as an array, and what it has spelled of its command."""
        return self._table.encoder.observe(self._snapshot.state, seat, self._said(seat))

    def resample_from_infostate(self, player_id: int, probability_sampler: Any = None) -> SpielState:
        """Draw a state that this seat could be in as well: a twin of its view that keeps to what it saw happen.

        The seat remembers what it did; of the other seats nothing is taken over that it does not know.
        """
        draw = probability_sampler or np.random.random
        seed = b"".join(int(draw() * 2**32).to_bytes(4, "big") for _ in range(8))
        seat = Seat(player_id)
        if seat not in range(self._table.seats):
            raise MatchError(f"there are players 0 to {self._table.seats - 1}, not {seat}")
        if seat not in self._scratch.determinizer:
            self._scratch.determinizer[seat] = self._determinizations(seat)
        memory, determinizations = self._scratch.determinizer[seat]
        determinization = determinizations(Shuffler(seed))
        other: SpielState = self.clone()
        other._set(Snapshot(determinization, determinization, tokens=self._said(seat), base={seat: memory}))
        return other

    def _determinizations(self, seat: Seat) -> tuple[PlayerHistory, Determinizer]:
        """Find out what a seat remembers, and make what draws states that it may be in."""
        rules, snapshot = self._table.game, self._snapshot
        view = rules.view(snapshot.state, seat)
        memory = self._scratch.history(rules, snapshot, seat)
        knows_all = snapshot.base is None or seat in snapshot.base
        if rules.hints is None or not knows_all or TABLE in self._asked():
            return memory, partial(rules.determinize, view)
        return memory, rules.hints.determinize_history(view, memory.events)

    @property
    def _table(self) -> Episode:
        if self._scratch.table is None:
            self._scratch.table = self.get_game().table
        return self._scratch.table  # type: ignore[no-any-return]

    def _set(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._scratch.clear()

    def _asked(self) -> frozenset[Seat]:
        return self._table.game.to_act(self._snapshot.state)

    def _said(self, seat: Seat | None) -> tuple[int, ...]:
        return self._snapshot.tokens if seat == self.current_player() else ()

    def _choice(self) -> PartialCommand:
        if self._scratch.choice is None:
            table, snapshot = self._table, self._snapshot
            begun = PartialCommand.of(table.game, table.encoding, snapshot.state, Seat(self.current_player()))
            self._scratch.choice = begun.through(snapshot.tokens)
        return self._scratch.choice  # type: ignore[no-any-return]

    def _drawn(self, snapshot: Snapshot) -> Any:
        """Give the deal that the draws so far make, or which draw is due."""
        try:
            return self._table.game.deal(snapshot.state, ScriptedShuffler(snapshot.draws))
        except DrawNeeded as due:
            return due


class SpielObserver:
    """What a player observes, for OpenSpiel: with perfect recall all that it ever saw, else its view.

    Without private information a player observes what a spectator does, with that of all players the whole table.
    """

    def __init__(self, table: Episode, kind: Any = None, params: Any = None) -> None:
        if params:
            raise MatchError(f"an observation has no parameters, and so not {params!r}")
        self._recalls = kind is not None and kind.perfect_recall
        self._private = pyspiel.PrivateInfoType.SINGLE_PLAYER if kind is None else kind.private_info
        size = 0 if self._recalls else table.encoder.size
        self.tensor: Any = np.zeros(size, np.float32)
        self.dict = {} if self._recalls else {name: self.tensor[at] for name, at in table.encoder.places.items()}

    def set_from(self, state: SpielState, player: int) -> None:
        if not self._recalls:
            self.tensor[:] = state.observation(self._viewer(player))

    def string_from(self, state: SpielState, player: int) -> str:
        viewer = self._viewer(player)
        return state.info(viewer) if self._recalls else state.observed_events(viewer)

    def _viewer(self, player: int) -> Seat | None:
        if self._private == pyspiel.PrivateInfoType.NONE:
            return None
        return TABLE if self._private == pyspiel.PrivateInfoType.ALL_PLAYERS else Seat(player)


def _load(text: str) -> Any:
    """Load a game by what OpenSpiel calls it; that this is ours to be imported makes it known there."""
    return pyspiel.load_game(text)


def _options(game: Game[Any, Any, Any], quoted: str) -> dict[str, Any]:
    """Read the parameter `options`: a JSON object, percent-encoded, since OpenSpiel has no commas in a parameter."""
    try:
        options = loads(unquote(quoted) or "{}")
    except JSONDecodeError as cause:
        raise MatchError(f"the parameter options is no JSON object: {cause}") from None
    if not isinstance(options, dict):
        raise MatchError("the parameter options is no JSON object")
    return wire_of(game).json_options(options)


def _type_of(game: Game[Any, Any, Any]) -> Any:
    return pyspiel.GameType(
        short_name=PREFIX + game.name,
        long_name=f"{game.name} of kifu, rules version {game.rules}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.seats[-1],
        min_num_players=game.seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": game.seats[0], "options": "", "reward": DEFAULT_REWARD},
    )


def _register(game: Game[Any, Any, Any]) -> None:
    """Make a game known to OpenSpiel, once; raises `GameError` if it has another of this name."""
    known = _registered.get(game.name)
    if known is game:
        return
    if known is not None:
        raise GameError(game.name, "OpenSpiel knows another game of this name already")
    _registered[game.name] = game
    # A class: OpenSpiel lets go of what makes a game after Python is gone, which no other object survives.
    pyspiel.register_game(_type_of(game), type(f"Spiel_{game.name}", (SpielGame,), {"rules": game}))


def _register_installed() -> None:
    """Make every installed game known to OpenSpiel; one that cannot be loaded is left out."""
    for name in registry.names():
        try:
            _register(registry.find(name))
        except KifuError:
            continue


_register_installed()
