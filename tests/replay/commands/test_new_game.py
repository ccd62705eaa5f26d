"""`replay new-game`: the package that it writes is a game at once, under every name."""

import os
import subprocess
import sys
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from kifu.core.match import registry
from kifu.replay import starter

NAME = "seven_kings"
TITLES = ("high_card", "high-card", "High Card", "HC_", "HC-")


@pytest.fixture
def package(replay, tmp_path: Path) -> Path:
    replay("new-game", NAME, "--package", "-o", tmp_path / "mine", exits=0)
    return tmp_path / "mine"


@pytest.fixture
def installed(package: Path, monkeypatch: pytest.MonkeyPatch):
    """The package, made known as its entry point makes it known."""
    project = tomllib.loads((package / "pyproject.toml").read_text())["project"]
    for name, value in project["entry-points"]["kifu.games"].items():
        monkeypatch.setitem(registry._entries(), name, EntryPoint(name, value, "kifu.games"))
    monkeypatch.syspath_prepend(package / "src")
    registry.find.cache_clear()
    yield package
    for name in project["entry-points"]["kifu.games"]:
        starter.unload(name)
    registry.find.cache_clear()


@pytest.mark.long
def test_a_game_in_one_file_plays_and_keeps_the_laws(replay, tmp_path: Path, monkeypatch) -> None:
    """The file, its test, and the two commands to go on with."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KIFU_GAMES", "")
    called = replay("new-game", NAME)
    assert called.out.splitlines()[-2:] == [f"  replay serve --game {NAME}.py", f"  pytest test_{NAME}.py"]
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"{NAME}.py", f"test_{NAME}.py"]
    assert not [word for word in TITLES if word in (tmp_path / f"{NAME}.py").read_text("utf-8")]
    assert "Seven Kings" in replay("simulate", f"{NAME}.py", "--games", "2", "-o", "logs").out
    starter.unload(NAME)
    done = run_tests(tmp_path, "-k", "not mutant")
    assert done.returncode == 0, done.stdout


def test_no_name_of_the_template_is_left(package: Path) -> None:
    for path in package.rglob("*"):
        assert "high_card" not in path.as_posix()
        if path.suffix in (".py", ".ftl", ".toml", ".md"):
            text = path.read_text("utf-8")
            assert not [word for word in TITLES if word in text], path
    assert "SK_1 =" in (package / "src" / NAME / "rules.py").read_text()
    assert "game = Seven Kings" in (package / "src" / NAME / "texts" / "ja.ftl").read_text("utf-8")


@pytest.mark.parametrize(
    ("name", "prefix"), [("high_card", "HC"), ("cake", "CAKE"), ("goofspiel", "GOO"), ("five_in_a_row", "FIAR")]
)
def test_rules_are_numbered_by_a_short_prefix(name: str, prefix: str) -> None:
    assert starter.Names.of(name).prefix == prefix


def test_all_that_the_wheel_needs_is_declared(package: Path) -> None:
    """What is no module of the package is its data: without it a game speaks in keys."""
    declared = tomllib.loads((package / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"][NAME]
    source = package / "src" / NAME
    data = {path for path in source.rglob("*") if path.is_file() and path.suffix not in (".py", ".pyc")}
    assert data == {path for pattern in declared for path in source.glob(pattern)} != set()


@pytest.mark.ci
def test_it_is_played_stepped_exported_and_its_golden_log_holds(replay, installed: Path, tmp_path: Path) -> None:
    assert replay("golden", installed / "tests" / "golden").out == f"{NAME}: 1 log, 1 the same\n"
    assert "Seven Kings" in replay("games").out
    assert replay("rules", NAME, "--lang", "ja").code == 0
    log = installed / "tests" / "golden" / "first.log"
    for lang, words in (("en", "All cards are turned up"), ("ja", "全員のカードを表にする")):
        assert words in replay("show", log, "--lang", lang).out
    assert replay("export", log, "-o", tmp_path / "match.html").code == 0
    assert replay("simulate", NAME, "--games", "2", "--bots", "greedy,random", "-o", tmp_path / "logs").code == 0
    assert replay("audit", tmp_path / "logs").code == 0


def test_the_template_in_place_is_what_is_written(tmp_path: Path) -> None:
    """Written under its own name it is the very template, so that whatever holds for that holds for a new game."""
    starter.write_file(starter.Names.of("high_card"), tmp_path)
    assert (tmp_path / "high_card.py").read_text("utf-8") == starter.FILE.read_text("utf-8")
    written = dict(starter.files_of_package(starter.Names.of("high_card")))
    assert {path.as_posix() for path in written} >= {"pyproject.toml", "README.md", "src/high_card/py.typed"}
    assert all((starter.TEMPLATE / path).read_text("utf-8") == text for path, text in written.items())


@pytest.mark.parametrize("there", [f"{NAME}.py", f"test_{NAME}.py"])
def test_no_file_is_written_over(refused, tmp_path: Path, there: str) -> None:
    (tmp_path / there).write_text("mine")
    assert f"{there}: it exists already" in refused("new-game", NAME, "-o", tmp_path)
    assert [path.read_text() for path in tmp_path.iterdir()] == ["mine"]


def test_no_package_is_written_over(replay, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    for folder in (tmp_path, tmp_path / "mine.txt"):
        assert "it exists already" in replay("new-game", NAME, "--package", "-o", folder).err
    assert [path.read_text() for path in tmp_path.iterdir()] == ["mine"]
    assert "cannot be written" in replay("new-game", NAME, "--package", "-o", tmp_path / "mine.txt" / "deep").err


@pytest.mark.long
def test_its_own_tests_pass(package: Path) -> None:
    done = run_tests(package, "--deselect", "tests/golden/first.log::golden")
    assert done.returncode == 0, done.stdout


def run_tests(folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """Run the tests of a folder as its author does."""
    path = os.pathsep.join([str(folder / "src"), *sys.path])
    call = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *more]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    return subprocess.run(
        call, cwd=folder, env={**environment, "PYTHONPATH": path}, capture_output=True, text=True, timeout=600
    )
