"""Who sees each field of the five games, and what the others see of it, as the books have it; all else is public."""

import kifu
import pytest

SECRETS = """
cake State.piles nobody size
cake State.out nobody size
cake State.hand some size
cake State.pairs some size
cake State.votes some whether
cake State.eaten owner size
cake Deal.cards actor nothing
cake Take.cards actor nothing
cake Vote.content actor nothing
gosne State.ceo_card some nothing
gosne State.hands owner size
gosne State.unseen nobody size
gosne State.gifts some nothing
gosne State.trick some size
gosne State.taken some size
gosne Deal.cards actor nothing
gosne Give.cards some nothing
gosne Declare.card actor nothing
gosne Play.card some nothing
mabr State.stacks nobody size
mabr State.rows some size
mabr State.votes owner whether
mabr Deal.stacks actor nothing
mabr Judge.accept actor nothing
palace State.hands owner size
palace State.pile nobody size
palace State.palaces some size
palace Deal.cards actor nothing
palace Build.palaces actor size
take_and_share State.hands owner size
take_and_share State.piles some size
take_and_share Deal.cards actor nothing
"""
"""By game and field: who sees it (`some`: the tests of the game's views say who), and what the others see of it."""


@pytest.mark.parametrize("name", kifu.games.names())
def test_what_is_hidden_is_hidden_as_the_book_has_it(name: str) -> None:
    hidden = [
        f"{name} {row.of.partition(' ')[0]}.{row.field} {row.sees} {row.others}"
        for row in kifu.games.find(name).secrecies()
        if row.sees != "everybody" and row.of != "View"
    ]
    assert hidden == [line for line in SECRETS.splitlines() if line.startswith(f"{name} ")]
