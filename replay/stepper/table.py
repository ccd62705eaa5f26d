"""The table of a match, drawn in the manner that most becomes it and has room."""

from __future__ import annotations

from rich.text import Text

from ...core.scene import Scene
from .cards import CardStyle, Drawing, Turn, manners
from .palette import Palette
from .presenter import StepPresenter
from .record import START

SAMPLES = 6
"""How many places of a match are looked at to see what has room."""
NOBODY = Turn(frozenset(), None)


class Tables:
    """Draw tables, in the same manner from step to step as long as there is room for it."""

    def __init__(self) -> None:
        self._drawings: dict[tuple[str, str, CardStyle], Drawing] = {}
        self._chosen: dict[tuple[object, ...], list[CardStyle]] = {}

    def drawing(self, told: StepPresenter, palette: Palette, style: CardStyle) -> Drawing:
        """Give what draws in one manner; it is kept, so that its signs stay the same."""
        key = (told.texts.lang, palette.name, style)
        if key not in self._drawings:
            self._drawings[key] = self._new(told, palette, style)
        return self._drawings[key]

    def _new(self, told: StepPresenter, palette: Palette, style: CardStyle) -> Drawing:
        return Drawing(told.texts, told.game, told.names, palette, style)

    def draw(self, told: StepPresenter, at: int, palette: Palette, width: int, height: int) -> list[Text]:
        """Draw a place; what has no room in any manner is to be scrolled."""
        turn = Turn(frozenset(told.record.position(at).to_act), told.actor(at))
        scene = told.scene(at)
        drawn: list[Text] = []
        for style in self._manners(told, palette, width, height):
            drawn = self.drawing(told, palette, style).draw(scene, width, turn)
            if len(drawn) <= height:
                break
        return drawn

    def _manners(self, told: StepPresenter, palette: Palette, width: int, height: int) -> list[CardStyle]:
        """List the manners from the first in which some places of the match have room."""
        key = (told.record.match.header.match, told.record.forked, told.viewer, told.texts.lang, width, height)
        if key not in self._chosen:
            step = max(told.record.count // SAMPLES, 1)
            scenes = [told.scene(at) for at in range(told.record.count - 1, START - 1, -step)]
            known = manners(width)
            while len(known) > 1 and not self._fits(self._new(told, palette, known[0]), scenes, width, height):
                known = known[1:]
            self._chosen[key] = known
        return self._chosen[key]

    def _fits(self, drawing: Drawing, scenes: list[Scene], width: int, height: int) -> bool:
        return all(len(drawing.draw(scene, width, NOBODY)) <= height for scene in scenes)
