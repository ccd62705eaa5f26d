"""The compiled build does what the sources do: the same bytes, tracebacks with file and line, pickles, and no crash.

Of a checkout these tests see Python alone; `.ci/run` runs them on the compiled wheel too.
"""

import ast
import copy
import importlib
import pickle
import subprocess
import sys
import traceback
from pathlib import Path

import kifu
import pytest
from kifu.core.game.shuffle import Shuffler
from kifu.core.match.compiled import is_compiled
from kifu.core.testing.play import played

ROOT = Path(__file__).parents[3]

SIMULATE = """
from hashlib import sha256
import kifu
from kifu.core.log import log_bytes, read_bytes
from kifu.core.testing.play import played

print(kifu.COMPILED)
for name in kifu.games.names():
    game = kifu.games.find(name)
    for number in range(2):
        data = log_bytes(played(game, max(game.seats), game.options(), number))
        read = read_bytes(data)
        print(name, len(data), sha256(data).hexdigest(), read.findings, read.match.state)
"""


def modules() -> tuple[str, ...]:
    """Return the modules that `setup.py` compiles, as paths."""
    for each in ast.parse((ROOT / "setup.py").read_text("utf-8")).body:
        if isinstance(each, ast.Assign) and ast.unparse(each.targets[0]) == "MODULES":
            return tuple(ast.literal_eval(each.value))
    raise AssertionError("setup.py has no MODULES")


def module_of(path: str):
    return importlib.import_module("kifu." + path.removesuffix(".py").replace("/", "."))


def test_all_modules_that_can_be_are_compiled_or_none():
    compiled = {path: is_compiled(module_of(path)) for path in modules()}
    assert set(compiled.values()) == {kifu.COMPILED}, compiled


@pytest.mark.skipif(not kifu.COMPILED, reason="this build is of Python alone")
def test_the_source_beside_a_compiled_module_writes_the_same_bytes(of_source: str):
    compiled, source = (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd="/")
        for code in (SIMULATE, of_source + SIMULATE)
    )
    assert compiled.stdout.startswith("True\n")
    assert source.stdout.startswith("False\n")
    assert compiled.stdout.splitlines()[1:] == source.stdout.splitlines()[1:]


@pytest.mark.parametrize("name", kifu.games.names())
def test_a_traceback_of_rules_names_file_and_line(name):
    with pytest.raises(AttributeError) as caught:
        kifu.games.find(name).to_act(object())
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert last.filename.endswith(f"games/{name}/rules.py")
    line = (ROOT / "games" / name / "rules.py").read_text("utf-8").splitlines()[(last.lineno or 0) - 1]
    assert "state." in line


@pytest.mark.parametrize("name", kifu.games.names())
@pytest.mark.parametrize(
    "copied", [lambda each: pickle.loads(pickle.dumps(each)), copy.deepcopy], ids=["pickle", "copy"]
)
def test_states_and_matches_are_pickled_and_copied(name, copied):
    game = kifu.games.find(name)
    match = played(game, min(game.seats), game.options(), 1, 0.5)
    assert copied(match.state) == match.state
    other = copied(match)
    assert (other.header, other.events, other.states) == (match.header, match.events, match.states)
    seat = min(match.to_act)
    command = match.legal(seat)[0]
    assert other.play(seat, command).after == match.play(seat, command).after


class Drawn(Shuffler):
    """A shuffler of Python that counts its draws."""

    def __init__(self) -> None:
        self.bounds: list[int] = []

    def below(self, bound: int) -> int:
        self.bounds.append(bound)
        return bound - 1


@pytest.mark.parametrize("name", kifu.games.names())
def test_rules_deal_from_a_shuffler_of_somebody_else(name):
    game, drawn = kifu.games.find(name), Drawn()
    state = game.start(game.options(), min(game.seats))
    assert game.apply(state, kifu.TABLE, game.deal(state, drawn)) != state
    assert drawn.bounds[:3] == sorted(drawn.bounds[:3], reverse=True)
    assert drawn.shuffle("abc") == ("a", "b", "c")


def test_no_class_of_a_compiled_module_can_be_weakly_referenced():
    # An instance that a weak reference points to dies without telling it: mypyc, issue 1102. What then reads the
    # reference, as the garbage collector does, reads freed memory.
    found = [
        f"{path}: {each.__name__}"
        for path in modules()
        for each in vars(module_of(path)).values()
        if isinstance(each, type) and each.__module__ == module_of(path).__name__ and each.__weakrefoffset__
    ]
    assert not kifu.COMPILED or found == []
