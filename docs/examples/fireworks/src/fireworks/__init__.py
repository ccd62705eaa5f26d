"""Fireworks: cards laid together in ascending rows by seats that see every hand but their own. All win, or all lose."""

from kifu.core.game import Encoding, Game, Passing

from . import rules, table

GAME = Game.of(
    rules,
    name="fireworks",
    seats=range(2, 6),
    state=rules.State,
    book=rules.Rule,
    secrets=table,
    table=table,
    texts=__name__,
    extras=(
        Passing(shows={"play": ("place",), "discard": ("place",)}),
        Encoding(vocabulary=(*range(5), *rules.KINDS), sizes={"known": 100}),  # letters of what is known of 20 cards
    ),
)
