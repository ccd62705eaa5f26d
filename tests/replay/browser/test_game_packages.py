"""Other people's games are in the archive if they are pure Python, or come as wheels; one keeps its laws there."""

import subprocess
import sys
import tarfile
import tomllib
from importlib.metadata import version
from pathlib import Path
from zipfile import ZipFile

import pytest

pytest.importorskip("msgspec", reason="needs kifu[web]")

from kifu.replay import starter
from kifu.replay.browser.bundle import installed_packages

GAMES = ("seven_kings", "five_kings")


@pytest.fixture
def packages(tmp_path, monkeypatch, replay):
    """Two packages that `replay new-game` has written, installed as editable folders are."""
    made = {}
    for name in GAMES:
        assert replay("new-game", name, "-o", tmp_path / name, "--package").code == 0
        project = tomllib.loads((tmp_path / name / "pyproject.toml").read_text())["project"]
        info = tmp_path / name / "src" / f"{name}-1.dist-info"
        info.mkdir()
        asked = "".join(f"Requires-Dist: {each}\n" for each in project["dependencies"])
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n{asked}")
        games = "".join(f"{key} = {value}\n" for key, value in project["entry-points"]["kifu.games"].items())
        (info / "entry_points.txt").write_text(f"[kifu.games]\n{games}")
        monkeypatch.syspath_prepend(tmp_path / name / "src")
        made[name] = tmp_path / name / "src"
    yield made
    for name in GAMES:
        starter.unload(name)


def found():
    return {each.name: each for each in installed_packages() if each.name in GAMES}


def test_a_package_is_found_with_all_that_it_needs(packages):
    assert found().keys() == set(GAMES)
    for name, package in found().items():
        assert {f"{name}/rules.py", f"{name}/texts/ja.ftl"} <= package.files.keys()
        assert not [each for each in package.files if each.endswith(".pyc")]
        assert package.native is None
        assert "kifu" not in package.libraries
        assert b"[kifu.games]" in dict(package.metadata)[f"{name}.dist-info/entry_points.txt"]


def test_what_is_not_pure_python_is_named(packages):
    (packages["seven_kings"] / "seven_kings" / "quick.so").write_bytes(b"")
    assert {name: each.native for name, each in found().items()} == {
        "seven_kings": "seven_kings/quick.so",
        "five_kings": None,
    }


@pytest.mark.long
def test_games_of_the_environment_and_of_a_wheel_are_played(packages, runtime, node, tmp_path):
    pytest.importorskip("prometheus_client", reason="needs kifu[web]")
    from kifu.replay.browser.site import write_package  # which needs the extra

    write_package(tmp_path / "kifu", runtime, packages=[found()["seven_kings"]])
    with tarfile.open(tmp_path / "kifu" / "engine.data") as archive:
        names = {*archive.getnames()}
    assert {"kifu/core/errors.pyc", "seven_kings/rules.py"} <= names, "a log names a guest's sources by their digest"
    wheel = tmp_path / "five_kings-1-py3-none-any.whl"
    with ZipFile(wheel, "w") as archive:
        for path in sorted(packages["five_kings"].rglob("*")):
            if path.is_file():
                archive.write(path, path.relative_to(packages["five_kings"]))
    names, *said, no_worker = node("games.mjs", tmp_path / "kifu", wheel, *GAMES)
    assert {*GAMES, "mabr"} <= {*names}
    assert said[:2] == [["over", 2, True]] * 2
    assert said[2:] == [
        [2, True, True],
        ["malformed", "observe: seat: Expected `int | null`, got `float`"],
        ["not-now", "there is no event 7 to go back to: there are 1"],
        ["malformed", "play: missing a required argument: 'command'"],
        ["not-now", "a seed is 64 hex digits, not 0"],
        [200, "text/event-stream", True, "AbortError"],
        404,
        "not-now",
    ]
    assert no_worker.startswith("there is no Worker here")


ROOT = Path(__file__).parents[3]
LIBRARIES = ("pytest", "pluggy", "iniconfig", "packaging", "sortedcontainers", "pygments")


@pytest.mark.long
def test_a_game_keeps_the_laws_in_webassembly(runtime, tmp_path, node):
    """In the package with what the laws need, and the whole standard library."""
    pytest.importorskip("prometheus_client", reason="needs kifu[web]")
    from kifu.replay.browser.runtime import PLATFORM, PYTHON, unpack_runtime
    from kifu.replay.browser.site import write_package  # which needs the extra

    wanted = ["--only-binary=:all:", "--platform", PLATFORM, "--python-version", PYTHON]
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", *wanted, "-d", str(tmp_path)]
    done = subprocess.run([*command, f"hypothesis=={version('hypothesis')}"], capture_output=True, check=False)
    if done.returncode:
        pytest.skip("needs a network: hypothesis for a browser")
    write_package(tmp_path / "kifu", runtime, LIBRARIES, list(tmp_path.glob("*.whl")))
    unpack_runtime(runtime, tmp_path / "kifu" / "runtime")
    [[code, passed, failures]] = node("laws.mjs", tmp_path / "kifu", ROOT, "cake")
    assert (code, failures) == (0, [])
    assert passed > 15
