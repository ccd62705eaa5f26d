"""Mutants of the words: a message, or one of its variables, missing or misspelt in one language."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec
from io import BytesIO
from itertools import count
from types import ModuleType
from typing import Any
from zipfile import Path, ZipFile

from attrs import evolve

from ..game import TABLE, AnyGame
from .channels import shown_of
from .laws_of_texts import IN_ONE_LANGUAGE, OPTIONAL
from .messages import catalogue_of, languages_of, source_of, words_of
from .mutants import Mutant
from .survey import Spot, Survey

_numbers = count()


class _Sources:
    """Loads a package that is nothing but its catalogues, which lie in memory."""

    def __init__(self, sources: dict[str, str]) -> None:
        self._archive = ZipFile(BytesIO(), "w")
        for lang, source in sources.items():
            self._archive.writestr(f"texts/{lang}.ftl", source)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:  # noqa: ARG002 (of a loader)
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: there is no code."""

    def get_resource_reader(self, name: str) -> _Sources:  # noqa: ARG002 (of a loader)
        return self

    def files(self) -> Path:
        return Path(self._archive)


def package_of(sources: dict[str, str]) -> str:
    """Make a package that has these catalogues, and return its name."""
    name = f"kifu_mutant_{next(_numbers)}"
    spec = ModuleSpec(name, _Sources(sources), is_package=True)  # type: ignore[arg-type]
    sys.modules[name] = module_from_spec(spec)
    return name


def text_mutants(survey: Survey) -> Iterator[Mutant]:
    """Yield the mutants of a game's catalogues, message by message."""
    game = survey.game
    sources = {lang: source_of(game.texts, lang) for lang in languages_of(game.texts)}
    for lang, source in sources.items():
        for key, message in catalogue_of(source).items():
            misspelt = re.sub(rf"^{re.escape(key)}(?=\s*=)", f"{key}-x", source, flags=re.MULTILINE)
            if not key.startswith((*IN_ONE_LANGUAGE, *(OPTIONAL if len(sources) == 1 else ()))):
                yield _saying(game, f"{key} is missing in {lang}", sources, lang, _without(source, key))
                yield _saying(game, f"{key} is misspelt in {lang}", sources, lang, misspelt)
            for name in sorted(message.variables):
                own = _message(source, key)
                changed = re.sub(rf"\${name}\b", f"${name}-x", own)
                how = f"${name} of {key} is misspelt in {lang}"
                yield _saying(game, how, sources, lang, source.replace(own, changed))


def _message(source: str, key: str) -> str:
    """Return the source of one message: from its key to the next line that begins with no blank."""
    found = re.search(rf"^{re.escape(key)}\s*=.*\n?(?:(?:[ \t}}].*)?\n)*", source, flags=re.MULTILINE)
    assert found, key
    return found[0]


def _without(source: str, key: str) -> str:
    return source.replace(_message(source, key), "\n")


def _saying(game: AnyGame, how: str, sources: dict[str, str], lang: str, source: str) -> Mutant:
    package = package_of({**sources, lang: source})
    otherwise = "nothing that happens needs it, and there is no other language to compare it with"
    return Mutant("texts", how, evolve(game, texts=package), _said, otherwise=otherwise)


def _said(game: AnyGame, spot: Spot) -> Any:
    step = evolve(spot.step, game=game)
    scene = game.scene(game.view(step.after, TABLE))
    named = [words.label(key, game) for words in words_of(game) for key in scene.labels()]
    return named, shown_of(step, TABLE)["texts"]
