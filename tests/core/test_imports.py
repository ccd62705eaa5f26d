"""The import rules: which module may import which (`docs/architecture.md`)."""

import ast
import subprocess
import sys
import tomllib
from collections.abc import Collection, Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STARTER = ROOT / "replay" / "starter" / "high_card"
"""The package that `replay new-game` writes: data of ours, no module."""

CORE_ROOMS = [
    *["native", "errors", "scene", "shuffle", "annotations", "rule_book", "game", "timeline", "checks"],
    *["tabletop", "choices", "weights", "packing", "exact", "wire", "text"],
    *[
        "header",
        "fold",
        "compiled",
        "match",
        "witness",
        "random_play",
        "bot",
        "registry",
        "log",
        "trust",
        "fair",
        "records",
        "sign",
        "trace",
    ],
    *["golden", "lesson", "page", "stores", "host", "web", "env", "testing"],
]
"""Lowest first: each imports only rooms before it."""

UPWARDS = {
    ("kifu.core.match", "Match.save", "kifu.core.log"),
    ("kifu.core.match", "Match._repr_html_", "kifu.core.page"),
}
"""The only two imports upwards, made when called: `match.save(path)` is what people expect to write."""

CORE_FOR_GAMES = {
    f"kifu.core.{room}" for room in ("checks", "choices", "errors", "game", "scene", "shuffle", "tabletop", "weights")
}
STDLIB_FOR_RULES = {
    *["__future__", "bisect", "collections", "collections.abc", "enum", "functools", "heapq", "itertools"],
    *["math", "operator", "typing", "unicodedata", "zlib"],
}
FORBIDDEN_CALLS = {"print", "open", "input", "exec", "eval", "breakpoint", "__import__", "id", "hash"}
NEEDED_FOR_EMBEDDING = {
    *["attr", "attrs", "cattr", "cattrs", "msgpack", "typing_extensions", "exceptiongroup"],
    *["kifu", "kifu__mypyc"],  # the latter in the compiled build
}


def sources(*folders: str) -> list[Path]:
    found = (path for folder in folders for path in sorted((ROOT / folder).rglob("*.py")))
    return [path for path in found if not path.is_relative_to(STARTER)]


def own_games() -> list[Path]:
    """List the modules of our games, without the word list of mabr, which alone reads a file, and the bots."""
    rooms = [path for path in sources("games") if path.parent != ROOT / "games"]
    return [path for path in rooms if not {"lexicon", "bots"} & {*path.relative_to(ROOT).parts}]


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def module_of(path: Path) -> str:
    """Return the dotted name of a module of kifu, or of the package that an `__init__.py` makes."""
    parts = ["kifu", *path.relative_to(ROOT).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(path): path for path in [ROOT / "__init__.py", *sources("core", "games", "replay")]}


def imports(path: Path, *, deferred: bool = True) -> Iterator[str]:
    """Yield the modules that a file imports; without `deferred` only those it imports as it is loaded."""
    return (module for module, _ in placed_imports(path, deferred=deferred))


def placed_imports(path: Path, *, deferred: bool = True) -> Iterator[tuple[str, str]]:
    """Yield each module that a file imports, with the class and function around the import: `Match.save`, or ""."""
    package = ["kifu", *path.relative_to(ROOT).parts[:-1]]
    for node, around in nodes(ast.parse(path.read_text("utf-8")), deferred=deferred):
        if isinstance(node, ast.Import):
            yield from ((alias.name, around) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            origin = ".".join([*base, *([node.module] if node.module else [])])
            for alias in node.names:
                inner = f"{origin}.{alias.name}"
                yield (inner if inner in MODULES else origin), around


def nodes(tree: ast.AST, around: str = "", *, deferred: bool) -> Iterator[tuple[ast.AST, str]]:
    """Walk a tree; unless `deferred`, past functions and past what is for type checkers alone."""
    for node in ast.iter_child_nodes(tree):
        if not deferred and isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            yield from (
                each for other in node.orelse for each in [(other, around), *nodes(other, around, deferred=False)]
            )
            continue
        inside = around
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            if not deferred and not isinstance(node, ast.ClassDef):
                continue
            inside = f"{around}.{node.name}".lstrip(".")
        yield node, around
        yield from nodes(node, inside, deferred=deferred)


def is_of(module: str, *packages: str) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)


@pytest.mark.parametrize("path", sources("core"), ids=named)
def test_core_imports_neither_games_nor_replay(path):
    assert [module for module in imports(path) if is_of(module, "kifu.games", "kifu.replay")] == []


def imports_graph(but: Collection[tuple[str, str, str]]) -> dict[str, set[str]]:
    """Map each module to those that it imports, wherever the import stands, and to the packages loaded on the way."""
    graph: dict[str, set[str]] = {}
    for module, path in MODULES.items():
        found = {each for each, around in placed_imports(path) if (module, around, each) not in but}
        found |= {package for each in found for package in packages_of(each) if not is_of(module, package)}
        graph[module] = found & MODULES.keys()
    return graph


def packages_of(module: str) -> Iterator[str]:
    parts = module.split(".")
    return (".".join(parts[:length]) for length in range(1, len(parts)))


def circle_in(graph: dict[str, set[str]]) -> list[str]:
    """Return the modules of a circle of imports, each imported by the next; empty if there is none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_circle_of_imports():
    assert circle_in(imports_graph(UPWARDS)) == []


def test_errors_import_nothing_of_kifu():
    assert [module for module in imports(ROOT / "core" / "errors.py") if is_of(module, "kifu")] == []


@pytest.mark.parametrize("path", sources("core"), ids=named)
def test_a_room_of_core_imports_only_lower_rooms(path):
    room = path.relative_to(ROOT / "core").parts[0].removesuffix(".py")
    if room == "__init__":
        return
    assert room in CORE_ROOMS, f"core/{room} has no place yet among the rooms, lowest first"
    allowed = CORE_ROOMS[: CORE_ROOMS.index(room) + 1]
    used = {
        module.split(".")[2]
        for module, around in placed_imports(path)
        if module.startswith("kifu.core.") and (module_of(path), around, module) not in UPWARDS
    }
    assert used <= set(allowed)


@pytest.mark.parametrize("path", sources("replay"), ids=named)
def test_no_module_imports_a_command_for_each_is_loaded_by_its_name(path):
    assert [module for module in imports(path) if is_of(module, "kifu.replay.commands")] == []


@pytest.mark.parametrize("path", own_games(), ids=named)
def test_a_game_imports_only_the_core_for_games_and_its_own_modules(path):
    own = f"kifu.games.{path.relative_to(ROOT / 'games').parts[0]}"
    of_kifu = {module for module in imports(path) if is_of(module, "kifu")}
    assert {module for module in of_kifu if not is_of(module, own)} <= CORE_FOR_GAMES


@pytest.mark.parametrize("path", sources("games/bots"), ids=named)
def test_a_bot_imports_no_game_and_nothing_that_holds_a_state(path):
    of_kifu = {module for module in imports(path) if is_of(module, "kifu") and not is_of(module, "kifu.games.bots")}
    assert of_kifu <= {
        f"kifu.core.{room}" for room in ("bot", "registry", "errors", "game", "shuffle", "timeline", "weights")
    } | {"kifu.core"}


@pytest.mark.parametrize("path", own_games(), ids=named)
def test_rules_cannot_print_read_a_clock_draw_at_random_or_open_a_file(path):
    outside = {module for module in imports(path) if not is_of(module, "kifu")}
    assert outside <= {"attrs", *STDLIB_FOR_RULES}
    called = {node.func.id for node in ast.walk(ast.parse(path.read_text("utf-8"))) if is_call(node)}
    assert called & FORBIDDEN_CALLS == set()


def is_call(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name)


def loaded_by(statement: str) -> set[str]:
    """Return the modules that a fresh interpreter loads for a statement."""
    new = "[name for name in {*sys.modules} - before if getattr(sys.modules[name], '__spec__', None)]"
    code = f"import sys; before = {{*sys.modules}}; {statement}; print(*{new})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_import_kifu_loads_what_embedding_needs_and_no_game():
    modules = loaded_by("import kifu")
    assert {name.partition(".")[0] for name in modules} <= NEEDED_FOR_EMBEDDING | sys.stdlib_module_names
    assert [name for name in modules if name.startswith(("kifu.games.", "kifu.replay"))] == []


def test_loading_and_playing_a_game_needs_no_extra():
    modules = loaded_by("import kifu; kifu.new('take_and_share', ['a', 'b', 'c']).legal(0)")
    assert {name.partition(".")[0] for name in modules} <= NEEDED_FOR_EMBEDDING | sys.stdlib_module_names


def test_every_package_folder_is_installed():
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["packages"]
    folders = {path.parent for path in sources("core", "games", "replay") if path.name == "__init__.py"}
    ours = (".".join(["kifu", *folder.relative_to(ROOT).parts]) for folder in folders)
    there = {"kifu", "kifu_table", "pytest_kifu", *ours}
    assert sorted(listed) == sorted(there)


def test_every_folder_of_modules_is_a_package():
    outside = [path for path in sources("core", "games", "replay") if not (path.parent / "__init__.py").exists()]
    assert outside == []


def test_the_import_rules_see_every_import():
    """Imports inside functions and those that close a circle are found at all."""
    match = ROOT / "core" / "match.py"
    assert "kifu.core.log" in set(imports(match))
    assert "kifu.core.log" not in set(imports(match, deferred=False))
    assert "kifu.core.fold" in set(imports(match, deferred=False))
    registry = ROOT / "core" / "registry.py"
    assert "kifu.core.bot" in set(imports(registry)) - set(imports(registry, deferred=False))
    assert "kifu.core.match" in circle_in(imports_graph(frozenset()))
