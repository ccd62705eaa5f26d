"""Games are found by name: kifu's own without the installed packages, which cannot take their names."""

from __future__ import annotations

import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from kifu.core.match import registry

PROJECT = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text("utf-8"))["project"]


def test_own_games_are_those_that_kifu_declares() -> None:
    declared = PROJECT["entry-points"][registry.GAMES]
    assert {name: f"kifu.games.{name}:GAME" for name in registry.OWN_GAMES} == declared


def test_no_package_takes_the_name_of_a_game_of_kifu(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor are the installed packages looked at for one."""
    monkeypatch.setitem(registry._entries(), "cake", EntryPoint("cake", "a_guest:GAME", registry.GAMES))
    registry.find.cache_clear()
    assert registry.find("cake").start.__module__ == "kifu.games.cake.rules"
    monkeypatch.setattr(registry, "_entries", None)
    registry.find.cache_clear()
    assert all(registry.find(name).name == name for name in registry.OWN_GAMES)
