"""Each option of each game, and each type that an option may have, is set at every door, in the same words.

The doors are the command line (`NAME=VALUE`), the HTTP API and the page over it (JSON), OpenSpiel's `options`, and MCP.
"""

from collections.abc import Iterator
from enum import Enum
from typing import Any, Literal, get_args, get_origin

import attrs
import pytest
from fireworks import GAME as FIREWORKS
from goofspiel import GAME as GOOFSPIEL
from high_card import GAME as HIGH_CARD
from kifu import new
from kifu.core.errors import KifuError
from kifu.core.game import mapping
from kifu.core.log import log_bytes, read_bytes
from kifu.core.log.json_form import from_json, to_json
from kifu.core.text.texts import Texts
from kifu.core.wire import plain, wire_of
from kifu.games import find, names
from kifu.replay.option_parsing import format_value, parse_options
from reversi import GAME as REVERSI


class Way(Enum):
    UP = 1
    DOWN = 2


@attrs.frozen
class EveryType:
    """An option of each type."""

    flag: bool = False
    while_: bool = False
    number: int = 1
    size: Literal[1, 3, 5] = 3
    way: Literal["up", "down"] = "up"
    either: Literal[False, "all"] = False
    limit: int | None = None
    rows: tuple[int, ...] = (3, 4, 5)
    pair: tuple[int, str] = (1, "a")
    turn: Way = Way.UP
    name: str = ""
    by_number: tuple[tuple[int, int], ...] = mapping(())
    by_way: tuple[tuple[Literal["x", "y"], bool], ...] = mapping(())
    by_turn: tuple[tuple[Way, Way], ...] = mapping(())


OTHER = {
    "flag": True, "while": True, "number": 7, "size": 5, "way": "down", "either": "all", "limit": 9, "rows": (1, 2),
    "pair": (4, "x"), "turn": Way.DOWN, "name": "5", "by_number": ((4, 2), (5, 3)), "by_way": (("x", True),),
    "by_turn": ((Way.DOWN, Way.UP),),
}  # fmt: skip
GAMES = [*map(find, names()), HIGH_CARD, REVERSI, GOOFSPIEL, FIREWORKS]
EVERY_TYPE = HIGH_CARD.altered(name="every_type", options=EveryType)


def values(field: Any) -> Iterator[Any]:
    """Yield values of an option that a form offers or a person would type."""
    kind = getattr(field.type, "__supertype__", field.type)
    if kind is bool:
        yield from (True, False)
    elif kind is int:
        yield from (0, 1)
    elif get_origin(kind) is Literal:
        yield from get_args(kind)
    elif isinstance(kind, type) and issubclass(kind, Enum):
        yield from kind


def cases() -> Iterator[tuple[Any, str, Any]]:
    for game in GAMES:
        for name, field in wire_of(game).option_fields.items():
            yield from ((game, name, value) for value in values(field))
    yield from (
        (EVERY_TYPE, name, value) for name, value in (*OTHER.items(), ("number", -7), ("limit", None), ("rows", ()))
    )


def chosen(game: Any, name: str, value: Any) -> Any:
    return attrs.evolve(game.options(), **{wire_of(game).option_fields[name].name: value})


@pytest.mark.parametrize(("game", "name", "value"), [*cases()], ids=lambda each: getattr(each, "name", str(each)))
def test_an_option_is_set_alike_at_every_door(game: Any, name: str, value: Any) -> None:
    expected, wire = chosen(game, name, value), wire_of(game)
    given = wire.plain_options(expected)[name]
    typed = format_value(given)
    assert wire.options(parse_options(game, [f"{name}={typed}"])) == expected, "the command line"
    assert wire.options(wire.json_options({name: plain(given)})) == expected, "the API, and OpenSpiel"
    pytest.importorskip("msgspec", reason="needs kifu[web]")
    from kifu.core.web.games import option_responses

    (form,) = [each for each in option_responses(game, Texts()) if each.name == name]
    sent = filled_in(form, given, typed)
    assert wire.options(wire.json_options({name: sent})) == expected, f"the page's input of kind {form.kind}"


@pytest.mark.parametrize(("game", "name", "value"), [*cases()], ids=lambda each: getattr(each, "name", str(each)))
def test_a_log_and_its_json_have_every_option(game: Any, name: str, value: Any) -> None:
    given = wire_of(game).plain_options(chosen(game, name, value))
    try:
        match = new(game, ["a", "b", "c", "d"][: game.seats[-1]], given, seed=bytes(32))
    except KifuError:
        pytest.skip("it does not go with the other defaults")
    log = log_bytes(match)
    for data in (log, from_json(to_json(log).encode())):
        reading = read_bytes(data, lambda _: game)
        assert reading.ok, reading.findings
        assert reading.match is not None
        assert reading.match.header.options == match.header.options
        assert log_bytes(reading.match) == log


def filled_in(form: Any, given: Any, typed: str) -> Any:
    """Return what the page sends for a value: as `options.js` reads its inputs."""
    if form.kind == "choice":
        return form.choices[[format_value(each) for each in form.choices].index(typed)]
    return typed if form.kind in ("typed", "int") else plain(given)


REFUSED = [
    ("flag=maybe", "'maybe' is not true or false"), ("number=x", "'x' is not a whole number"),
    ("number=", "'' is not a whole number"), ("number=1_0", "'1_0' is not a whole number"),
    ("number=99999999999999999999", "no log can hold such an int or text"), ("size=2", "'2' is not one of 1, 3, 5"),
    ("way=left", "'left' is not one of up, down"), ("either=true", "'true' is not one of false, all"),
    ("limit=海", "'海' is not a whole number"), ("rows=1,x", "'x' is not a whole number"),
    ("pair=4", "'4' is not a list of 2"), ("turn=3", "'3' is not one of 1, 2"),
    ("by_number=1:x", "'x' is not a whole number"), ("by_number=01:3", "'01' is not a whole number"),
    ("by_way=z:true", "'z' is not one of x, y"), ("by_way=x:maybe", "'maybe' is not true or false"),
    ("nope=1", "there is no such option; there are: by_number, by_turn, by_way, either, flag, limit, name, "
     "number, pair, rows, size, turn, way, while"),
]  # fmt: skip


@pytest.mark.parametrize(("typed", "why"), REFUSED)
def test_what_is_no_value_is_refused_in_the_same_words_at_every_door(typed: str, why: str) -> None:
    name, _, value = typed.partition("=")
    wire, refused = wire_of(EVERY_TYPE), f"option {name!r}: {why}"
    lines = {name: dict(each.split(":") for each in value.split(","))} if ":" in value else {name: value}
    doors = {
        "the command line": lambda: parse_options(EVERY_TYPE, [typed]),
        "the API": lambda: wire.options(wire.json_options({name: value})),
        "the lines of the page's map": lambda: wire.options(wire.json_options(lines)),
    }
    for door, enter in doors.items():
        with pytest.raises(KifuError) as told:
            enter()
        assert str(told.value) == refused, door


def test_an_option_is_typed_once_with_its_value_and_so_is_a_key_of_a_map() -> None:
    for typed, why in ((["flag"], "flag"), (["=1"], "option ''"), (["number=1", "number=2"], "twice")):
        with pytest.raises(KifuError, match=why):
            parse_options(EVERY_TYPE, typed)
    with pytest.raises(KifuError, match="option 'chestnuts': its keys do not ascend"):
        parse_options(find("gosne"), ["chestnuts=1:2,1:3"])
