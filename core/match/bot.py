"""Bots: functions from what a seat knows to a command, and the calls that guard a match against their failures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic

from attrs import frozen

from ..errors import BotError, GameError, KifuError
from ..game import AnyGame, C, Event, Game, Meta, ObservedEvent, RuleViolation, S, Shuffler, Step, V
from ..wire import wire_of
from ..wire.exact import MAX_ACTOR_LETTERS
from .legal import by_kind, first_legal
from .match import Match
from .random_play import draw_of_kinds

__all__ = [
    "Bot",
    "BotFactory",
    "BotKind",
    "InformationState",
    "ObservationHistory",
    "Player",
    "RandomBot",
    "ask_bot",
    "random_bot",
]

STAND_IN = "stand-in"
"""`meta.by` of a command that was given for a seat that did not act before its deadline.

After a failure of a bot, or of the stand-in itself, `for NAME: CAUSE` follows.
"""
BOT_FAILURES = (BotError, RuleViolation, GameError)
"""What playing a bot's command may raise: it returned none, a rule forbids it, or the rules failed on it."""


@frozen
class InformationState(Generic[C, V]):
    """All that a seat knows at its turn: the rules, its view, its legal commands and its history.

    It holds no state, nor a way to one: `game` is the rules, and `view`, `legal` and `history` hold nothing that law 5
    does not allow this seat.
    """

    game: Game[Any, C, V]
    seat: int
    view: V
    legal: tuple[C, ...]
    """The seat's legal commands, at most the first `legal.MAX_LEGAL`."""
    history: tuple[ObservedEvent[C], ...]
    """The observed events of the seat since the match began, in order."""
    has_more: bool = False
    """True if the seat has more legal commands than `legal` lists."""


Bot = Callable[[InformationState[Any, Any]], Any]
"""Returns one of `legal`; the caller checks that. Equal information states get equal commands, unless the bot reads a
clock."""

BotFactory = Callable[[bytes], Bot]
"""Makes a bot from the 32-byte seed of its choices."""

BotKind = Callable[[bytes, str], Bot]
"""Makes a bot from a 32-byte seed and the text behind the colon of its name: an entry point of the group `kifu.bots`.

Raises `BotError` for a text that it does not take.
"""


class ObservationHistory(Generic[S, C, V]):
    """The observed events of one seat of a match, kept so that each event is projected once."""

    def __init__(self, match: Match[S, C, V], seat: int) -> None:
        self._match, self._seat = match, seat
        self._observed: list[ObservedEvent[C]] = []

    def information_state(self) -> InformationState[C, V]:
        """Return what the seat knows now."""
        match, seat = self._match, self._seat
        for place in range(len(self._observed), len(match.events)):
            step = match.steps[place]
            self._observed.append(ObservedEvent(step.seq, step.seat, step.command_for(seat), step.notes_for(seat)))
        legal, has_more = first_legal(match.game, match.state, seat)
        return InformationState(match.game, seat, match.view(seat), legal, tuple(self._observed), has_more)


@frozen
class RandomBot:
    """Draws from its legal commands: first the class of command, then one of that class."""

    seed: bytes

    def __call__(self, info_state: InformationState[Any, Any]) -> Any:
        """Draw a legal command of this information state."""
        return self.draw(by_kind(info_state.legal), len(info_state.history))

    def draw(self, kinds: Sequence[Sequence[C]], events: int) -> C:
        """Draw after so many events, of legal commands by their class; who has these need make no information state."""
        return draw_of_kinds(kinds, Shuffler(self.seed, events))


def random_bot(seed: bytes) -> Bot:
    """Return the bot that draws from `legal`."""
    return RandomBot(seed)


def ask_bot(bot: Bot, info_state: InformationState[Any, Any]) -> Any:
    """Return the command that the bot chooses; raises `BotError` if the bot raises, or returns no command.

    The command may be none of `legal`, since a game may be open-ended (`Game.open_ended`): the match judges it.
    """
    try:
        choice = bot(info_state)
        if type(choice) not in info_state.game.wire:
            raise BotError(f"answered {type(choice).__name__}, no command")
        for command in info_state.legal:  # returned in its place: one that is merely equal may not be fit for a log
            if command == choice:
                return command
        return _well_formed(info_state.game, choice)
    except (BotError, KeyboardInterrupt):
        raise
    except BaseException as bug:  # a stranger's code may raise anything, and may even try to end the program
        raise BotError(f"raised {type(bug).__name__}") from bug


def _well_formed(game: AnyGame, choice: Any) -> Any:
    try:
        return wire_of(game).decode(*wire_of(game).encode(choice))
    except RuleViolation as violation:
        raise BotError("answered a malformed command") from violation


class Player(Generic[S, C, V]):
    """A bot at its seat in a match, and the stand-in that acts when the bot raises or returns no legal command."""

    def __init__(self, match: Match[S, C, V], seat: int, bot: Bot, name: str, stand_in: Bot) -> None:
        self._match, self._seat = match, seat
        self._bot, self._name, self._stand_in = bot, name, stand_in
        self._history = ObservationHistory(match, seat)

    def act(self) -> Step[S, C]:
        """Apply the seat's command, and no deal after it; return the step.

        `meta.by` is the bot's name, or that of the stand-in with the cause. The stand-in must never fail.
        """
        info_state = self._history.information_state()
        try:
            return self._apply(ask_bot(self._bot, info_state), self._name[:MAX_ACTOR_LETTERS])
        except BOT_FAILURES as failure:
            return self._apply(ask_bot(self._stand_in, info_state), stand_in_for(self._name, failure))

    def _apply(self, command: C, by: str) -> Step[S, C]:
        return self._match.apply(self._seat, command, Meta(by=by))


def stand_in_for(name: str, failure: KifuError | None = None) -> str:
    """Return `meta.by` of a command that a stand-in gives for this bot; `failure`, one of `BOT_FAILURES`, is the cause.

    Pass no failure where other seats can read it: the cause may reveal the bot's cards.
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
    """Return True if a stand-in gave this command in place of a bot."""
    return event.meta is not None and event.meta.by is not None and event.meta.by.startswith(stand_in_for(""))
