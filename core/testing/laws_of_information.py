"""Law 5: nothing leaks.

A twin of a state, for one viewer, is a state that this viewer cannot tell from it: all that its view does not show is
drawn anew. So whatever else the viewer may ask of the two must be equal: the view and everything it holds, the scene,
who is to act, the list of legal commands, and every refusal with its facts.

What a command shows is told by its sighting and its notes, and by nothing else:

- Where both states accept a command of the viewer's own and its notes are equal, nothing new was shown: then the next
  views are equal too. Where the notes differ, it has shown something, as looking at a pile does.
- A command of another seat, that looks the same to the viewer in both states (the very same, or another of the same
  `Hidden` sighting), may not be told by notes what the next view does not show: where the next views are equal, so are
  the notes; and where the notes are equal, so are the next views. A command by which cards are shown to all for a
  moment, and of which no view keeps anything, is an exception that the game's author writes down (`shows`).
- Of two deals the notes may tell nothing that the next view does not show; what is dealt to a seat, its view shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import attrs
from attrs import frozen

from ..game import TABLE, Event, Game, RedactedCommand, Seat, Step
from ..match import Match
from ..shuffle import Shuffler
from .laws_of_play import accepted, answer, seats_of, states_of, tries
from .play import pick, shuffler_of

STATES = 4
DETERMINIZATIONS = 2
OWN = 24
OTHERS = 4


@frozen
class Pair:
    """A state and its twin for one viewer."""

    game: Game[Any, Any, Any]
    viewer: Seat | None
    state: Any
    other: Any

    def __str__(self) -> str:
        return f"to {named(self.viewer)}\nstate: {self.state!r}\ntwin:  {self.other!r}"


def named(viewer: Seat | None) -> str:
    return "a spectator" if viewer is None else f"seat {viewer}"


def nothing_leaks(match: Match[Any, Any, Any], wild: Iterable[Any] = (), shows: tuple[type, ...] = ()) -> None:
    """Law 5: what a seat may look at, ask and be told is equal between a state and its twins."""
    shuffler, wild = shuffler_of(match, "twins"), list(wild)
    seats = seats_of(match)
    for state in states_of(match, STATES):
        tried = tries(match, state, wild)
        for pair in pairs(match.game, state, [None, *seats], shuffler):
            same_view(pair)
            if pair.viewer is not None:
                own = [command for seat, command in tried if seat == pair.viewer]
                same_answers(pair, pick(shuffler, own, OWN))
            for seat in seats:
                if seat != pair.viewer:
                    others_stay_hidden(pair, seat, shuffler, shows)
            deals_stay_hidden(pair, shuffler)


def pairs(game: Game[Any, Any, Any], state: Any, viewers: list[Seat | None], shuffler: Shuffler) -> Iterator[Pair]:
    for viewer in viewers:
        for _ in range(DETERMINIZATIONS):
            yield Pair(game, viewer, state, game.determinize(game.view(state, viewer), shuffler))


def same_view(pair: Pair) -> None:
    """Compare all that the viewer can look at: the view and what it holds, scene, `to_act` and legal commands."""
    game, viewer = pair.game, pair.viewer
    view, other = game.view(pair.state, viewer), game.view(pair.other, viewer)
    assert view == other, f"the twin of a view does not give that view again, {pair}\n{view!r}\n{other!r}"
    assert held(view) == held(other), f"views that are equal hold something that is not, {pair}\n{view!r}\n{other!r}"
    assert game.scene(view) == game.scene(other), f"the scene leaks, {pair}"
    assert game.to_act(pair.state) == game.to_act(pair.other), f"to_act leaks, {pair}"
    if viewer is not None:
        apart = {*game.legal(pair.state, viewer)} ^ {*game.legal(pair.other, viewer)}
        assert not apart, f"the legal commands leak, {pair}\nlegal in one alone: {next(iter(apart))!r}"


def held(value: Any) -> Any:
    """Spell out all that a view holds, also in fields that do not count when views are compared."""
    kind: Any = type(value)
    if attrs.has(kind):
        names = [field.name for field in attrs.fields(kind)]
        return kind.__name__, [(name, held(getattr(value, name))) for name in sorted({*names, *_stray(value)})]
    if isinstance(value, dict):
        return sorted(((repr(key), held(each)) for key, each in value.items()), key=repr)
    if isinstance(value, set | frozenset):
        return sorted(map(held, value), key=repr)
    return [held(each) for each in value] if isinstance(value, list | tuple) else repr(value)


def _stray(value: Any) -> Iterable[str]:
    return getattr(value, "__dict__", ())


def same_answers(pair: Pair, commands: Iterable[Any]) -> None:
    """Compare the answers to commands of the viewer's own: refusals always, views where nothing new was told."""
    game, seat = pair.game, pair.viewer
    assert seat is not None
    for command in commands:
        first, second = answer(game, pair.state, seat, command), answer(game, pair.other, seat, command)
        refused = type(first) is tuple or type(second) is tuple
        if refused:
            assert first == second, f"the answer to {command!r} leaks, {pair}\n{_said(first)}\n{_said(second)}"
            continue
        notes = notes_told(pair, pair.state, seat, command, first), notes_told(pair, pair.other, seat, command, second)
        if notes[0] == notes[1]:
            assert game.view(first, seat) == game.view(second, seat), (
                f"after its own {command!r} the view shows something new that no note told, {pair}"
            )


def _said(given: Any) -> str:
    return f"refused: {given[0].number} {given[2]}" if type(given) is tuple else "accepted"


def notes_told(pair: Pair, before: Any, seat: Seat, command: Any, after: Any) -> tuple[Any, ...]:
    """Give the notes that the viewer is told of a command."""
    return Step(Event(0, seat, command), before, after, pair.game).notes_for(pair.viewer)


def others_stay_hidden(pair: Pair, seat: Seat, shuffler: Shuffler, shows: tuple[type, ...]) -> None:
    """Compare what the viewer is told and shown of commands of another seat that look the same to it."""
    game, viewer = pair.game, pair.viewer
    for command in pick(shuffler, list(game.legal(pair.state, seat)), OTHERS):
        for other in pick(shuffler, _alike(pair, seat, command), OTHERS):
            first, second = answer(game, pair.state, seat, command), answer(game, pair.other, seat, other)
            notes = (
                notes_told(pair, pair.state, seat, command, first),
                notes_told(pair, pair.other, seat, other, second),
            )
            views = game.view(first, viewer), game.view(second, viewer)
            what = f"{command!r} and {other!r} of seat {seat} look the same"
            if views[0] == views[1] and not isinstance(command, shows):
                assert notes[0] == notes[1], (
                    f"the notes leak: {what}, {pair}\nnotes: {notes[0]}\nnotes: {notes[1]}\n"
                    f"if all are meant to be told, though no view keeps it: shows=[{type(command).__name__}]"
                )
            if notes[0] == notes[1]:
                assert views[0] == views[1], f"after {what}, the view shows something new that no note told, {pair}"


def _alike(pair: Pair, seat: Seat, command: Any) -> list[Any]:
    """List the seat's commands in the twin that look to the viewer like this one."""
    game, viewer = pair.game, pair.viewer
    observed = check_redacted(game, command, seat, viewer)
    if observed == command:
        return [command] if accepted(game, pair.other, seat, command) else []
    return [each for each in game.legal(pair.other, seat) if game.redact(each, seat, viewer) == observed]


def check_redacted(game: Game[Any, Any, Any], command: Any, seat: Seat, viewer: Seat | None) -> Any:
    """Give the sighting of a command; raises unless it is the command, or a `Hidden` of its tag; the seat sees all."""
    for sees_all in (seat, TABLE):
        assert game.redact(command, seat, sees_all) == command, (
            f"seat {sees_all} does not see all of {command!r} of {seat}"
        )
    observed = game.redact(command, seat, viewer)
    tag = game.wire[type(command)]
    assert observed == command or (isinstance(observed, RedactedCommand) and observed.tag == tag), (
        f"the sighting of {command!r} is {observed!r}: it is the command, or Hidden({tag!r}, …)"
    )
    return observed


def deals_stay_hidden(pair: Pair, shuffler: Shuffler) -> None:
    """Compare what the viewer is told of two deals that look the same to it."""
    game, viewer = pair.game, pair.viewer
    if TABLE not in game.to_act(pair.state):
        return
    deals = game.deal(pair.state, shuffler), game.deal(pair.other, shuffler)
    if check_redacted(game, deals[0], TABLE, viewer) != check_redacted(game, deals[1], TABLE, viewer):
        return
    after = [answer(game, state, TABLE, deal) for state, deal in zip((pair.state, pair.other), deals, strict=True)]
    if game.view(after[0], viewer) == game.view(after[1], viewer):
        first, second = (
            notes_told(pair, pair.state, TABLE, deals[0], after[0]),
            notes_told(pair, pair.other, TABLE, deals[1], after[1]),
        )
        assert first == second, f"the notes of a deal leak, {pair}\nnotes: {first}\nnotes: {second}"


def determinizations_vary(match: Match[Any, Any, Any]) -> None:
    """Law 5 would say nothing if twins were the states themselves: where something was hidden, some of them differ."""
    game, shuffler = match.game, shuffler_of(match, "anew")
    for viewer in [None, *seats_of(match)]:
        hidden = [step for step in match.steps if isinstance(step.command_for(viewer), RedactedCommand)]
        if not hidden:
            continue
        anew = any(
            pair.other != pair.state for state in match.states for pair in pairs(game, state, [viewer], shuffler)
        )
        assert anew, (
            f"{named(viewer)} did not see all of {hidden[0].command!r}, but every twin of its views is the state "
            "itself: a twin draws anew what the view does not show"
        )
