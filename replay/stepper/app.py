"""The stepper's app for one log: its panes, how they are drawn, and the actions of its keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.timer import Timer

from ...core.game import Seat
from ...core.log import Reading
from ...core.text.sanitize import sanitize
from . import screen
from .cards import Drawing
from .keys import KEYS
from .palette import FullScreen
from .panels import AskScreen, ReadScreen
from .panes import Lines, Steps
from .presenter import Navigation
from .record import START

NOTICE_S = 6
"""Seconds after which a notice gives its line back to the keys."""
WIDE = 116
"""Terminal cells from which the table and the list stand side by side."""


class Stepper(FullScreen[None]):
    """The app: it draws the `Navigation`, and keys and mouse change it."""

    BINDINGS: ClassVar[list[BindingType]] = [key for keys in KEYS.values() for key in keys]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012 (as declared by Textual)

    def __init__(self, reading: Reading, viewer: int | None, lang: str) -> None:
        super().__init__()
        self.navigation = Navigation(reading, viewer, lang)
        match = self.navigation.record.match
        self.drawing = Drawing(self.navigation.texts, match.game, match.header.seats)
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
        yield Lines(id="keys")

    def on_mount(self) -> None:
        """Draw the first screen."""
        self.draw()

    # Drawing.

    def draw(self) -> None:
        """Draw every pane."""
        navigation = self.navigation
        presenter, at, drawing = navigation.presenter, navigation.at, self.drawing
        position = presenter.record.position(at)
        is_end = position.result is not None
        self.screen_stack[0].set_class(is_end, "-end")
        to_act, actor = position.to_act, presenter.actor(at)
        self._pane("table").show(lambda width: drawing.draw(presenter.scene(at), width, to_act, actor))
        self._pane("title").show(lambda width: [screen.title(presenter, at, width)])
        self._pane("notes").show(lambda width: screen.notes(presenter, at, drawing, width))
        self._pane("notes").scroll_home(animate=False)
        if is_end:  # the reasons of the result stand last
            self.call_after_refresh(self._pane("notes").scroll_end, animate=False, immediate=True)
        self._draw_last_line()
        self.screen_stack[0].query_one(Steps).show_steps(presenter, at, navigation.search_text)

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
        texts, notice = self.navigation.texts, self.notice
        self._pane("keys").show(lambda width: screen.last_lines(notice, texts, width))

    def _pane(self, name: str) -> Lines:
        return self.screen_stack[0].query_one(f"#{name}", Lines)

    # Moves along the record.

    def action_step(self, by: int) -> None:
        """Go some steps forward or back."""
        self.go(self.navigation.at + by)

    def action_start(self) -> None:
        """Go to the start."""
        self.go(START)

    def action_end(self) -> None:
        """Go to the end."""
        self.go(self.navigation.record.last)

    def action_section(self, forward: bool) -> None:
        """Go to the next or previous heading."""
        self._jump(forward, self.navigation.presenter.has_heading, "stepper-no-section")

    def action_wrong(self, forward: bool) -> None:
        """Go to the next or previous finding."""
        places = self.navigation.record.wrong_places()
        self._jump(forward, lambda at: at in places, "stepper-no-wrong")

    def _jump(self, forward: bool, wanted: Callable[[int], bool], otherwise: str, **values: object) -> None:
        """Go to the next wanted place; a notice says that there is none."""
        found = next(filter(wanted, self.navigation.next_places(forward)), None)
        if found is None:
            self.notify_text(otherwise, **values)
        else:
            self.go(found)

    def action_jump(self) -> None:
        """Ask for a step and go there."""

        def jump(typed: str) -> None:
            last = self.navigation.record.last
            if typed.isascii() and typed.isdigit() and len(typed) < 10 and int(typed) <= last:
                self.go(int(typed))
            elif typed:
                self.notify_text("stepper-no-step", typed=typed, last=last)

        self._ask("stepper-jump", jump)

    def action_search(self) -> None:
        """Ask for a text and go to the next place that contains it."""

        def search(typed: str) -> None:
            self.navigation.search_text = typed.casefold()
            self.draw()
            if typed:
                self.action_found(True)

        self._ask("stepper-search", search, self.navigation.search_text)

    def action_found(self, forward: bool) -> None:
        """Go to the next or previous place that contains the searched text."""
        presenter, text = self.navigation.presenter, self.navigation.search_text
        if not text:
            self.action_search()
            return
        self._jump(forward, lambda at: presenter.contains(at, text), "stepper-not-found", words=text)

    def _ask(self, question: str, then: Callable[[str], None], initial: str = "") -> None:
        def answered(typed: str | None) -> None:
            if typed is not None:
                then(typed.strip())

        self.push_screen(AskScreen(self.navigation.format_message(question), initial), answered)

    # The viewer.

    def action_see(self, seat: int | None) -> None:
        """Show what this viewer saw (None: a spectator)."""
        viewer = None if seat is None else Seat(seat)
        if viewer not in self.navigation.viewers:
            self.notify_text("stepper-sealed", seat=self.navigation.viewer_label)
            return
        self.navigation.viewer = viewer
        self.draw()

    def action_next_seat(self, by: int) -> None:
        """Switch to the next or previous viewer."""
        viewers = self.navigation.viewers
        if len(self.screen_stack) > 1:
            return
        if self.navigation.sealed:
            self.notify_text("stepper-sealed", seat=self.navigation.viewer_label)
            return
        self.action_see(viewers[(viewers.index(self.navigation.viewer) + by) % len(viewers)])

    # Help and display.

    def action_why(self) -> None:
        """Show the rules of this step."""
        presenter, at = self.navigation.presenter, self.navigation.at
        title = self.navigation.format_message("page-rules")
        self.push_screen(ReadScreen(title, lambda width: screen.rules(presenter, at, width)))

    def action_help(self) -> None:
        """Show the list of keys."""
        texts = self.navigation.texts
        self.push_screen(ReadScreen(texts.format("page-keys"), lambda width: screen.help_lines(texts, width)))

    def action_scroll_pane(self, name: str, by: int) -> None:
        """Scroll a pane by some lines."""
        self._pane(name).scroll_relative(y=by, animate=False)

    def action_finish(self) -> None:
        """Close the stepper."""
        self.exit()

    def on_steps_chosen(self, event: Steps.Chosen) -> None:
        """Go to the step that was clicked."""
        self.go(event.at)
