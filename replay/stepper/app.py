"""The stepper's app: its screen, and the actions of its keys."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from rich.text import Text

from ...core.errors import KifuError, os_error_message
from ...core.game import Seat
from ...core.log import Reading, read
from ...core.match import AnyMatch
from ..call_errors import error_text
from . import screen
from .analysis import DecisionAnalysis, may_read
from .cards import PLAIN
from .moves import Moves
from .palette import DARK, LIGHT
from .panels import ChooseScreen, ReadScreen
from .panes import NavigationBar, Steps
from .shelf import Shelf

COUNT_EVERY_S = 0.05
"""Seconds between two batches of steps that are counted ahead."""
POLL_S = 0.3
"""Seconds between two reads of a live log."""


class Stepper(Moves):
    """The app for one log: it draws the `Navigation`, and keys and mouse change it."""

    def __init__(
        self, reading: Reading, viewer: Seat | None, lang: str, live: Path | None = None, shelf: Shelf | None = None
    ) -> None:
        super().__init__(reading, viewer, lang, live, shelf)
        self.interrupted = False
        self.next_log: tuple[Reading, Seat | None] | None = None
        """The log to be shown next, when this one is closed for it."""
        self.failure: Exception | None = None
        self.analysis: DecisionAnalysis | None = None

    def _fatal_error(self) -> None:
        """End after an error: the caller prints it in one line."""
        self.failure = self._exception
        self._close_messages_no_wait()

    def on_mount(self) -> None:
        """Draw the first screen; start counting ahead and following a live log."""
        self.draw()
        self.set_interval(COUNT_EVERY_S, self._count_on)
        if self.live is not None:
            self.run_worker(self._follow(self.live), group="follow")

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

    def action_seats(self) -> None:
        """Open the list of viewers."""
        navigation, viewers = self.navigation, self.navigation.viewers
        if navigation.sealed:
            self.notify_text("stepper-sealed", seat=navigation.viewer_label)
            return

        def see(place: int | None) -> None:
            if place is not None:
                self.action_see(viewers[place])

        names = [Text(navigation.viewer_name(each)) for each in viewers]
        self.push_screen(
            ChooseScreen(navigation.format_message("page-seen-by"), names, at=viewers.index(navigation.viewer)), see
        )

    # Forks.

    def action_fork(self) -> None:
        """Open the list of legal commands and fork with the chosen one."""
        navigation, presenter, at = self.navigation, self.navigation.presenter, self.navigation.at
        if navigation.sealed:
            self.notify_text("stepper-sealed-fork", seat=navigation.viewer_label)
            return
        commands = list(navigation.record.choices(at, navigation.viewer))
        if not commands:
            self.notify_text("stepper-not-asked" if navigation.record.position(at).to_act else "stepper-over")
            return
        drawing = self.tables.drawing(presenter, self.palette, PLAIN)
        own = navigation.record.following(at)
        mark = navigation.format_message("stepper-own")
        choices = [screen.choice(presenter.command(*each), drawing, mark if each == own else "") for each in commands]

        def fork(place: int | None) -> None:
            if place is not None:
                navigation.fork(at, *commands[place])
                self.draw()

        count = navigation.format_message("stepper-choices", count=len(commands))
        self.push_screen(
            ChooseScreen(
                navigation.format_message("stepper-fork"),
                choices,
                hint=navigation.format_message("stepper-narrow"),
                more=count,
            ),
            fork,
        )

    def action_leave(self) -> None:
        """Go back from a fork to the log."""
        if self.navigation.leave():
            self.draw()

    # Several logs.

    def action_log(self, by: int) -> None:
        """Open the next or previous log."""
        shelf = self.shelf
        if shelf is None or len(shelf) < 2:
            self.notify_text("stepper-log-only")
        elif 0 <= shelf.at + by < len(shelf):
            self._open_log(shelf, shelf.at + by)
        else:
            self.notify_text("stepper-log-last" if by > 0 else "stepper-log-first")

    def action_logs(self) -> None:
        """Open the list of the logs."""
        if self.shelf is None or len(self.shelf) < 2:
            self.notify_text("stepper-log-only")
        else:
            self.run_worker(self._list_logs(self.shelf), group="logs", exclusive=True)

    async def _list_logs(self, shelf: Shelf) -> None:
        """Read what stands in the list, and open it if the person is still there."""
        texts, rows = self.navigation.texts, []
        for at in range(len(shelf)):
            rows.append(Text(await asyncio.to_thread(shelf.row, at, texts)))
            if at % 20 == 0:
                self.notify_text("stepper-logs-reading", number=at + 1, count=len(shelf))
        self.show_notice("")

        def choose(at: int | None) -> None:
            if at is not None and at != shelf.at:
                self._open_log(shelf, at)

        hint = self.navigation.format_message("stepper-narrow")
        title = self.navigation.format_message("stepper-logs")
        if len(self.screen_stack) == 1:
            self.push_screen(ChooseScreen(title, rows, at=shelf.at, hint=hint, more=shelf.label(texts)), choose)

    def _open_log(self, shelf: Shelf, at: int) -> None:
        """Close this log for another one; one that cannot be opened is told, and this one stays."""
        try:
            self.next_log = shelf.open(at)
        except KifuError as error:
            self.show_notice(
                f"{shelf.places[at].name}{self.navigation.texts.colon}{error_text(error, self.navigation.texts)}"
            )
            return
        shelf.at = at
        self.exit()

    # Help and display.

    def action_why(self) -> None:
        """Show the rules of this step."""
        presenter, at, palette = self.navigation.presenter, self.navigation.at, self.palette
        self.push_screen(
            ReadScreen(
                self.navigation.format_message("page-rules"), lambda width: screen.rules(presenter, at, palette, width)
            )
        )

    def action_analyse(self) -> None:
        """Show what this decision was worth, from what its seat knew."""
        navigation = self.navigation
        log = navigation.log.match
        if log.result is None and not log.abandoned:
            self.notify_text("stepper-analyse-later")
        elif not (navigation.record.in_log(navigation.at) and navigation.record.is_step(navigation.at)):
            self.notify_text("stepper-no-decision")
        else:
            self.run_worker(self._analyse(log, navigation.at), group="analyse", exclusive=True)

    async def _analyse(self, log: AnyMatch, at: int) -> None:
        """Analyse the decision at a place in a thread, and show it if the person is still there."""
        navigation = self.navigation
        if self.analysis is None or self.analysis.match is not log:
            self.analysis = DecisionAnalysis(log)
        analysis, viewer = self.analysis, navigation.viewer
        decision = await asyncio.to_thread(analysis.decision, at)
        if decision is None or not may_read(viewer, decision):
            self.notify_text("stepper-no-decision" if decision is None else "stepper-other-decision")
            return
        self.notify_text("stepper-analysing")
        line = await asyncio.to_thread(analysis.line, decision)
        if (navigation.at, navigation.viewer) == (at, viewer) and len(self.screen_stack) == 1:
            self.show_notice("")
            texts = navigation.texts
            self.push_screen(
                ReadScreen(
                    texts.format("page-analysis"),
                    lambda width: screen.paragraphs(analysis.paragraphs(line, texts), width),
                )
            )

    def action_help(self) -> None:
        """Show the list of keys."""
        texts, palette, kinds = self.navigation.texts, self.palette, self.navigation.presenter.index.kinds()
        self.push_screen(
            ReadScreen(texts.format("page-keys"), lambda width: screen.help_lines(texts, palette, width, kinds))
        )

    def action_scroll_pane(self, name: str, by: int) -> None:
        """Scroll a pane by some lines."""
        self._pane(name).scroll_relative(y=by, animate=False)

    def action_language(self) -> None:
        """Switch to the other language."""
        self.navigation.switch_language()
        self.draw()

    def action_light(self) -> None:
        """Switch between light and dark."""
        self.palette = LIGHT if self.palette.dark else DARK
        self.theme = self.palette.name
        self.draw()

    def action_finish(self) -> None:
        """Close the stepper."""
        self.exit()

    def action_interrupt(self) -> None:
        """Close the stepper as after Ctrl-C."""
        self.interrupted = True
        self.exit()

    def on_steps_chosen(self, event: Steps.Chosen) -> None:
        """Go to the step that was clicked."""
        self.go(event.at)

    def on_navigation_bar_dragged(self, event: NavigationBar.Dragged) -> None:
        """Go to the place on the bar."""
        self.go(event.at)

    # A live log.

    async def _follow(self, path: Path) -> None:
        """Read the log again whenever it has grown."""
        last_read: tuple[int, int] | None = None
        while not self.navigation.ended:
            try:
                stat = os.stat(path)
                now = (stat.st_size, stat.st_mtime_ns)
                if now != last_read:
                    reading = await asyncio.to_thread(read, path)
                    last_read = now
                    if reading.match is not None:
                        self.navigation.extend(reading)
                        self.draw()
            except OSError as error:
                self.show_notice(self.navigation.texts.message(os_error_message(error)))
                last_read = None
            except KifuError as error:
                self.show_notice(error_text(error, self.navigation.texts))
                last_read = None
            await asyncio.sleep(POLL_S)
