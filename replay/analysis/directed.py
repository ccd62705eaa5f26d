"""Directed play: matches that reach for the rules that no match before them has reached.

Of some random legal commands the one is played whose step has the rarest rules. A part of the moves is random all the
same: what leads to a rule is often no rule itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import islice
from typing import Any

from ...core.game import TABLE, AnyGame, AnyStep, Event, RuleViolation, Seat, Shuffler, Step
from ...core.match import AnyMatch, Match
from ...core.match.header import SEED_BYTES, Header
from ...core.match.random_play import draw_command

SAMPLE = 6
"""The number of commands of which the best is played."""

MAX_LISTED = 256
"""The number of a seat's legal commands that are drawn from."""

RANDOM_SHARE = 3
"""One in this many moves is random."""

TARGET_WEIGHT = 8.0
"""How much more a rule weighs if it is one of the targets."""


class DirectedPlay:
    """A player of all seats that counts the rules at work in its matches, and prefers the rarest."""

    def __init__(self, game: AnyGame, targets: Iterable[str] = ()) -> None:
        self.game = game
        self.targets = frozenset(targets)
        """The rules to reach first."""
        self.counts: Counter[str] = Counter()
        """The number of steps in which each rule was at work so far."""

    @property
    def unreached(self) -> list[str]:
        """The rules of the book that were never at work, in its order."""
        return [rule.number for rule in self.game.book if not self.counts[rule.number]]

    def play(self, header: Header, luck: Shuffler, most: int) -> AnyMatch:
        """Play a match to its end, or to `most` events; without a seed, the deals are drawn from `luck`."""
        match: AnyMatch = Match(self.game, header)
        while len(match.events) < most and match.to_act:
            chosen = self._deal(match, luck) if TABLE in match.to_act else self._choose(match, luck)
            if chosen is None:
                break
            step = match.apply(*chosen)
            self.counts.update(_rules(step))
        return match

    def _deal(self, match: AnyMatch, luck: Shuffler) -> tuple[Seat, Any]:
        if match.header.seed is not None:
            deals = sum(event.seat == TABLE for event in match.events)
            return TABLE, self.game.deal(match.state, Shuffler(match.header.seed, deals))
        return TABLE, self.game.deal(match.state, Shuffler(bytes(luck.below(256) for _ in range(SEED_BYTES))))

    def _choose(self, match: AnyMatch, luck: Shuffler) -> tuple[Seat, Any] | None:
        game, state = self.game, match.state
        listed = {seat: list(islice(game.legal(state, seat), MAX_LISTED)) for seat in sorted(match.to_act)}
        able = [(seat, commands) for seat, commands in listed.items() if commands]
        if not able:
            return None
        seat, commands = able[luck.below(len(able))]
        if luck.below(RANDOM_SHARE) == 0:
            return seat, draw_command(commands, luck)
        drawn = [draw_command(commands, luck) for _ in range(min(SAMPLE, len(commands)))]
        return seat, max(drawn, key=lambda command: self._novelty(match, seat, command))

    def _novelty(self, match: AnyMatch, seat: Seat, command: Any) -> float:
        """Return how rare the rules are that the command would bring to work, 0 if it is refused."""
        game, state = self.game, match.state
        try:
            after = game.apply(state, seat, command)
        except RuleViolation:
            return 0.0
        rules = _rules(Step(Event(len(match.events), seat, command), state, after, game))
        weights = ((TARGET_WEIGHT if rule in self.targets else 1.0) / (1 + self.counts[rule]) for rule in rules)
        return max(weights, default=0.0)


def _rules(step: AnyStep) -> set[str]:
    return {note.rule.number for note in step.notes if note.rule is not None}
