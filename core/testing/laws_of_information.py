"""Law 5: nothing leaks.

A determinization of a viewer's view is a state that this viewer cannot tell from the true one: all that its view does
not show is drawn anew. So whatever else reaches the viewer (`channels`) must be equal for the two: the view and
everything it holds, the scene, who is to act, the legal commands in their order, and every refusal with its facts.

What a command shows is told by what is observed of it and by its notes, and by nothing else:

- Where both states accept a command of the viewer's own and its notes are equal, nothing new was shown: then the next
  views are equal too. Where the notes differ, it has shown something, which the next view shows too.
- A command of another seat, that looks the same to the viewer in both states (the very same, or another of the same
  `RedactedCommand`), may not be told by notes what the next view does not show: where the next views are equal, so are
  the notes; and where the notes are equal, so are the next views.
- What is observed of a command of another seat tells nothing that the next view does not show: where two commands lead
  to views that are equal, and to states that are not, they look the same.
- What is shown to all for a moment though no view keeps it is an exception that the game says by name (`Game.shows`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import combinations, product
from typing import Any

from attrs import frozen

from ..game import TABLE, Game, RedactedCommand, Seat, Shuffler, Step
from ..match import Match
from ..wire.packing import pack
from .channels import Channels, differing, held, kept_of_command, kept_of_notes, made_of_it, shown_now, step_of
from .laws_of_play import accepted, answer, seats_of, states_of, tries
from .places import Path, leaves, pattern, swap
from .play import another, another_seed, pick, shuffler_of

STATES = 4
DETERMINIZATIONS = 2
OWN = 24
OTHERS = 4
REDRAWS = 40
"""So often is drawn, for a command that few draws accept, or where few states are possible."""
AGAIN = 4
"""So often is drawn again, behind an equal view of another state."""
SURE = 4
"""In so many states that hide it a yes or no has to be otherwise than in all their draws."""
HIDING = 6
"""So many steps that hide something are looked at."""
ASIDE = "if it is meant to be shown for a moment, though no view keeps it: name the value in `Game.shows` (or `looks`)"


@frozen
class Pair:
    """A state, and another one drawn behind the view of one viewer."""

    game: Game[Any, Any, Any]
    viewer: Seat | None
    state: Any
    other: Any

    def __str__(self) -> str:
        return f"to {named(self.viewer)}\nstate: {self.state!r}\nother: {self.other!r}"


def named(viewer: Seat | None) -> str:
    """Return what a viewer is called in a finding."""
    return "a spectator" if viewer is None else f"seat {viewer}"


def nothing_leaks(match: Match[Any, Any, Any], wild: Iterable[Any] = ()) -> None:
    """Law 5: what a seat may look at, ask and be told is equal between a state and those behind its view."""
    shuffler, wild = shuffler_of(match, "draws"), list(wild)
    for state in states_of(match, STATES):
        tried = tries(match, state, wild)
        for viewer in [None, *seats_of(match)]:
            nothing_leaks_to(match.game, state, viewer, seats_of(match), tried, shuffler)


def nothing_leaks_at(step: Step[Any, Any], viewer: Seat | None, seats: list[Seat], shuffler: Shuffler) -> None:
    """Law 5 for one viewer of one step: in the state before it, of its command, and in the state after it."""
    if step.seat != TABLE:
        nothing_leaks_to(step.game, step.before, viewer, seats, [(step.seat, step.command)], shuffler)
        _shown_as_by_views(step, viewer, shuffler)
    for pair in pairs(step.game, step.after, viewer, shuffler):
        same_view(pair)
        draw_goes_on(pair)


def _shown_as_by_views(step: Step[Any, Any], viewer: Seat | None, shuffler: Shuffler) -> None:
    """Compare what the viewer is shown of a step in draws in which the same command leads to the same view."""
    game, view, own = step.game, step.game.view(step.after, viewer), viewer == step.seat
    shown = kept_of_notes(game, step.notes_for(viewer), own=own)
    for drawn in _drawn(game, game.view(step.before, viewer), shuffler, REDRAWS):
        after = answer(game, drawn, step.seat, step.command)
        if type(after) is tuple or game.view(after, viewer) != view:
            continue
        other = step_of(game, drawn, step.seat, step.command, after)
        kept = kept_of_notes(game, other.notes_for(viewer), own=own)
        assert kept == shown, (
            f"the notes of {step.command!r} of seat {step.seat} leak what the views of {named(viewer)} do not show\n"
            f"{shown}\n{kept}\n{ASIDE}"
        )


def nothing_leaks_to(
    game: Game[Any, Any, Any],
    state: Any,
    viewer: Seat | None,
    seats: list[Seat],
    tried: Sequence[tuple[Seat, Any]],
    shuffler: Shuffler,
) -> None:
    """Law 5 for one viewer of one state; `tried` are the commands whose answers are compared, by seat."""
    own = [command for seat, command in tried if seat == viewer]
    here = {seat: _Outcomes(game, state, seat, viewer) for seat in seats if seat != viewer}
    apart: Pair | None = None
    for pair in pairs(game, state, viewer, shuffler):
        same_view(pair)
        draw_goes_on(pair)
        if viewer is not None and pack(pair.state) != pack(pair.other):  # else an answer is compared with itself: law 1
            apart = pair
            same_answers(pair, pick(shuffler, own, OWN))
        for seat, outcomes in here.items():
            some = [command for by, command in tried if by == seat and command in outcomes.legal][:1]
            some += pick(shuffler, outcomes.legal, OTHERS)
            there = _Outcomes(game, pair.other, seat, viewer)
            others_stay_hidden(pair, some, outcomes, there, shuffler)
            what_is_observed_is_seen(pair, some, outcomes, there, shuffler)
    if viewer is not None and apart is not None:
        _nothing_apart(made_of_it(game, apart.state, viewer), made_of_it(game, apart.other, viewer), apart)


def pairs(game: Game[Any, Any, Any], state: Any, viewer: Seat | None, shuffler: Shuffler) -> Iterator[Pair]:
    """Yield the state beside some that are drawn behind the viewer's view."""
    for drawn in _drawn(game, game.view(state, viewer), shuffler, DETERMINIZATIONS):
        yield Pair(game, viewer, state, drawn)


def _drawn(game: Game[Any, Any, Any], view: Any, shuffler: Shuffler, times: int) -> Iterator[Any]:
    """Yield what so many draws behind a view give, each state once: with perfect information it is always the same."""
    yield from dict.fromkeys(game.determinize(view, shuffler) for _ in range(times))


def same_view(pair: Pair) -> None:
    """Compare all that the viewer can look at and ask."""
    game, viewer = pair.game, pair.viewer
    view, other = game.view(pair.state, viewer), game.view(pair.other, viewer)
    assert view == other, f"a draw behind a view does not give that view again, {pair}\n{view!r}\n{other!r}"
    _nothing_apart(shown_now(game, pair.state, viewer), shown_now(game, pair.other, viewer), pair)


def _nothing_apart(first: Channels, second: Channels, pair: Pair) -> None:
    apart = differing(first, second)
    assert apart is None, f"leaked by {apart}, {pair}\n{first[apart]!r}\n{second[apart]!r}"


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
    """Compare the answers to commands of the viewer's own: refusals always, views where nothing new was told."""
    game, seat = pair.game, pair.viewer
    assert seat is not None
    for command in commands:
        first, second = answer(game, pair.state, seat, command), answer(game, pair.other, seat, command)
        if type(first) is tuple or type(second) is tuple:
            assert held(first) == held(second), (
                f"the answer to {command!r} leaks, {pair}\n{_said(first)}\n{_said(second)}"
            )
            continue
        notes = notes_told(pair, pair.state, seat, command, first), notes_told(pair, pair.other, seat, command, second)
        alike = game.view(first, seat) == game.view(second, seat)
        assert alike or notes[0] != notes[1], (
            f"after its own {command!r} the view shows something new that no note told, {pair}"
        )
        kept = [kept_of_notes(game, each, own=True) for each in notes]
        assert not alike or kept[0] == kept[1], (
            f"the notes of its own {command!r} leak what its view does not show, {pair}\n"
            f"{notes[0]}\n{notes[1]}\n{ASIDE}"
        )


def _said(given: Any) -> str:
    return f"refused: {given[0].number} {given[2]}" if type(given) is tuple else "accepted"


def notes_told(pair: Pair, before: Any, seat: Seat, command: Any, after: Any) -> tuple[Any, ...]:
    """Give the notes that the viewer is told of a command."""
    return step_of(pair.game, before, seat, command, after).notes_for(pair.viewer)


@frozen
class _Told:
    """What the viewer of a pair is told of a command of another seat, and may look at after it."""

    notes: tuple[Any, ...]
    kept: Any
    view: Any


class _Outcomes:
    """What comes of the commands of another seat in a state, and what the viewer sees of it: each worked out once."""

    def __init__(self, game: Game[Any, Any, Any], state: Any, seat: Seat, viewer: Seat | None) -> None:
        self.game, self.state, self.seat, self.viewer = game, state, seat, viewer
        self._after: dict[Any, Any] = {}
        self._told: dict[Any, _Told | None] = {}
        self._observed: dict[Any, Any] = {}

    @cached_property
    def legal(self) -> list[Any]:
        """The commands that the seat may give."""
        return list(self.game.legal(self.state, self.seat))

    def after(self, command: Any) -> Any:
        """Return the state after a command, or its refusal."""
        if command not in self._after:
            self._after[command] = answer(self.game, self.state, self.seat, command)
        return self._after[command]

    def told(self, command: Any) -> _Told | None:
        """Return what the viewer is told of a command; None if it is refused: law 2 says so."""
        if command not in self._told:
            after = self.after(command)
            self._told[command] = None if type(after) is tuple else self._telling(command, after)
        return self._told[command]

    def _telling(self, command: Any, after: Any) -> _Told:
        notes = step_of(self.game, self.state, self.seat, command, after).notes_for(self.viewer)
        return _Told(notes, kept_of_notes(self.game, notes), self.game.view(after, self.viewer))

    def observed(self, command: Any) -> Any:
        """Return what the viewer observes of a command, without what is shown for a moment."""
        if command not in self._observed:
            seen = check_redacted(self.game, command, self.seat, self.viewer)
            self._observed[command] = kept_of_command(self.game, seen)
        return self._observed[command]

    def alike(self, command: Any) -> list[Any]:
        """List the seat's commands that look to the viewer like this one."""
        game = self.game
        observed = check_redacted(game, command, self.seat, self.viewer)
        if observed == command:
            return [] if type(self.after(command)) is tuple else [command]
        return [each for each in self.legal if game.redact(each, self.seat, self.viewer) == observed]


def others_stay_hidden(
    pair: Pair, commands: Iterable[Any], here: _Outcomes, there: _Outcomes, shuffler: Shuffler
) -> None:
    """Compare what the viewer is told and shown of commands of another seat that look the same to it."""
    for command in commands:
        others = pick(shuffler, there.alike(command), OTHERS)
        first = here.told(command) if others else None
        if first is None:
            continue
        for other in others:
            second = there.told(other)
            if second is None:
                continue
            what = f"{command!r} and {other!r} of seat {here.seat} look the same"
            if first.view == second.view:
                assert first.kept == second.kept, (
                    f"the notes leak: {what}, {pair}\nnotes: {first.notes}\nnotes: {second.notes}\n{ASIDE}"
                )
            if first.notes == second.notes:
                assert first.view == second.view, (
                    f"after {what}, the view shows something new that no note told, {pair}"
                )


def what_is_observed_is_seen(
    pair: Pair, some: Iterable[Any], here: _Outcomes, there: _Outcomes, shuffler: Shuffler
) -> None:
    """Compare what the viewer observes of commands of another seat after which it may look at the same things.

    Of two commands in one state; and of two in the state and a draw, of which each is legal in its own state alone.
    """
    only_here, only_there = set(here.legal) - set(there.legal), set(there.legal) - set(here.legal)
    for first, second in product(some, pick(shuffler, here.legal, OTHERS)):
        _observed_alike(pair, (here, first), (here, second))
    alone = (
        [command for command in here.legal if command in only_here],
        [command for command in there.legal if command in only_there],
    )
    for first, second in product(*(pick(shuffler, each, OTHERS // 2) for each in alone)):
        _observed_alike(pair, (here, first), (there, second))


def _observed_alike(pair: Pair, one: tuple[_Outcomes, Any], other: tuple[_Outcomes, Any]) -> None:
    game, viewer = pair.game, pair.viewer
    observed = [outcomes.observed(command) for outcomes, command in (one, other)]
    if observed[0] == observed[1] or observed[0][0] != observed[1][0]:
        return
    after = [outcomes.after(command) for outcomes, command in (one, other)]
    if tuple in map(type, after) or after[0] == after[1]:
        return
    assert game.view(after[0], viewer) != game.view(after[1], viewer), (
        f"what is observed of {one[1]!r} and {other[1]!r} of seat {one[0].seat} differs, and no view shows how, "
        f"{pair}\n{ASIDE}"
    )


def check_redacted(game: Game[Any, Any, Any], command: Any, seat: Seat, viewer: Seat | None) -> Any:
    """Return what the viewer observes of a command: itself, or a `RedactedCommand` of its tag; the seat sees all."""
    for sees_all in (seat, TABLE):
        assert game.redact(command, seat, sees_all) == command, (
            f"seat {sees_all} does not see all of {command!r} of {seat}"
        )
    observed = game.redact(command, seat, viewer)
    tag = game.wire[type(command)]
    assert observed == command or (isinstance(observed, RedactedCommand) and observed.tag == tag), (
        f"of {command!r} {observed!r} is observed: it is the command, or RedactedCommand({tag!r}, …)"
    )
    return observed


def determinizations_vary(match: Match[Any, Any, Any]) -> None:
    """Law 5 would say nothing if draws were the states themselves: where something is hidden, some of them differ.

    Something is hidden after a step that the viewer did not see whole if another command, that looks the same, would
    have led to another state with the same view.
    """
    game, shuffler = match.game, shuffler_of(match, "anew")
    ruled_out: dict[tuple[Path, bool], list[bool]] = {}
    for viewer in [None, *seats_of(match)]:
        unseen = [step for step in match.steps if isinstance(step.command_for(viewer), RedactedCommand)]
        hiding = [step for step in pick(shuffler, unseen, HIDING) if _hides(step, viewer, shuffler)]
        if not hiding:
            continue
        draws = [
            (step.after, [game.determinize(game.view(step.after, viewer), shuffler) for _ in range(REDRAWS)])
            for step in hiding
        ]
        what = f"{named(viewer)} did not see all of {hiding[0].command!r}, but"
        assert any(drawn != state for state, those in draws for drawn in those), (
            f"{what} every draw behind its views is the state itself: the truth is remembered, draw anew what the view "
            "does not show"
        )
        assert any(drawn != those[0] for _, those in draws for drawn in those), (
            f"{what} two draws behind a view are always the same: draw them from the shuffler"
        )
        for state, those in draws:
            _same_draws(game, viewer, state, next((drawn for drawn in those if drawn != state), state), shuffler)
            _note_yes_or_no(state, those, ruled_out)
    for (path, value), never in ruled_out.items():
        assert len(never) < SURE or not all(never), (
            f"a draw never has {value} in {path}, where it was so in {len(never)} states, and hidden: draw what may be"
        )


def _note_yes_or_no(state: Any, draws: list[Any], ruled_out: dict[tuple[Path, bool], list[bool]]) -> None:
    """Note of each bool of a state that some draw has otherwise whether all draws have."""
    for path, value in leaves(state):
        drawn = {dict(leaves(each)).get(path) for each in draws} if type(value) is bool else {value}
        if drawn != {value}:  # else it may be seen
            ruled_out.setdefault((pattern(path), value), []).append(value not in drawn)


def _same_draws(game: Game[Any, Any, Any], viewer: Seat | None, state: Any, other: Any, shuffler: Shuffler) -> None:
    """Raise if what is drawn behind a view depends on which of two states the view was made of.

    However seldom a draw peeks at the truth, it is another one then; and so it is if it has a randomness of its own.
    """
    if game.view(state, viewer) != game.view(other, viewer):
        return  # the other laws of draws say so
    for _ in range(AGAIN):
        seed = another_seed(shuffler)
        one, two = (game.determinize(game.view(each, viewer), Shuffler(seed)) for each in (state, other))
        assert one == two, (
            f"a view of {named(viewer)} and a shuffler give two draws, as the truth is one state or another: a draw "
            f"depends on nothing else\nstates: {state!r}\n{other!r}\ndraws: {one!r}\n{two!r}"
        )


def _hides(step: Step[Any, Any], viewer: Seat | None, shuffler: Shuffler) -> bool:
    """Return True if a command that looks the same leads to another state with the same view.

    Of a deal, too, if none of those tried is accepted and leads to the same view: what others hold is hidden in it.
    """
    game, seen, view = step.game, step.command_for(viewer), step.game.view(step.after, viewer)
    if step.seat == TABLE:
        others = _other_deals(step, shuffler)
    else:
        others = iter(pick(shuffler, list(game.legal(step.before, step.seat)), REDRAWS))
    is_alone = step.seat == TABLE
    for command in others:
        after = answer(game, step.before, step.seat, command)
        same = type(after) is not tuple and game.redact(command, step.seat, viewer) == seen
        if same and game.view(after, viewer) == view:
            if after != step.after:
                return True
            is_alone = False
    return is_alone


def _other_deals(step: Step[Any, Any], shuffler: Shuffler) -> Iterator[Any]:
    """Yield deals like this one, with two of its values swapped, and some made anew.

    A seat that knows all by its own cards, as the one traitor does, shows by the swaps that nothing is hidden from it.
    """
    swaps = list(combinations([path for path, _ in leaves(step.command)], 2))
    yield from (swap(step.command, *pair) for pair in pick(shuffler, swaps, REDRAWS))
    yield from (step.game.deal(step.before, another(shuffler)) for _ in range(HIDING))
