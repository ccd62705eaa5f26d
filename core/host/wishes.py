"""How the last wish of a match stands."""

from __future__ import annotations

from attrs import evolve

from .folds import Live
from .papers import Wish


def wish_now(live: Live) -> tuple[Wish, ...]:
    """Give the last wish, if there is one: one to take back lapses with the next event."""
    wish = live.papers.wish
    if wish is None:
        return ()
    lapsed = wish.state == "pending" and (live.ended or (wish.kind == "take_back" and wish.count != live.count))
    return (evolve(wish, state="lapsed", fork=None) if lapsed else wish,)
