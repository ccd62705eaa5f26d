"""The keys of the stepper: their words, the line at the bottom, the guide."""

import re
from importlib.resources import files
from pathlib import Path

import pytest
from kifu.core.game import SectionKind
from kifu.core.text.texts import Texts
from kifu.replay.stepper import screen
from kifu.replay.stepper.keys import HINTS, KEYS
from kifu.replay.stepper.navigation import PACKAGES
from kifu.replay.stepper.palette import DARK

from .conftest import SMALL


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_all_keys_but_those_of_sections_are_on_a_line_of_80_columns(lang: str) -> None:
    one, several = (screen.hints(Texts(lang, *PACKAGES), DARK, SMALL[0], several=each).plain for each in (False, True))
    shown = {each.text: each.keys[0].shown for each in KEYS if each.text in HINTS}
    assert [text for text, key in shown.items() if f" {key} " not in one] == ["sections", "logs"]
    assert f" {shown['logs']} " in several


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_message_of_the_stepper_has_words(lang: str) -> None:
    source = "\n".join(path.read_text("utf-8") for path in Path(str(files("kifu.replay.stepper"))).glob("*.py"))
    keys = set(re.findall(r"""["'](stepper-[a-z-]+[a-z])["']""", source))
    keys |= {f"stepper-key-{each.text}" for each in KEYS} | {f"stepper-hint-{text}" for text in HINTS}
    keys |= {f"stepper-{text}-{kind.value}" for text in ("no", "section") for kind in SectionKind}
    catalogue = files("kifu.replay").joinpath("texts", f"{lang}.ftl").read_text("utf-8")
    there = set(re.findall(r"^(stepper-[a-z-]+) =", catalogue, re.MULTILINE))
    assert len(keys) > 40
    assert keys == there


def test_the_guide_lists_the_keys() -> None:
    guide = (Path(__file__).parents[3] / "docs/stepper.md").read_text("utf-8")
    listed = " ".join(re.findall(r"^\| (.*?) \|", guide, re.MULTILINE))
    shown = {key.shown for keys in KEYS for key in keys.keys}
    assert [key for key in shown - {"T", "K", "R", "D", "⇧Tab"} if key not in guide] == []
    assert all(key in listed.split() for key in ("t", "k", "r", "d", "f", "q"))
