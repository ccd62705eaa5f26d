"""Law 5 over whole matches: a seat's history suffices, and shows no more than its views.

The laws of sight draw a state behind a view. Here the states are of real matches: two that begin with deals which a
viewer cannot tell apart, or which it can, and go on in step.

- Two deals after which a viewer's views are equal look the same to it and are told it alike; of two after which its
  views differ, it is told how: a deal tells each seat its own cards.
- Two matches with equal histories (the observed events, in order) have equal views, legal commands and answers. So a
  client that keeps the history can draw the table without asking for the view.
- Momentary notes belong to a history only until somebody acts again: what they alone told, no later view shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from attrs import frozen

from ..game import FORMAT_COMMANDS, TABLE, AnyGame, Note, Seat, Shuffler, Step
from ..match import Match
from .channels import differing, kept_of_command, kept_of_notes, shown_now, shown_of, step_of
from .laws_of_information import ASIDE, named
from .laws_of_play import answer, seats_of
from .places import Path, leaves, swap
from .play import another, pick, shuffler_of

SWAPS = 40
"""So often two cards of a deal are swapped, one after the other, to get another deal that looks the same."""
APART = 12
"""So many other deals are compared with a deal one by one."""
ALIKE = 6
"""So many commands that look the same, or deals, are tried until one is told alike."""


@frozen(slots=False)
class Dealt:
    """A state before a deal, and the deal."""

    game: AnyGame
    before: Any
    deal: Any

    @cached_property
    def after(self) -> Any:
        """The state after the deal; None if the rules refuse it."""
        after = answer(self.game, self.before, TABLE, self.deal)
        return None if type(after) is tuple else after

    @cached_property
    def _places(self) -> list[Path]:
        return [path for path, _ in leaves(self.deal)]

    def swapped(self, shuffler: Shuffler) -> Dealt | None:
        """Return the deal with two of its values swapped; None if the rules refuse that, or they are equal."""
        one, other = (self._places[shuffler.below(len(self._places))] for _ in range(2))
        deal = swap(self.deal, one, other)
        if deal == self.deal:
            return None
        dealt = Dealt(self.game, self.before, deal)
        return None if dealt.after is None else dealt

    def anew(self, shuffler: Shuffler) -> Dealt:
        """Return another deal in the same state."""
        return Dealt(self.game, self.before, self.game.deal(self.before, another(shuffler)))

    def other(self, shuffler: Shuffler) -> Dealt | None:
        """Return a deal that differs by a swap, or one made anew where there is nothing to swap: a single card."""
        other = self.swapped(shuffler)
        if other is None or other.after == self.after:
            other = self.anew(shuffler)
        return None if other.deal == self.deal or other.after is None else other

    def others(self, shuffler: Shuffler) -> Iterator[Dealt]:
        """Yield some other deals."""
        found = (self.other(shuffler) for _ in range(APART))
        return (other for other in found if other is not None)

    def alike(self, viewer: Seat | None, shuffler: Shuffler, swaps: int = SWAPS) -> Dealt:
        """Return another deal after which the viewer's view is equal; this one where none is found.

        If it is told of the deal by momentary notes, that may be a deal which only these tell apart.
        """
        found, view, lasting = self, self.game.view(self.after, viewer), _lasting(self.step, viewer)
        momentary = any(note.momentary for note in self.step.notes_for(viewer))
        for _ in range(SWAPS):
            other = found.other(shuffler)
            if other is None or other.after == found.after:
                continue
            same = momentary and _lasting(other.step, viewer) == lasting
            if same or self.game.view(other.after, viewer) == view:
                found, swaps = other, swaps - 1
            if swaps == 0:
                break
        return found

    @cached_property
    def step(self) -> Step[Any, Any]:
        """The deal as a step of a match."""
        return step_of(self.game, self.before, TABLE, self.deal, self.after)


def deals_of(match: Match[Any, Any, Any]) -> list[Dealt]:
    """Return the deals of a match, each with the state before it; those without values are left out."""
    steps = [step for step in match.steps if step.seat == TABLE and not isinstance(step.command, FORMAT_COMMANDS)]
    return [Dealt(match.game, step.before, step.command) for step in steps if any(leaves(step.command))]


def deals_tell_no_more(match: Match[Any, Any, Any]) -> None:
    """Law 5: what a viewer is told of a deal, its next view shows."""
    shuffler = shuffler_of(match, "deals")
    for dealt, viewer in _dealt_to(match, shuffler):
        deal_tells_no_more(dealt, viewer, shuffler)


def deal_tells_no_more(dealt: Dealt, viewer: Seat | None, shuffler: Shuffler) -> None:
    """Compare a deal with some others that look the same to the viewer, and with some that do not."""
    deal_shows_no_more(dealt, dealt.alike(viewer, shuffler), viewer)
    for other in dealt.others(shuffler):
        deal_shows_no_more(dealt, other, viewer)


def deals_tell_all(match: Match[Any, Any, Any]) -> None:
    """Law 5: what a viewer's view shows of a deal, it is told: each seat its own cards."""
    shuffler = shuffler_of(match, "deals")
    for dealt, viewer in _dealt_to(match, shuffler):
        for other in dealt.others(shuffler):
            deal_shows_all(dealt, other, viewer)


def _dealt_to(match: Match[Any, Any, Any], shuffler: Shuffler) -> Iterator[tuple[Dealt, Seat | None]]:
    """Yield some deals of a match for each viewer; not those that the rules refuse, as an older version's may be."""
    for dealt in pick(shuffler, deals_of(match), 2):
        if dealt.after is not None:
            yield from ((dealt, viewer) for viewer in (None, *seats_of(match)))


def deal_shows_no_more(one: Dealt, other: Dealt, viewer: Seat | None) -> None:
    """Raise if the viewer is shown a difference of two deals that its next view does not show.

    Where the states after them are equal nothing is hidden that could leak: which of two dice was rolled first.
    """
    game, steps = one.game, (one.step, other.step)
    if one.after == other.after or game.view(steps[0].after, viewer) != game.view(steps[1].after, viewer):
        return
    observed = [kept_of_command(game, step.command_for(viewer)) for step in steps]
    assert observed[0] == observed[1], (
        f"what {named(viewer)} observes of a deal leaks what no view shows\n{observed[0]}\n{observed[1]}"
    )
    notes = [kept_of_notes(game, step.notes_for(viewer)) for step in steps]
    assert notes[0] == notes[1], (
        f"the notes of a deal leak to {named(viewer)} what no view shows\nnotes: {notes[0]}\nnotes: {notes[1]}"
    )


def deal_shows_all(one: Dealt, other: Dealt, viewer: Seat | None) -> None:
    """Raise if the next views of the viewer show a difference of two deals that it was not told of."""
    game, steps = one.game, (one.step, other.step)
    views = [game.view(step.after, viewer) for step in steps]
    observed = [(step.command_for(viewer), step.notes_for(viewer)) for step in steps]
    assert views[0] == views[1] or observed[0] != observed[1], (
        f"the view of {named(viewer)} shows of a deal what neither the observed command nor a note told it: "
        f"who keeps its history cannot draw the table\n{views[0]!r}\n{views[1]!r}"
    )


def a_history_suffices(match: Match[Any, Any, Any], viewers: int = 2) -> None:
    """Law 5: two matches that one viewer has seen go alike show it the same, and answer it the same."""
    shuffler = shuffler_of(match, "histories")
    for viewer in pick(shuffler, [None, *seats_of(match)], viewers):
        for swaps in (1, SWAPS):
            for pair in side_by_side(match, viewer, shuffler, swaps):
                same_to_viewer(pair)


@frozen
class SideBySide:
    """A step of a match, and one of another match of which the viewer has until then seen the same."""

    viewer: Seat | None
    step: Step[Any, Any]
    other: Step[Any, Any]
    momentary: bool = False
    """Whether the viewer can tell them apart for this moment: by a momentary note of the last act."""


def side_by_side(
    match: Match[Any, Any, Any], viewer: Seat | None, shuffler: Shuffler, swaps: int
) -> Iterator[SideBySide]:
    """Play another match beside this one, and yield their steps, until the viewer can tell them apart.

    Its deals look the same to the viewer: `swaps` is how often two values are exchanged. With few swaps much stays as
    it is, also what is turned up later. What only a momentary note told apart, the viewer cannot tell apart any more as
    soon as somebody has acted again.
    """
    other, momentary = match.states[0], False
    for step in match.steps:
        if isinstance(step.command, FORMAT_COMMANDS):
            return
        command = _alike(step, other, viewer, shuffler, swaps)
        if command is None:
            return
        after = answer(match.game, other, step.seat, command)
        if momentary and type(after) is tuple:
            return  # for this moment the two may be told apart
        assert type(after) is not tuple, (
            f"{step.command!r} of {named(step.seat)} is accepted, and refused ({after[0].number} {after[2]}) in "
            f"another match that it cannot tell apart\n{step.before!r}\n{other!r}"
        )
        pair = SideBySide(viewer, step, step_of(match.game, other, step.seat, command, after), momentary)
        yield pair
        if _lasting(pair.step, viewer) != _lasting(pair.other, viewer):
            return  # from here on it can tell them apart
        apart = differing(*(shown_of(each, viewer) for each in (pair.step, pair.other))) is not None
        momentary = apart or (momentary and step.seat == TABLE)
        other = after


def _lasting(step: Step[Any, Any], viewer: Seat | None) -> tuple[Any, list[Note]]:
    """Return what a viewer is shown of a step for good: the observed command, and the notes that are not momentary."""
    return step.command_for(viewer), [note for note in step.notes_for(viewer) if not note.momentary]


def same_to_viewer(pair: SideBySide) -> None:
    """Raise if the viewer is shown a step otherwise than its views show it, or may look at something else after it."""
    viewer, steps = pair.viewer, (pair.step, pair.other)
    game, who = pair.step.game, f"{named(viewer)}, of two matches of which it had seen the same"
    shown = [shown_of(step, viewer) for step in steps]
    now = [shown_now(game, step.after, viewer) for step in steps]
    apart = differing(*now)
    if pair.momentary and (pair.step.seat == TABLE or differing(*shown) is not None):
        return  # a deal takes no momentary note away, and other notes may differ as the views did
    if differing(*shown) is None:
        assert apart is None, f"leaked by {apart} to {who}\n{now[0][apart]!r}\n{now[1][apart]!r}"
        return
    if apart is not None:
        return
    own = viewer == pair.step.seat
    for what, kept in (
        ("the observed command", [kept_of_command(game, each["observed command"]) for each in shown]),
        ("the notes", [kept_of_notes(game, each["notes"], own=own) for each in shown]),
    ):
        assert kept[0] == kept[1], f"leaked by {what} to {who}; its views do not show it\n{kept[0]}\n{kept[1]}\n{ASIDE}"


def _alike(step: Step[Any, Any], other: Any, viewer: Seat | None, shuffler: Shuffler, swaps: int) -> Any:
    """Return a command for the other match that looks to the viewer like this step's; None if none is found.

    The very same where it is legal there.
    """
    game, seat, command = step.game, step.seat, step.command
    if seat == viewer:
        return command
    if seat == TABLE:
        dealt = Dealt(game, other, command)
        if dealt.after is None:  # the card that was drawn lies elsewhere there
            anew = (dealt.anew(shuffler) for _ in range(ALIKE))
            return next((each.deal for each in anew if _lasting(each.step, viewer) == _lasting(step, viewer)), None)
        return dealt.alike(viewer, shuffler, swaps).deal
    observed, listed = step.command_for(viewer), list(game.legal(other, seat))
    found = [each for each in listed if each != command and game.redact(each, seat, viewer) == observed]
    same = [command] if command in listed else []
    for each in [*same, *pick(shuffler, shuffler.shuffle(found), ALIKE)]:
        after = answer(game, other, seat, each)
        if type(after) is not tuple and step_of(game, other, seat, each, after).notes_for(viewer) == step.notes_for(
            viewer
        ):
            return each
    return command if same else None
