"""An episode: a match played action by action, for all environments of a game."""

from __future__ import annotations

from collections.abc import Mapping
from operator import index
from typing import Any

import numpy as np

from ..errors import MatchError, OptionError
from ..game import TABLE, Game, Seat
from ..header import Header, check_seats, new_header
from ..match import Match
from ..scene import Place, Scene, Thing
from .action_encoding import WAIT, action_encoding_of
from .observation import Array, ObservationEncoder
from .partial_command import PartialCommand, can_act

PROBE_SEED = bytes(32)
"""The seed of the match from which the sizes of arrays are computed."""


class Episode:
    """One match after another of a game, with one number of seats and one set of options."""

    def __init__(self, game: Game[Any, Any, Any], seats: int | None, options: Mapping[str, Any] | None) -> None:
        if not isinstance(options, Mapping | None):
            raise OptionError("options", "must be a map")
        self.game = game
        self.seats = game.seats[0] if seats is None else as_int(seats, "the number of seats")
        check_seats(game, self.seats)
        self.names = tuple(f"seat_{seat}" for seat in range(self.seats))
        self.options = dict(options or {})
        self.encoding = action_encoding_of(game)
        self.deal(PROBE_SEED)
        self.encoder = ObservationEncoder(game, self.match.state)

    def header(self, seed: bytes | None, match: str) -> Header:
        """Return the header of a match with this seed and id."""
        options = self.options
        return new_header(self.game, self.names, options, seed, match=match, started=None, engine="kifu.core.env")

    def deal(self, seed: bytes) -> None:
        """Begin a new match, with deals from this 32-byte seed."""
        self.match: Match[Any, Any, Any] = Match(self.game, self.header(seed, seed.hex()[:16]))
        self.match.deal()
        self._choices = self._begin_choices()

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats that are to act, ascending; empty once the match is over."""
        return tuple(self._choices)

    def legal_actions(self, seat: Seat) -> tuple[int, ...]:
        """Return the legal actions of a seat, ascending; for a seat that is not to act, `wait` alone."""
        choice = self._choices.get(seat)
        return choice.actions if choice is not None else (WAIT,)

    def action_mask(self, seat: Seat) -> Array:
        """Return an int8 array with an item for each action: 1 if it is legal for the seat, else 0."""
        mask: Array = np.zeros(len(self.encoding), np.int8)
        mask[list(self.legal_actions(seat))] = 1
        return mask

    def apply_action(self, seat: Seat, action: int) -> None:
        """Take an action of a seat; once its actions determine a command, play it, and deal if a deal is due.

        Raises `MatchError` for an action that is not legal, and then nothing has changed.
        """
        if seat not in self._choices:
            if action != WAIT:
                raise MatchError(f"seat {seat} is not asked to act: it can only wait, which is action {WAIT}")
            return
        self._choices[seat] = choice = self._choices[seat].after(action)
        if choice.command is not None:
            self.match.play(seat, choice.command)
            self._choices = self._begin_choices()

    def observe(self, seat: Seat) -> dict[str, Array]:
        """Return the `observation` and `action_mask` of a seat."""
        tokens = self._choices[seat].tokens if seat in self._choices else ()
        return {
            "observation": self.encoder.observe(self.match.state, seat, tokens),
            "action_mask": self.action_mask(seat),
        }

    def state(self) -> Array:
        """Return the view of the table, all cards open, as an int32 array."""
        return self.encoder.observe(self.match.state, TABLE)

    def rewards(self) -> tuple[float, ...]:
        """Return the reward of each seat, which sum to 0; all are 0 before the end."""
        return zero_sum_rewards(self.match.result.winners if self.match.result else (), self.seats)

    def info(self, seat: Seat) -> dict[str, Any]:
        """Return the `info` dict of a seat: `{"points": int, "won": bool}` once the match is over, else `{}`."""
        result = self.match.result
        return {"points": result.points[seat], "won": seat in result.winners} if result else {}

    def render(self) -> str:
        """Return the table as text, all cards open."""
        return render_scene(self.match.scene(TABLE))

    def _begin_choices(self) -> dict[Seat, PartialCommand]:
        """Begin the command of each seat to act; a seat without a legal command now waits for the others."""
        game, state, to_act = self.game, self.match.state, self.match.to_act
        able = [seat for seat in sorted(to_act) if len(to_act) == 1 or can_act(game, state, seat)]
        return {seat: PartialCommand.of(game, self.encoding, state, seat) for seat in able or sorted(to_act)}


def as_int(value: Any, what: str, least: int | None = None) -> int:
    """Return an int of any library as Python's; raises `MatchError`, which names `what`, for anything else."""
    try:
        number = index(value)
    except TypeError:
        raise MatchError(f"{what} is an int, not {repr(value)[:60]}") from None
    if least is not None and number < least:
        raise MatchError(f"{what} is {least} or more, not {number}")
    return number


def zero_sum_rewards(winners: tuple[Seat, ...], seats: int) -> tuple[float, ...]:
    """Return the reward of each seat: a winner's share of 1, less 1 / `seats`; all 0 without winners."""
    if not winners:
        return (0.0,) * seats
    return tuple((seat in winners) / len(winners) - 1 / seats for seat in range(seats))


def render_scene(scene: Scene) -> str:
    """Format a scene: one line for the middle of the table and one for each seat, labels as message keys."""
    return "\n".join(_line(place) for place in (scene.table, *scene.places))


def _line(place: Place) -> str:
    name = "table" if place.seat is None else f"seat_{place.seat}"
    facts = [f"{_word(fact.label)} {fact.value}" for fact in place.facts]
    zones = [f"{_word(zone.label)} {' '.join(map(_thing, zone.things))}" for zone in place.zones if zone.things]
    return f"{name}: " + "; ".join((*facts, *zones, *map(_word, place.marks)))


def _thing(thing: Thing) -> str:
    marks = "".join(f" {_word(mark)}" for mark in thing.marks)
    faces = " ".join(face.text for face in thing.faces)
    if len(thing.faces) == thing.count == 1:
        return faces + marks
    return f"[{faces or f'x{thing.count}'}{marks}]"


def _word(label: str) -> str:
    return label.partition("-")[2] or label
