"""The keys of the stepper: their words, the line at the bottom, the guide."""

import re
from importlib.resources import files
from pathlib import Path

import pytest
from kifu.core.text.texts import Texts
from kifu.replay.stepper import screen
from kifu.replay.stepper.keys import HINTS, KEYS
from kifu.replay.stepper.presenter import PACKAGES
from rich.cells import cell_len

from .conftest import SMALL


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_most_useful_keys_are_on_a_line_of_80_columns(lang: str) -> None:
    line = screen.hints(Texts(lang, *PACKAGES), SMALL[0]).plain
    shown = {name: KEYS[name][0].key_display for name in HINTS}
    assert [text for text, key in shown.items() if f" {key} " not in line] == []


@pytest.mark.parametrize("width", [66, 76, 96, 140])
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_help_cuts_nothing_off(width, lang):
    lines = screen.help_lines(Texts(lang, "kifu.replay"), width)
    assert not [line.plain for line in lines if line.plain.rstrip().endswith("…") or "… " in line.plain]
    assert max(cell_len(line.plain.rstrip()) for line in lines) <= width


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_message_of_the_stepper_has_words(lang: str) -> None:
    source = "\n".join(path.read_text("utf-8") for path in Path(str(files("kifu.replay.stepper"))).glob("*.py"))
    keys = set(re.findall(r"""["'](stepper-[a-z-]+[a-z])["']""", source))
    keys |= {f"stepper-key-{name}" for name in KEYS} | {f"stepper-hint-{text}" for text in HINTS}
    catalogue = files("kifu.replay").joinpath("texts", f"{lang}.ftl").read_text("utf-8")
    there = set(re.findall(r"^(stepper-[a-z-]+) =", catalogue, re.MULTILINE))
    assert len(keys) > 30
    assert keys == there


def test_the_guide_lists_the_keys() -> None:
    guide = (Path(__file__).parents[3] / "docs/stepper.md").read_text("utf-8")
    shown = {key.key_display for keys in KEYS.values() for key in keys}
    assert [key for key in shown - {"⇧Tab"} if key not in guide] == []
