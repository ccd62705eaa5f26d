"""Why something is refused is English text in the source, and has a message in Japanese."""

import ast
import json
import pickle
import string
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgpack
import pytest
from kifu import games
from kifu.core.errors import OS_MESSAGES, LogError, Message, OptionError, os_error_message
from kifu.core.text.texts import Texts

from .catalogues import catalogue

ROOT = Path(__file__).parents[2]
GAMES = {games.find(name).texts: ROOT / "games" / name for name in games.names()}
REPLAY = "kifu.replay"
OF_REPLAY = ("Phrase", "Unusable", "OtherGame")
"""What makes a message of the command line."""
OF_OTHERS = ("Phrase(key, english, **values)",)  # of every refusal
ROOMS = ["kifu.core", REPLAY, *GAMES]
JAPANESE = Texts("ja")


def messages(room: str) -> dict[str, set[str]]:
    """Give the values of each why that the room says in Japanese."""
    found = catalogue(room, "ja").items()
    return {name[4:]: each.variables for name, each in found if name.startswith("message-")}


def sources(room: str) -> list[Path]:
    """List the modules whose whys this room says: a game and the command line their own, core all others."""
    if room in GAMES:
        return sorted(GAMES[room].rglob("*.py"))
    if room == REPLAY:
        return sorted((ROOT / "replay").rglob("*.py"))
    others = (path for folder in ("core", "games", "replay") for path in sorted((ROOT / folder).rglob("*.py")))
    return [path for path in others if not any(path.is_relative_to(folder) for folder in GAMES.values())]


@cache
def made(room: str) -> dict[str, set[str]]:
    """Find every why in the source, by its key the English texts that it has."""
    found: dict[str, set[str]] = {}
    kinds = OF_REPLAY if room == REPLAY else ("Why",)
    for path in sources(room):
        for key, english in _made_in(ast.parse(path.read_text(encoding="utf-8")), None, kinds):
            found.setdefault(key, set()).add(english)
    return found


def _made_in(node: ast.AST, english: str | None, kinds: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Go through the calls in their order; a long text stands in a variable `english` before its call."""
    for each in ast.iter_child_nodes(node):
        if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name) and each.targets[0].id == "english":
            assert isinstance(each.value, ast.Constant)
            english = each.value.value
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id in kinds:
            if ast.unparse(each) in OF_OTHERS:
                continue
            key, text = (arg.value if isinstance(arg, ast.Constant) else english for arg in each.args)
            assert isinstance(key, str), ast.unparse(each)
            assert isinstance(text, str), ast.unparse(each)
            assert {word.arg for word in each.keywords} == named(text), ast.unparse(each)
            yield key, text
        yield from _made_in(each, english, kinds)


def named(english: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(english) if name is not None}


@pytest.mark.parametrize("room", ROOMS)
def test_every_why_in_the_source_has_its_message_and_no_message_is_idle(room: str) -> None:
    japanese = messages(room)
    assert made(room).keys() == japanese.keys()
    for key, english in made(room).items():
        assert len(english) == 1, (key, english)
        assert named(*english) == japanese[key], key


@pytest.mark.parametrize("room", ROOMS)
def test_every_message_says_its_values(room: str) -> None:
    """No message fails as it is said: then the English text would stand in."""
    kind = type("OfRoom", (Message,), {"room": room})
    for key, (english,) in made(room).items():
        why = kind(key, english, **dict.fromkeys(named(english), "x"))
        assert JAPANESE.message(why) != str(why), key


def test_it_is_its_english_text_wherever_a_text_is_taken() -> None:
    why = Message("steps-count", "the end counts {counted} steps, there are {steps}", counted=3, steps=4)
    text = "the end counts 3 steps, there are 4"
    assert (why, str(why), f"{why}", json.loads(json.dumps(why))) == (text,) * 4
    assert msgpack.unpackb(msgpack.packb(why)) == text
    assert Texts("en").message(why) == text
    assert JAPANESE.message(why) == "終わりでは3手順だが、実際は4手順"
    assert JAPANESE.message("a stranger's text") == "a stranger's text"


def test_a_why_within_a_why_is_said_too_also_after_a_journey() -> None:
    inner = Message("not-a", "{value} is not {kind}", value="'x'", kind=Message("an-int", "an int"))
    error = pickle.loads(pickle.dumps(OptionError("first", inner)))
    assert str(error) == "option 'first': 'x' is not an int"
    assert JAPANESE.message(error.told) == "設定'first':'x'は整数ではない"


def test_an_error_of_a_log_is_said_with_its_place() -> None:
    error = LogError("chain", Message("broken-at-end", "the chain is broken at the end record"), 7, path="a.log")
    assert str(error) == "a.log: chain: event 7: the chain is broken at the end record"
    assert JAPANESE.message(error.summary) == "a.log:手順7、鎖が切れている:終わりの記録で鎖が切れている"


def test_what_a_system_often_says_is_known_again() -> None:
    for each in OS_MESSAGES:
        assert JAPANESE.message(os_error_message(OSError(1, str(each)))) != str(each)
    assert os_error_message(OSError(1, "a rare thing")) == "a rare thing"
    assert os_error_message(ValueError("embedded null byte")) == "embedded null byte"


class Foreign(Message):
    package = "kifu.nowhere"


def test_a_room_without_the_message_is_said_in_english() -> None:
    assert JAPANESE.message(Foreign("not-a", "{value} is not {kind}", value=1, kind="a hat")) == "1 is not a hat"
