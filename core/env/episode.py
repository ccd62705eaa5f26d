"""An episode: a match played action by action, for all environments of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import index
from typing import Any

import numpy as np
from attrs import evolve

from ..errors import MatchError, OptionError
from ..game import TABLE, AnyGame, Result, Seat
from ..match import AnyMatch, Match
from ..match.header import Header, check_seats, new_header
from ..text.texts import Texts
from ..wire import wire_of
from .action_encoding import WAIT, ActionEncoding, action_encoding_of
from .observation import Array, ObservationEncoder
from .partial_command import PartialCommand, can_act
from .relative import RelativeEncoding
from .reward import DEFAULT_REWARD, REWARDS, one_of, rewards
from .text.drawing import SceneText

NOT_SEEN: tuple[Any, Sequence[Any]] = (None, ())

INT8 = np.dtype(np.int8)
"""The type of masks."""

PROBE_SEED = bytes(32)
"""The seed of the match from which the sizes of arrays are computed."""


class Episode:
    """One match after another of a game, with one number of seats and one set of options."""

    def __init__(
        self,
        game: AnyGame,
        seats: int | None,
        options: Mapping[str, Any] | None,
        reward: str = DEFAULT_REWARD,
        relative: bool = False,
    ) -> None:
        if not isinstance(options, Mapping | None):
            raise OptionError("options", "must be a map")
        self.game = game
        self.seats = game.seats[0] if seats is None else as_int(seats, "the number of seats")
        check_seats(game, self.seats)
        self.names = tuple(f"seat_{seat}" for seat in range(self.seats))
        self.options = dict(options or {})
        self.reward = one_of("reward", reward, REWARDS)
        self.relative = bool(relative)
        self.encoding = action_encoding_of(game)
        self._choices: dict[int, PartialCommand] = {}
        self._header = new_header(
            game, self.names, self.options, PROBE_SEED, match="", started=None, engine="kifu.core.env"
        )
        self._encodings = [
            RelativeEncoding(self.encoding, Seat(seat), self.seats) if relative else self.encoding
            for seat in range(self.seats)
        ]
        self._waiting = bytes(action == WAIT for action in range(len(self.encoding)))
        self.deal(PROBE_SEED)
        self.encoder = ObservationEncoder(game, self.match.state)
        self._encoders = [
            self.encoder.counted_from(Seat(seat), self.seats) if relative else self.encoder
            for seat in range(self.seats)
        ]

    def __getstate__(self) -> dict[str, Any]:
        begun = {seat: choice.tokens for seat, choice in self._choices.items()}
        return {**self.__dict__, "_seen": {}, "_choices": begun}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._choices = {}
        for seat, tokens in state["_choices"].items():
            first = PartialCommand.of(self.game, self._encodings[seat], self.match.state, seat)
            self._choices[seat] = first.through(tokens)

    def start(self) -> Any:
        """Return the state before the first deal."""
        return self.game.start(self.match.header.options, self.seats)

    def header(self, seed: bytes | None, match: str) -> Header:
        """Return the header of a match with this seed and id."""
        return evolve(self._header, seed=seed, match=match)

    def deal(self, seed: bytes) -> None:
        """Begin a new match, with deals from this 32-byte seed."""
        self.match: AnyMatch = Match(self.game, self.header(seed, seed.hex()[:16]))
        self._begin_choices()
        self._choice(self.to_act[0])  # a game whose commands cannot be numbered is refused at once

    def legal_actions(self, seat: int) -> tuple[int, ...]:
        """Return the legal actions of a seat, ascending; for a seat that is not to act, `wait` alone."""
        choice = self._choice(seat)
        return choice.actions if choice else (WAIT,)

    def action_mask(self, seat: int) -> Array:
        """Return an int8 array with an item for each action: 1 if it is legal for the seat, else 0."""
        choice = self._choice(seat)
        return np.frombuffer(bytearray(self._waiting if choice is None else choice.mask()), INT8)

    def apply_action(self, seat: int, action: int) -> None:
        """Take an action of a seat; once its actions determine a command, play it, and deal if a deal is due.

        Raises `MatchError` for an action that is not legal, and then nothing has changed.
        """
        choice = self._choice(seat)
        if choice is None:
            if action != WAIT:
                raise MatchError(f"seat {seat} is not asked to act: it can only wait, which is action {WAIT}")
            return
        self._choices[seat] = choice = choice.after(action)
        if choice.command is not None:
            self.play(seat, choice.command)

    def play(self, seat: int, command: Any) -> None:
        """Play a whole command; the table deals if it is to. Raises `RuleViolation`, and nothing has changed."""
        self.match.apply(seat, command)
        self._begin_choices()

    def observe(self, seat: int) -> dict[str, Array]:
        """Return the `observation` and `action_mask` of a seat."""
        return {"observation": self.observation(seat), "action_mask": self.action_mask(seat)}

    def observation(self, seat: int) -> Array:
        """Return the `observation` of a seat; what it sees is written once between two commands."""
        state, encoder = self.match.state, self._encoders[seat]
        of, seen = self._seen.get(seat, NOT_SEEN)
        if of is not state:
            seen = encoder.seen(self.game.view(state, seat))
            self._seen[seat] = state, seen
        choice = self._choices.get(seat)
        return encoder.with_tokens(seen, choice.tokens if choice else ())  # none, before its first action

    def encode(self, seat: int, view: Any, tokens: tuple[int, ...]) -> Array:
        """Return the array of a view, and of the actions so far of a command."""
        return self._encoders[seat].encode(view, tokens)

    def encoding_of(self, seat: int) -> ActionEncoding:
        """Return the encoding of a seat's commands; if the episode is relative, with the seats counted from it."""
        return self._encodings[seat]

    def state(self) -> Array:
        """Return the view of the table, all cards open, as an int32 array."""
        return self.encoder.observe(self.match.state, TABLE)

    @property
    def result(self) -> Result | None:
        """The result of the match; None while it goes on."""
        return self.match.result if self.next_to_act is None else None

    def rewards(self) -> tuple[float, ...]:
        """Return the reward of each seat, 0 before the end."""
        return rewards(self.result, self.reward, self.seats)

    def infos(self) -> list[dict[str, Any]]:
        """Return the `info` dict of each seat: `{"points": int, "won": bool}` once the match is over, else `{}`."""
        result = self.result
        if result is None:
            return [{} for _ in range(self.seats)]
        return [{"points": points, "won": seat in result.winners} for seat, points in enumerate(result.points)]

    def render(self, viewer: int | None = TABLE) -> str:
        """Return what a seat sees as text, or the table with all cards open."""
        scene = self.game.scene(self.game.view(self.match.state, viewer))
        return "\n".join(SceneText(self.game, Texts(), self.names).draw(scene, "you"))

    def _begin_choices(self) -> None:
        """Deal if a deal is due, and find who is to act; a seat without a legal command now waits for the others."""
        game, state = self.game, self.match.state
        seats = (*game.to_act(state),)
        if TABLE in seats:
            self.match.deal()
            state = self.match.state
            seats = (*game.to_act(state),)
        self.next_to_act: int | None = seats[0] if seats else None
        """The lowest seat that is to act; None once the match is over."""
        self._asked: tuple[int, ...] = seats
        self._to_act: tuple[int, ...] | None = seats
        if len(seats) > 1:
            self._asked, self._to_act = tuple(sorted(seats)), None
            able = (seat for seat in self._asked if can_act(game, state, seat))
            self.next_to_act = next(able, self._asked[0])
        self._choices = {}
        self._seen: dict[int, tuple[Any, Sequence[Any]]] = {}

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that are to act, ascending; empty once the match is over."""
        if self._to_act is None:
            game, state = self.game, self.match.state
            self._to_act = tuple(seat for seat in self._asked if can_act(game, state, seat)) or self._asked
        return self._to_act

    def _choice(self, seat: int) -> PartialCommand | None:
        """Return the incomplete command of a seat, begun when it is first asked for; None if it is not to act."""
        choice = self._choices.get(seat)
        if choice is None and (seat == self.next_to_act or seat in self.to_act):
            choice = PartialCommand.of(self.game, self._encodings[seat], self.match.state, seat)
            self._choices[seat] = choice
        return choice


def refuse_options(game: AnyGame, given: Mapping[str, Any] | None) -> None:
    """Raise `MatchError` for options of a game that are given to `reset`, where nobody would look at them."""
    for name in wire_of(game).option_fields.keys() & (given or {}).keys():
        raise MatchError(f"reset takes no option of the game ({name}): give it when the environment is made")


def as_int(value: Any, what: str, least: int | None = None) -> int:
    """Return an int of any library as Python's; raises `MatchError`, which names `what`, for anything else."""
    try:
        number = index(value)
    except TypeError:
        raise MatchError(f"{what} is an int, not {repr(value)[:60]}") from None
    if least is not None and number < least:
        raise MatchError(f"{what} is {least} or more, not {number}")
    return number
