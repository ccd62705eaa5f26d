"""A usual call is parsed as Typer parses it, and an unusual one is left to Typer."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from shlex import split
from typing import Any

import pytest
from kifu.replay.app import run
from kifu.replay.quick_call import usual_arguments
from kifu.replay.verbs import VERBS
from typer import Typer

USUAL = [
    "show a.log",
    "show a.log --step 12 --as 2 --plain",
    "show --lang ja a.log b.log --json",
    "audit logs/ --jobs 2 --json",
    "audit logs a.log --rewards=zero_sum",
    "simulate cake --games 3 -o logs --seed 0b --option long=true --option first=1",
    "simulate cake -o logs --bots greedy,ismcts:10 --bot-timeout 2.5 --duplicate --page",
    "rules cake --coverage logs",
    "rules cake",
    "rules cake logs more",
    "games",
    "stats logs -o s.html",
    "store check sqlite:m.db",
    "store copy a b",
    "store expire a --finished-days 3",
    "new-game hearts",
    "when game.log 'totals[1] > 20' --first",
    "diff game.log --engine ../new/bin/python",
    "trace game.log -o game.trace",
]
"""Calls that the quick way must take."""

UNUSUAL = [
    "show",
    "show --help",
    "show a.log -h",
    "show a.log --step x",
    "show a.log --step -1",
    "show a.log --step 1_0",
    "show a.log --step",
    "show a.log --json=true",
    "show a.log --jsn",
    "show a.log --step 1 --step 2",
    "show a.log --lang fr",
    "show -- a.log",
    "show a.log -x",
    "audit logs --jobs 0",
    "audit logs --jobs ٣",
    "audit --json",
    "rules",
    "simulate cake -ologs",
    "simulate cake -o=logs",
    "simulate cake",
    "simulate cake -o logs --games 1000000001",
    "simulate cake -o logs --seed --page",
    "simulate cake -o logs --bot-timeout 1e2",
    "simulate cake -o logs --bot-timeout nan",
    "diff game.log --engine python --timeout 3",
    "store mend a",
    "store check a b c",
    "",
]


def _as_typer(call: str) -> dict[str, Any]:
    """Return what Typer passes to the function of the verb."""
    name, *args = split(call)
    verb = VERBS[name].load()
    passed: dict[str, Any] = {}

    @wraps(verb)
    def function(**given: Any) -> int:
        passed.update(given)
        return 0

    app = Typer()
    app.callback()(lambda: None)
    app.command(name)(function)
    app([name, *args], standalone_mode=False)
    return passed


def _with_defaults(verb: Callable[..., Any], given: dict[str, Any]) -> dict[str, Any]:
    from inspect import signature

    bound = signature(verb).bind(**given)
    bound.apply_defaults()
    return dict(bound.arguments)


@pytest.mark.parametrize("call", USUAL)
def test_a_usual_call_is_parsed_as_typer_does(call: str) -> None:
    name, *args = split(call)
    verb = VERBS[name].load()
    found = usual_arguments(verb, args)
    assert found is not None
    expected = _as_typer(call)
    parsed = _with_defaults(verb, found)
    assert parsed == expected
    assert {key: type(value) for key, value in parsed.items()} == {key: type(value) for key, value in expected.items()}


@pytest.mark.parametrize("call", UNUSUAL)
def test_an_unusual_call_is_left_to_typer(call: str) -> None:
    name, *args = split(call) or ["show"]
    assert usual_arguments(VERBS[name].load(), args) is None


@pytest.mark.ci
def test_a_usual_call_imports_no_library_that_it_does_not_use(tmp_path: Path) -> None:
    assert run(["simulate", "take_and_share", "-o", str(tmp_path), "--plain"]) == 0
    (log,) = tmp_path.glob("*.log")
    for verb in ("show", "audit"):
        program = (
            f"import sys; from kifu.replay.app import run; run([{verb!r}, {str(log)!r}]);"
            " unused = {'pydantic', 'cryptography', 'multiprocessing.pool', 'concurrent.futures.process', 'textual',"
            " 'rich.progress', 'kifu.core.env', 'kifu.replay.help_page', 'kifu.replay.stats'};"
            " assert not unused & {*sys.modules}, unused & {*sys.modules}"
        )
        subprocess.run([sys.executable, "-c", program], check=True, stdout=subprocess.DEVNULL)


@pytest.mark.ci
def test_the_help_page_loads_no_catalogue_and_nothing_of_trust() -> None:
    program = (
        "import sys; from kifu.replay.app import run; run(['--help']);"
        " slow = ('fluent', 'babel', 'kifu.core.trust.', 'kifu.games.');"
        " unused = {name for name in sys.modules if name.startswith(slow)};"
        " assert not unused, unused"
    )
    subprocess.run([sys.executable, "-c", program], check=True, stdout=subprocess.DEVNULL)
