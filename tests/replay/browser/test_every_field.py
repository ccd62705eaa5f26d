"""The engine in a browser takes the commands that the library takes, with the same values, and no others."""

import importlib
import json
from base64 import b64decode
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import kifu
import pytest
from kifu.core.game import RuleViolation
from kifu.core.log import read_bytes
from kifu.core.wire import wire_of

pytest.importorskip("msgspec", reason="needs kifu[web]")

HERE = Path(__file__).parent
FILES = {
    "every_field-1.dist-info/METADATA": "Metadata-Version: 2.1\nName: every_field\nVersion: 1\n",
    "every_field-1.dist-info/entry_points.txt": "[kifu.games]\nevery_field = every_field:GAME\n",
    "every_field.py": (HERE.parents[1] / "core" / "log" / "every_field.py").read_text("utf-8"),
}
VALUES: list[tuple[str, Any]] = [
    *[(f"{each}n", each) for each in (0, -1, 2**53 + 1, 2**63, 2**64 - 1, 2**64, -(2**63), -(2**63) - 1, 2**70)],
    *[("0", 0), ("-0", 0), ("1.0", 1), ("9007199254740991", 2**53 - 1), ("2 ** 60", 2**60), ("-(2 ** 63)", -(2**63))],
    *[("1e21", 10**21), ("0.5", 0.5), ("NaN", float("nan")), ("-Infinity", float("-inf")), ("true", True)],
    *[("false", False), ("null", None), ('""', ""), ('"a"', "a"), (r'"\0"', "\0"), (r'"\ud800"', "\ud800")],
    *[('"棋"', "棋"), ('"up"', "up"), ('"1"', "1"), ('"x".repeat(70000)', "x" * 70_000), ('"$blob"', "$blob")],
    *[('"9007199254740993"', "9007199254740993"), ("new Uint8Array([1])", b"\1"), ("[]", []), ("[1]", [1])],
    *[('[1, "a"]', [1, "a"]), ('["a", 1]', ["a", 1]), ("[[1, true]]", [[1, True]]), ("[[], []]", [[], []])],
    *[('[["a"], []]', [["a"], []]), ("[null, 1]", [None, 1]), ("[18446744073709551615n, 2]", [2**64 - 1, 2])],
    *[('[18446744073709551615n, "18446744073709551615"]', [2**64 - 1, "18446744073709551615"]), ("{}", {})],
    *[('{way: "up"}', {"way": "up"}), ("{way: 1, points: 3}", {"way": 1, "points": 3}), ("[NaN]", [float("nan")])],
    *[("{way: 1, points: 9007199254740993n}", {"way": 1, "points": 2**53 + 1}), ("{way: 1, more: 2}", {"more": 2})],
    *[('[{way: "up", points: null}]', [{"way": "up", "points": None}]), ("{$blob: 0}", {"$blob": 0}), ("[{}]", [{}])],
]


def cases():
    return [(f"play-{number}", source, value) for number in range(22) for source, value in VALUES]


def played(tag: str, value: Any) -> Any:
    """Return the command that the library makes of a value; None if it refuses it."""
    game = importlib.import_module("every_field").GAME
    match = kifu.new(game, ["Aki", "Ren"], seed=None)
    try:
        return match.play(0, wire_of(game).decode(tag, {"value": value})).event.command
    except RuleViolation:
        return None


def in_javascript(value: Any) -> str:
    """Return a value as `every_field.mjs` writes it."""

    def exact(value: Any) -> Any:
        if value.__class__ is int and abs(value) >= 2**53:
            return f"{value}n"
        if isinstance(value, list | tuple):
            return [*map(exact, value)]
        return {key: exact(each) for key, each in value.items()} if isinstance(value, dict) else value

    return json.dumps(exact(value), ensure_ascii=False, separators=(",", ":"))


@pytest.mark.ci
def test_a_browser_takes_what_the_library_takes(package, node, tmp_path, monkeypatch):
    """The game is a wheel, which is installed here too."""
    wheel = tmp_path / "every_field-1-py3-none-any.whl"
    with ZipFile(wheel, "w") as archive:
        for name, text in FILES.items():
            archive.writestr(name, text)
        archive.extractall(tmp_path / "installed")
    monkeypatch.syspath_prepend(tmp_path / "installed")
    (tmp_path / "cases.json").write_text(json.dumps([[tag, source] for tag, source, _ in cases()]))
    answers = node("every_field.mjs", package, wheel, tmp_path / "cases.json")
    game = importlib.import_module("every_field").GAME
    taken = 0
    for (tag, source, value), answer in zip(cases(), answers, strict=True):
        command = played(tag, value)
        assert (answer is None) is (command is None), (tag, source)
        if answer is not None:
            taken += 1
            shown, log = answer
            assert shown == in_javascript(wire_of(game).encode(command)[1]["value"]), (tag, source)
            assert read_bytes(b64decode(log), lambda _: game).match.events[-1].command == command
    assert 100 < taken < len(answers) / 2
