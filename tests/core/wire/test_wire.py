"""Commands and options from plain data: exactly their fields, of exactly their types, or a refusal."""

import sys
from concurrent.futures import ThreadPoolExecutor
from enum import Enum
from typing import Literal

import pytest
from attrs import evolve, frozen
from hypothesis import given
from hypothesis import strategies as st
from kifu.core.errors import OptionError
from kifu.core.game import RuleViolation, Seat, TableRule, Takeback, mapping
from kifu.core.match import registry
from kifu.core.testing import commands, option_sets
from kifu.core.wire import pack, plain, wire_of
from kifu.core.wire.exact import is_exact
from kifu.games.take_and_share import GAME
from msgpack import packb as pack_plain
from msgpack import unpackb as unpack

WIRE = wire_of(GAME)


class Way(Enum):
    LEFT = "left"
    FIRST = 1


@frozen
class Inner:
    place: int


@frozen(slots=False)
class Every:
    """A command with a field of each type that it may have."""

    number: int
    seat: Seat
    sure: bool
    word: str
    raw: bytes
    maybe: int | None
    mixed: int | str
    way: Way
    choice: Literal["red", "blue", 1]
    row: tuple[int, ...]
    pair: tuple[int, str]
    pairs: tuple[tuple[int, int], ...]
    inner: Inner
    inners: tuple[Inner, ...]
    stacks: tuple[tuple[str, tuple[str, ...]], ...] = mapping()


EVERY = wire_of(GAME.altered(wire={**GAME.wire, Every: "every"}))
MADE = Every(
    *[1, Seat(0), True, "きゃく", b"x", None, "A", Way.LEFT, "red", (1, 2), (1, "a"), ((1, 2), (3, 4))],
    *[Inner(7), (Inner(8),), (("K", ("か", "き")), ("S", ()))],
)
GOOD = {
    "number": 1,
    "seat": 0,
    "sure": True,
    "word": "きゃく",
    "raw": b"x",
    "maybe": None,
    "mixed": "A",
    "way": "left",
    "choice": "red",
    "row": [1, 2],
    "pair": [1, "a"],
    "pairs": [[1, 2], [3, 4]],
    "inner": {"place": 7},
    "inners": [{"place": 8}],
    "stacks": {"K": ["か", "き"], "S": []},
}


def refused(wire, tag, fields):
    with pytest.raises(RuleViolation) as refusal:
        wire.decode(tag, fields)
    assert refusal.value.rule is TableRule.FORM
    return refusal.value.facts["why"]


def test_what_fits_is_made_and_comes_back_as_it_was():
    assert EVERY.decode("every", GOOD) == EVERY.decode("every", dict(reversed(GOOD.items()))) == MADE
    tag, fields = EVERY.encode(MADE)
    assert (tag, list(fields), unpack(pack_plain(fields))) == ("every", list(GOOD), GOOD)
    assert EVERY.exact(MADE) is MADE


WRONG = {
    "number": [True, 1.0, "1", None],
    "seat": ["0", False],
    "sure": [1, None],
    "word": [b"x", None],
    "raw": ["", None],
    "maybe": [False, "x"],
    "mixed": [True, None],
    "way": ["blue", True, 1.0, None, ["left"], {"left": 1}],
    "choice": ["green", True, 1.0, ["red"]],
    "row": [1, "12", [1, True], {"1": 2}],
    "pair": [[1, "a", 2], [1, 2]],
    "pairs": [[[1, 2, 3]], [1, 2], [[1, True]], {"1": 2}, "12"],
    "inner": [1, {}, {"place": True}, {"place": 1, "more": 1}],
    "inners": [[1], [{"place": 1.0}], {"place": 1}],
    "stacks": [[["K", ["か"]]], {1: ["か"]}, {"K": "か"}],
}
"""What is not read as a value of a field."""
READ_AS_ANOTHER = {
    "number": [2**64],
    "word": ["\ud800"],
    "raw": [bytearray()],
    "way": ["left"],
    "row": [[1, 2], (2**64,)],
    "pair": [[1, "a"], (1, "a", 2), (1, 2)],
    "pairs": [([1, 2],), ((1, 2, 3),), ((1, True),)],
    "inner": [Inner(True)],
    "inners": [[Inner(1)], (Inner(1.0),), (1,)],
    "stacks": [(("K", ()), ("K", ())), {"K": ()}, ((1, ()),)],
}
"""What reading would not give back as it is."""


@pytest.mark.parametrize(("field", "value"), [(field, value) for field, wrong in WRONG.items() for value in wrong])
def test_each_field_is_exactly_of_its_type(field, value):
    refused(EVERY, "every", {**GOOD, field: value})


def test_every_type_is_judged_exactly():
    is_every = is_exact(Every)
    assert is_every(MADE)
    for name, values in [*WRONG.items(), *READ_AS_ANOTHER.items()]:
        for value in values:
            assert not is_every(evolve(MADE, **{name: value})), (name, value)


def test_a_refused_choice_is_shown_with_the_choices_in_one_sanitized_line():
    why = refused(EVERY, "every", {**GOOD, "choice": "\x1b[31m" + 100 * "green\n"})
    assert "is not one of red, blue" in why
    assert why.isprintable()
    assert len(why) < 120


@pytest.mark.parametrize("field", GOOD)
def test_no_field_may_be_missing(field):
    fields = {name: value for name, value in GOOD.items() if name != field}
    assert refused(EVERY, "every", fields) == f"field {field!r}: it is missing"


@pytest.mark.parametrize("name", ["more", 1, None, b"number"])
def test_no_field_may_be_there_besides(name):
    refused(EVERY, "every", {**GOOD, name: 1})


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
    made = decoded(EVERY, "every", fields)
    if isinstance(made, RuleViolation):
        assert made.rule is TableRule.FORM
    else:
        assert plain(EVERY.encode(made)[1]) == plain(fields)


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


def test_plain_data_for_eyes_has_names():
    assert plain(MADE) == {**GOOD, "raw": "78", "stacks": [["K", ["か", "き"]], ["S", []]]}
    assert plain({1: b"\x00\xff", "s": frozenset({3})}) == {"1": "00ff", "s": [3]}


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
