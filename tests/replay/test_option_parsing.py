"""Every type that an option may have can be typed, and what cannot be is refused in a line."""

from typing import Any, Literal

import pytest
from attrs import evolve, frozen
from kifu.core.errors import KifuError
from kifu.games import find
from kifu.replay.call_errors import CallError
from kifu.replay.option_parsing import format_value, parse_options


@frozen
class Options:
    """An option of each kind."""

    flag: bool = False
    number: int = 1
    size: Literal[1, 3, 5] = 3
    way: Literal["up", "down"] = "up"
    either: Literal[False, "all"] = False
    limit: int | None = None
    rows: tuple[int, ...] = (3, 4, 5)
    pair: tuple[int, str] = (1, "a")
    name: str = ""


GAME = evolve(find("cake"), options=Options)


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("flag=true", True),
        ("number=-7", -7),
        ("size=5", 5),
        ("way=down", "down"),
        ("either=false", False),
        ("either=all", "all"),
        ("limit=9", 9),
        ("limit=none", None),
        ("rows=1,2,3", (1, 2, 3)),
        ("rows=", ()),
        ("pair=4,x", (4, "x")),
        ("name=5", "5"),
    ],
)
def test_a_value_is_typed_as_it_is_printed(typed: str, value: Any) -> None:
    name = typed.partition("=")[0]
    parsed = parse_options(GAME, [typed])[name]
    assert (type(parsed), parsed) == (type(value), value)
    if value not in ((), None):
        assert parse_options(GAME, [f"{name}={format_value(value)}"])[name] == value


@pytest.mark.parametrize("typed", ["flag=maybe", "number=x", "size=2", "way=left", "limit=x", "rows=1,x", "pair=4"])
def test_what_is_no_value_is_refused_by_the_name_of_the_option(typed: str) -> None:
    with pytest.raises((CallError, KifuError)) as refused:
        parse_options(GAME, [typed])
    assert typed.partition("=")[0] in str(refused.value)


def test_a_map_with_a_key_twice_is_refused() -> None:
    with pytest.raises(KifuError, match="a map has a key twice"):
        parse_options(find("gosne"), ["chestnuts=1:2,1:3"])
