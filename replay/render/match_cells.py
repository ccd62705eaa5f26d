"""A match in a list of several: its game, seats, result and length."""

from __future__ import annotations

from ...core.match import AnyMatch
from ...core.text.texts import Texts


def match_cells(match: AnyMatch, texts: Texts) -> list[str]:
    """Return the title of the game, the names of the seats, the result, and the number of steps, in words."""
    names, result, comma = match.header.seats, match.result, texts.comma
    if result is not None and result.is_draw:
        end = texts.format("match-draw")
    elif result is not None:
        winners = [f"★ {texts.seat(seat, names)}" for seat in result.winners]
        end = comma.join(winners) or texts.format("match-lost")
    else:
        end = texts.format("log-diff-abandoned" if match.abandoned else "match-goes-on")
    seats = comma.join(texts.seat(seat, names) for seat in range(len(names)))
    return [texts.title(match.game), seats, end, texts.format("match-steps", count=len(match.events))]
