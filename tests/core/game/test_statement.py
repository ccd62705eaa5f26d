"""A game that is stated wrongly is refused when it is created: the error names the class, the field and the fix."""

from enum import Enum
from types import SimpleNamespace
from typing import Any, Literal, NewType

import attrs
import pytest
from attrs import frozen
from kifu.core import game as k
from kifu.core.errors import GameError

Cards = tuple[k.Card, ...]
Points = NewType("Points", int)


class Way(Enum):
    UP = 1


@frozen
class Inner:
    way: Way
    points: Points | None


@k.options
class Options:
    goal: Literal[1, 2] = 1


@k.state
class State:
    options: Options
    seats: int
    rows: tuple[tuple[Inner, ...], ...] = ()


@k.command("take", rule="G-1")
class Take:
    number: int


class Book(k.RuleBook):
    G_1 = "G-1", "Take a number."


FUNCTIONS: dict[str, Any] = {
    "start": lambda options, seats: State(options, seats),
    "to_act": lambda state: frozenset({0}),
    "apply": lambda state, seat, command: state,
    "legal": lambda state, seat: [Take(1)],
    "result": lambda state: None,
}


def stated(rules: Any = None, **changes: Any) -> k.Game[Any, Any, Any]:
    """Return a game that is stated rightly, but for the changes."""
    whole = {
        "name": "stated",
        "seats": range(2, 4),
        "state": State,
        "commands": (Take,),
        "rules": SimpleNamespace(**FUNCTIONS | (rules or {})),
        "options": Options,
        "book": Book,
    }
    return k.Game(**whole | changes)


def why(call: Any) -> str:
    with pytest.raises(GameError) as error:
        call()
    assert "\n" not in str(error.value)
    return str(error.value)


def test_what_is_stated_rightly_is_a_game() -> None:
    game = stated()
    assert (game.has_deal, game.has_cards, game.wire) == (False, False, {Take: "take"})
    assert game.view(game.start(Options(), 2), 0).seats == 2
    assert len(attrs.fields(k.Game)) == 13
    required = [each.name for each in attrs.fields(k.Game) if each.default is attrs.NOTHING]
    assert required == ["name", "seats", "state", "commands", "rules"]


# Marks.


@k.command("draw")
class Draw:
    card: k.Card = k.secret()


@k.command("open")
class Open:
    card: k.Card


@k.state
class Marked:
    hands: tuple[Cards, ...] = k.own()
    pile: Cards = k.nobody()


def declared(**fields: tuple[Any, Any]) -> type:
    """Return a state `Odd` of fields, each by its type and its mark."""
    annotations = {name: kind for name, (kind, _) in fields.items()}
    marks = {name: mark for name, (_, mark) in fields.items() if mark is not None}
    return k.state(type("Odd", (), {"__annotations__": annotations, **marks}))


HANDS = (tuple[Cards, ...], k.own())
Bare = declared(pile=(Cards, None))
MARKS = {
    "a field without a mark in a game that deals": (Bare, "Odd.pile has no mark: say who sees it"),
    "beside one that has one": (declared(hands=HANDS, pile=(Cards, None)), "Odd.pile has no mark"),
    "own() on no row": (declared(pile=(k.Card, k.own())), "Odd.pile is marked `own()`, but has no rows"),
    "told() in a state": (declared(pile=(Cards, k.told(len))), "Odd.pile is marked `told(…)`, which is for views"),
    "hidden gaps": (
        declared(laid=(tuple[k.Card | None, ...], k.seen_by(lambda state, viewer: True))),
        "Odd.laid may hide items that may be missing: give `sizes`",
    ),
    "a function of one argument": (
        declared(pile=(Cards, k.seen_by(lambda state: True))),
        "Odd.pile is `seen_by` a function that does not take two",
    ),
    "a rule that is not in the book": (
        declared(pile=(Cards, k.public(rule="G-9"))),
        "Odd.pile is told by rule G-9, which is not in the",
    ),
    "numbers that cannot be drawn": (
        declared(hands=HANDS, moves=(tuple[int, ...], k.nobody())),
        "Odd.moves is hidden, and is neither cards nor values that can be listed, as those of a `Literal`",
    ),
    "pairs that cannot be drawn": (
        declared(hands=HANDS, piles=(tuple[tuple[k.Card, int], ...], k.nobody())),
        "Odd.piles is hidden, and is neither cards nor values",
    ),
}


def dealt(kind: Any) -> dict[str, Any]:
    """Return the functions of a game that deals, with such states."""
    return {
        "start": lambda options, seats: kind(**{each.name: () for each in attrs.fields(kind)}),
        "deal": lambda state, shuffler: Draw(1),
    }


@pytest.mark.parametrize(("kind", "refused"), MARKS.values(), ids=MARKS)
def test_a_mark_that_is_missing_or_does_not_fit_is_refused(kind: Any, refused: str) -> None:
    assert refused in why(lambda: stated(dealt(kind), state=kind, commands=(Draw,)))


def test_a_mark_is_needed_in_a_command_and_in_a_game_that_deals_or_has_one() -> None:
    refused = why(lambda: stated(dealt(Marked), state=Marked, commands=(Open,)))
    assert "Open.card has no mark: say who sees it, `public()`, `secret()`" in refused
    deal = {"deal": lambda state, shuffler: Take(1)}
    assert "State.seats has no mark" in why(lambda: stated(deal))
    assert "Take.number has no mark" in why(lambda: stated(state=Marked))
    assert "Odd.pile has no mark" in why(lambda: stated(state=Bare, commands=(Draw,)))
    held = Bare((1, 2))
    open_game = stated({"start": lambda options, seats: held}, state=Bare, seats=range(2, 3))
    assert open_game.view(held, None).pile == (1, 2)


@pytest.mark.parametrize(("name", "of"), [("view", "State"), ("redact", "Take")])
def test_a_game_that_hides_by_hand_has_secrets_though_no_mark_says_so(name: str, of: str) -> None:
    assert not stated().has_secrets
    by_hand = {"view": lambda state, viewer: state, "redact": lambda step, viewer: step.command}
    game = stated(secrets=SimpleNamespace(**{name: by_hand[name]}, determinize=lambda view, shuffler: view))
    assert game.has_secrets
    said = {row.of.partition(" ")[0]: (row.sees, row.why) for row in game.secrecies() if row.of != "View"}
    assert said == {"State": ("everybody", ""), "Take": ("everybody", ""), of: ("hand", name)}, "no mark says it"


def test_options_need_no_mark() -> None:
    held = declared(options=(Options, None), hands=HANDS)
    rules = {"start": lambda options, seats: held(options, ((),) * seats)}
    assert stated(rules, state=held, commands=(Draw,)).has_cards


# Types.


def field_of(annotation: Any) -> type:
    """Return a state with one field of this type."""
    return declared(field=(annotation, None))


class Recursive:
    pass


@frozen
class Deep:
    weights: tuple[float, ...]


TYPES = {
    "a float": (float, "Odd.field holds float: use an int"),
    "a float in a tuple": (tuple[float, ...], "Odd.field holds float: use an int"),
    "a float or nothing": (float | None, "Odd.field holds float: use an int"),
    "a float in another class": (tuple[Deep, ...], "Odd.field holds float (in Deep.weights): use an int"),
    "Any": (Any, "Odd.field holds Any: give its type"),
    "a list": (list[int], "Odd.field holds list: use `tuple[…, ...]`"),
    "a bare list": (list, "Odd.field holds list: use `tuple[…, ...]`"),
    "a dict": (dict[str, int], "Odd.field holds dict: use a tuple of pairs"),
    "a set": (set[int], "Odd.field holds set: use a tuple in ascending order"),
    "a list in a tuple": (tuple[list[int], ...], "Odd.field holds list: use `tuple"),
    "a class that is no data": (Recursive, "Odd.field holds Recursive: use tuples, ints"),
    "object": (object, "Odd.field holds object: use tuples, ints"),
}


@pytest.mark.parametrize(("annotation", "refused"), TYPES.values(), ids=TYPES)
@pytest.mark.parametrize("of", ["a state", "a command", "the options"])
def test_what_no_log_can_hold_is_refused(of: str, annotation: Any, refused: str) -> None:
    plain = type("Odd", (), {"__annotations__": {"field": annotation}, "field": None})
    if of == "a state":
        changes: Any = {"state": k.state(plain)}
    elif of == "a command":
        changes = {"commands": (k.command("odd")(plain),)}
    else:
        changes = {"options": k.options(plain)}
    assert refused in why(lambda: stated(**changes))


TAKEN = [
    *[int, str, bool, int | str, Literal["a"], tuple[int, str]],
    *[k.Card, Way, Inner, Inner | None, Points | None, tuple[Inner, ...]],
]


@pytest.mark.parametrize("annotation", TAKEN)
def test_what_a_log_can_hold_is_taken(annotation: Any) -> None:
    odd = k.options(type("Odd", (), {"__annotations__": {"field": annotation}, "field": None}))
    assert stated(options=odd).options is odd


NOT_TOLD = [bytes, None, bool | str, Way | int, int | str | None, tuple[bytes, ...], tuple[Inner | int, ...]]


@pytest.mark.parametrize("annotation", [*NOT_TOLD, Literal[1] | str])
def test_what_no_log_tells_from_other_values_is_refused_in_commands_and_options(annotation: Any) -> None:
    plain = type("Odd", (), {"__annotations__": {"field": annotation}, "field": None})
    assert "Odd.field holds" in why(lambda: stated(options=k.options(plain)))
    plain = type("Odd", (), {"__annotations__": {"field": annotation}, "field": None})
    assert "Odd.field holds" in why(lambda: stated(commands=(k.command("odd")(plain),)))


# Classes, commands and functions.


@frozen
class Node:
    next: "tuple[Node, ...]"


@k.state
class Later:
    seats: int
    double: int = attrs.field(init=False, default=0)


@frozen
class Slotted:
    seats: int


class Plain:
    seats: int


@k.options
class Needed:
    goal: int


class Derived(Take):
    pass


@k.command("other", rule="G-2")
class Other:
    pass


def applies_draw(state: State, seat: int, command: Take | Draw) -> State:
    return state


def lists_draw(state: State, seat: int) -> list[Draw]:
    return []


def fails_with_three(options: Any, seats: int) -> State:
    return State(options, seats) if seats == 2 else [][0]


def tagged(tag: Any) -> dict[str, Any]:
    return {"commands": (Take, k.command(tag)(type("Odd", (), {"__annotations__": {}})))}


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"state": field_of(Node)}, "Odd.field holds itself (Node) (in Node.next): a class cannot be made of itself"),
    ({"state": field_of("None_")}, "the annotations of Odd cannot be read: name 'None_' is not defined"),
    ({"state": Later}, "Later.double has `init=False`: make it a property"),
    ({"state": Slotted}, "class Slotted has slots, so it cannot be evolved: declare it with `@state`"),
    ({"state": Plain}, "class Plain is not immutable data: declare it with `@state`"),
    ({"options": Slotted}, "class Slotted has slots"),
    ({"options": Needed}, "Needed.goal has no default: every option needs one"),
    ({"commands": (Slotted,)}, 'Slotted is not a command: declare it with `@command("tag")`'),
    ({"commands": (Derived,)}, "Derived is not a command"),
    ({"commands": ()}, "it has no commands"),
    ({"commands": (Take, Other)}, "Other is told by rule G-2, which is not in the book: it has G-1"),
    (tagged("take"), "the tag 'take' names Take and Odd: tags are unique"),
    *[
        (tagged(tag), f"the tag of Odd is {tag!r}: a tag is a text, and does not begin with a dot")
        for tag in (".take", "", 7, None)
    ],
    ({"rules": {"apply": applies_draw}}, "its commands lack Draw, which the rules name"),
    ({"rules": {"legal": lists_draw}}, "its commands lack Draw, which the rules name"),
    (
        {"rules": {"start": fails_with_three}},
        "`start` failed with 3 seats and the default options: IndexError",
    ),
    ({"rules": {"start": lambda options, seats: None}}, "`start` returned None with 2 seats: it returns a State"),
]


@pytest.mark.parametrize(("changes", "refused"), REFUSED, ids=[refused for _, refused in REFUSED])
def test_what_is_stated_wrongly_is_refused(changes: dict[str, Any], refused: str) -> None:
    assert refused in why(lambda: stated(**changes))


# Parts.


@pytest.mark.parametrize("name", FUNCTIONS)
def test_rules_have_their_functions(name: str) -> None:
    rest = SimpleNamespace(**{each: function for each, function in FUNCTIONS.items() if each != name})
    refused = why(lambda: k.Game("stated", range(2, 4), State, (Take,), rest, Options, Book))
    assert f"its rules have no function `{name}`: write it" in refused
    assert f"`{name}` is a function, not 7" in why(lambda: stated({name: 7}))
    assert f"`{name}` takes" in why(lambda: stated({name: lambda a, b, c, d: None}))


PARTS = [
    ("rules", "deal", 2), ("rules", "scores", 1), ("rules", "check_options", 2), ("rules", "idle_rules", 2),
    ("rules", "deck", 2), ("rules", "cards", 1), ("rules", "open_ended", 2), ("rules", "legal_by_kind", 3),
    ("secrets", "view", 2), ("secrets", "redact", 2), ("secrets", "determinize", 2), ("secrets", "constraint", 2),
    ("table", "explain", 2), ("table", "scene", 1), ("table", "parts", 1), ("table", "face", 1),
]  # fmt: skip


@pytest.mark.parametrize(("part", "name", "count"), PARTS, ids=[name for _, name, _ in PARTS])
def test_what_a_part_has_is_a_function_of_so_many_arguments(part: str, name: str, count: int) -> None:
    for given, refused in (
        ("no function", f"`{name}` is a function, not 'no function'; leave out what the game does not need"),
        (lambda a, b, c, d, e: None, f"`{name}` takes {count} arguments: <lambda> takes others"),
    ):
        functions = {name: given}
        parts = {} if part == "rules" else {part: SimpleNamespace(**functions)}
        rules = functions if part == "rules" else {}
        assert refused in why(lambda rules=rules, parts=parts: stated(rules, **parts))


# The rest.


@pytest.mark.parametrize("past", [{}, {1: k.Upcast(dict)}, {0: k.Upcast(dict), 1: k.Upcast(dict)}, {1: 1, 2: 2, 3: 3}])
def test_upcasts_lead_from_every_earlier_version_to_the_next(past: Any) -> None:
    assert "one from each of 1 … 2" in why(lambda: stated(version=3, past=k.Past(upcasts=past)))
    assert stated(version=3, past=k.Past(upcasts={1: k.Upcast(dict), 2: k.Upcast(dict)})).version == 3


def test_a_state_says_how_many_seats_there_are() -> None:
    @k.state
    class Silent:
        heap: int

    rules = {"start": lambda options, seats: Silent(7)}
    assert "Silent does not say how many seats there are" in why(lambda: stated(rules, state=Silent))
    assert stated(rules, state=Silent, seats=range(2, 3)).view(Silent(7), 0).seats == 2


def test_there_is_no_game_under_another_name_of_a_field() -> None:
    game = stated()
    with pytest.raises(TypeError, match=r"no layout, rulez; it has name, seats"):
        game.altered(rulez=None, layout=2)
    assert game.altered(version=2).version == 2


# evolve


def test_evolve_changes_fields_and_refuses_what_is_none() -> None:
    before = State(Options(), 2)
    after = k.evolve(before, seats=3, rows=((),))
    assert (before, after) == (State(Options(), 2), State(Options(), 3, ((),)))
    assert hash(after) == hash(State(Options(), 3, ((),)))
    with pytest.raises(TypeError, match=r"State has no field hnads, seat; it has options, seats, rows"):
        k.evolve(before, hnads=(), seat=3)


def test_evolve_says_what_to_do_with_a_class_that_has_slots() -> None:
    with pytest.raises(TypeError, match=r"Inner has slots: declare it with `@state`, or change it by `attrs.evolve`"):
        k.evolve(Inner(Way.UP, None), points=None)


def test_a_map_of_a_command_takes_a_mark() -> None:
    @k.command("pay")
    class Pay:
        by_colour: tuple[tuple[str, int], ...] = k.mapping(mark=k.secret())

    @k.command("give")
    class Give:
        by_colour: tuple[tuple[str, int], ...] = k.mapping()

    rules = {"start": lambda options, seats: Marked(((),) * seats, ())}
    assert stated(rules, state=Marked, commands=(Pay,))
    assert "Give.by_colour has no mark" in why(lambda: stated(rules, state=Marked, commands=(Give,)))
