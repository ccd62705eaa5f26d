"""Mutants: games made from a game by breaking one thing, which the laws must catch.

A `Game` is a value of functions, so a broken one is made in a line. Each mutant has a name that says what is broken,
and `outputs`: what the broken function gives at a step of a match. Where that is the same as the whole game's at
every step of a survey, the two cannot be told apart, and no law is to blame.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import lru_cache, partial
from itertools import chain, islice
from typing import Any

import attrs
from attrs import frozen

from ..game import (
    TABLE,
    AnyGame,
    AnyStep,
    Hints,
    Note,
    RedactedCommand,
    RuleBook,
    RuleViolation,
    Seat,
    Shuffler,
    TableRule,
    hints_of,
    is_deal,
)
from ..match import AnyMatch, Match
from ..match.fold import Fold
from .channels import Rows, card_places, held, rows, sorted_rows, swap
from .laws_of_play import answer, tries
from .play import play_on, shuffler_of
from .samples import Spot, Survey

LONGER = 2
"""A match of a broken game is given up when it is so many times as long as the longest of the whole one."""
SECRETS, TABLE_PARTS = ("view", "redact", "determinize"), ("explain", "scene", "parts")
"""What may be derived, in either part of a game."""


def mutants_of(survey: Survey, *, by_hand: bool = False) -> Iterator[Mutant]:
    """Yield every mutant of a game that its survey shows how to make; `by_hand`: of what is not derived alone."""
    for mutant in chain(information_mutants(survey), rule_mutants(survey)):
        if not by_hand or _is_by_hand(survey.game, mutant.broken):
            yield mutant


def _is_by_hand(game: AnyGame, name: str) -> bool:
    """Return True unless a function of the game is derived from its marks and names."""
    part = game.secrets if name in SECRETS else game.table if name in TABLE_PARTS else None
    return name not in (*SECRETS, *TABLE_PARTS) or getattr(part, name, None) is not None


def rebased(match: AnyMatch, game: AnyGame) -> AnyMatch:
    """Return the match with the same events and states under another game, which judges none of them again."""
    fold = Fold(match.game, match.header)
    fold.game, fold.state, fold.seq, fold.states = game, match.state, len(match.events), list(match.states)
    fold.deals = sum(map(is_deal, match.events))
    return Match(game, match.header, fold=fold, events=list(match.events))


def replayed(match: AnyMatch, game: AnyGame, most: int) -> AnyMatch:
    """Play a match with the same header under another game, to its end or to so many events."""
    again: AnyMatch = Match(game, attrs.evolve(match.header))
    with suppress(Exception):  # whatever a broken function raises, the laws say in words what is wrong
        play_on(again, shuffler_of(match), most)
    return again


def fresh(purpose: str) -> Shuffler:
    """Return a source of choices that is the same for the same purpose."""
    return Shuffler(purpose.encode().ljust(32, b"\0")[:32])


Outputs = Callable[[AnyGame, Spot], Any]
"""What a game gives at a step, as far as the mutation is about it."""


@frozen(eq=False)
class Mutant:
    """A game with one thing broken."""

    broken: str
    """The function that is broken, e.g. `redact`."""
    how: str
    """What is wrong, in a few words."""
    game: AnyGame
    outputs: Outputs
    plays: bool = False
    """Whether other matches come of it, so that it is played anew."""
    otherwise: str = "it gives the same at every step"
    """Why it cannot be told from the game where its outputs nowhere differ."""

    def __str__(self) -> str:
        return f"{self.broken}: {self.how}"


def differing_spots(mutant: Mutant, survey: Survey, most: int) -> list[Spot]:
    """Return at most so many steps at which the mutant gives something else than the whole game, or fails."""
    found: list[Spot] = []
    for spot in survey.spots:
        if len(found) == most:
            break
        if _given(mutant, mutant.game, spot) != _given_by_whole(mutant, survey, spot):
            found.append(spot)
    return found


def _given_by_whole(mutant: Mutant, survey: Survey, spot: Spot) -> Any:
    """Return what the whole game gives: the same for all mutants with these outputs."""
    key = mutant.outputs, spot
    if key not in survey.given:
        survey.given[key] = _given(mutant, survey.game, spot)
    return survey.given[key]


def _given(mutant: Mutant, game: AnyGame, spot: Spot) -> Any:
    try:
        return mutant.outputs(game, spot)
    except Exception as failure:  # whatever a broken function raises
        return type(failure)


def rule_mutants(survey: Survey) -> Iterator[Mutant]:
    """Yield for each rule that refuses something the mutant of `apply` that does not enforce it."""
    game = survey.game
    for rule in _guards(survey):
        lax = game.altered(apply=partial(_let_pass, game, rule))
        yield Mutant("apply", f"{rule.number} is not enforced", lax, answers, plays=True)


def _guards(survey: Survey) -> list[RuleBook]:
    """Return the rules that refuse something in the survey or its cases, in the order of the book."""
    game = survey.game
    met: set[RuleBook] = {game.rule(case.number) for case in survey.cases}
    for spot in survey.spots:
        for seat, command in tries(spot.match, spot.step.before, ()):
            given = answer(game, spot.step.before, seat, command)
            if type(given) is tuple:
                met.add(given[0])
    return [rule for rule in (*TableRule, *game.book) if rule in met]


def _let_pass(game: AnyGame, rule: RuleBook, state: Any, seat: int, command: Any) -> Any:
    """Accept what the rule forbids, without effect."""
    try:
        return game.apply(state, seat, command)
    except RuleViolation as refused:
        if refused.rule is rule:
            return state
        raise


def answers(game: AnyGame, spot: Spot) -> Any:
    """Return how the commands that are tried at a step are answered."""
    states = [spot.step.before, *([] if game.to_act(spot.step.after) else [spot.step.after])]
    return [answer(game, state, seat, command) for state in states for seat, command in _tried(spot, state)]


@lru_cache(maxsize=512)
def _tried(spot: Spot, state: Any) -> list[tuple[int, Any]]:
    """List the commands that are tried at a state of a spot: of many mutants by the same."""
    return tries(spot.match, state, ())


Viewer = int | None
Shows = Callable[[Viewer, int], bool]
"""Whether a viewer is shown something of an event of a seat."""
TRIES = 40
DRAWS = 4


TO: dict[str, Shows] = {
    "everybody": lambda *_: True,
    "all seats": lambda viewer, _: viewer is not None,
    "spectators": lambda viewer, _: viewer is None,
    "one wrong seat": lambda viewer, seat: viewer == (1 if seat == 0 else 0),
}


def information_mutants(survey: Survey) -> Iterator[Mutant]:
    """Yield the mutants of `redact`, `view`, `explain`, `determinize` and of hints."""
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
    def redact(step: AnyStep, viewer: Viewer) -> Any:
        observed = game.redact(step, viewer)
        if not isinstance(observed, RedactedCommand) or observed.tag != tag or not shows(viewer, step.seat):
            return observed
        fields = dict(observed.fields)
        fields.update({name: getattr(step.command, name) for name in names if name not in fields})
        return RedactedCommand(tag, tuple(fields.items()))

    otherwise = "nobody sees less of it than that"
    return Mutant("redact", how, game.altered(redact=redact), _observed, otherwise=otherwise)


def _observed(game: AnyGame, spot: Spot) -> Any:
    return [game.redact(spot.step, viewer) for viewer in spot.viewers]


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
    return Mutant("view", how, game.altered(view=view), _views, otherwise="it is shown to them anyway")


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
    return Mutant("explain", how, game.altered(explain=explain), _notes, otherwise=otherwise)


def _notes(game: AnyGame, spot: Spot) -> Any:
    return [list(game.explain(spot.step, viewer)) for viewer in spot.viewers]


def _tell_more(game: AnyGame, key: str, shows: Shows, step: AnyStep, viewer: Viewer) -> Iterator[Note]:
    notes = list(game.explain(step, viewer))
    yield from notes
    if viewer != TABLE and shows(viewer, step.seat):
        yield from (note for note in game.explain(step, TABLE) if note.key == key and note not in notes)


def _tell_hidden(game: AnyGame, key: str, step: AnyStep, viewer: Viewer) -> Iterator[Note]:
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
    return Mutant("determinize", how, game.altered(determinize=determinize), _draws, otherwise=why)


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
    """Yield the mutant of what helps bots: priors that forget a command."""
    game, hints = survey.game, hints_of(survey.game)
    if hints is None:
        return

    def forgetful(state: Any, seat: int) -> Any:
        return list(hints.priors(state, seat))[1:]

    others = [each for each in game.extras if not isinstance(each, Hints)]
    broken = game.altered(extras=(attrs.evolve(hints, priors=forgetful), *others))
    otherwise = "whoever may act still has a prior, and a game may leave out what is not worth thinking of"
    yield Mutant("priors", "a command is forgotten", broken, _priors, otherwise=otherwise)


def _priors(game: AnyGame, spot: Spot) -> Any:
    """Return whether the seat that acts has a prior at all: more of them is for the game to say."""
    step, hints = spot.step, hints_of(game)
    return hints is not None and step.seat != TABLE and any(True for _ in hints.priors(step.before, step.seat))
