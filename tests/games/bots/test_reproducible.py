"""The same seed gives the same match on every Python and machine: pinned hashes, no arithmetic that differs."""

import ast
import builtins
from hashlib import blake2b
from pathlib import Path

import kifu
import msgpack
import pytest
from kifu.core.match import Match
from kifu.core.wire import wire_of

from .conftest import between

ROOT = Path(__file__).parents[3]
DECIDES = [
    *(
        path
        for name in ("bots/*", "*/bot", "*/belief", "*/risk", "*/weights")
        for path in sorted(ROOT.glob(f"games/{name}.py"))
    ),
    ROOT / "core/game/weights.py",
]
EXACT = {"floor", "ldexp", "sqrt", "factorial", "prod"}
"""What IEEE 754 defines to the last bit, of all that `math` has, or what has ints."""
EVENTS = {"mabr": 14}
OPTIONS = {"mabr": {"lexicon": "kifu-ja-1"}}

PINNED = {
    "cake": "ef0c83438f7c3b73",
    "gosne": "1532c6243cf4f80d",
    "mabr": "971ea00584847791",
    "palace": "375ba2819f065b3e",
    "take_and_share": "1c6cb7ed123ad217",
}
"""The commands of a match between `greedy` and `ismcts:6`; a change of a bot or of a hint changes its game's hash."""


def played(name: str) -> Match:
    seats = kifu.games.find(name).seats[-1]
    return between(name, seats, "greedy", "ismcts:6", most=EVENTS.get(name, 80), **OPTIONS.get(name, {}))


@pytest.mark.ci
@pytest.mark.parametrize("name", PINNED)
def test_the_same_seed_gives_the_same_commands_on_every_python(name: str) -> None:
    match = played(name)
    wire = wire_of(match.game)
    commands = [[event.seat, *wire.encode(event.command)] for event in match.events]
    assert blake2b(msgpack.packb(commands), digest_size=8).hexdigest() == PINNED[name]


def test_no_game_is_without_a_pinned_match() -> None:
    assert sorted(PINNED) == kifu.games.names()


@pytest.mark.ci
@pytest.mark.parametrize("name", PINNED)
def test_no_decision_sums_floats(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Since Python 3.12 `sum` rounds a sum of floats otherwise: only ints may be given to it."""
    plain, floats = sum, []

    def sum_of_ints(values, start=0):
        given = [*values]
        floats.extend(value for value in given if isinstance(value, float))
        return plain(given, start)

    monkeypatch.setattr(builtins, "sum", sum_of_ints)
    between.__wrapped__(name, kifu.games.find(name).seats[0], "greedy", "ismcts:3", most=16, **OPTIONS.get(name, {}))
    assert not floats, "add floats with core.game.weights.total"


@pytest.mark.parametrize("path", DECIDES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_decision_uses_the_platforms_own_arithmetic(path: Path) -> None:
    """`exp`, `log` and `pow` may round otherwise on another machine, and so may `**` of floats."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "math":
            assert {name.name for name in node.names} <= EXACT
        if isinstance(node, ast.Import):
            assert not {"math", "random", "statistics"} & {name.name for name in node.names}
        if isinstance(node, ast.ImportFrom) and node.level == 0:
            assert node.module not in {"random", "statistics"}
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
            assert isinstance(getattr(node.left, "value", None), int), ast.unparse(node)
            assert isinstance(getattr(node.right, "value", None), int), ast.unparse(node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id != "pow"
