"""What a bot is: a function from what its seat knows to a command; and how one is asked so that nobody loses by it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any, Generic

from attrs import frozen

from .errors import BotError, GameError, KifuError
from .game import C, Event, Game, Meta, ObservedEvent, RuleViolation, S, Seat, Step, V
from .match import Match
from .random_play import MAX_LEGAL, draw_command
from .shuffle import Shuffler
from .wire import wire_of

__all__ = [
    "Bot",
    "BotFactory",
    "BotKind",
    "InformationState",
    "ObservationHistory",
    "ObservedEvent",
    "Player",
    "ask_bot",
    "random_bot",
]

MAX_ACTOR_LETTERS = 64
"""The most letters that a log takes of who acted."""
STAND_IN = "stand-in"
"""`meta.by` of a command that was given for a seat that was not there in time.

More follows where it was given because a bot, or the stand-in itself, had no answer.
"""
BOT_FAILURES = (BotError, RuleViolation, GameError)
"""Raised where a bot has no answer, one that a rule forbids, or one that the rules cannot judge."""


@frozen
class InformationState(Generic[C, V]):
    """All that a seat knows at its turn: the rules, its view, what it may do, and what it has seen happen.

    There is no state in it, nor a way to one: `game` is the rules, and `view`, `legal` and `seen` hold nothing that
    law 5 does not allow this seat.
    """

    game: Game[Any, C, V]
    seat: Seat
    view: V
    legal: tuple[C, ...]
    """The seat's commands now; of more than `random_play.ENOUGH` the first so many."""
    history: tuple[ObservedEvent[C], ...]
    """What it saw since the match began, in order."""


Bot = Callable[[InformationState[Any, Any]], Any]
"""Gives one of `legal`; whoever asks it checks that. The same sight gets the same answer, unless it reads a clock."""

BotFactory = Callable[[bytes], Bot]
"""Makes a bot from the 32-byte seed of its choices."""

BotKind = Callable[[bytes, str], Bot]
"""Makes a bot from a seed and what stands behind the colon of its name: what the entry-point group `kifu.bots` names.

Raises `BotError` for words that it does not take.
"""


class ObservationHistory(Generic[S, C, V]):
    """What one seat has seen of a match: each event is looked at once, however often it is asked."""

    def __init__(self, match: Match[S, C, V], seat: Seat) -> None:
        self._match, self._seat = match, seat
        self._seen: list[ObservedEvent[C]] = []

    def information_state(self) -> InformationState[C, V]:
        """Give what the seat knows now."""
        match, seat = self._match, self._seat
        for place in range(len(self._seen), len(match.events)):
            step = match.steps[place]
            self._seen.append(ObservedEvent(step.seq, step.seat, step.command_for(seat), step.notes_for(seat)))
        legal = tuple(islice(match.game.legal(match.state, seat), MAX_LEGAL))
        return InformationState(match.game, seat, match.view(seat), legal, tuple(self._seen))


def random_bot(seed: bytes) -> Bot:
    """Make the bot that draws from `legal`: first the kind of command, then one of that kind."""
    return lambda info_state: draw_command(info_state.legal, Shuffler(seed, len(info_state.history)))


def ask_bot(bot: Bot, info_state: InformationState[Any, Any]) -> Any:
    """Have the bot choose a command; raises `BotError` if it throws, or answers what is no command at all.

    One that is not in `legal` may still be one that the game accepts (`Game.open_ended`): the match judges it.
    """
    try:
        answer = bot(info_state)
        if type(answer) not in info_state.game.wire:
            raise BotError(f"answered {type(answer).__name__}, no command")
        for command in info_state.legal:  # given in its place: one that is merely equal may not be fit for a log
            if command == answer:
                return command
        return _well_formed(info_state.game, answer)
    except (BotError, KeyboardInterrupt):
        raise
    except BaseException as bug:  # a stranger's code may raise anything, and may even try to end the program
        raise BotError(f"raised {type(bug).__name__}") from bug


def _well_formed(game: Game[Any, Any, Any], answer: Any) -> Any:
    try:
        return wire_of(game).decode(*wire_of(game).encode(answer))
    except RuleViolation as violation:
        raise BotError("answered a malformed command") from violation


class Player(Generic[S, C, V]):
    """A bot at its seat in a match. One that throws or answers nonsense is stood in for, and no match is lost by it."""

    def __init__(self, match: Match[S, C, V], seat: Seat, bot: Bot, name: str, stand_in: Bot) -> None:
        self._match, self._seat = match, seat
        self._bot, self._name, self._stand_in = bot, name, stand_in
        self._history = ObservationHistory(match, seat)

    def act(self) -> Step[S, C]:
        """Give the seat's command, and no deal after it; `meta.by` is the bot's name, or who stood in for it and why.

        The stand-in must be one that never fails.
        """
        info_state = self._history.information_state()
        try:
            return self._fold(ask_bot(self._bot, info_state), self._name[:MAX_ACTOR_LETTERS])
        except BOT_FAILURES as failure:
            return self._fold(ask_bot(self._stand_in, info_state), stand_in_for(self._name, failure))

    def _fold(self, command: C, by: str) -> Step[S, C]:
        return self._match.apply(self._seat, command, Meta(by=by))


def stand_in_for(name: str, failure: KifuError | None = None) -> str:
    """Return `meta.by` of a command that a stand-in gives for this bot; `failure`, one of `BOT_FAILURES`, says why.

    Where other seats read it no failure is given: why a bot had no answer may tell of its cards.
    """
    match failure:
        case None:
            why = ""
        case BotError():
            why = f": {failure.why}"
        case RuleViolation():
            why = f": broke {failure.rule.number}"
        case _:
            why = ": answered what the rules cannot judge"
    return f"{STAND_IN} for {name}{why}"[:MAX_ACTOR_LETTERS]


def is_by_stand_in(event: Event[Any]) -> bool:
    """Tell whether a stand-in gave this command in place of a bot."""
    return event.meta is not None and event.meta.by is not None and event.meta.by.startswith(stand_in_for(""))
