"""Law 5: nothing leaks, and whatever is seen was told.

Two steps are compared that one viewer cannot tell apart by what it may look at before them (`told_as_seen`):

- Where its views after them are equal, it is shown the same of both: the observed commands and the notes tell nothing
  that the next view does not show. Where nothing is hidden (the same state before, the same state after) that may
  differ: which of two open dice was rolled first.
- Where its views after them differ, it was told so by what it observed or by a note.
- What is shown to all for a moment though no view keeps it is an exception that the game names (`Passing.shows`).

The pairs are drawn in three ways. A determinization of the viewer's view is a state that it cannot tell from the true
one: from both the same command is given, or one that looks the same (`nothing_leaks`). A deal is compared with others
in its place (`deals_are_told`). And a whole match is played beside another one of which the viewer has seen the same
(`a_history_suffices`): so a client that keeps the history can draw the table without asking for the view. Momentary
notes belong to a history only until somebody acts again: what they alone told, no later view shows.

Whatever else reaches the viewer (`channels`) is equal for two states that it cannot tell apart: the view and everything
it holds, the scene, who is to act, the legal commands in their order, and every refusal with its facts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import product
from typing import Any

import attrs
from attrs import frozen

from ..game import FORMAT_COMMANDS, TABLE, AnyGame, AnyStep, Note, RedactedCommand, Shuffler
from ..match import AnyMatch
from ..wire import pack
from .channels import (
    Path,
    differing,
    held,
    kept_of_command,
    kept_of_notes,
    leaves,
    nothing_apart,
    shown_now,
    states_behind,
    step_of,
    swap,
)
from .laws_of_play import accepted, answer, states_of, tries
from .play import another, named, pick, seats_of, shuffler_of

STATES = 4
DETERMINIZATIONS = 2
OWN = 24
OTHERS = 4
REDRAWS = 40
"""So often is drawn, for a command that few draws accept, or where few states are possible."""
SWAPS = 40
"""So often two cards of a deal are swapped, one after the other, to get another deal that looks the same."""
APART = 12
"""So many other deals are compared with a deal one by one."""
SECRETS = 12
"""So many steps of a match are looked at for what they hide."""
SURE = 12
"""So often has what is hidden to be told at once."""
ALIKE = 6
"""So many commands that look the same, or deals, are tried until one is told alike."""
LEAKS = (
    "mark the field so that who may not know it does not see it, or give the note only to who may; if all are meant to "
    "see it for a moment, though no view keeps it, name the value in `Passing.shows` (or `looks`)"
)


@frozen(eq=False, slots=False)
class Shown:
    """What a viewer is shown of a step, and sees after it: each worked out once."""

    step: AnyStep
    viewer: int | None

    @cached_property
    def observed(self) -> Any:
        """What it observes of the command: itself, or a `RedactedCommand` of its tag; the seat sees all."""
        step, game = self.step, self.step.game
        for sees_all in (step.seat, TABLE):
            assert game.redact(step, sees_all) == step.command, (
                f"seat {sees_all} does not see all of {step.command!r} of {step.seat}"
            )
        observed, tag = game.redact(step, self.viewer), game.wire[type(step.command)]
        assert observed == step.command or (isinstance(observed, RedactedCommand) and observed.tag == tag), (
            f"of {step.command!r} {observed!r} is observed: it is the command, or RedactedCommand({tag!r}, …)"
        )
        return observed

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """The notes that it is told."""
        return self.step.notes_for(self.viewer)

    @cached_property
    def view(self) -> Any:
        """What it sees after the step."""
        return self.step.game.view(self.step.after, self.viewer)

    @cached_property
    def kept_command(self) -> Any:
        """What it observes, without what is shown for a moment."""
        return kept_of_command(self.step.game, self.observed)

    @cached_property
    def kept_notes(self) -> Any:
        """The notes, without what is shown for a moment."""
        return kept_of_notes(self.step, self.notes, own=self.viewer == self.step.seat)

    @property
    def lasting(self) -> tuple[Any, list[Note]]:
        """What it is shown for good: the observed command, and the notes that are not momentary."""
        return self.observed, [note for note in self.notes if not note.momentary]


def told_as_seen(one: Shown, other: Shown, aside: object = "") -> None:
    """Raise if the viewer is told of two steps otherwise than its next views show them: more, or less."""
    who, first, second = named(one.viewer), one.step, other.step
    if first.command == second.command:
        what = f"{first.command!r} of {named(first.seat)}"
    else:
        what = f"{first.command!r} and {second.command!r} of {named(first.seat)}"
    if one.view != other.view:
        assert one.observed != other.observed or one.notes != other.notes, (
            f"after {what} the view of {who} shows something new that neither the observed command nor a note told it: "
            f"who keeps its history cannot draw the table{aside}\n{one.view!r}\n{other.view!r}"
        )
        return
    if first.after != second.after:
        assert one.kept_command == other.kept_command, (
            f"what {who} observes of {what} leaks: it differs, and no view shows how{aside}\n"
            f"{one.kept_command}\n{other.kept_command}\n{LEAKS}"
        )
    if first.after != second.after or first.before != second.before:
        assert one.kept_notes == other.kept_notes, (
            f"the notes of {what} leak to {who} what no view shows{aside}\n{one.notes}\n{other.notes}\n{LEAKS}"
        )


@frozen
class Pair:
    """A state, and another one drawn behind the view of one viewer."""

    game: AnyGame
    viewer: int | None
    state: Any
    other: Any

    def __str__(self) -> str:
        return f"to {named(self.viewer)}\nstate: {self.state!r}\nother: {self.other!r}"


def pairs(game: AnyGame, state: Any, viewer: int | None, shuffler: Shuffler) -> Iterator[Pair]:
    """Yield the state beside some that are drawn behind the viewer's view, which the game can go on from."""
    for drawn in states_behind(game, game.view(state, viewer), shuffler, DETERMINIZATIONS):
        pair = Pair(game, viewer, state, drawn)
        same_view(pair)
        draw_goes_on(pair)
        yield pair


def nothing_leaks(match: AnyMatch, wild: Iterable[Any] = ()) -> None:
    """Law 5: what a seat may look at, ask and be told is equal between a state and those behind its view."""
    shuffler, wild = shuffler_of(match, "draws"), list(wild)
    for state in states_of(match, STATES):
        tried = tries(match, state, wild)
        for viewer in [None, *seats_of(match)]:
            nothing_leaks_to(match.game, state, viewer, seats_of(match), tried, shuffler)


def nothing_leaks_at(step: AnyStep, viewer: int | None, seats: list[int], shuffler: Shuffler) -> None:
    """Law 5 for one viewer of one step: in the state before it, of its command, and in the state after it."""
    if step.seat != TABLE:
        nothing_leaks_to(step.game, step.before, viewer, seats, [(step.seat, step.command)], shuffler)
        shown = Shown(step, viewer)
        for drawn in states_behind(step.game, step.game.view(step.before, viewer), shuffler, REDRAWS):
            after = answer(step.game, drawn, step.seat, step.command)
            if type(after) is not tuple and step.game.view(after, viewer) == shown.view:
                told_as_seen(shown, Shown(step_of(step.game, drawn, step.seat, step.command, after), viewer))
    for _ in pairs(step.game, step.after, viewer, shuffler):
        pass


def nothing_leaks_to(
    game: AnyGame,
    state: Any,
    viewer: int | None,
    seats: list[int],
    tried: Sequence[tuple[int, Any]],
    shuffler: Shuffler,
) -> None:
    """Law 5 for one viewer of one state; `tried` are the commands whose answers are compared, by seat."""
    own = [command for seat, command in tried if seat == viewer]
    here = {seat: _Outcomes(game, state, seat, viewer) for seat in seats if seat != viewer}
    for pair in pairs(game, state, viewer, shuffler):
        if viewer is not None and pack(pair.state) != pack(pair.other):  # else an answer is compared with itself: law 1
            same_answers(pair, pick(shuffler, own, OWN))
        for seat, outcomes in here.items():
            some = [command for by, command in tried if by == seat and command in outcomes.legal][:1]
            some += pick(shuffler, outcomes.legal, OTHERS)
            others_are_told_as_seen(pair, some, outcomes, _Outcomes(game, pair.other, seat, viewer), shuffler)


def same_view(pair: Pair) -> None:
    """Compare all that the viewer can look at and ask."""
    game, viewer = pair.game, pair.viewer
    view, other = game.view(pair.state, viewer), game.view(pair.other, viewer)
    assert view == other, f"a draw behind a view does not give that view again, {pair}\n{view!r}\n{other!r}"
    nothing_apart(shown_now(game, pair.state, viewer), shown_now(game, pair.other, viewer), pair)


def draw_goes_on(pair: Pair) -> None:
    """Raise unless the game can go on from a draw: all cards are there, who is asked has a command that is accepted."""
    game, drawn = pair.game, pair.other
    assert sorted(game.cards(pair.state), key=repr) == sorted(game.cards(drawn), key=repr), (
        f"a draw has other cards than the state, {pair}"
    )
    for seat in game.to_act(drawn) - {TABLE}:
        first = next(iter(game.legal(drawn, seat)), None)
        assert first is not None or game.open_ended(drawn, seat), (
            f"in a draw seat {seat} is to act, and has no legal command, {pair}"
        )
        assert first is None or accepted(game, drawn, seat, first), f"a draw refuses what is legal in it, {pair}"


def same_answers(pair: Pair, commands: Iterable[Any]) -> None:
    """Compare the answers to commands of the viewer's own."""
    game, seat = pair.game, pair.viewer
    assert seat is not None
    for command in commands:
        answers = [answer(game, state, seat, command) for state in (pair.state, pair.other)]
        if tuple in map(type, answers):
            assert held(answers[0]) == held(answers[1]), (
                f"the answer to {command!r} leaks, {pair}\n{_said(answers[0])}\n{_said(answers[1])}"
            )
            continue
        told = zip((pair.state, pair.other), answers, strict=True)
        here, there = (Shown(step_of(game, before, seat, command, after), seat) for before, after in told)
        told_as_seen(here, there, f", {pair}")


def _said(given: Any) -> str:
    return f"refused: {given[0].number} {given[2]}" if type(given) is tuple else "accepted"


class _Outcomes:
    """What comes of the commands of another seat in a state, and what the viewer is shown of it: each made once."""

    def __init__(self, game: AnyGame, state: Any, seat: int, viewer: int | None) -> None:
        self.game, self.state, self.seat, self.viewer = game, state, seat, viewer
        self._shown: dict[Any, Shown | None] = {}

    @cached_property
    def legal(self) -> list[Any]:
        """The commands that the seat may give."""
        return list(self.game.legal(self.state, self.seat))

    def shown(self, command: Any) -> Shown | None:
        """Return what the viewer is shown of a command; None if it is refused: law 2 says so."""
        if command not in self._shown:
            after = answer(self.game, self.state, self.seat, command)
            step = step_of(self.game, self.state, self.seat, command, after)
            self._shown[command] = None if type(after) is tuple else Shown(step, self.viewer)
        return self._shown[command]

    def alike(self, command: Any, observed: Any) -> list[Any]:
        """List the seat's commands that look to the viewer like this one."""
        return [command] if observed == command else [each for each in self.legal if self._looks(each) == observed]

    def _looks(self, command: Any) -> Any:
        shown = self.shown(command)
        return None if shown is None else shown.observed


def others_are_told_as_seen(
    pair: Pair, commands: Iterable[Any], here: _Outcomes, there: _Outcomes, shuffler: Shuffler
) -> None:
    """Compare what the viewer is shown of commands of another seat.

    In the state and the draw of those that look the same; in the state of any; and in both of commands of which each is
    legal in its own state alone. Which kind of command was given may always be told.
    """
    commands = list(commands)
    compared = [
        (here.shown(command), there.shown(other))
        for command in commands
        if (shown := here.shown(command)) is not None
        for other in pick(shuffler, there.alike(command, shown.observed), OTHERS)
    ]
    only_here, only_there = set(here.legal) - set(there.legal), set(there.legal) - set(here.legal)
    some = product(commands, pick(shuffler, here.legal, OTHERS))
    compared += [(here.shown(one), here.shown(other)) for one, other in some if type(one) is type(other)]
    alone = [[each for each in here.legal if each in only_here], [each for each in there.legal if each in only_there]]
    some = product(*(pick(shuffler, each, OTHERS // 2) for each in alone))
    compared += [(here.shown(one), there.shown(other)) for one, other in some if type(one) is type(other)]
    for one, other in compared:
        if one is not None and other is not None:
            told_as_seen(one, other, f", {pair}")


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
    def step(self) -> AnyStep:
        """The deal as a step of a match."""
        return step_of(self.game, self.before, TABLE, self.deal, self.after)

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

    def alike(self, viewer: int | None, shuffler: Shuffler, swaps: int = SWAPS) -> Dealt:
        """Return another deal after which the viewer's view is equal; this one where none is found.

        If it is told of the deal by momentary notes, that may be a deal which only these tell apart.
        """
        found, shown = self, Shown(self.step, viewer)
        momentary = any(note.momentary for note in shown.notes)
        for _ in range(SWAPS):
            other = found.other(shuffler)
            if other is None or other.after == found.after:
                continue
            there = Shown(other.step, viewer)
            if (momentary and there.lasting == shown.lasting) or there.view == shown.view:
                found, swaps = other, swaps - 1
            if swaps == 0:
                break
        return found


def deals_of(match: AnyMatch) -> list[Dealt]:
    """Return the deals of a match, each with the state before it; those without values are left out."""
    steps = [step for step in match.steps if step.seat == TABLE and not isinstance(step.command, FORMAT_COMMANDS)]
    return [Dealt(match.game, step.before, step.command) for step in steps if any(leaves(step.command))]


def deals_are_told(match: AnyMatch) -> None:
    """Law 5: what a viewer is told of a deal its next view shows, and the other way round: each seat its own cards."""
    shuffler = shuffler_of(match, "deals")
    for dealt in pick(shuffler, deals_of(match), 2):
        if dealt.after is not None:  # the rules may refuse a deal of an older version
            for viewer in (None, *seats_of(match)):
                deal_is_told(dealt, viewer, shuffler)


def deal_is_told(dealt: Dealt, viewer: int | None, shuffler: Shuffler) -> None:
    """Compare a deal with another one that looks the same to the viewer, and with some that may not."""
    shown = Shown(dealt.step, viewer)
    for other in [dealt.alike(viewer, shuffler), *(dealt.other(shuffler) for _ in range(APART))]:
        if other is not None:
            told_as_seen(shown, Shown(other.step, viewer))


def a_history_suffices(match: AnyMatch, viewers: int = 2) -> None:
    """Law 5: two matches that one viewer has seen go alike show it the same, and answer it the same."""
    shuffler = shuffler_of(match, "histories")
    for viewer in pick(shuffler, [None, *seats_of(match)], viewers):
        for swaps in (1, SWAPS):
            for pair in side_by_side(match, viewer, shuffler, swaps):
                same_to_viewer(pair)


@frozen
class SideBySide:
    """A step of a match, and one of another match of which the viewer has until then seen the same."""

    one: Shown
    other: Shown
    momentary: bool = False
    """Whether the viewer can tell them apart for this moment: by a momentary note of the last act."""

    @property
    def apart(self) -> bool:
        """Whether the viewer is shown the two steps otherwise."""
        return bool(held((self.one.observed, self.one.notes)) != held((self.other.observed, self.other.notes)))


def side_by_side(match: AnyMatch, viewer: int | None, shuffler: Shuffler, swaps: int) -> Iterator[SideBySide]:
    """Play another match beside this one, and yield their steps, until the viewer can tell them apart.

    Its deals look the same to the viewer: `swaps` is how often two values are exchanged. With few swaps much stays as
    it is, also what is turned up later. What only a momentary note told apart, the viewer cannot tell apart any more as
    soon as somebody has acted again.
    """
    other, momentary = match.states[0], False
    for step in match.steps:
        if isinstance(step.command, FORMAT_COMMANDS):
            return
        shown = Shown(step, viewer)
        command = _alike(shown, other, shuffler, swaps)
        if command is None:
            return
        after = answer(match.game, other, step.seat, command)
        if momentary and type(after) is tuple:
            return  # for this moment the two may be told apart
        assert type(after) is not tuple, (
            f"{step.command!r} of {named(step.seat)} is accepted, and refused ({after[0].number} {after[2]}) in "
            f"another match that it cannot tell apart\n{step.before!r}\n{other!r}"
        )
        pair = SideBySide(shown, Shown(step_of(match.game, other, step.seat, command, after), viewer), momentary)
        yield pair
        if pair.one.lasting != pair.other.lasting:
            return  # from here on it can tell them apart
        momentary = pair.apart or (momentary and step.seat == TABLE)
        other = after


def same_to_viewer(pair: SideBySide) -> None:
    """Raise if the viewer is shown a step otherwise than its views show it, or may look at something else after it."""
    one, other = pair.one, pair.other
    if pair.momentary and (one.step.seat == TABLE or pair.apart):
        return  # a deal takes no momentary note away, and other notes may differ as the views did
    who = f"{named(one.viewer)}, of two matches of which it had seen the same"
    now = [shown_now(each.step.game, each.step.after, each.viewer) for each in (one, other)]
    if not pair.apart:
        nothing_apart(now[0], now[1], f"to {who}")
    elif differing(*now) is None:
        told_as_seen(one, other, f": to {who}")


def _alike(shown: Shown, other: Any, shuffler: Shuffler, swaps: int) -> Any:
    """Return a command for the other match that looks to the viewer like this step's; None if none is found.

    The very same where it is legal there.
    """
    step, viewer = shown.step, shown.viewer
    game, seat, command = step.game, step.seat, step.command
    if seat == viewer:
        return command
    if seat == TABLE:
        dealt = Dealt(game, other, command)
        if dealt.after is None:  # the card that was drawn lies elsewhere there
            anew = (dealt.anew(shuffler) for _ in range(ALIKE))
            return next((each.deal for each in anew if Shown(each.step, viewer).lasting == shown.lasting), None)
        return dealt.alike(viewer, shuffler, swaps).deal
    there = _Outcomes(game, other, seat, viewer)
    same = [command] if command in there.legal else []
    found = [each for each in there.alike(command, shown.observed) if each not in (command, *same)]
    for each in [*same, *pick(shuffler, shuffler.shuffle(found), ALIKE)]:
        told = there.shown(each)
        if told is not None and told.notes == shown.notes:
            return each
    return command if same else None


def secrets_are_kept(matches: Iterable[AnyMatch]) -> None:
    """Law 5: what is hidden of a command is not told by the very next view of whom it is hidden from, every time.

    It may be when all have given theirs; but where each other command of the seat would at once have looked otherwise
    to the viewer, whenever it was given, the marks contradict each other.
    """
    told: dict[tuple[str, str], list[bool]] = {}
    examples: dict[tuple[str, str], Shown] = {}
    for match in matches:
        shuffler = shuffler_of(match, "secrets")
        steps = [step for step in match.steps if step.seat != TABLE and not isinstance(step.command, FORMAT_COMMANDS)]
        for step, viewer in product(pick(shuffler, steps, SECRETS), (None, *seats_of(match))):
            shown = Shown(step, viewer)
            for name, is_told in _told_at_once(shown, shuffler):
                key = match.game.wire[type(step.command)], name
                told.setdefault(key, []).append(is_told)
                examples[key] = shown
    for (tag, name), always in told.items():
        shown = examples[tag, name]
        assert len(always) < SURE or not all(always), (
            f"`{name}` of {tag} is hidden from {named(shown.viewer)}, and the next view tells it every time: mark it "
            f"as seen, or hide what the state makes of it\n{shown.step.command!r}\n{shown.view!r}"
        )


def _told_at_once(shown: Shown, shuffler: Shuffler) -> Iterator[tuple[str, bool]]:
    """Yield each field that is hidden from a viewer, and whether its next view would differ with any other value."""
    step, game = shown.step, shown.step.game
    if not isinstance(shown.observed, RedactedCommand):
        return
    legal = [each for each in game.legal(step.before, step.seat) if type(each) is type(step.command)]
    for name in attrs.fields_dict(type(step.command)).keys() - dict(shown.observed.fields).keys():
        others = [each for each in legal if getattr(each, name) != getattr(step.command, name)]
        after = [answer(game, step.before, step.seat, each) for each in pick(shuffler, others, ALIKE)]
        if after:
            yield name, all(type(each) is not tuple and game.view(each, shown.viewer) != shown.view for each in after)
