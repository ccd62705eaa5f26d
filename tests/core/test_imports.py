"""The import rules: which room may import which, and what (`docs/architecture.md`).

Each test goes through all files and names each that breaks its rule.
"""

import ast
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STARTER = ROOT / "replay" / "starter" / "high_card"
"""The package that `replay new-game` writes: data of ours, no module."""
OWN_PACKAGES = {"pytest_kifu": "core/testing/pytest_kifu"}
"""Packages beside `kifu` that lie in a room of it, and are installed under their own names."""

ROOMS = [
    *["errors", "game", "wire", "text", "match", "log", "trust", "trace", "page", "env", "stores", "host", "web"],
    "testing",
]
"""Lowest first: each imports only rooms before it."""

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
    apart = (STARTER, *(ROOT / place for place in OWN_PACKAGES.values()))
    found = (path for folder in folders for path in sorted((ROOT / folder).rglob("*.py")))
    return [path for path in found if not any(map(path.is_relative_to, apart))]


def own_games() -> list[Path]:
    """List the modules of our games, without the word list of mabr, which alone reads a file, and the bots."""
    rooms = [path for path in sources("games") if path.parent != ROOT / "games"]
    return [path for path in rooms if not {"lexicon", "bots"} & {*path.relative_to(ROOT).parts}]


def module_of(path: Path) -> str:
    """Return the dotted name of a module of kifu, or of the package that an `__init__.py` makes."""
    parts = ["kifu", *path.relative_to(ROOT).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(path): path for path in [ROOT / "__init__.py", *sources("core", "games", "replay")]}


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def imports(path: Path) -> Iterator[str]:
    """Yield the modules that a file imports."""
    return (module for module, _ in named_imports(path))


@cache
def named_imports(path: Path) -> tuple[tuple[str, str], ...]:
    """Return each module that a file imports, and the name taken from it: "" for the module itself."""
    return tuple(_named_imports(path))


def _named_imports(path: Path) -> Iterator[tuple[str, str]]:
    package = ["kifu", *path.relative_to(ROOT).parts[:-1]]
    for node in statements(tree_of(path)):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            origin = ".".join([*base, *([node.module] if node.module else [])])
            for alias in node.names:
                inner = f"{origin}.{alias.name}"
                yield (inner, "") if inner in MODULES else (origin, alias.name)


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Walk the statements of a tree, those inside functions too."""
    for node in ast.iter_child_nodes(tree):
        if not isinstance(node, ast.expr):
            yield node
            yield from statements(node)


def is_of(module: str, *packages: str) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)


def imported_wrongly(paths: Iterable[Path], is_wrong: Callable[[Path, str], bool]) -> list[str]:
    """List the imports of these files that are wrong, each as `core/log/reader.py: kifu.replay`."""
    return [
        f"{path.relative_to(ROOT).as_posix()}: {module}"
        for path in paths
        for module in imports(path)
        if is_wrong(path, module)
    ]


def room_of(path: Path) -> str:
    """Return the room of core in which a file lies: "" for those of games and of the command line."""
    parts = path.relative_to(ROOT).parts
    return parts[1].removesuffix(".py") if parts[0] == "core" else ""


def imports_graph() -> dict[str, set[str]]:
    """Map each module to those that it imports, wherever the import stands, and to the packages loaded on the way."""
    graph: dict[str, set[str]] = {}
    for module, path in MODULES.items():
        found = set(imports(path))
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


@cache
def offered(room: str) -> frozenset[str]:
    """Return what the `__init__` of a room names: the names and modules that other rooms may import from it."""
    assigned = (node for node in tree_of(MODULES[room]).body if isinstance(node, ast.Assign))
    lists = [node.value for node in assigned if ast.unparse(node.targets[0]) == "__all__"]
    return frozenset(ast.literal_eval(lists[0])) if lists else frozenset()


def is_offered(module: str, name: str) -> bool:
    """Return True if what is imported from a room is named by its `__init__`: a name of it, or the module it is in."""
    parts = module.split(".")
    room, inner = ".".join(parts[:3]), parts[3:]
    return (inner[0] if inner else name) in offered(room) or (not inner and not name)


@pytest.mark.ci
def test_core_imports_neither_games_nor_replay():
    wrong = imported_wrongly(sources("core"), lambda _, module: is_of(module, "kifu.games", "kifu.replay"))
    assert wrong == []


@pytest.mark.ci
def test_no_circle_of_imports():
    assert circle_in(imports_graph()) == []


def test_a_room_of_core_imports_only_lower_rooms():
    assert {path.relative_to(ROOT / "core").parts[0] for path in sources("core")} == {
        *["__init__.py", "errors.py"],
        *ROOMS[1:],
    }, "a room without a place among the others, lowest first"
    wrong = [
        f"{module_of(path)}: {module}"
        for path in sources("core")
        for module in imports(path)
        if module.startswith("kifu.core.")
        if ROOMS.index(module.split(".")[2]) > ROOMS.index(room_of(path))
    ]
    assert wrong == []


def test_other_rooms_import_from_a_room_what_its_init_names():
    wrong = [
        f"{module_of(path)}: {name} of {module}"
        for path in sources("core", "games", "replay")
        for module, name in named_imports(path)
        if module.startswith("kifu.core.") and module.split(".")[2] not in {"errors", room_of(path)}
        if not is_offered(module, name)
    ]
    assert wrong == []


def test_a_room_names_nothing_that_is_not_there():
    for room in (f"kifu.core.{each}" for each in ROOMS[1:]):
        there = {node.name for node in ast.walk(tree_of(MODULES[room])) if isinstance(node, ast.alias)}
        there |= {node.name for node in tree_of(MODULES[room]).body if isinstance(node, ast.FunctionDef)}
        missing = {name for name in offered(room) - there if f"{room}.{name}" not in MODULES}
        assert missing == set(), room


def test_no_module_imports_a_command_for_each_is_loaded_by_its_name():
    wrong = imported_wrongly(sources("replay"), lambda _, module: is_of(module, "kifu.replay.commands"))
    assert wrong == []


def test_a_game_imports_the_room_of_games_and_its_own_modules():
    def is_wrong(path: Path, module: str) -> bool:
        own = f"kifu.games.{path.relative_to(ROOT / 'games').parts[0]}"
        return is_of(module, "kifu") and not is_of(module, own) and module != "kifu.core.game"

    assert imported_wrongly(own_games(), is_wrong) == []


def test_a_bot_imports_no_game_and_nothing_that_holds_a_state():
    allowed = {"kifu.core.errors", "kifu.core.game", "kifu.core.game.timeline", "kifu.core.match"}
    rooms = {"kifu.core.match.bot", "kifu.core.match.registry", "kifu.games.bots"}

    def is_wrong(_: Path, module: str) -> bool:
        return is_of(module, "kifu") and not is_of(module, *rooms) and module not in allowed

    assert imported_wrongly(sources("games/bots"), is_wrong) == []
    from_match = {
        name for path in sources("games/bots") for module, name in named_imports(path) if module == "kifu.core.match"
    }
    assert from_match <= {"bot", "registry"}


def test_rules_cannot_print_read_a_clock_draw_at_random_or_open_a_file():
    outside = {"attrs", *STDLIB_FOR_RULES}
    assert imported_wrongly(own_games(), lambda _, module: not is_of(module, "kifu") and module not in outside) == []
    called = {node.func.id for path in own_games() for node in ast.walk(tree_of(path)) if is_call(node)}
    assert called & FORBIDDEN_CALLS == set()


def is_call(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name)


def test_nothing_private_of_another_project_is_imported():
    everything = [*sources("core", "games", "replay"), *(ROOT / "core").rglob("__init__.py")]
    wrong = [
        f"{path.relative_to(ROOT).as_posix()}: {name} of {module}"
        for path in everything
        for module, name in named_imports(path)
        if not is_of(module, "kifu")
        if any(each[:1] == "_" and each[:2] != "__" for each in (*module.split("."), name))
    ]
    assert wrong == []


def test_what_is_overridden_of_uvicorn_though_it_is_private_is_there():
    """Without it our own would be called by nobody, and nothing would say so."""
    protocol = pytest.importorskip("uvicorn.protocols.http.httptools_impl", reason="needs kifu[web]")
    assert callable(protocol.HttpToolsProtocol._start_asgi_task)


@pytest.mark.parametrize(
    "statement", ["import kifu", "import kifu; kifu.new('take_and_share', ['a', 'b', 'c']).legal(0)"]
)
def test_embedding_and_playing_need_no_extra(statement):
    new = "[name for name in {*sys.modules} - before if getattr(sys.modules[name], '__spec__', None)]"
    code = f"import sys; before = {{*sys.modules}}; {statement}; print(*{new})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = set(done.stdout.split())
    assert {name.partition(".")[0] for name in modules} <= NEEDED_FOR_EMBEDDING | sys.stdlib_module_names
    assert [name for name in modules if name.startswith("kifu.replay")] == []
    assert [name for name in modules if name.startswith("kifu.games.")] == [] or "new" in statement
    assert "importlib.metadata" not in modules or "new" in statement


def test_every_package_folder_is_installed():
    setuptools = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
    assert setuptools["package-dir"] == {"kifu": ".", **OWN_PACKAGES}
    folders = {path.parent for path in sources("core", "games", "replay")}
    assert [folder for folder in folders if not (folder / "__init__.py").exists()] == []
    ours = (".".join(["kifu", *folder.relative_to(ROOT).parts]) for folder in folders)
    assert sorted(setuptools["packages"]) == sorted(["kifu", *OWN_PACKAGES, *ours])


def test_no_code_lies_outside_the_rooms():
    known = {"core", "games", "replay", "fixtures", "tests", "benchmarks", "docs", "build"}
    others = {path for path in ROOT.iterdir() if path.is_dir() and path.name[0] != "." and path.name not in known}
    assert [each.name for each in others if not (each / "pyvenv.cfg").exists() and any(each.rglob("*.py"))] == []


def test_the_import_rules_see_every_import():
    """Imports inside functions and those that close a circle are found at all."""
    registry = MODULES["kifu.core.match.registry"]
    assert "kifu.core.match.bot" in imports(registry)
    assert "bot" not in [alias.name for node in tree_of(registry).body for alias in getattr(node, "names", ())]
    graph = imports_graph()
    graph["kifu.core.match.match"].add("kifu.core.log")
    assert "kifu.core.match" in circle_in(graph)
    assert is_offered("kifu.core.game", "Game")
    assert not is_offered("kifu.core.game.annotations", "classes_of")
