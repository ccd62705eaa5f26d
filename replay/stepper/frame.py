"""The stepper's frame: its panes, how they are drawn, and the notices of its last line."""

from __future__ import annotations

import os
from pathlib import Path
from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.timer import Timer

from ...core.game import Seat, SectionKind
from ...core.log import Reading
from ...core.text.sanitize import sanitize
from . import screen
from .cards import PLAIN
from .keys import BINDINGS
from .navigation import Navigation
from .palette import DARK, LIGHT, Palette
from .panes import BarState, Lines, NavigationBar, Steps
from .shelf import Shelf
from .table import Tables

SPEEDS = (0.5, 1, 2, 4, 8, 16, 32)
"""Steps a second."""
NOTICE_S = 6
"""Seconds after which a notice gives its line back to the keys."""
WIDE = 116
"""Terminal cells from which the table and the list stand side by side."""


class Frame(App[None]):
    """The panes of one log, which draw the `Navigation`."""

    CSS_PATH = "stepper.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*BINDINGS]
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012 (as declared by Textual)

    def __init__(
        self, reading: Reading, viewer: Seat | None, lang: str, live: Path | None = None, shelf: Shelf | None = None
    ) -> None:
        super().__init__()
        self.shelf = shelf
        for palette in (LIGHT, DARK):
            self.register_theme(palette.theme())
        self.palette = _of_terminal()
        self.theme = self.palette.name
        self.navigation = Navigation(reading, viewer, lang, live=live is not None)
        self.live = live
        self.tables = Tables()
        self.speed = SPEEDS.index(2)
        self.playing: Timer | None = None
        self.notice = ""
        """What the last line says instead of the keys."""
        self._notice_timer: Timer | None = None

    def compose(self) -> ComposeResult:
        """Yield the panes."""
        yield Lines(id="title")
        with Container(id="body"):
            yield Lines(id="table")
            with Container(id="side"):
                yield Steps(id="steps")
                yield Lines(id="notes", steady=True)
        yield NavigationBar(id="bar")
        yield Lines(id="keys")

    # Drawing.

    def draw(self) -> None:
        """Draw every pane."""
        navigation, presenter, at, palette = (
            self.navigation,
            self.navigation.presenter,
            self.navigation.at,
            self.palette,
        )
        drawing = self.tables.drawing(presenter, palette, PLAIN)
        live = (
            navigation.texts.format("stepper-ended" if navigation.ended else "stepper-live") if navigation.live else ""
        )
        self._pane("table").show(lambda width, height: self.tables.draw(presenter, at, palette, width, height))
        log = self.shelf.label(navigation.texts) if self.shelf is not None else ""
        self._pane("title").show(lambda width, _: [screen.title(presenter, at, palette, width, live, log)])
        self._pane("notes").show(
            lambda width, _: screen.notes(presenter, at, drawing, palette, width, navigation.watched)
        )
        self._pane("notes").scroll_home(animate=False)
        self._draw_last_line()
        self.screen_stack[0].query_one(Steps).show_steps(presenter, palette, at, navigation.search_text)
        self._update_bar()

    def go(self, at: int) -> None:
        """Show another place; a notice about the last one disappears."""
        self.notice = ""
        self.navigation.go(at)
        self.draw()

    def notify_text(self, key: str, **values: object) -> None:
        """Show a message as a notice."""
        self.show_notice(self.navigation.format_message(key, **values))

    def show_notice(self, message: str) -> None:
        """Show a text in place of the keys, where it covers nothing else; it disappears soon."""
        self.notice = sanitize(message, 300)
        if self._notice_timer is not None:
            self._notice_timer.stop()
        self._notice_timer = self.set_timer(NOTICE_S, self._drop_notice) if message else None
        self._draw_last_line()

    def _drop_notice(self) -> None:
        self.show_notice("")

    def _draw_last_line(self) -> None:
        texts, palette, notice = self.navigation.texts, self.palette, self.notice
        several = self.shelf is not None and len(self.shelf) > 1
        self._pane("keys").show(lambda width, _: screen.last_lines(notice, texts, palette, width, several=several))

    def _pane(self, name: str) -> Lines:
        return self.screen_stack[0].query_one(f"#{name}", Lines)

    def _update_bar(self) -> None:
        navigation = self.navigation
        speed = f"{SPEEDS[self.speed]:g}/s" if self.playing is not None else ""
        ticks = navigation.presenter.index.sections(SectionKind.DEAL, SectionKind.ROUND)
        state = BarState(navigation.at, navigation.record.last, ticks, self.playing is not None, speed)
        self.screen_stack[0].query_one(NavigationBar).show_state(state, self.palette)


def _of_terminal() -> Palette:
    """Return the light palette if COLORFGBG says that the terminal is light, else the dark one."""
    ground = os.environ.get("COLORFGBG", "").rpartition(";")[2]
    return LIGHT if ground in ("7", "15") else DARK
