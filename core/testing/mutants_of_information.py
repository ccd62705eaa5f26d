"""Mutants that show what is hidden, in commands, views and notes, and that draw what is hidden wrongly."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Any

import attrs
from attrs import evolve

from ..game import TABLE, AnyGame, Note, RedactedCommand, Seat, Shuffler, Step
from ..match.bot import ObservationHistory
from .channels import held
from .laws_of_play import seats_of
from .laws_of_symmetry import Rows, card_places, sorted_rows
from .mutants import Mutant
from .places import rows, swap
from .play import prefix
from .survey import Spot, Survey

Viewer = Seat | None
Shows = Callable[[Viewer, Seat], bool]
"""Whether a viewer is shown something of an event of a seat."""
TRIES = 40
DRAWS = 4


def _everybody(viewer: Viewer, seat: Seat) -> bool:  # noqa: ARG001 (one signature for all)
    return True


def _seats(viewer: Viewer, seat: Seat) -> bool:  # noqa: ARG001
    return viewer is not None


def _spectators(viewer: Viewer, seat: Seat) -> bool:  # noqa: ARG001
    return viewer is None


def _wrong_seat(viewer: Viewer, seat: Seat) -> bool:
    return viewer == (1 if seat == 0 else 0)


TO = {"everybody": _everybody, "all seats": _seats, "spectators": _spectators, "one wrong seat": _wrong_seat}


def information_mutants(survey: Survey) -> Iterator[Mutant]:
    """Yield the mutants of `redact`, `view`, `explain`, `determinize` and of what is drawn by a history."""
    yield from _of_redact(survey)
    yield from _of_view(survey)
    yield from _of_explain(survey)
    yield from _of_determinize(survey)
    yield from _of_hints(survey)


def _of_redact(survey: Survey) -> Iterator[Mutant]:
    for kind, tag in survey.game.wire.items():
        fields = [field.name for field in attrs.fields(kind)]
        for to, shows in TO.items():
            for name in fields:
                yield _redacting(survey.game, f"{name} of {tag} is shown to {to}", tag, [name], shows)
            if len(fields) > 1:
                yield _redacting(survey.game, f"{tag} is shown whole to {to}", tag, fields, shows)


def _redacting(game: AnyGame, how: str, tag: str, names: list[str], shows: Shows) -> Mutant:
    def redact(command: Any, seat: Seat, viewer: Viewer) -> Any:
        observed = game.redact(command, seat, viewer)
        if not isinstance(observed, RedactedCommand) or observed.tag != tag or not shows(viewer, seat):
            return observed
        fields = dict(observed.fields)
        fields.update({name: getattr(command, name) for name in names if name not in fields})
        return RedactedCommand(tag, tuple(fields.items()))

    otherwise = "nobody sees less of it than that"
    return Mutant("redact", how, evolve(game, redact=redact), _observed, otherwise=otherwise)


def _observed(game: AnyGame, spot: Spot) -> Any:
    step = spot.step
    return [game.redact(step.command, step.seat, viewer) for viewer in spot.viewers]


def _of_view(survey: Survey) -> Iterator[Mutant]:
    game = survey.game
    views = {
        "a seat's view is that of seat 0": lambda viewer: Seat(0) if viewer is not None and viewer > 0 else viewer,
        "a seat's view is the table's": lambda viewer: TABLE if viewer is not None else None,
        "a spectator's view is that of seat 0": lambda viewer: Seat(0) if viewer is None else viewer,
        "a spectator's view is the table's": lambda viewer: TABLE if viewer is None else viewer,
    }
    for how, instead in views.items():
        yield _viewing(game, how, partial(_view_of_another, game, instead))
    sample = game.view(survey.spots[-1].step.after, TABLE)
    for field in attrs.fields(type(sample)) if attrs.has(type(sample)) else ():
        if getattr(sample, field.name) is not TABLE:  # it names the viewer, and hides nothing
            for to in ("everybody", "spectators", "one wrong seat"):
                view = partial(_view_with_more, game, field.name, TO[to])
                yield _viewing(game, f"{field.name} is shown whole to {to}", view)


def _view_of_another(game: AnyGame, instead: Callable[[Viewer], Viewer], state: Any, viewer: Viewer) -> Any:
    return game.view(state, viewer if viewer == TABLE else instead(viewer))


def _view_with_more(game: AnyGame, name: str, shows: Shows, state: Any, viewer: Viewer) -> Any:
    view = game.view(state, viewer)
    if viewer == TABLE or not shows(viewer, TABLE):
        return view
    return attrs.evolve(view, **{name: getattr(game.view(state, TABLE), name)})


def _viewing(game: AnyGame, how: str, view: Callable[..., Any]) -> Mutant:
    return Mutant("view", how, evolve(game, view=view), _views, otherwise="it is shown to them anyway")


def _views(game: AnyGame, spot: Spot) -> Any:
    return [held(game.view(spot.step.after, viewer)) for viewer in spot.viewers]


def _of_explain(survey: Survey) -> Iterator[Mutant]:
    notes: dict[str, None] = {}
    for spot in survey.spots:
        notes.update(dict.fromkeys(note.key for note in spot.step.notes_for(TABLE)))
    for key in notes:
        for to in ("all seats", "spectators", "one wrong seat"):
            otherwise = "they are told it anyway"
            explain = partial(_tell_more, survey.game, key, TO[to])
            yield _explaining(survey.game, f"the note {key} is told to {to}", explain, otherwise)
        otherwise = "nothing is hidden when it is told, or none but the table is told it"
        yield _explaining(
            survey.game, f"the note {key} has one hidden value more", partial(_tell_hidden, survey.game, key), otherwise
        )


def _explaining(game: AnyGame, how: str, explain: Callable[..., Any], otherwise: str) -> Mutant:
    return Mutant("explain", how, evolve(game, explain=explain), _notes, otherwise=otherwise)


def _notes(game: AnyGame, spot: Spot) -> Any:
    return [list(game.explain(spot.step, viewer)) for viewer in spot.viewers]


def _tell_more(game: AnyGame, key: str, shows: Shows, step: Step[Any, Any], viewer: Viewer) -> Iterator[Note]:
    notes = list(game.explain(step, viewer))
    yield from notes
    if viewer != TABLE and shows(viewer, step.seat):
        yield from (note for note in game.explain(step, TABLE) if note.key == key and note not in notes)


def _tell_hidden(game: AnyGame, key: str, step: Step[Any, Any], viewer: Viewer) -> Iterator[Note]:
    for note in game.explain(step, viewer):
        hidden = None if note.key != key or viewer == TABLE else _hidden(game, step.after, viewer)
        yield attrs.evolve(note, values=(*note.values, ("more", hidden))) if hidden else note


def _hidden(game: AnyGame, state: Any, viewer: Viewer) -> Any:
    """Return the first row of the state that a draw behind the viewer's view has otherwise; None if there is none."""
    view, true = game.view(state, viewer), dict(rows(state))
    for deal in range(DRAWS):
        drawn = dict(rows(game.determinize(view, Shuffler(bytes(32), deal))))
        for path, row in true.items():
            if drawn.get(path) != row:
                return row
    return None


def _of_determinize(survey: Survey) -> Iterator[Mutant]:
    game = survey.game
    views: dict[int | None, list[Any]] = {}
    for spot in survey.spots:
        for viewer in spot.viewers:
            views.setdefault(viewer, []).append(game.view(spot.step.before, viewer))
    yield _determinizing(game, "a draw contradicts the view", partial(_contradict, game, views))
    yield _determinizing(game, "a draw is the same each time", partial(_draw_once, game))
    order = sorted_rows(state for match in survey.matches for state in match.states)
    yield _determinizing(
        game,
        "a draw leaves who is asked without a legal command",
        partial(_leave_nothing, game, order),
        "in no draw whatever is hidden can be so arranged",
    )


def _determinizing(game: AnyGame, how: str, determinize: Callable[..., Any], otherwise: str = "") -> Mutant:
    why = otherwise or "nothing is hidden from anybody"
    return Mutant("determinize", how, evolve(game, determinize=determinize), _draws, otherwise=why)


def _draws(game: AnyGame, spot: Spot) -> Any:
    views = [game.view(spot.step.before, viewer) for viewer in spot.viewers]
    return [game.determinize(view, Shuffler(bytes(32), deal)) for view in views for deal in (0, 1)]


def _contradict(game: AnyGame, views: dict[int | None, list[Any]], view: Any, shuffler: Shuffler) -> Any:
    """Draw a state, and swap two of its cards so that its view is another one; without such two draw behind another."""
    drawn = game.determinize(view, shuffler)
    for moved, viewer in _with_two_swapped(game, view, drawn, shuffler):
        if game.view(moved, viewer) != view:
            return moved
    others = (other for other in views.get(game.scene(view).viewer, ()) if other != view)
    return game.determinize(next(others, view), shuffler)


def _with_two_swapped(game: AnyGame, view: Any, drawn: Any, shuffler: Shuffler) -> Iterator[tuple[Any, Viewer]]:
    """Yield states in which two cards have changed places, and whose view it is."""
    places = card_places(game, drawn)
    viewers = [None, *map(Seat, range(len(game.scene(view).places)))]
    viewer = next((each for each in viewers if game.view(drawn, each) == view), None)
    for _ in range(TRIES if places else 0):
        (one, card), (other, another) = (places[shuffler.below(len(places))] for _ in range(2))
        if card != another:
            yield swap(drawn, one, other), viewer


def _draw_once(game: AnyGame, view: Any, shuffler: Shuffler) -> Any:  # noqa: ARG001 (a function of a `Game`)
    return game.determinize(view, Shuffler(bytes(32)))


def _leave_nothing(game: AnyGame, order: Rows, view: Any, shuffler: Shuffler) -> Any:
    """Draw a state in which a seat that is asked has no legal command; any draw if none is found."""
    drawn = game.determinize(view, shuffler)
    fewest, found = _choices(game, drawn), drawn
    for swapped, viewer in _with_two_swapped(game, view, drawn, shuffler) if fewest else ():
        moved = order.settled(swapped)
        if (choices := _choices(game, moved)) < fewest and game.view(moved, viewer) == view:
            fewest, found = choices, moved
    return found if fewest == 0 else drawn


def _choices(game: AnyGame, state: Any) -> int:
    """Count the legal commands of the seat that has the fewest of those asked; 1 where none of them is asked."""
    asked = [seat for seat in game.to_act(state) - {TABLE} if not game.open_ended(state, seat)]
    return min((sum(1 for _ in islice(game.legal(state, seat), 50)) for seat in asked), default=1)


def _of_hints(survey: Survey) -> Iterator[Mutant]:
    """Yield the mutants of what helps bots: priors that forget a command, draws that ignore the history."""
    game, hints = survey.game, survey.game.hints
    if hints is None:
        return

    def forgetful(state: Any, seat: Seat) -> Any:
        return list(hints.priors(state, seat))[1:]

    def of_view(view: Any, history: Any) -> Any:  # noqa: ARG001 (it ignores the history)
        return partial(game.determinize, view)

    first = evolve(game, hints=evolve(hints, priors=forgetful))
    otherwise = "whoever may act still has a prior, and a game may leave out what is not worth thinking of"
    yield Mutant("priors", "a command is forgotten", first, _priors, otherwise=otherwise)
    second = evolve(game, hints=evolve(hints, determinize_history=of_view))
    yield Mutant("determinize_history", "a draw ignores the history", second, _recalled, otherwise="views say it all")


def _priors(game: AnyGame, spot: Spot) -> Any:
    """Return whether the seat that acts has a prior at all: more of them is for the game to say."""
    step = spot.step
    return (
        game.hints is not None and step.seat != TABLE and any(True for _ in game.hints.priors(step.before, step.seat))
    )


def _recalled(game: AnyGame, spot: Spot) -> Any:
    if game.hints is None or spot.seq < 0:
        return None
    there = prefix(spot.match, spot.seq + 1)
    return [
        game.hints.determinize_history(there.view(seat), ObservationHistory(there, seat).information_state().history)(
            Shuffler(bytes(32))
        )
        for seat in seats_of(there)
    ]
