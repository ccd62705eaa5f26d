"""A game that is stated wrongly is refused when it is created: the error names the class, the field and the fix."""

from enum import Enum
from types import SimpleNamespace
from typing import Any, Literal, NewType

import attrs
import pytest
from attrs import frozen
from kifu.core.errors import GameError
from kifu.core.game import (
    Card,
    Game,
    Past,
    RuleBook,
    Upcast,
    command,
    evolve,
    mapping,
    nobody,
    options,
    own,
    public,
    secret,
    seen_by,
    state,
    told,
)

Cards = tuple[Card, ...]
Points = NewType("Points", int)


class Way(Enum):
    UP = 1


@frozen
class Inner:
    way: Way
    points: Points | None


@options
class Options:
    goal: Literal[1, 2] = 1


@state
class State:
    options: Options
    seats: int
    rows: tuple[tuple[Inner, ...], ...] = ()


@command("take", rule="G-1")
class Take:
    number: int


class Book(RuleBook):
    G_1 = "G-1", "Take a number."


FUNCTIONS: dict[str, Any] = {
    "start": lambda options, seats: State(options, seats),
    "to_act": lambda state: frozenset({0}),
    "apply": lambda state, seat, command: state,
    "legal": lambda state, seat: [Take(1)],
    "result": lambda state: None,
}


def stated(rules: Any = None, **changes: Any) -> Game[Any, Any, Any]:
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
    return Game(**whole | changes)


def why(call: Any) -> str:
    with pytest.raises(GameError) as error:
        call()
    assert "\n" not in str(error.value)
    return str(error.value)


def test_what_is_stated_rightly_is_a_game() -> None:
    game = stated()
    assert (game.has_deal, game.has_cards, game.wire) == (False, False, {Take: "take"})
    assert game.view(game.start(Options(), 2), 0).seats == 2
    assert len(attrs.fields(Game)) == 13
    required = [each.name for each in attrs.fields(Game) if each.default is attrs.NOTHING]
    assert required == ["name", "seats", "state", "commands", "rules"]


# Marks.


@command("draw")
class Draw:
    card: Card = secret()


@command("open")
class Open:
    card: Card


@state
class Marked:
    hands: tuple[Cards, ...] = own()
    pile: Cards = nobody()


def declared(**fields: tuple[Any, Any]) -> type:
    """Return a state `Odd` of fields, each by its type and its mark."""
    annotations = {name: kind for name, (kind, _) in fields.items()}
    marks = {name: mark for name, (_, mark) in fields.items() if mark is not None}
    return state(type("Odd", (), {"__annotations__": annotations, **marks}))


HANDS = (tuple[Cards, ...], own())
Bare = declared(pile=(Cards, None))
MARKS = {
    "a field without a mark in a game that deals": (Bare, "Odd.pile has no mark: say who sees it"),
    "beside one that has one": (declared(hands=HANDS, pile=(Cards, None)), "Odd.pile has no mark"),
    "own() on no row": (declared(pile=(Card, own())), "Odd.pile is marked `own()`, but has no rows"),
    "told() in a state": (declared(pile=(Cards, told(len))), "Odd.pile is marked `told(…)`, which is for views"),
    "hidden gaps": (
        declared(laid=(tuple[Card | None, ...], seen_by(lambda state, viewer: True))),
        "Odd.laid may hide items that may be missing: give `sizes`",
    ),
    "a function of one argument": (
        declared(pile=(Cards, seen_by(lambda state: True))),
        "Odd.pile is `seen_by` a function that does not take two",
    ),
    "a rule that is not in the book": (
        declared(pile=(Cards, public(rule="G-9"))),
        "Odd.pile is told by rule G-9, which is not in the",
    ),
    "numbers that cannot be drawn": (
        declared(hands=HANDS, moves=(tuple[int, ...], nobody())),
        "Odd.moves is hidden, and is neither cards nor values",
    ),
    "pairs that cannot be drawn": (
        declared(hands=HANDS, piles=(tuple[tuple[Card, int], ...], nobody())),
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
        changes: Any = {"state": state(plain)}
    elif of == "a command":
        changes = {"commands": (command("odd")(plain),)}
    else:
        changes = {"options": options(plain)}
    assert refused in why(lambda: stated(**changes))


TAKEN = [
    *[int, str, bool, int | str, Literal["a"], tuple[int, str]],
    *[Card, Way, Inner, Inner | None, Points | None, tuple[Inner, ...]],
]


@pytest.mark.parametrize("annotation", TAKEN)
def test_what_a_log_can_hold_is_taken(annotation: Any) -> None:
    odd = options(type("Odd", (), {"__annotations__": {"field": annotation}, "field": None}))
    assert stated(options=odd).options is odd


@pytest.mark.parametrize(
    "annotation",
    [
        bytes,
        None,
        bool | str,
        Way | int,
        int | str | None,
        tuple[bytes, ...],
        tuple[Inner | int, ...],
        Literal[1] | str,
    ],
)
def test_what_no_log_tells_from_other_values_is_refused_in_commands_and_options(annotation: Any) -> None:
    plain = type("Odd", (), {"__annotations__": {"field": annotation}, "field": None})
    assert "Odd.field holds" in why(lambda: stated(options=options(plain)))
    plain = type("Odd", (), {"__annotations__": {"field": annotation}, "field": None})
    assert "Odd.field holds" in why(lambda: stated(commands=(command("odd")(plain),)))


def test_a_class_is_not_made_of_itself() -> None:
    @frozen
    class Node:
        next: "tuple[Node, ...]"

    Node.__annotations__["next"] = tuple[Node, ...]
    assert "Odd.field holds itself (Node) (in Node.next): a class cannot be made of itself" in why(
        lambda: stated(state=field_of(Node))
    )


def test_annotations_that_cannot_be_read_are_refused() -> None:
    refused = why(lambda: stated(state=field_of("NoSuchClass")))
    assert "the annotations of Odd cannot be read: name 'NoSuchClass' is not defined" in refused


def test_a_field_is_given_when_a_state_is_made() -> None:
    @state
    class Later:
        seats: int
        double: int = attrs.field(init=False, default=0)

    assert "Later.double has `init=False`: make it a property" in why(lambda: stated(state=Later))


def test_classes_are_declared() -> None:
    @frozen
    class Slotted:
        seats: int

    class Plain:
        seats: int

    assert "class Slotted has slots, so it cannot be evolved: declare it with `@state`" in why(
        lambda: stated(state=Slotted)
    )
    assert "class Plain is not immutable data: declare it with `@state`" in why(lambda: stated(state=Plain))
    assert "class Slotted has slots" in why(lambda: stated(options=Slotted))
    assert 'Slotted is not a command: declare it with `@command("tag")`' in why(lambda: stated(commands=(Slotted,)))


def test_every_option_has_a_default() -> None:
    @options
    class Needed:
        goal: int

    assert "Needed.goal has no default: every option needs one" in why(lambda: stated(options=Needed))


# Commands.


def tagged(tag: Any) -> type:
    return command(tag)(type("Odd", (), {"__annotations__": {}}))


def test_tags_are_unique_texts() -> None:
    assert "the tag 'take' names Take and Odd: tags are unique" in why(lambda: stated(commands=(Take, tagged("take"))))
    for tag in (".take", "", 7, None):
        assert f"the tag of Odd is {tag!r}: a tag is a text, and does not begin with a dot" in why(
            lambda tag=tag: stated(commands=(Take, tagged(tag)))
        )


def test_a_class_that_only_derives_from_a_command_is_none() -> None:
    class Derived(Take):
        pass

    assert "Derived is not a command" in why(lambda: stated(commands=(Derived,)))
    assert "it has no commands" in why(lambda: stated(commands=()))


def test_commands_that_the_rules_name_are_listed() -> None:
    def apply(state: State, seat: int, command: Take | Draw) -> State:
        return state

    def legal(state: State, seat: int) -> list[Draw]:
        return []

    for rules in ({"apply": apply}, {"legal": legal}):
        assert "its commands lack Draw, which the rules name" in why(lambda rules=rules: stated(rules))


def test_a_command_is_told_by_a_rule_of_the_book() -> None:
    @command("other", rule="G-2")
    class Other:
        pass

    refused = why(lambda: stated(commands=(Take, Other)))
    assert "Other is told by rule G-2, which is not in the book: it has G-1" in refused


# Parts.


@pytest.mark.parametrize("name", FUNCTIONS)
def test_rules_have_their_functions(name: str) -> None:
    rest = SimpleNamespace(**{each: function for each, function in FUNCTIONS.items() if each != name})
    refused = why(lambda: Game("stated", range(2, 4), State, (Take,), rest, Options, Book))
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


@pytest.mark.parametrize("past", [{}, {1: Upcast(dict)}, {0: Upcast(dict), 1: Upcast(dict)}, {1: 1, 2: 2, 3: 3}])
def test_upcasts_lead_from_every_earlier_version_to_the_next(past: Any) -> None:
    assert "one from each of 1 … 2" in why(lambda: stated(version=3, past=Past(upcasts=past)))
    assert stated(version=3, past=Past(upcasts={1: Upcast(dict), 2: Upcast(dict)})).version == 3


def test_start_returns_a_state_for_every_number_of_seats() -> None:
    def fails(options: Any, seats: int) -> State:
        return State(options, seats) if seats == 2 else [][0]

    assert "`start` failed with 3 seats and the default options: IndexError" in why(lambda: stated({"start": fails}))
    nothing = {"start": lambda options, seats: None}
    assert "`start` returned None with 2 seats: it returns a State" in why(lambda: stated(nothing))


def test_a_state_says_how_many_seats_there_are() -> None:
    @state
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
    after = evolve(before, seats=3, rows=((),))
    assert (before, after) == (State(Options(), 2), State(Options(), 3, ((),)))
    assert hash(after) == hash(State(Options(), 3, ((),)))
    with pytest.raises(TypeError, match=r"State has no field hnads, seat; it has options, seats, rows"):
        evolve(before, hnads=(), seat=3)


def test_evolve_says_what_to_do_with_a_class_that_has_slots() -> None:
    with pytest.raises(TypeError, match=r"Inner has slots: declare it with `@state`, or change it by `attrs.evolve`"):
        evolve(Inner(Way.UP, None), points=None)


def test_a_map_of_a_command_takes_a_mark() -> None:
    @command("pay")
    class Pay:
        by_colour: tuple[tuple[str, int], ...] = mapping(mark=secret())

    @command("give")
    class Give:
        by_colour: tuple[tuple[str, int], ...] = mapping()

    rules = {"start": lambda options, seats: Marked(((),) * seats, ())}
    assert stated(rules, state=Marked, commands=(Pay,))
    assert "Give.by_colour has no mark" in why(lambda: stated(rules, state=Marked, commands=(Give,)))
