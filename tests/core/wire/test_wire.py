"""Commands and options from plain data: exactly their fields, of exactly their types, or a refusal."""

import sys
from concurrent.futures import ThreadPoolExecutor
from enum import Enum
from typing import Literal

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st
from kifu.core.errors import OptionError
from kifu.core.game import RuleViolation, TableRule, Takeback, mapping
from kifu.core.match import registry
from kifu.core.testing import commands, option_sets
from kifu.core.wire import pack, plain, wire_of
from kifu.games.take_and_share import GAME
from msgpack import packb as pack_plain
from msgpack import unpackb as unpack

WIRE = wire_of(GAME)


@frozen(slots=False)
class Odd:
    """A command with a field of every kind."""

    number: int
    sure: bool
    word: str
    charge: Literal["red", "blue", 1]
    pairs: tuple[tuple[int, int], ...]
    places: tuple[int | str, ...]
    stacks: tuple[tuple[str, tuple[str, ...]], ...] = mapping()


ODD = wire_of(GAME.altered(wire={**GAME.wire, Odd: "odd"}))
GOOD = {
    "number": 1,
    "sure": True,
    "word": "きゃく",
    "charge": "red",
    "pairs": [[1, 2], [3, 4]],
    "places": [0, "A"],
    "stacks": {"K": ["か", "き"], "S": []},
}


def refused(wire, tag, fields):
    with pytest.raises(RuleViolation) as refusal:
        wire.decode(tag, fields)
    assert refusal.value.rule is TableRule.FORM
    return refusal.value.facts["why"]


def test_what_fits_is_made_and_comes_back_as_it_was():
    odd = ODD.decode("odd", GOOD)
    assert odd == Odd(1, True, "きゃく", "red", ((1, 2), (3, 4)), (0, "A"), (("K", ("か", "き")), ("S", ())))
    assert ODD.decode(*ODD.encode(odd)) == odd
    assert list(ODD.encode(odd)[1]) == list(GOOD)


def test_a_reader_takes_fields_in_any_order():
    assert ODD.decode("odd", dict(reversed(GOOD.items()))) == ODD.decode("odd", GOOD)


WRONG = {
    "number": [True, 1.0, "1", None],
    "sure": [1],
    "word": [b"x"],
    "charge": ["green", True, ["red"]],
    "pairs": [[[1, 2, 3]], [1, 2], [[1, True]], {"1": 2}, "12"],
    "places": [[True], [None]],
    "stacks": [[["K", ["か"]]], {1: ["か"]}, {"K": "か"}],
}


@pytest.mark.parametrize(("field", "value"), [(field, value) for field, wrong in WRONG.items() for value in wrong])
def test_each_field_is_exactly_of_its_type(field, value):
    refused(ODD, "odd", {**GOOD, field: value})


def test_a_refused_choice_is_shown_with_the_choices_in_one_sanitized_line():
    why = refused(ODD, "odd", {**GOOD, "charge": "\x1b[31m" + 100 * "green\n"})
    assert "is not one of red, blue" in why
    assert why.isprintable()
    assert len(why) < 120


@pytest.mark.parametrize("field", GOOD)
def test_no_field_may_be_missing(field):
    fields = {name: value for name, value in GOOD.items() if name != field}
    assert refused(ODD, "odd", fields) == f"field {field!r}: it is missing"


@pytest.mark.parametrize("name", ["more", 1, None, b"number"])
def test_no_field_may_be_there_besides(name):
    refused(ODD, "odd", {**GOOD, name: 1})


@pytest.mark.parametrize("fields", [None, [], [["card", 1]], "card", 1])
def test_fields_are_a_map(fields):
    assert refused(WIRE, "play", fields) == "the fields are not a map"


@pytest.mark.parametrize("tag", ["pass", "", ".fork", None, 1, [], {}, b"play"])
def test_a_tag_is_one_of_the_games(tag):
    assert "there is no command" in refused(WIRE, tag, {})


def test_the_takeback_is_a_tag_of_every_game():
    assert WIRE.decode(".takeback", {"to": -1}) == Takeback(-1)
    assert WIRE.encode(Takeback(3)) == (".takeback", {"to": 3})


keys = st.text(max_size=4) | st.integers() | st.sampled_from([*GOOD, "card", "cards"])
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.binary(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=12,
)


def decoded(wire, tag, fields):
    """Give the command, or what refused it; let anything else through."""
    try:
        return wire.decode(tag, fields)
    except RuleViolation as refusal:
        return refusal


@pytest.mark.ci
@given(tag=st.sampled_from(sorted(WIRE.tags)) | anything, fields=anything)
def test_whatever_is_read_is_a_command_or_a_refusal(tag, fields):
    made = decoded(WIRE, tag, fields)
    if isinstance(made, RuleViolation):
        assert made.rule is TableRule.FORM
        assert len(str(made)) < 1000
    else:
        assert plain(WIRE.encode(made)) == plain((tag, fields))


@pytest.mark.ci
@given(changes=st.dictionaries(st.sampled_from(list(GOOD)), anything, max_size=2))
def test_a_field_of_any_other_shape_is_refused(changes):
    fields = {**GOOD, **changes}
    made = decoded(ODD, "odd", fields)
    if isinstance(made, RuleViolation):
        assert made.rule is TableRule.FORM
    else:
        assert plain(ODD.encode(made)[1]) == plain(fields)


@pytest.mark.parametrize("name", registry.names())
@given(data=st.data())
def test_commands_and_options_of_each_game_come_back_from_the_wire(name, data):
    game = registry.find(name)
    wire = wire_of(game)
    command = data.draw(commands(game))
    options = data.draw(option_sets(game))
    tag, fields = wire.encode(command)
    assert wire.encode(wire.decode(tag, fields)) == (tag, fields)
    assert wire.options(wire.plain_options(options)) == options


def test_an_option_that_is_absent_has_its_default():
    assert WIRE.options({}) == GAME.options()
    assert WIRE.options({"long": True}) == GAME.options(long=True)


@pytest.mark.parametrize(
    ("values", "option"),
    [({"first": True}, "first"), ({"long": 0}, "long"), ({"first": None}, "first"), ({"colour": 1}, "colour")],
)
def test_a_wrong_option_is_named(values, option):
    with pytest.raises(OptionError) as refused:
        WIRE.options(values)
    assert refused.value.option == option
    assert str(refused.value).count(option) == 1


@pytest.mark.parametrize(
    ("value", "called"),
    [
        ([], "a list"),
        ({}, "a map"),
        (None, "nil"),
        (True, "true"),
        (b"x", "bytes"),
        (1.5, "a float"),
        ("\x1b[2J", r"'\x1b[2J'"),
    ],
)
def test_errors_are_in_the_terms_of_the_format(value, called):
    assert refused(WIRE, "play", {"card": value}) == f"field 'card': {called} is not a whole number"
    with pytest.raises(OptionError) as wrong:
        WIRE.options({"first": value})
    assert wrong.value.why == f"{called} is not a whole number"


def test_a_giant_int_is_refused_in_a_line():
    with pytest.raises(OptionError, match="a giant int is not true or false"):
        WIRE.options({"long": 10**5000})


@pytest.mark.parametrize("value", [2**64, -(2**63) - 1, 10**400])
def test_an_option_that_no_log_can_hold_is_refused_by_its_name(value):
    with pytest.raises(OptionError, match="no log can hold such an int") as refused:
        WIRE.options({"first": value})
    assert refused.value.option == "first"


@pytest.mark.parametrize("values", [None, [], "first"])
def test_options_are_a_map(values):
    with pytest.raises(OptionError):
        WIRE.options(values)


class Colour(Enum):
    RED = "red"


@frozen
class Inner:
    one: int


@frozen
class Outer:
    colour: Colour
    inner: tuple[Inner, ...]
    nothing: None = None


def test_a_state_packs_as_the_array_of_its_fields():
    assert pack(Outer(Colour.RED, (Inner(7),))) == b"\x93\xa3red\x91\x91\x07\xc0"


def test_plain_data_for_eyes_has_names():
    data = plain(Outer(Colour.RED, (Inner(7),)))
    assert data == {"colour": "red", "inner": [{"one": 7}], "nothing": None}
    assert plain({1: b"\x00\xff", "s": frozenset({3})}) == {"1": "00ff", "s": [3]}


@frozen(slots=False)
class Paint:
    """A command of an enum and of objects, as an author of another game may have it."""

    colour: Colour
    maybe: Colour | None
    where: tuple[Inner, ...]


PAINT = wire_of(GAME.altered(wire={**GAME.wire, Paint: "paint"}))


def test_a_log_has_members_of_enums_as_their_values_and_objects_as_maps():
    paint = Paint(Colour.RED, None, (Inner(7),))
    tag, fields = PAINT.encode(paint)
    assert fields == {"colour": "red", "maybe": None, "where": ({"one": 7},)}
    assert PAINT.decode(tag, unpack(pack_plain(fields))) == paint
    assert PAINT.exact(paint) is paint


@pytest.mark.parametrize("odd", ["blue", 1, True, None, ["red"], {"red": 1}])
def test_what_is_no_value_of_an_enum_is_refused(odd):
    with pytest.raises(RuleViolation, match=r"field 'colour': .* is not one of red"):
        PAINT.decode("paint", {"colour": odd, "maybe": "red", "where": []})


class Level(Enum):
    ONE = 1


@frozen
class Leveled:
    level: Level = Level.ONE


def test_a_bool_or_a_float_is_no_value_of_an_enum_of_ints():
    wire = wire_of(GAME.altered(options=Leveled))
    assert wire.options({"level": 1}) == wire.options({}) == Leveled()
    for odd in (True, 1.0):
        with pytest.raises(OptionError, match="level"):
            wire.options({"level": odd})


@frozen
class Numbered:
    many: tuple[tuple[int, int], ...] = mapping(())


def test_a_map_by_numbers_has_digits_in_a_log_and_no_number_twice():
    wire = wire_of(GAME.altered(options=Numbered))
    assert wire.plain_options(Numbered(((4, 2),))) == {"many": {"4": 2}}
    assert wire.options({"many": {"4": 2}}) == wire.options({"many": {4: 2}}) == Numbered(((4, 2),))
    for odd in ({"4": 1, 4: 2}, {"04": 1}, {"x": 1}, {True: 1}):
        with pytest.raises(OptionError, match="many"):
            wire.options({"many": odd})


@frozen
class Paired:
    many: tuple[tuple[int, int], ...] = mapping((), pairs=True)


def test_a_map_that_is_a_list_of_pairs_on_the_wire_ascends():
    wire = wire_of(GAME.altered(options=Paired))
    assert wire.plain_options(Paired(((4, 2), (5, 0)))) == {"many": ((4, 2), (5, 0))}
    assert Paired(((5, 0), (4, 2))) == Paired(((4, 2), (5, 0)))
    for same in ([[4, 2], [5, 0]], ((5, 0), (4, 2)), {5: 0, 4: 2}):
        assert wire.options({"many": same}) == Paired(((4, 2), (5, 0)))
    for odd in ([[5, 0], [4, 2]], [[4, 2], [4, 2]], ((4, 2), (4, 1)), [[4]], {"4": 2}, [["4", 2]], [4]):
        with pytest.raises(OptionError, match="many"):
            wire.options({"many": odd})


def test_options_as_json_has_them_are_read_with_ints_for_decimal_strings():
    wire = wire_of(registry.find("gosne"))
    assert wire.json_options({"chestnuts": {"0": 2, "13": 3}, "hands": 4}) == {"chestnuts": {0: 2, 13: 3}, "hands": 4}
    for odd in ({"00": 1}, {"-0": 1}, {"+1": 1}, {"\u0661": 1}, {"9" * 5000: 1}, {"x": 1}, {"": 1}, [0], None):
        assert wire.json_options({"chestnuts": odd}) == {"chestnuts": odd}
        with pytest.raises(OptionError, match="chestnuts"):
            wire.options({"chestnuts": odd})
    assert WIRE.json_options({"1": {"1": 1}}) == {"1": {"1": 1}}


def test_threads_pack_at_once_and_each_its_own():
    state = Held(1, (Held(2, ()), Held(3, ())) * 20)
    wanted = pack(state)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as threads:
            packed = [*threads.map(pack, [state] * 400)]
    finally:
        sys.setswitchinterval(interval)
    assert {*packed} == {wanted}


@frozen
class Held:
    number: int
    others: tuple["Held", ...]
