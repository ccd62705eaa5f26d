"""Games that are not installed: by a file, a folder or `package.module:GAME`; names from outside load nothing."""

import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import kifu
import pytest
from kifu.core.errors import GameError
from kifu.core.host import Host
from kifu.core.log import log_bytes, read_bytes
from kifu.core.match import registry
from kifu.core.match.game_files import is_reference
from kifu.core.stores import MemoryStore
from msgpack import packb

ROOT = Path(__file__).parents[3]
NIM = (ROOT / "docs" / "examples" / "nim.py").read_text("utf-8")
FOLDERS = {
    "a package": "__init__.py",
    "a module of the folder's name": "{name}.py",
    "one module alone": "rules_of_{name}.py",
}


@pytest.fixture(autouse=True)
def forgets(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Forget after a test what it has resolved, and what it has loaded."""
    monkeypatch.setenv(registry.RESOLVED, "")
    before = set(sys.modules)
    _forget()
    yield
    for name in set(sys.modules) - before:
        if getattr(sys.modules[name], "__file__", None) is None or "pytest-" in str(sys.modules[name].__file__):
            del sys.modules[name]
    monkeypatch.undo()
    _forget()


def _forget() -> None:
    registry._resolved.cache_clear()
    registry.find.cache_clear()


@pytest.fixture
def nim(tmp_path: Path) -> Path:
    """A game in one file, which says on being loaded that it is."""
    path = tmp_path / "nim_of_a_file.py"
    path.write_text(NIM + "\nprint('loaded')\n", "utf-8")
    return path


def played(game: Any) -> Any:
    match = kifu.new(game, ["Aki", "Ren"])
    while match.to_act:
        match.play(min(match.to_act), match.legal(min(match.to_act))[0])
    return match


def why(reference: str) -> str:
    with pytest.raises(GameError) as error:
        registry.resolve(reference)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_a_file_is_a_game_that_is_known_by_its_name_from_then_on(nim: Path) -> None:
    game = registry.resolve(str(nim))
    assert game.name == "nim_of_a_file"
    assert registry.find("nim_of_a_file") is registry.resolve("nim_of_a_file") is registry.resolve(str(nim)) is game
    assert "nim_of_a_file" in registry.names()
    assert kifu.new("nim_of_a_file", ["Aki", "Ren"]).game is game
    assert read_bytes(log_bytes(played(game))).ok


def test_it_is_loaded_once_and_relative_to_any_folder(nim: Path, monkeypatch: Any, capsys: Any) -> None:
    monkeypatch.chdir(nim.parent)
    assert registry.resolve(nim.name) is registry.resolve(f"./{nim.name}") is registry.resolve(str(nim))
    monkeypatch.chdir("/")
    assert registry.find("nim_of_a_file").name == "nim_of_a_file"
    assert capsys.readouterr().out == "loaded\n"
    assert os.environ[registry.RESOLVED] == str(nim), "each is handed on once, by a path that holds in any folder"


@pytest.mark.parametrize("file", FOLDERS.values(), ids=FOLDERS)
def test_a_folder_is_a_game(tmp_path: Path, file: str) -> None:
    name = f"folder_{file.partition('{')[0].strip('_.')}_{len(file)}"
    folder = tmp_path / name
    folder.mkdir()
    (folder / file.format(name=name)).write_text(NIM, "utf-8")
    (folder / "test_it.py").write_text("raise Exception", "utf-8")
    assert registry.resolve(str(folder)).commands[0].__name__ == "Take"


def test_a_package_imports_from_itself(tmp_path: Path) -> None:
    folder = tmp_path / "packed_nim"
    folder.mkdir()
    (folder / "__init__.py").write_text("from .rules import GAME", "utf-8")
    (folder / "rules.py").write_text(NIM, "utf-8")
    assert registry.resolve(str(folder)).name == "rules"


def test_a_module_on_the_path_is_a_game(nim: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(nim.parent)
    assert registry.resolve("nim_of_a_file:GAME").name == "nim_of_a_file"


def test_a_game_of_another_name_than_game_is_found_if_it_is_the_only_one(tmp_path: Path) -> None:
    one = tmp_path / "one_game.py"
    one.write_text(NIM.replace("GAME =", "MINE ="), "utf-8")
    assert registry.resolve(str(one)).name == "one_game"


WRONG = {
    "no file": (None, "there is no such file"),
    "an error": ("1 / 0", "it cannot be loaded: ZeroDivisionError: division by zero (line 1)"),
    "a syntax error": ("def", "it cannot be loaded: SyntaxError"),
    "an exit": ("raise SystemExit(3)", "it cannot be loaded: SystemExit: 3 (line 1)"),
    "no game": ("GAME = 7", "there is no game GAME in it: end the module with `GAME = Game.of(__name__, …)`"),
    "a name of kifu's own": (NIM.replace("seats=range", 'name="cake", seats=range'), "a game of kifu's own has this"),
    "a game that is stated wrongly": (NIM.replace("count: int", "count: float"), "Take.count holds float: use an int"),
}


@pytest.mark.parametrize(("source", "refused"), WRONG.values(), ids=WRONG)
def test_what_is_no_game_is_refused_in_a_line_and_tried_again_later(tmp_path: Path, source: Any, refused: str) -> None:
    path = tmp_path / f"wrong_{len(source or '')}.py"
    if source is not None:
        path.write_text(source, "utf-8")
    assert refused in why(str(path))
    path.write_text(NIM, "utf-8")
    if source is None or "GAME" not in source:
        assert registry.resolve(str(path)).name == path.stem


BELOW = {
    "face": "def face(card): return k.Face(str(card))",
    "scene": "def scene(view): return k.Scene(view.viewer, k.Place(None), ())",
    "redact": "def redact(step, viewer): return step.command",
}


@pytest.mark.parametrize(("function", "source"), BELOW.items(), ids=BELOW)
def test_a_function_below_the_game_is_refused_and_above_it_is_the_games(
    tmp_path: Path, function: str, source: str
) -> None:
    below, above = tmp_path / f"{function}_below_it.py", tmp_path / f"{function}_above_it.py"
    below.write_text(f"{NIM}\n\n{source}\n", "utf-8")
    above.write_text(NIM.replace("GAME =", f"{source}\n\n\nGAME ="), "utf-8")
    assert f"`{function}` stands below the game, which does not have it: put it above `GAME = …`" in why(str(below))
    assert getattr(registry.resolve(str(above)), function).__name__ == function


def test_a_file_does_not_take_the_place_of_another_module(tmp_path: Path) -> None:
    (tmp_path / "attrs.py").write_text(NIM, "utf-8")
    assert "there is another module attrs: give the file another name" in why(str(tmp_path / "attrs.py"))


@pytest.mark.parametrize("name", ["json", "cmd", "this"])
def test_a_file_is_not_called_as_a_module_of_python(tmp_path: Path, name: str) -> None:
    """Whether that is loaded or not."""
    (tmp_path / f"{name}.py").write_text(NIM, "utf-8")
    assert f"a module of Python itself is called {name}: give the file another name" in why(
        str(tmp_path / f"{name}.py")
    )


def test_two_files_have_no_game_of_one_name(tmp_path: Path) -> None:
    one, other = tmp_path / "one_nim_of_a_test.py", tmp_path / "other_nim_of_a_test.py"
    for path in (one, other):
        path.write_text(NIM.replace("(__name__", "(__name__, name='twice'"), "utf-8")
    game = kifu.games.resolve(str(one))
    assert kifu.games.resolve(str(one)) is game
    assert f"the game in {one} has this name: choose another" in why(str(other))
    assert kifu.games.find("twice") is game


def test_a_folder_of_several_modules_is_not_guessed_at(tmp_path: Path) -> None:
    folder = tmp_path / "several"
    folder.mkdir()
    for name in ("one.py", "two.py"):
        (folder / name).write_text(NIM, "utf-8")
    assert "the folder has no game: a file several.py, or one module alone, is one" in why(str(folder))
    assert "no_such.module" in why("no_such.module:GAME")


# Names from outside.


def test_only_what_says_where_a_game_is_is_loaded(nim: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    """A name in a log, in a request or of a bot goes through `find`, and never loads a file or a module."""
    monkeypatch.chdir(nim.parent)
    monkeypatch.syspath_prepend(nim.parent)
    for outside in (str(nim), nim.name, "nim_of_a_file", "nim_of_a_file:GAME", f"./{nim.name}", str(nim.parent)):
        with pytest.raises(GameError, match="not installed"):
            registry.find(outside)
        with pytest.raises(GameError, match="not installed"):
            Host(MemoryStore()).open(outside, ["Aki", "Ren"])
    assert capsys.readouterr().out == ""
    assert "nim_of_a_file" not in sys.modules


def test_a_log_that_names_a_file_loads_none(nim: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    log = log_bytes(played(registry.resolve(str(nim))))
    capsys.readouterr()
    monkeypatch.chdir(nim.parent)
    (nim.parent / "evil.py").write_text("print('loaded')", "utf-8")
    for name in ("evil.py", "evil:GAME", "./evil.py"):
        reading = read_bytes(log.replace(packb("nim_of_a_file"), packb(name)))
        (finding,) = reading.findings
        assert (finding.kind, "not installed" in finding.message) == ("header", True)
    assert capsys.readouterr().out == ""
    assert "evil" not in sys.modules


def test_references_are_told_from_names(nim: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(nim.parent)
    (nim.parent / "a_folder").mkdir()
    assert all(map(is_reference, ["nim.py", "./nim", "a/b", "package.module:GAME", "a_folder"]))
    assert not any(map(is_reference, ["cake", "nim_of_a_file", "take_and_share", "", "py"]))


# Processes.


@pytest.mark.ci
def test_processes_know_the_games_that_were_resolved_and_take_their_matches(nim: Path) -> None:
    """A game is pickled by where it stands."""
    match = played(registry.resolve(str(nim)))
    code = f"""
import pickle
from kifu.core.match import registry
print(registry.find("nim_of_a_file").name, pickle.loads({pickle.dumps(match)!r}).result)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd="/")
    assert done.stdout == f"loaded\nnim_of_a_file {match.result}\n"


def test_only_the_game_itself_is_pickled(nim: Path) -> None:
    game = registry.resolve(str(nim))
    assert pickle.loads(pickle.dumps(game)) is game
    with pytest.raises(pickle.PicklingError, match="stands in no module beside its state"):
        pickle.dumps(game.altered(version=2))


def test_a_folder_of_the_name_of_an_installed_game_is_no_other_game(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cake").mkdir()
    assert registry.resolve("cake") is registry.find("cake")
