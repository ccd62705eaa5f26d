"""Takebacks free of consent, in High Card, where all lay a card face down, and in variants of it."""

from __future__ import annotations

import pytest
from attrs import evolve
from high_card import GAME, Lay
from kifu.core.errors import MatchError
from kifu.core.game import RedactedCommand
from kifu.core.game import evolve as changed


def draws_one(state, seat, command):
    """Apply a command; a seat that lays a card draws another."""
    after = GAME.apply(state, seat, command)
    if not isinstance(command, Lay) or not after.rest:
        return after
    hands = [(*hand, after.rest[0]) if each == seat else hand for each, hand in enumerate(after.hands)]
    return changed(after, hands=tuple(hands), rest=after.rest[1:])


def parity(step, viewer):
    """Redact a command; all see whether the card is even."""
    observed = GAME.redact(step, viewer)
    if observed != RedactedCommand("lay"):
        return observed
    return RedactedCommand("lay", (("even", step.command.card % 2 == 0),))


def loud(step, viewer):
    """Yield notes that name the card to all."""
    for note in GAME.explain(step, viewer):
        values = (*note.values, ("card", step.command.card)) if isinstance(step.command, Lay) else note.values
        yield evolve(note, values=values)


VARIANTS = {
    "as it is": (GAME, "accepted"),
    "a seat that lays a card draws one": (GAME.altered(apply=draws_one), "pending"),
    "the others see something of the card": (GAME.altered(redact=parity), "pending"),
    "a note names the card to the others": (GAME.altered(explain=loud), "pending"),
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_card_that_was_laid_face_down(make_host, table, variant):
    game, state = VARIANTS[variant]
    at = table("high_card", 3, at=make_host(find=lambda name: game))
    views = [at.observe(seat).view for seat in (None, 0, 1, 2)]
    at.play(1)
    assert at.host.take_back(at.match, at.keys[1], 0).status == state
    assert ([at.observe(seat).view for seat in (None, 0, 1, 2)] == views) is (state == "accepted")


def test_nothing_is_free_once_all_are_turned_up(make_host, table):
    at = table("high_card", 3, at=make_host(find=lambda name: GAME))
    for seat in range(3):
        at.play(seat)
    assert at.host.take_back(at.match, at.keys[2], 2).status == "pending"


def test_two_commands_of_one_seat_are_freely_taken_back_together(make_host, table):
    """It laid a card, took it back, and laid another."""
    at = table("high_card", 3, at=make_host(find=lambda name: GAME))
    at.play(1)
    at.host.take_back(at.match, at.keys[1], 0)
    at.play(1)
    assert at.host.take_back(at.match, at.keys[1], 0).status == "accepted"
    assert at.count == 5


def test_undo_goes_one_command_further_each_time(make_host, table):
    at = table("high_card", 3, at=make_host(find=lambda name: GAME))
    for seat in range(3):
        at.play(seat)
    for expected in (3, 2):
        proposal = at.host.undo(at.match, at.keys[expected - 1])
        assert proposal.target == expected - 1
        for key in at.keys:
            if proposal.status == "pending" and key != at.keys[expected - 1]:
                proposal = at.host.accept(at.match, key, proposal.number)
        assert proposal.status == "accepted"
    with pytest.raises(MatchError, match="no command of seat 2"):
        at.host.undo(at.match, at.keys[2])
