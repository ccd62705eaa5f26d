"""The checks of what a match is opened with: the names of players and bots, and its terms."""

from __future__ import annotations

from collections.abc import Mapping

from ..errors import MatchError, Message
from ..match.bot import Bot
from .context import HostContext, checked_int
from .deadlines import is_stand_in
from .metadata import Terms

MAX_NAME_LETTERS = 64
NEW_KEY = "new key"
"""Who acts for a seat with a public key, once its holder has changed."""
MAX_TERM_MS = 1_000_000_000_000
"""The longest turn limit or bot delay, about thirty years."""


def checked_name(name: str) -> str:
    """Return the name; raises `MatchError` unless it is a text of 1 to `MAX_NAME_LETTERS` whole letters."""
    if not isinstance(name, str) or not name.strip() or len(name) > MAX_NAME_LETTERS:
        raise MatchError(Message("name-is", "a name is a text of 1 to {most} letters", most=MAX_NAME_LETTERS))
    if name.encode("utf-8", "ignore").decode() != name:
        raise MatchError(
            Message("half-letter", "a name is a text of whole letters: this one has half of a surrogate pair")
        )
    return name


def checked_bots(bots: Mapping[str, Bot]) -> dict[str, Bot]:
    """Return the bots by name; raises `MatchError` for a name that no log may hold as an actor."""
    for name in bots:
        if checked_name(name) == NEW_KEY:
            english = "a bot is not called {name}: it would pass for a player"
            raise MatchError(Message("like-a-new-key", english, name=repr(name)))
        if is_stand_in(name):
            raise MatchError(
                Message("like-a-stand-in", "a bot is not called {name}: it would pass for a stand-in", name=repr(name))
            )
    return dict(bots)


def check_terms(context: HostContext, terms: Terms, seats: int) -> None:
    """Raise `MatchError` for times out of range, and for seats or bots that do not exist."""
    if not 1 <= checked_int(terms.reveal_ms, Message("a-reveal-limit", "the time to reveal")) <= MAX_TERM_MS:
        english = "the time to reveal is 1 to {most} milliseconds, not {given}"
        raise MatchError(Message("reveal-limit-is", english, most=MAX_TERM_MS, given=terms.reveal_ms))
    if (
        terms.turn_limit_ms is not None
        and not 1 <= checked_int(terms.turn_limit_ms, Message("a-turn-limit", "a turn limit")) <= MAX_TERM_MS
    ):
        english = "a turn limit is 1 to {most} milliseconds, not {given}"
        raise MatchError(Message("turn-limit-is", english, most=MAX_TERM_MS, given=terms.turn_limit_ms))
    if not 0 <= checked_int(terms.bot_delay_ms, Message("a-bot-delay", "a bot delay")) <= MAX_TERM_MS:
        english = "a bot delay is 0 to {most} milliseconds, not {given}"
        raise MatchError(Message("bot-delay-is", english, most=MAX_TERM_MS, given=terms.bot_delay_ms))
    for seat, bot in terms.bots.items():
        if not 0 <= checked_int(seat, Message("a-bots-seat", "a bot's seat")) < seats:
            english = "there is no seat {seat} for the bot {bot}: there are {seats}"
            raise MatchError(Message("no-seat-for-bot", english, seat=seat, bot=repr(bot), seats=seats))
        if bot not in context.bots:
            known = ", ".join(sorted(context.bots)) or Message("none", "none")
            raise MatchError(
                Message("no-such-bot", "there is no bot {bot}; there are: {known}", bot=repr(bot), known=known)
            )
