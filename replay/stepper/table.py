"""The table of a match, drawn in the largest style that fits."""

from __future__ import annotations

from rich.text import Text

from ...core.game import Scene
from .cards import CardStyle, Drawing, Turn, card_styles
from .palette import Palette
from .presenter import StepPresenter
from .record import START

SAMPLES = 6
"""The number of places of a match that must fit."""
NOBODY = Turn(frozenset(), None)


class Tables:
    """Tables, drawn in the same style from step to step as long as it fits."""

    def __init__(self) -> None:
        self._drawings: dict[tuple[str, str, CardStyle], Drawing] = {}
        self._chosen: dict[tuple[object, ...], list[CardStyle]] = {}

    def drawing(self, presenter: StepPresenter, palette: Palette, style: CardStyle) -> Drawing:
        """Return the drawing of a style; it is cached, so that its symbols stay the same."""
        key = (presenter.texts.lang, palette.name, style)
        if key not in self._drawings:
            self._drawings[key] = self._new(presenter, palette, style)
        return self._drawings[key]

    def _new(self, presenter: StepPresenter, palette: Palette, style: CardStyle) -> Drawing:
        return Drawing(presenter.texts, presenter.game, presenter.names, palette, style)

    def draw(self, presenter: StepPresenter, at: int, palette: Palette, width: int, height: int) -> list[Text]:
        """Return the lines of a place; they may be more than `height` if no style fits."""
        turn = Turn(frozenset(presenter.record.position(at).to_act), presenter.actor(at))
        scene = presenter.scene(at)
        drawn: list[Text] = []
        for style in self._styles(presenter, palette, width, height):
            drawn = self.drawing(presenter, palette, style).draw(scene, width, turn)
            if len(drawn) <= height:
                break
        return drawn

    def _styles(self, presenter: StepPresenter, palette: Palette, width: int, height: int) -> list[CardStyle]:
        """Return the styles from the first in which `SAMPLES` places of the match fit."""
        key = (
            presenter.record.match.header.match,
            presenter.record.forked,
            presenter.viewer,
            presenter.texts.lang,
            width,
            height,
        )
        if key not in self._chosen:
            step = max(presenter.record.count // SAMPLES, 1)
            scenes = [presenter.scene(at) for at in range(presenter.record.count - 1, START - 1, -step)]
            known = card_styles(width)
            while len(known) > 1 and not self._fits(self._new(presenter, palette, known[0]), scenes, width, height):
                known = known[1:]
            self._chosen[key] = known
        return self._chosen[key]

    def _fits(self, drawing: Drawing, scenes: list[Scene], width: int, height: int) -> bool:
        return all(len(drawing.draw(scene, width, NOBODY)) <= height for scene in scenes)
