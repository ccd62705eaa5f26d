"""The guide and the reference for a game's author are true: they quote the package, and name all that it may use."""

import re
from pathlib import Path

import attrs
import pytest
from kifu.core.game import Board, Game, Note, Result, SectionKind, TableRule, checks, scene, tabletop
from kifu.replay import starter

DOCS = Path(__file__).parents[1] / "docs"
GUIDE = (DOCS / "write-a-game.md").read_text("utf-8")
REFERENCE = (DOCS / "game-reference.md").read_text("utf-8")
SOURCES = [
    path.read_text("utf-8")
    for template in starter.TEMPLATES.values()
    for path in template.folder.rglob("*")
    if path.suffix in (".py", ".ftl")
]


@pytest.mark.parametrize("quoted", re.findall(r"^```py\n(.*?)^```", GUIDE, re.DOTALL | re.MULTILINE))
def test_what_the_guide_quotes_stands_in_the_package(quoted: str) -> None:
    """A line `# …` leaves lines out."""
    pieces = [piece.strip("\n") for piece in re.split(r"^ *# …\n", quoted, flags=re.MULTILINE)]
    assert any(all(piece in source for piece in pieces) for source in SOURCES), quoted


def test_the_guide_goes_through_every_module_of_the_package() -> None:
    modules = sorted(path.name for path in (starter.TEMPLATE / "src" / "high_card").rglob("*") if path.suffix == ".py")
    titles = re.findall(r"^## \d.*", GUIDE, re.MULTILINE)
    assert [name for name in modules if not any(f"`{name}`" in title for title in titles)] == []


@pytest.mark.parametrize(
    "kind", [Game, Note, Result, Board, scene.Scene, scene.Place, scene.Zone, scene.Thing, scene.Fact, scene.Face]
)
def test_the_reference_names_every_field(kind: type) -> None:
    fields = [field.name for field in attrs.fields(kind)]
    assert [name for name in fields if not re.search(rf"`{name}[`(]", REFERENCE)] == []


def test_the_reference_names_every_helper_mark_and_rule_of_the_table() -> None:
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
    message_catalogue = pytest.importorskip("kifu.core.text.message_catalogue", reason="needs kifu[text]")
    source = Path(message_catalogue.__file__).read_text("utf-8")
    functions = re.findall(r'^            "([A-Z]+)":', source, re.MULTILINE)
    assert len(functions) > 8
    assert [name for name in functions if f"`{name}($" not in REFERENCE] == []
