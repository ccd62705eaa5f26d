"""A match that is played action by action: what all environments of a game share."""

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
from .planes import PlaneEncoder
from .relative import RelativeEncoding, relative_view
from .reward import DEFAULT_REWARD, check_reward, rewards

WHOLE, PLANES = "whole", "planes"
"""How a view is put into numbers: as itself, every value at its place; or as planes of 0 and 1, for networks."""

PROBE_SEED = bytes(32)
"""The seed of the deal by which a game is looked at before it is played."""


class Episode:
    """One match after another of a game, with so many seats and these options."""

    def __init__(
        self,
        game: Game[Any, Any, Any],
        seats: int | None,
        options: Mapping[str, Any] | None,
        reward: str = DEFAULT_REWARD,
        relative: bool = False,
        encoding: str = WHOLE,
    ) -> None:
        if not isinstance(options, Mapping | None):
            raise OptionError("options", "must be a map")
        self.game = game
        self.seats = game.seats[0] if seats is None else as_int(seats, "the number of seats")
        check_seats(game, self.seats)
        self.names = tuple(f"seat_{seat}" for seat in range(self.seats))
        self.options = dict(options or {})
        self.reward = check_reward(reward)
        self.relative = bool(relative)
        self.encoding = action_encoding_of(game)
        self._encodings = [
            RelativeEncoding(self.encoding, Seat(seat), self.seats) if relative else self.encoding
            for seat in range(self.seats)
        ]
        self.deal(PROBE_SEED)
        self.encoder = encoder_of(encoding)(game, self.match.state)

    def header(self, seed: bytes | None, match: str) -> Header:
        """Make the header of a match at this table."""
        options = self.options
        return new_header(self.game, self.names, options, seed, match=match, started=None, engine="kifu.core.env")

    def deal(self, seed: bytes) -> None:
        """Begin a new match, its deals from this seed."""
        self.match: Match[Any, Any, Any] = Match(self.game, self.header(seed, seed.hex()[:16]))
        self.match.deal()
        self._choices = self._asked()

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats that are to act, ascending; none once the match is over."""
        return tuple(self._choices)

    def legal_actions(self, seat: Seat) -> tuple[int, ...]:
        """List the actions of a seat, ascending: of one that is not asked, to wait."""
        choice = self._choices.get(seat)
        return choice.actions if choice is not None else (WAIT,)

    def action_mask(self, seat: Seat) -> Array:
        """Mark the actions of a seat with 1."""
        mask: Array = np.zeros(len(self.encoding), np.int8)
        mask[list(self.legal_actions(seat))] = 1
        return mask

    def apply_action(self, seat: Seat, action: int) -> None:
        """Let the seat take an action; once they spell a command, it is played and the table deals if it is to.

        Raises `MatchError` for an action that is not of `actions`, and nothing has changed.
        """
        if seat not in self._choices:
            if action != WAIT:
                raise MatchError(f"seat {seat} is not asked to act: it can only wait, which is action {WAIT}")
            return
        self._choices[seat] = choice = self._choices[seat].after(action)
        if choice.command is not None:
            self.play(seat, choice.command)

    def play(self, seat: Seat, command: Any) -> None:
        """Play a whole command; the table deals if it is to. Raises `RuleViolation`, and nothing has changed."""
        self.match.play(seat, command)
        self._choices = self._asked()

    def observe(self, seat: Seat) -> dict[str, Array]:
        """Give what the seat may look at, and its actions."""
        said = self._choices[seat].said if seat in self._choices else ()
        return {
            "observation": self.encoder.encode(self.view(seat), said),
            "action_mask": self.action_mask(seat),
        }

    def view(self, seat: Seat) -> Any:
        """Return the view of a seat; if the episode is relative, with the seats counted from it."""
        view = self.match.view(seat)
        return relative_view(self.game, view, seat, self.seats) if self.relative else view

    def state(self) -> Array:
        """Give the whole table as numbers, all cards open."""
        return self.encoder.observe(self.match.state, TABLE)

    def rewards(self) -> tuple[float, ...]:
        """Return the reward of each seat, 0 before the end."""
        return rewards(self.match.result, self.reward, self.seats)

    def info(self, seat: Seat) -> dict[str, Any]:
        """Give what a learner may be told besides: the points, once the match is over."""
        result = self.match.result
        return {"points": result.points[seat], "won": seat in result.winners} if result else {}

    def render(self) -> str:
        """Draw the table as text, all cards open."""
        return render_scene(self.match.scene(TABLE))

    def _asked(self) -> dict[Seat, PartialCommand]:
        """Begin the choices of those who are asked; one who has no legal command now waits for the others."""
        game, state, to_act = self.game, self.match.state, self.match.to_act
        asked = [seat for seat in sorted(to_act) if len(to_act) == 1 or can_act(game, state, seat)]
        return {seat: PartialCommand.of(game, self._encodings[seat], state, seat) for seat in asked or sorted(to_act)}


def encoder_of(name: str) -> type[ObservationEncoder] | type[PlaneEncoder]:
    """Find what puts views into numbers, by the name of the encoding; raises `MatchError`."""
    known: dict[str, type[ObservationEncoder] | type[PlaneEncoder]] = {WHOLE: ObservationEncoder, PLANES: PlaneEncoder}
    if name not in known:
        raise MatchError(f"encoding is one of {', '.join(known)}, not {repr(name)[:60]}")
    return known[name]


def as_int(value: Any, what: str, least: int | None = None) -> int:
    """Take an int of any library; raises `MatchError`, which names what it is, for anything else."""
    try:
        number = index(value)
    except TypeError:
        raise MatchError(f"{what} is an int, not {repr(value)[:60]}") from None
    if least is not None and number < least:
        raise MatchError(f"{what} is {least} or more, not {number}")
    return number


def render_scene(scene: Scene) -> str:
    """Draw a scene in one line for the middle of the table and one for each seat, labels as message keys."""
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
