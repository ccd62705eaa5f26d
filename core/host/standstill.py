"""Why a match takes no commands though it has no result, in words for its players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgpack

from ..errors import KifuError, Message
from ..game import AnyGame, Game, RulesRefused
from ..match.witness import PARTS, VIEW, Difference
from ..wire import wire_of
from .metadata import Preparation


def refusal_message(rules: int, refused: RulesRefused) -> Message:
    """Return why a match that was under version `rules` has ended with this last event."""
    if refused.field in PARTS or refused.field.partition(".")[0] == VIEW:
        why = Difference(refused.event, refused.seat, refused.field).why
    else:
        english = "rule {rule} forbids event {event}"
        why = Message("rule-forbids-event", english, rule=refused.field, event=refused.event)
    return ended_message(rules, refused.to, why)


def ended_message(rules: int, to: int, why: str) -> Message:
    """Return that a match ended since version `to` does not keep it."""
    english = "it was begun under rules version {rules}, and ended, as version {to} does not keep it: {why}"
    return Message("rules-ended", english, rules=rules, to=to, why=why)


def begun_under_message(rules: int, today: int) -> Message:
    """Return that a match under older rules cannot go on."""
    english = "it was begun under rules version {begun}, today's is {today}: fork it to go on"
    return Message("begun-under", english, begun=rules, today=today)


def why_opened_otherwise(prepared: Preparation, game: AnyGame) -> Message | None:
    """Return why a fair deal cannot be held: its roster names other rules or another layout; None if it can."""
    if prepared.who is not None and prepared.rules != game.version:
        english = "it was opened under rules version {opened}, today's is {today}: open it anew"
        return Message("opened-under", english, opened=prepared.rules, today=game.version)
    if prepared.who is not None and prepared.layout != game.past.layout:
        return Message("opened-under-layout", "it was opened under another layout of states: open it anew")
    return None


def refusal_in(game: Game[Any, Any, Any], events: Sequence[bytes]) -> RulesRefused | None:
    """Return the last of these events of a log if it says that the match could not go on under newer rules."""
    try:
        _, _, _, tag, fields, *_ = msgpack.unpackb(events[-1], strict_map_key=False)
        command: Any = wire_of(game).decode(tag, fields)
    except (IndexError, TypeError, ValueError, KifuError):
        return None
    return command if isinstance(command, RulesRefused) else None
