"""The decisions of a match, each with what its seat knew, and what they cost: chances compared on determinizations."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from itertools import islice
from math import sqrt
from typing import Any

from attrs import frozen

from ...core.game import TABLE, ObservedEvent, Seat, ordered_sum
from ...core.game.timeline import effective
from ...core.match import AnyMatch
from ...core.match.bot import InformationState
from ...core.match.legal import MAX_LEGAL
from ...games.bots.ismcts import Search
from ...games.bots.rollouts import Outcome, paired_outcomes
from ..stats.figures import student

ITERATIONS = 48
"""The iterations of the search that nominates commands."""
NOMINEES = 3
"""The commands that are nominated, besides the played one."""
FIRST_PAIRS = 12
"""The determinizations on which the best of the nominees is chosen. They count no further: the best of several
measured commands would seem better than it is."""
PAIRS = 40
"""The determinizations on which the best and the played command are compared, by default."""
DEPTH = 120
"""The most commands of a playout."""
SWING = 0.05
"""The least loss that is marked, if its interval is above 0."""
DIGITS = 4
"""Decimals that are kept, so that an analysis has the same bytes on every machine."""


@frozen
class Decision:
    """One event of a seat that had a choice: what it knew, and what it played."""

    seq: int
    seat: int
    played: Any
    info_state: InformationState[Any, Any]


@frozen
class Estimate:
    """What one command promises its seat: means over playouts."""

    chance: float
    """How often the seat won, alone or with others, 0 to 1."""
    value: float
    """Half the victory, half the lead over the others, 0 to 1."""
    points: float | None
    """The points at the end; None unless every playout came to the end."""

    @classmethod
    def of(cls, outcomes: Sequence[Outcome]) -> Estimate:
        """Return the means of at least one outcome."""
        points = [each.points for each in outcomes if each.points is not None]
        return cls(
            _mean([float(each.won) for each in outcomes]),
            _mean([each.value for each in outcomes]),
            _mean(points) if len(points) == len(outcomes) else None,
        )


@frozen
class Interval:
    """The mean of paired differences, with its 95 % interval (Student's t)."""

    mean: float
    low: float
    high: float

    @classmethod
    def of(cls, differences: Sequence[float]) -> Interval:
        """Return the interval of at least two differences."""
        count, mean = len(differences), ordered_sum(differences) / len(differences)
        variance = ordered_sum([(each - mean) * (each - mean) for each in differences]) / (count - 1)
        margin = student(count - 1) * sqrt(variance / count)
        return cls(round(mean, DIGITS), round(mean - margin, DIGITS), round(mean + margin, DIGITS))


@frozen
class Judgement:
    """What a decision cost its seat, as far as the seat could know."""

    played: Any
    best: Any
    """The best command found: the played one if none seemed better."""
    pairs: int
    """The determinizations on which the two were compared."""
    played_estimate: Estimate
    best_estimate: Estimate
    chance_loss: Interval
    """The chance of the best command minus that of the played one."""
    value_loss: Interval

    @property
    def is_swing(self) -> bool:
        """True if the seat gave away much, and not by the chance of the draw."""
        return self.value_loss.low > 0 and self.value_loss.mean >= SWING


def decisions_of(match: AnyMatch) -> list[Decision]:
    """Return the decisions that stand, in order: takebacks, what they undid and forced commands are none."""
    found, seen = [], {event.seq for event in effective(match.events)}
    observed: list[list[ObservedEvent[Any]]] = [[] for _ in match.header.seats]
    game = match.game
    for step in match.steps:
        if step.seat != TABLE and step.seq in seen:
            legal = tuple(islice(game.legal(step.before, step.seat), MAX_LEGAL))
            if len(legal) > 1:
                view, history = game.view(step.before, step.seat), tuple(observed[step.seat])
                info_state = InformationState(game, step.seat, view, legal, history)
                found.append(Decision(step.seq, step.seat, step.command, info_state))
        for seat, history_of_seat in enumerate(observed):
            viewer = Seat(seat)
            history_of_seat.append(ObservedEvent(step.seq, step.seat, step.command_for(viewer), step.notes_for(viewer)))
    return found


def judge(decision: Decision, seed: bytes, pairs: int = PAIRS) -> Judgement | None:
    """Compare the played command with the best that a search finds, from what the seat knew alone.

    Returns None if fewer than two determinizations take both commands. The same decision and seed, the same judgement.
    """
    info_state, played = decision.info_state, decision.played
    search = Search(info_state, seed)
    search.choose(lambda iteration: iteration < ITERATIONS)
    nominees = [each.command for each in search.thoughts()[:NOMINEES]]
    commands = nominees if played in nominees else [*nominees, played]
    outcomes = paired_outcomes(info_state, commands, seed, DEPTH)
    best = _best(commands, list(islice(outcomes, FIRST_PAIRS)), played)
    compared = [played] if best == played else [best, played]
    measured = list(islice(paired_outcomes(info_state, compared, _other(seed), DEPTH), pairs))
    if len(measured) < 2:
        return None
    of_best, of_played = [row[0] for row in measured], [row[-1] for row in measured]
    return Judgement(
        played=played,
        best=best,
        pairs=len(measured),
        played_estimate=Estimate.of(of_played),
        best_estimate=Estimate.of(of_best),
        chance_loss=Interval.of([one.won - other.won for one, other in zip(of_best, of_played, strict=True)]),
        value_loss=Interval.of([one.value - other.value for one, other in zip(of_best, of_played, strict=True)]),
    )


def _best(commands: Sequence[Any], rows: Sequence[Sequence[Outcome]], played: Any) -> Any:
    """Return the command of the highest mean value; the played one if none is higher, or nothing was measured."""
    sums = [ordered_sum([row[place].value for row in rows]) for place in range(len(commands))]
    highest = max(sums)
    return played if sums[commands.index(played)] == highest else commands[sums.index(highest)]


def _mean(values: Sequence[float]) -> float:
    return round(ordered_sum(values) / len(values), DIGITS)


def _other(seed: bytes) -> bytes:
    """Return a seed for determinizations other than those on which the best was chosen."""
    return blake2b(b"kifu compared", key=seed, digest_size=32).digest()
