"""Old logs are promises: the golden logs of each release are as they were, and audit clean today with the same ends.

Who adds an option, a field or a rule is told here what is due. `fixtures/release.py` writes the folder of a release.
"""

import json
import runpy
from pathlib import Path
from typing import Any

import pytest
from kifu import games

ROOT = Path(__file__).parents[1]
RELEASES = sorted(path for path in (Path(__file__).parent / "released").iterdir() if path.is_dir())
RELEASE = runpy.run_path(str(ROOT / "fixtures" / "release.py"))
PROMISES: dict[str, Any] = json.loads((RELEASES[-1] / "promises.json").read_text("utf-8"))

WAY = "docs/change-a-rule.md, 'When the change is meant'"


def told(game: str, then: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """Say what is due before a game with these promises may become what it is now."""
    due = [
        f"{game}: {name} were {then[name]}, are {now[name]}; logs of version {then['rules']} know the former. "
        f"Due: rules={now['rules'] + 1}, an Upcast from {then['rules']} that says what older logs meant, "
        f"and a golden log of the old version. See {WAY}."
        for name in ("options", "commands")
        if then[name] != now[name] and then["rules"] == now["rules"]
    ]
    was, packed = fields(then["state"]), fields(now["state"])
    if was != packed and then["layout"] == now["layout"]:
        changed = ", ".join(sorted({*was} ^ {*packed})) or "their order"
        due.append(
            f"{game}: a state packs otherwise than before ({changed}), so digests in older logs fail. "
            f"Due: layout={now['layout'] + 1}. See {WAY}."
        )
    return due


def fields(shape: Any, path: str = "") -> list[str]:
    """List the paths of a shape, in the order in which it packs."""
    if isinstance(shape, dict):
        return [each for name, inner in shape.items() for each in [f"{path}{name}", *fields(inner, f"{path}{name}.")]]
    return [each for inner in shape for each in fields(inner, path)] if isinstance(shape, list) else []


@pytest.mark.parametrize("release", RELEASES, ids=lambda path: path.name)
def test_logs_of_a_release_are_never_rewritten_and_audit_clean_with_the_same_ends(release: Path) -> None:
    results = json.loads((release / "results.json").read_text("utf-8"))
    assert {str(log.relative_to(release)) for log in release.rglob("*.log")} == results.keys()
    broken = []
    for name, result in results.items():
        try:
            same = RELEASE["result_of"](release / name) == result
        except AssertionError:
            same = False
        broken += [] if same else [name]
    assert not broken, (
        f"these logs of release {release.name} do not say today what they said then: {', '.join(broken)}. A rule that "
        f"forbids what was played, or scores it otherwise, is due a rules version and an Upcast: {WAY}. "
        "If the files themselves changed, take them back."
    )


@pytest.mark.parametrize("game", games.names())
def test_what_changed_since_the_release_has_its_version(game: str) -> None:
    due = told(game, PROMISES[game], RELEASE["promises"](game)) if game in PROMISES else []
    assert not due, "\n".join(due)


def test_what_is_due_is_told() -> None:
    then = {"rules": 1, "options": ["a"], "commands": {"take": ["card"]}, "layout": 1, "state": {"hands": None}}
    option = told("toy", then, {**then, "options": ["a", "b"]})
    assert len(option) == 1
    assert "rules=2, an Upcast from 1" in option[0]
    assert "Upcast" in told("toy", then, {**then, "commands": {"take": ["card", "from"]}})[0]
    assert "(pile)" in told("toy", then, {**then, "state": {"hands": None, "pile": None}})[0]
    assert (
        "layout=2"
        in told("toy", {**then, "state": {"a": None, "b": None}}, {**then, "state": {"b": None, "a": None}})[0]
    )
    newer = {**then, "rules": 2, "options": ["a", "b"], "layout": 2, "state": {"hands": None, "pile": None}}
    assert told("toy", then, newer) == []
