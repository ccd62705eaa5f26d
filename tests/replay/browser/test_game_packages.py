"""Other people's games are in the archive if they are pure Python, and come as wheels, too."""

from __future__ import annotations

import tomllib
from zipfile import ZipFile

import pytest

pytest.importorskip("msgspec", reason="needs kifu[site]")

from kifu.replay import starter
from kifu.replay.browser.game_packages import installed_packages

GAMES = {"seven_kings": "cards", "my_reversi": "board"}


@pytest.fixture
def packages(tmp_path, monkeypatch, replay):
    """Two packages that `replay new-game` has written, installed as editable folders are."""
    made = {}
    for name, kind in GAMES.items():
        assert replay("new-game", name, "-o", tmp_path / name, "--kind", kind).code == 0
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
    assert found().keys() == GAMES.keys()
    for name, package in found().items():
        assert {f"{name}/model.py", f"{name}/texts/ja.ftl"} <= package.files.keys()
        assert not [each for each in package.files if each.endswith(".pyc")]
        assert package.native is None
        assert "kifu" not in package.libraries
        assert b"[kifu.games]" in dict(package.metadata)[f"{name}.dist-info/entry_points.txt"]


def test_what_is_not_pure_python_is_named(packages):
    (packages["seven_kings"] / "seven_kings" / "quick.so").write_bytes(b"")
    assert {name: each.native for name, each in found().items()} == {
        "seven_kings": "seven_kings/quick.so",
        "my_reversi": None,
    }


@pytest.mark.ci
def test_games_of_the_environment_and_of_a_wheel_are_played(packages, runtime, node, tmp_path):
    pytest.importorskip("ecdsa", reason="needs kifu[site]")
    from kifu.replay.browser.site import write_package  # which needs the extra

    write_package(tmp_path / "kifu", runtime, packages=[found()["seven_kings"]])
    wheel = tmp_path / "my_reversi-1-py3-none-any.whl"
    with ZipFile(wheel, "w") as archive:
        for path in sorted(packages["my_reversi"].rglob("*")):
            if path.is_file():
                archive.write(path, path.relative_to(packages["my_reversi"]))
    names, *said, no_worker = node("games.mjs", tmp_path / "kifu", wheel, *GAMES)
    assert GAMES.keys() <= set(names)
    assert said[:2] == [["over", 2, True]] * 2
    assert said[2:] == [
        ["malformed", "observe: seat: Expected `int | null`, got `str`"],
        ["malformed", "take_back: to: Expected `int`, got `str`"],
        ["malformed", "play: missing a required argument: 'command'"],
        ["not-now", "a seed is 64 hex digits, not 0"],
    ]
    assert no_worker.startswith("there is no Worker here")
