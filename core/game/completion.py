"""A game is completed when it is created: what it does not write by hand is derived from its data, once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property, partial
from typing import Any, Literal, get_args, get_origin

import attrs
from attrs import fields

from ..errors import GameError, Message, OptionError
from .annotations import classes_of
from .cards_in import cards_function
from .checked import check_classes, check_commands, check_frame, check_marks, check_parts, refuse
from .declarations import rule_of
from .determinization import drawing, hidden_fields, view_as_state
from .english import Catalogues, Derives, english_of
from .extras import Hints
from .marks import marked_fields, option_name
from .seats import DEALER, TABLE, Seat
from .secrets import (
    declared_view,
    redact_function,
    told_of,
    view_class,
    view_function,
    whole_command,
    whole_state,
)
from .shapes import row_of, types_of
from .showing import parts_function, plain_face, scene_function
from .shuffle import Shuffler
from .telling import explain_function

AnyGame = Any
"""A `Game`, whose module imports this one."""

ANY_SEED = bytes(32)


def no_deal(state: Any, shuffler: Any) -> Any:  # noqa: ARG001 (a function of a `Game`)
    """Raise `GameError`: the game asks the table to act, and has no deal."""
    raise GameError(type(state).__module__, Message("no-deal", "the table is to act, and the game has no `deal`"))


def no_cards(state: Any) -> tuple[()]:  # noqa: ARG001 (a function of a `Game`)
    """Return nothing: in this game there is nothing that is never lost."""
    return ()


def no_idle_rules(options: Any, seats: int) -> tuple[()]:  # noqa: ARG001 (a function of a `Game`)
    """Return nothing: all rules of the game come into play in every match."""
    return ()


def never_open_ended(state: Any, seat: int) -> bool:  # noqa: ARG001 (a function of a `Game`)
    """Return False: for games whose `legal` lists every command."""
    return False


def check_seat_options(options: Any, seats: int) -> None:
    """Raise `OptionError` if an option of `seat_option` is no number of a seat, or a `Literal` has another value."""
    kind: Any = type(options)
    types = types_of(kind)
    for each in fields(kind):
        given = getattr(options, each.name)
        if each.metadata.get("names") == "seat" and not 0 <= given < seats:
            why = Message("no-such-seat", "a seat is 0 to {last}, not {given}", last=seats - 1, given=given)
            raise OptionError(option_name(each.name), why)
        if get_origin(types[each.name]) is Literal and given not in get_args(types[each.name]):
            english = "{value} is not one of {choices}"
            choices = ", ".join(map(str, get_args(types[each.name])))
            raise OptionError(option_name(each.name), Message("none-of", english, value=given, choices=choices))


def complete(game: AnyGame, held: dict[str, Any]) -> None:
    """Check a game, and put its functions into `held`; raises `GameError` if it is stated wrongly."""
    check_frame(game.name, game.seats, game.extras)
    by_tag = check_commands(game.name, game.commands)
    check_parts(game.name, rules=game.rules, secrets=game.secrets, table=game.table)
    check_classes(game.name, game.state, by_tag, game.options)
    has_deal = getattr(game.rules, "deal", None) is not None
    check_marks(game.name, game.state, by_tag.values(), needs_marks=has_deal)
    _check_past(game)
    _check_rules_of_commands(game, by_tag)
    _check_annotations(game, by_tag)
    held["wire"] = {kind: tag for tag, kind in by_tag.items()}
    held["has_deal"] = has_deal
    _complete_rules(game, held)
    shape = _Shape(game, held, by_tag)
    _complete_secrets(game, held, shape)
    _complete_table(game, held, shape)
    held["extras"] = tuple([_completed(each, held["determinize"]) for each in game.extras])


def _completed(extra: object, determinize: Callable[[Any, Shuffler], Any]) -> object:
    """Return an extra; of hints that say nothing of the history with draws that know the view alone."""
    if not isinstance(extra, Hints):
        return extra
    recalls: Any = extra.determinize_history
    if recalls is not None:
        return extra
    return attrs.evolve(extra, determinize_history=lambda view, _: partial(determinize, view))


def _check_past(game: AnyGame) -> None:
    if sorted(game.past.upcasts) != list(range(1, game.version)):
        english = "there are upcasts from {given}: give one from each of 1 … {last}"
        given = sorted(game.past.upcasts)
        raise refuse(game.name, "upcasts-from", english, given=given, last=game.version - 1)


def _check_rules_of_commands(game: AnyGame, by_tag: dict[str, type]) -> None:
    numbers = {rule.number for rule in game.book}
    for kind in by_tag.values():
        if (number := rule_of(kind)) is not None and number not in numbers:
            english = "{kind} is told by rule {number}, which is not in the book: it has {known}"
            known = ", ".join(sorted(numbers))
            raise refuse(game.name, "no-rule-of", english, kind=kind.__name__, number=number, known=known)
    for kind in (game.state, *by_tag.values()):
        for each in marked_fields(kind):
            if (number := each.mark.rule) is not None and number not in numbers:
                english = "{kind}.{field} is told by rule {number}, which is not in the book"
                raise refuse(game.name, "no-rule-of-field", english, kind=kind.__name__, field=each.name, number=number)


def _check_annotations(game: AnyGame, by_tag: dict[str, type]) -> None:
    """Raise `GameError` for a class of commands in an annotation of the rules that the game does not list."""
    rules: Any = game.rules
    annotated = [*classes_of(rules.apply, 2), *classes_of(rules.legal)]
    annotated += classes_of(rules.deal) if getattr(rules, "deal", None) is not None else []
    unlisted = {
        each.__name__: None for each in annotated if not any(issubclass(kind, each) for kind in by_tag.values())
    }
    if unlisted:
        english = 'its commands lack {commands}, which the rules name: declare it with `@command("tag")`'
        raise refuse(game.name, "commands-without-tags", english, commands=", ".join(unlisted))
    taken = tuple(classes_of(rules.apply, 2))
    if taken and (left := [kind.__name__ for kind in by_tag.values() if not issubclass(kind, taken)]):
        english = "its `apply` does not handle {commands}: write what it does, or take it out of the commands"
        raise refuse(game.name, "commands-not-applied", english, commands=", ".join(left))


def _complete_rules(game: AnyGame, held: dict[str, Any]) -> None:
    rules: Any = game.rules
    for name in ("start", "to_act", "apply", "legal", "result"):
        held[name] = getattr(rules, name)
    held["deal"] = getattr(rules, "deal", None) or no_deal
    held["idle_rules"] = getattr(rules, "idle_rules", None) or no_idle_rules
    held["open_ended"] = getattr(rules, "open_ended", None) or never_open_ended
    held["legal_by_kind"] = getattr(rules, "legal_by_kind", None)
    held["scores"] = getattr(rules, "scores", None)
    own = getattr(rules, "check_options", None)
    held["check_options"] = check_seat_options if own is None else partial(_check_both, own)
    cards = getattr(rules, "cards", None) or cards_function(game.state)
    held["has_cards"] = cards is not None
    held["cards"] = cards or no_cards


def _check_both(own: Callable[[Any, int], None], options: Any, seats: int) -> None:
    check_seat_options(options, seats)
    own(options, seats)


class _Shape:
    """What a game's data says of itself, as far as derived parts ask: its rows by seat, and the number of its seats."""

    def __init__(self, game: AnyGame, held: dict[str, Any], by_tag: dict[str, type]) -> None:
        self._game, self._held = game, held
        self.commands = tuple(by_tag.values())
        self.by_tag = by_tag
        kinds = (game.state, *self.commands)
        self.has_secrets = any(each.mark.sees != "everybody" for kind in kinds for each in marked_fields(kind))
        self.is_shown_by_marks = False
        """Whether what a view shows of a field follows from its mark alone."""

    @cached_property
    def by_seat(self) -> frozenset[str]:
        """The fields of the state that have a row for each seat, whatever their number."""
        starts = self.starts() + self._probe()
        rows = [each for each in marked_fields(self._game.state) if row_of(each.kind) is not None]
        if not any(len(getattr(state, each.name)) == seats for seats, state in starts[-1:] for each in rows):
            starts = self.starts()  # its rows are as many whatever the number of seats
        return frozenset(
            each.name
            for each in rows
            if each.mark.sees == "owner" or all(len(getattr(state, each.name)) == seats for seats, state in starts)
        )

    def _probe(self) -> list[tuple[int, Any]]:
        """List a state for one seat more than the only number of a game: what then has as many rows is not by seat."""
        game = self._game
        if len(game.seats) != 1:
            return []
        seats = game.seats[0] + 1
        try:
            state = game.rules.start(game.options(), seats)
        except Exception:  # it is asked for what it need not do
            return []
        return [(seats, state)] if isinstance(state, game.state) else []

    def starts(self) -> list[tuple[int, Any]]:
        """List the states before the first event for each number of seats that the default options take."""
        game, found = self._game, []
        options = game.options()
        for seats in game.seats:
            try:
                state = game.rules.start(options, seats)
            except OptionError:
                continue
            except Exception as bug:
                english = "`start` failed with {seats} seats and the default options: {bug}"
                raise refuse(game.name, "start-failed", english, seats=seats, bug=repr(bug)) from bug
            if not isinstance(state, game.state):
                english = "`start` returned {given} with {seats} seats: it returns a {kind}"
                values = {"given": ascii(state)[:60], "seats": seats, "kind": game.state.__name__}
                raise refuse(game.name, "start-returned", english, **values)
            found.append((seats, state))
        return found

    def seats(self) -> Callable[[Any], int]:
        """Return the function that counts the seats of a state."""
        game = self._game
        if hasattr(game.state, "seats") or "seats" in attrs.fields_dict(game.state):
            return lambda state: int(state.seats)
        if len(game.seats) == 1:
            only = game.seats[0]
            return lambda _: only
        if self.by_seat:
            starts = self.starts()
            kept = [name for name in self.by_seat if all(len(getattr(state, name)) == many for many, state in starts)]
            row = min(kept or self.by_seat)  # one that has its rows from the start, if there is any
            return lambda state: len(getattr(state, row))
        english = "{kind} does not say how many seats there are: give it a row for each seat, or a property `seats`"
        raise refuse(game.name, "no-seats-in-state", english, kind=game.state.__name__)

    def points(self) -> Callable[[Any], tuple[int, ...]]:
        """Return the function that says each seat's score so far: of `scores`, else of the result, else 0."""
        if self._held["scores"] is not None:
            scores: Callable[[Any], tuple[int, ...]] = self._held["scores"]
            return scores
        result, seats = self._held["result"], self.seats()

        def points(state: Any) -> tuple[int, ...]:
            ended = result(state)
            return (0,) * seats(state) if ended is None else ended.points

        return points

    def deck(self, options: Any, seats: int) -> Iterable[Any]:
        """Return all cards: those of the state after the deals that begin a match; None: of the default options."""
        held = self._held
        state = held["start"](self._game.options() if options is None else options, seats)
        deals = 0
        while held["to_act"](state) == DEALER and not tuple(held["cards"](state)):
            state = held["apply"](state, TABLE, held["deal"](state, Shuffler(ANY_SEED, deals)))
            deals += 1
        return tuple(held["cards"](state))

    def table_commands(self) -> frozenset[type]:
        """Return the classes of the commands that only the table gives: as `deal` says, or as it deals first."""
        held = self._held
        if not held["has_deal"]:
            return frozenset()
        if annotated := classes_of(held["deal"]):
            return frozenset(annotated)
        begun = [state for _, state in self.starts() if held["to_act"](state) == DEALER]  # it is compiled
        return frozenset(type(held["deal"](state, Shuffler(ANY_SEED))) for state in begun)


def _complete_secrets(game: AnyGame, held: dict[str, Any], shape: _Shape) -> None:
    part: Any = game.secrets
    own = {name: getattr(part, name, None) for name in ("view", "redact", "determinize", "constraint")}
    is_open = not shape.has_secrets
    held["told"] = ()
    held["redact"] = own["redact"] or (whole_command if is_open else redact_function(shape.commands))
    view = None if part is None else declared_view(part, game.state)
    table = game.table
    shape.is_shown_by_marks = view is None and own["view"] is None
    needs_shape = shape.is_shown_by_marks and getattr(table, "scene", None) is None
    if own["view"] is not None:
        held["view"] = own["view"]
    elif view is None and is_open and not needs_shape:
        held["view"] = whole_state
    else:
        held["view"] = _derived_view(game, held, shape, view)
    tells_some = any(each.sees != "everybody" for each in held["told"])
    held["has_secrets"] = shape.has_secrets or tells_some or any(own.values())  # by hand: something is hidden
    if own["determinize"] is not None:
        held["determinize"] = own["determinize"]
    elif held["view"] is whole_state:
        held["determinize"] = view_as_state
    else:
        _check_drawable(game)
        _check_seen_again(game, view)
        deck = getattr(game.rules, "deck", None) or shape.deck
        held["determinize"] = drawing(game.state, deck, own["constraint"], game.seats)


def _derived_view(game: AnyGame, held: dict[str, Any], shape: _Shape, view: type | None) -> Callable[..., Any]:
    if view is None:
        tolds = {"seats": shape.seats(), "points": shape.points(), "to_act": held["to_act"]}
        kinds = {"seats": int, "points": tuple[int, ...], "to_act": frozenset[Seat]}
        names = {each.name for each in fields(game.state)}
        tolds = {name: by for name, by in tolds.items() if name not in names}
        view = view_class(game.state, {name: kinds[name] for name in tolds})
    else:
        tolds = {}
    held["told"] = tuple(told_of(view, tolds))
    try:
        return view_function(game.state, view, tolds)
    except ValueError as unknown:
        english = "{kind}.{field} is neither a field of {state}, nor the sizes of one, nor `told(…)`"
        values = {"kind": view.__name__, "field": unknown, "state": game.state.__name__}
        raise refuse(game.name, "view-of-what", english, **values) from None


def _check_drawable(game: AnyGame) -> None:
    for each in hidden_fields(game.state):
        if not each.is_drawn:
            english = (
                "{kind}.{field} is hidden, and is neither cards nor values that can be listed, as those of a `Literal`:"
                " give it such a type, or write `determinize`"
            )
            raise refuse(game.name, "not-drawn", english, kind=game.state.__name__, field=each.name)


def _check_seen_again(game: AnyGame, view: type | None) -> None:
    """Raise `GameError` if a declared view lacks what everybody sees, so that no state can be drawn behind it."""
    if view is None:
        return
    hidden = {each.name for each in hidden_fields(game.state)}
    lacks = [each.name for each in fields(game.state) if each.name not in hidden | attrs.fields_dict(view).keys()]
    if lacks:
        english = "{kind} has no field {field}, which {state} has: add it, or write `determinize`"
        values = {"kind": view.__name__, "field": lacks[0], "state": game.state.__name__}
        raise refuse(game.name, "view-lacks", english, **values)


def _complete_table(game: AnyGame, held: dict[str, Any], shape: _Shape) -> None:
    part: Any = game.table
    own = {name: getattr(part, name, None) for name in ("explain", "scene", "parts", "face")}
    held["face"] = own["face"] or plain_face
    held["parts"] = own["parts"] or _parts_of_seats(shape)
    if own["explain"] is not None:
        held["explain"] = own["explain"]
    else:
        view = None if shape.is_shown_by_marks else held["view"]
        told_of_what = (game.state, shape.commands, shape.by_seat, game.book)
        held["explain"] = explain_function(*told_of_what, view, held["redact"], held["result"])
    held["scene"] = own["scene"] or scene_function(game.state, shape.by_seat, held["face"])
    held["is_derived"] = None in (own["explain"], own["scene"], own["parts"]) or not game.texts
    held["english"] = ""
    catalogues: list[str | Catalogues] = []
    if game.texts:
        catalogues.append(game.texts if isinstance(game.texts, str) else Catalogues(game.texts))
    if held["is_derived"]:
        dealt = shape.table_commands()
        derives = Derives(notes=own["explain"] is None, scene=own["scene"] is None, parts=own["parts"] is None)
        args = (game.name, game.state, shape.by_seat, shape.by_tag, dealt, game.options, game.book)
        held["english"] = english_of(*args, derives)
        catalogues.append(Catalogues({"en": held["english"]}))
    held["catalogues"] = tuple(catalogues)


def _parts_of_seats(shape: _Shape) -> Callable[[Any], tuple[Any, ...]]:
    """Return what names the parts of the seats' commands; the table's name none."""
    parts = parts_function(shape.commands)
    dealt: frozenset[type] | None = None

    def parts_of(command: Any) -> tuple[Any, ...]:
        nonlocal dealt
        if dealt is None:  # asked for when a part is: a game that is only folded has no need of it
            dealt = shape.table_commands()
        return () if type(command) in dealt else parts(command)

    return parts_of
