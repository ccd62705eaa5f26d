"""What happens to a match in its life, and the games that are played, convict no honest host and no honest player."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import field, frozen
from kifu.core.game import Note
from kifu.core.host import Host
from kifu.core.stores import MemoryStore
from kifu.core.trust import records, signing
from kifu.games import cake

from ..host.test_trust import seated
from .test_forgers import HOST

pytestmark = pytest.mark.skipif(not signing.is_available, reason="needs kifu[replay]")


@frozen
class Coins:
    """Coins that are equal whatever they show."""

    count: int = field(eq=False)


@pytest.mark.parametrize(("one", "other"), [(1, True), (False, 0), (Coins(1), Coins(2))], ids=repr)
def test_notes_that_are_equal_in_python_are_told_to_each_seat_as_they_are(one: Any, other: Any) -> None:
    """What is signed tells them apart: the host would be convicted of the seat to which it told another's."""
    game = cake.GAME.altered(explain=lambda _, viewer: (Note.of("taken", count=one if viewer == 0 else other),))
    at = seated(Host(MemoryStore(), sign=HOST, find=lambda _: game))
    at.play(4)
    at.host.force_abandon(at.match)
    at.listen()
    for each in (*at.clients, at.watcher):
        assert records.verify(each.record(), at.log, find=lambda _: game).findings == ()
