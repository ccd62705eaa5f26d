"""Every `Message` in the source has its English text there, and its Japanese in a catalogue."""

import ast
import json
import pickle
import string
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path

import msgpack
import pytest
from kifu import games
from kifu.core.errors import OS_MESSAGES, LogError, Message, OptionError, os_error_message
from kifu.core.testing.laws_of_texts import catalogue_of
from kifu.core.text.texts import Texts

ROOT = Path(__file__).parents[3]
GAMES = {games.find(name).texts: ROOT / "games" / name for name in games.names()}
CORE = Message.package
REPLAY = "kifu.replay"
KINDS_OF_REPLAY = ("UserMessage", "CallError", "DifferentGame")
"""The classes whose calls make a message of the command line."""
GENERIC = (
    "UserMessage(key, english, **values)",  # in the base class of every call error
    "Message(key, english, **values)",  # in `refuse`, whose calls have the game before the key
)
PACKAGES = [CORE, REPLAY, *GAMES]
JAPANESE = Texts("ja")


def translated(package: str) -> dict[str, frozenset[str]]:
    """Return the variables of each message that the package has in Japanese."""
    source = files(package).joinpath("texts", "ja.ftl").read_text("utf-8")
    found = catalogue_of(source).items()
    return {key.removeprefix("message-"): each.variables for key, each in found if key.startswith("message-")}


def sources(package: str) -> list[Path]:
    """List the modules whose messages a package translates: a game and the command line their own, core all others."""
    if package in GAMES:
        return sorted(GAMES[package].rglob("*.py"))
    if package == REPLAY:
        return sorted((ROOT / "replay").rglob("*.py"))
    others = (path for folder in ("core", "games", "replay") for path in sorted((ROOT / folder).rglob("*.py")))
    return [path for path in others if not any(path.is_relative_to(folder) for folder in GAMES.values())]


@cache
def made(package: str) -> dict[str, set[str]]:
    """Find every message in the source: its key, and the English texts that it has."""
    found: dict[str, set[str]] = {}
    kinds = KINDS_OF_REPLAY if package == REPLAY else ("Message", "refuse")
    for path in sources(package):
        for key, english in _made_in(ast.parse(path.read_text(encoding="utf-8")), {}, kinds):
            found.setdefault(key, set()).add(english)
    return found


def _made_in(node: ast.AST, said: dict[str, ast.expr], kinds: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield the key and text of each call, in order.

    A long text stands in a variable `english` before its call, and many values in a map `values`.
    """
    for each in ast.iter_child_nodes(node):
        if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name):
            said = {**said, each.targets[0].id: each.value}
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id in kinds:
            if ast.unparse(each) in GENERIC:
                continue
            args = each.args[1:] if each.func.id == "refuse" else each.args
            key, text = (
                arg.value if isinstance(arg, ast.Constant) else ast.literal_eval(said["english"]) for arg in args
            )
            assert isinstance(key, str), ast.unparse(each)
            assert isinstance(text, str), ast.unparse(each)
            assert set(_named(each, said)) == variables(text), ast.unparse(each)
            yield key, text
        yield from _made_in(each, said, kinds)


def _named(call: ast.Call, said: dict[str, ast.expr]) -> Iterator[str]:
    """Yield the names of the values that a call gives."""
    for word in call.keywords:
        if word.arg is not None:
            yield word.arg
        elif isinstance(values := said.get(ast.unparse(word.value)), ast.Dict):
            yield from (key.value for key in values.keys if isinstance(key, ast.Constant))


def variables(english: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(english) if name is not None}


@pytest.mark.ci
@pytest.mark.parametrize("package", PACKAGES)
def test_every_message_in_the_source_is_translated_and_no_translation_is_unused(package: str) -> None:
    japanese = translated(package)
    assert made(package).keys() == japanese.keys()
    for key, english in made(package).items():
        assert len(english) == 1, (key, english)
        assert variables(*english) == japanese[key], key


@pytest.mark.parametrize("package", PACKAGES)
def test_every_message_can_be_formatted(package: str) -> None:
    """No translation fails: then the English text would be shown."""
    kind = type("OfPackage", (Message,), {"package": package})
    for key, (english,) in made(package).items():
        message = kind(key, english, **dict.fromkeys(variables(english), "x"))
        assert JAPANESE.message(message) != str(message), key


def test_a_message_is_its_english_text_wherever_a_text_is_taken() -> None:
    message = Message("steps-count", "the end counts {counted} steps, there are {steps}", counted=3, steps=4)
    text = "the end counts 3 steps, there are 4"
    assert (message, str(message), f"{message}", json.loads(json.dumps(message))) == (text,) * 4
    assert msgpack.unpackb(msgpack.packb(message)) == text
    assert Texts("en").message(message) == text
    assert JAPANESE.message(message) == "終わりでは3手順だが、実際は4手順"
    assert JAPANESE.message("a stranger's text") == "a stranger's text"


def test_a_message_within_a_message_is_translated_also_after_pickling() -> None:
    inner = Message("not-a", "{value} is not {kind}", value="'x'", kind=Message("a-whole-number", "a whole number"))
    error = pickle.loads(pickle.dumps(OptionError("first", inner)))
    assert str(error) == "option 'first': 'x' is not a whole number"
    assert JAPANESE.message(error.summary) == "設定'first'：'x'は整数ではない"


def test_an_error_of_a_log_is_shown_with_its_place() -> None:
    error = LogError(
        "chain",
        Message("broken-at-end", "the end record or what lies before it was changed"),
        7,
        path="a.log",
    )
    assert str(error) == "a.log: chain: event 7: the end record or what lies before it was changed"
    assert JAPANESE.message(error.summary) == "a.log：7手目、鎖が切れている：終わりの記録か、その前が変えられた"


def test_common_errors_of_the_operating_system_are_translated() -> None:
    for each in OS_MESSAGES:
        assert JAPANESE.message(os_error_message(OSError(1, str(each)))) != str(each)
    assert os_error_message(OSError(1, "a rare thing")) == "a rare thing"
    assert os_error_message(ValueError("embedded null byte")) == "embedded null byte"


class Foreign(Message):
    package = "kifu.nowhere"


def test_a_message_without_a_translation_is_english() -> None:
    assert JAPANESE.message(Foreign("not-a", "{value} is not {kind}", value=1, kind="a hat")) == "1 is not a hat"
