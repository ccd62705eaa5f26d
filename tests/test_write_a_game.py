"""The tutorial for a game's author runs as it stands, step by step, and the reference is true."""

import ast
import os
import re
import runpy
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest
from kifu.core.game import Board, Game, Note, Result, SectionKind, TableRule, checks, scene, tabletop
from kifu.replay import starter

DOCS = Path(__file__).parents[1] / "docs"
GUIDE = (DOCS / "write-a-game.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(python|console)\n(.*?)^```", GUIDE, re.DOTALL | re.MULTILINE)


def run(folder: Path, *call: str) -> str:
    """Run a program of Python's in a folder; return what it prints."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "KIFU_", "LC_"))}
    environment = {**kept, "PYTHONPATH": str(folder), "LANG": "C.UTF-8"}
    done = subprocess.run(
        [sys.executable, *call], cwd=folder, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, f"{shlex.join(call)}\n{done.stdout}{done.stderr}"
    return done.stdout


def calls(block: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each command of a block, with the lines that it prints."""
    for call in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, *shown = call.splitlines()
        yield command, [line for line in shown if line]


def names_of(statement: ast.stmt) -> set[str]:
    """Return the names that a statement of a module defines."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return {statement.name}
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return {each.id for each in targets if isinstance(each, ast.Name)}


def written_into(source: str, block: str) -> str:
    """Return a file with a block in place of what has its names; the rest stands before the game."""
    new = ast.parse(block)
    given = set().union(*map(names_of, new.body))
    kept = [each for each in ast.parse(source).body if not names_of(each) & given]
    at = next((place for place, each in enumerate(kept) if "GAME" in names_of(each)), len(kept))
    return ast.unparse(ast.Module([*kept[:at], *new.body, *kept[at:]], []))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of somebody who has followed the guide, in which every step has run."""
    place = tmp_path_factory.mktemp("guide")
    for kind, block in BLOCKS:
        file = re.match(r"# (\w+\.py)\n", block)
        if kind == "console":
            for command, shown in calls(block):
                check_output(place, command, shown)
        elif file is not None and (place / file[1]).exists() and not file[1].startswith("test_"):
            (place / file[1]).write_text(written_into((place / file[1]).read_text("utf-8"), block), "utf-8")
        elif file is not None:
            (place / file[1]).write_text(block.removeprefix(file[0]), "utf-8")
        else:
            run(place, "-c", block)
    return place


def check_output(folder: Path, command: str, shown: list[str]) -> None:
    """The lines come in the order shown; `…` is an omission: of whole lines, or of the end of one."""
    name, *args = shlex.split(command)
    assert name == "replay"
    lines = iter(run(folder, "-m", "kifu.replay", *args).splitlines())
    for line in shown:
        start = line.removesuffix("…")
        assert not start.strip() or any(each.startswith(start) if line != start else each == line for each in lines), (
            f"{command}: {line}"
        )


@pytest.mark.ci
def test_every_step_runs(folder: Path) -> None:
    files = {path.name for path in folder.iterdir()}
    assert files >= {"nim.py", "high_card.py", "test_high_card.py", "golden", "seven_kings"}


@pytest.mark.ci
def test_the_first_file_is_the_example(folder: Path) -> None:
    example = (DOCS / "examples" / "nim.py").read_text("utf-8")
    assert (folder / "nim.py").read_text("utf-8") == example


@pytest.mark.ci
def test_the_files_have_types(folder: Path) -> None:
    pytest.importorskip("mypy", reason="needs kifu[dev]")
    run(folder, "-m", "mypy", "--strict", "nim.py", "high_card.py")


@pytest.mark.long
def test_the_game_keeps_the_laws(folder: Path) -> None:
    run(folder, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_high_card.py")


SOURCES = [path.read_text("utf-8") for path in starter.TEMPLATE.rglob("*") if path.suffix in (".py", ".ftl")]


@pytest.mark.parametrize("quoted", re.findall(r"^```py\n(.*?)^```", GUIDE, re.DOTALL | re.MULTILINE))
def test_what_the_guide_quotes_stands_in_the_package(quoted: str) -> None:
    assert any(quoted.strip("\n") in source for source in SOURCES), quoted


SCENE = ("Scene", "Place", "Zone", "Thing", "Fact", "Face")
REFERENCE = runpy.run_path(str(DOCS / "make_reference.py"))["made"]((DOCS / "game-reference.md").read_text("utf-8"))


@pytest.mark.parametrize("kind", [Game, Note, Result, Board, *map(vars(scene).get, SCENE)])
def test_the_reference_names_every_field(kind: type) -> None:
    fields = [field.name for field in attrs.fields(kind)]
    assert [name for name in fields if not re.search(rf"`{name}[`(]", REFERENCE)] == []


def test_the_reference_names_every_helper_and_rule_of_the_table() -> None:
    helpers = [
        name
        for module in (checks, scene, tabletop)
        for name, value in vars(module).items()
        if getattr(value, "__module__", "") == module.__name__ and callable(value) and not name.startswith("_")
    ]
    assert len(helpers) > 20
    names = [*helpers, *(kind.name for kind in SectionKind), *(rule.number for rule in TableRule)]
    assert [name for name in names if not re.search(rf"`{name}[`(]", REFERENCE)] == []


def test_the_reference_names_every_function_of_the_messages() -> None:
    message_catalogue = pytest.importorskip("kifu.core.text.message_catalogue", reason="needs kifu[replay]")
    source = Path(message_catalogue.__file__).read_text("utf-8")
    functions = re.findall(r'^            "([A-Z]+)":', source, re.MULTILINE)
    assert len(functions) > 8
    assert [name for name in functions if f"`{name}($" not in REFERENCE] == []
