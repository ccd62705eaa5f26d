"""The argument of a bot: what stands behind the colon of its name."""

from __future__ import annotations

from ...core.errors import BotError, Message

UNITS = (("ms", 0.001), ("s", 1.0))
MAX_NUMBER = 10**9


def check_no_argument(kind: str, argument: str) -> None:
    """Raise `BotError` if the argument is not empty."""
    if argument:
        english = "{bot}: {kind} takes nothing behind a colon"
        raise BotError(Message("bot-takes-nothing", english, bot=f"{kind}:{argument[:40]}", kind=kind))


def parse_limit(kind: str, argument: str) -> float | None:
    """Return a time such as `800ms` or `1s` in seconds, None for an empty argument; raises `BotError` for another."""
    if not argument:
        return None
    seconds = seconds_of(argument)
    if seconds is None:
        english = "{bot}: give nothing or the longest time for a move ({kind}:800ms, {kind}:1s)"
        raise BotError(Message("bot-limit", english, bot=f"{kind}:{argument[:40]}", kind=kind))
    return seconds


def seconds_of(text: str) -> float | None:
    """Return a time such as `800ms` or `1s` in seconds; None if it is none."""
    for unit, seconds in UNITS:
        number = number_of(text.removesuffix(unit)) if text.endswith(unit) else None
        if number is not None:
            return number * seconds
    return None


def number_of(text: str) -> int | None:
    """Return a number above 0 in ASCII digits; None if it is none, or is `MAX_NUMBER` or more."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 12 and 0 < int(text) < MAX_NUMBER else None
