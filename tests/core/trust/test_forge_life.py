"""What happens to a match in its life, and the games that are played, convict no honest host and no honest player."""

from __future__ import annotations

import pytest
from kifu.core.game import Note
from kifu.core.host import Host
from kifu.core.stores import MemoryStore
from kifu.core.trust import records, signing
from kifu.games import cake

from ..host.test_trust import seated
from .test_forgers import HOST

pytestmark = pytest.mark.skipif(not signing.is_available, reason="needs kifu[replay]")


def test_a_note_that_says_true_to_one_seat_and_one_to_another_is_told_to_each_as_it_is() -> None:
    """They are equal in Python, and two things in what is signed."""
    game = cake.GAME.altered(explain=lambda _, viewer: (Note.of("taken", count=1 if viewer == 0 else True),))
    at = seated(Host(MemoryStore(), sign=HOST, find=lambda _: game))
    at.play(4)
    at.host.force_abandon(at.match)
    at.listen()
    for each in (*at.clients, at.watcher):
        assert records.verify(each.record(), at.log, find=lambda _: game).findings == ()
