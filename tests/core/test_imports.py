"""Who may import whom: the walls of the house (`docs/architecture.md`)."""

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

CORE_ROOMS = [
    *["errors", "scene", "shuffle", "game", "wire", "header", "match", "random_play", "bot", "catalogue", "headings"],
    *["legible", "texts", "log", "trust", "fair", "records", "sign"],
    *["trace", "golden", "page", "stores", "host", "web", "env", "testing"],
]
"""Lowest first: each imports only rooms before it."""

OF_CORE_FOR_GAMES = {f"kifu.core.{room}" for room in ("errors", "game", "scene", "shuffle")}
STDLIB_FOR_RULES = {
    *["__future__", "bisect", "collections", "collections.abc", "enum", "functools", "heapq", "itertools"],
    *["math", "operator", "typing", "unicodedata", "zlib"],
}
CALLS_NO_RULE_MAKES = {"print", "open", "input", "exec", "eval", "breakpoint", "__import__", "id", "hash"}
EMBEDDING_NEEDS = {"attr", "attrs", "cattr", "cattrs", "msgpack", "typing_extensions", "exceptiongroup", "kifu"}


def sources(*folders: str) -> list[Path]:
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]


def own_games() -> list[Path]:
    """List the modules of our games, without the word list of mabr, which alone reads a file, and the bots."""
    rooms = [path for path in sources("games") if path.parent != ROOT / "games"]
    return [path for path in rooms if not {"lexicon", "bots"} & {*path.relative_to(ROOT).parts}]


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def imports(path: Path, *, deferred: bool = True) -> Iterator[str]:
    """Name the modules that a file imports; without `deferred` only those it imports as it is loaded."""
    package = ["kifu", *path.relative_to(ROOT).parts[:-1]]
    for node in nodes(ast.parse(path.read_text("utf-8")), deferred=deferred):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            if node.module:
                yield ".".join([*base, node.module])
            else:
                yield from (".".join([*base, alias.name]) for alias in node.names)


def nodes(tree: ast.AST, *, deferred: bool) -> Iterator[ast.AST]:
    """Walk a tree, past what is for type checkers alone, and past functions unless `deferred`."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            yield from (each for other in node.orelse for each in [other, *nodes(other, deferred=deferred)])
            continue
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not deferred:
            continue
        yield node
        yield from nodes(node, deferred=deferred)


def is_of(module: str, *packages: str) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)


@pytest.mark.parametrize("path", sources("core"), ids=named)
def test_core_imports_neither_games_nor_replay(path):
    assert [module for module in imports(path) if is_of(module, "kifu.games", "kifu.replay")] == []


@pytest.mark.parametrize("path", sources("core"), ids=named)
def test_a_room_of_core_imports_only_lower_rooms(path):
    room = path.relative_to(ROOT / "core").parts[0].removesuffix(".py")
    if room == "__init__":
        return
    assert room in CORE_ROOMS, f"core/{room} has no place yet among the rooms, lowest first"
    allowed = CORE_ROOMS[: CORE_ROOMS.index(room) + 1]
    used = {module.split(".")[2] for module in imports(path, deferred=False) if module.startswith("kifu.core.")}
    assert used <= set(allowed)


def test_only_a_match_asks_for_a_room_above_it():
    deferred = {
        (path.name, module)
        for path in sources("core")
        for module in set(imports(path)) - set(imports(path, deferred=False))
        if is_of(module, "kifu.core") and not is_of(module, f"kifu.core.{path.relative_to(ROOT / 'core').parts[0]}")
    }
    assert deferred <= {
        ("match.py", "kifu.core.log"),
        ("match.py", "kifu.core.page"),
        ("catalogue.py", "kifu.core.game"),
    }


@pytest.mark.parametrize("path", own_games(), ids=named)
def test_a_game_imports_only_what_a_game_is_and_its_own_rooms(path):
    own = f"kifu.games.{path.relative_to(ROOT / 'games').parts[0]}"
    of_kifu = {module for module in imports(path) if is_of(module, "kifu")}
    assert {module for module in of_kifu if not is_of(module, own)} <= OF_CORE_FOR_GAMES


@pytest.mark.parametrize("path", sources("games/bots"), ids=named)
def test_a_bot_imports_no_game_and_nothing_that_holds_a_state(path):
    of_kifu = {module for module in imports(path) if is_of(module, "kifu") and not is_of(module, "kifu.games.bots")}
    assert of_kifu <= {f"kifu.core.{room}" for room in ("bot", "catalogue", "errors", "game", "shuffle")} | {
        "kifu.core"
    }


@pytest.mark.parametrize("path", own_games(), ids=named)
def test_rules_cannot_print_read_a_clock_draw_at_random_or_open_a_file(path):
    outside = {module for module in imports(path) if not is_of(module, "kifu")}
    assert outside <= {"attrs", *STDLIB_FOR_RULES}
    called = {node.func.id for node in ast.walk(ast.parse(path.read_text("utf-8"))) if is_call(node)}
    assert called & CALLS_NO_RULE_MAKES == set()


def is_call(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name)


def loaded_by(statement: str) -> set[str]:
    """Name what a fresh interpreter has loaded after a statement, and had not before."""
    new = "[name for name in {*sys.modules} - before if getattr(sys.modules[name], '__spec__', None)]"
    code = f"import sys; before = {{*sys.modules}}; {statement}; print(*{new})"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(said.stdout.split())


def test_import_kifu_loads_what_embedding_needs_and_no_game():
    modules = loaded_by("import kifu")
    assert {name.partition(".")[0] for name in modules} <= EMBEDDING_NEEDS | sys.stdlib_module_names
    assert [name for name in modules if name.startswith(("kifu.games.", "kifu.replay"))] == []


def test_loading_and_playing_a_game_needs_no_extra():
    modules = loaded_by("import kifu; kifu.new('take_and_share', ['a', 'b', 'c']).legal(0)")
    assert {name.partition(".")[0] for name in modules} <= EMBEDDING_NEEDS | sys.stdlib_module_names


def test_every_package_folder_is_installed():
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["packages"]
    folders = {path.parent for path in sources("core", "games", "replay") if path.name == "__init__.py"}
    there = {"kifu", "pytest_kifu", *(".".join(["kifu", *folder.relative_to(ROOT).parts]) for folder in folders)}
    assert sorted(listed) == sorted(there)


def test_every_folder_of_modules_is_a_package():
    homeless = [path for path in sources("core", "games", "replay") if not (path.parent / "__init__.py").exists()]
    assert homeless == []


def test_the_walls_are_looked_at():
    """Hold that the walk above sees imports at all, wherever they stand."""
    match = ROOT / "core" / "match.py"
    assert "kifu.core.log" in set(imports(match))
    assert "kifu.core.log" not in set(imports(match, deferred=False))
    assert "kifu.core.shuffle" in set(imports(match, deferred=False))
    assert "kifu.core.game" not in set(imports(ROOT / "core" / "errors.py"))
