"""The stepper's app: its screen, and the actions of its keys."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.timer import Timer

from ...core.errors import KifuError, os_error_message
from ...core.game import Seat, SectionKind
from ...core.log import Reading, read
from ...core.text.sanitize import sanitize
from ..call_errors import error_text
from . import screen
from .analysis import DecisionAnalysis, may_read
from .cards import PLAIN
from .index import WITH_HEADING
from .keys import BINDINGS
from .navigation import Navigation
from .palette import DARK, LIGHT, Palette
from .panels import AskScreen, ChooseScreen, ReadScreen
from .panes import BarState, Lines, NavigationBar, Steps
from .record import START, AnyMatch
from .table import Tables
from .watched_value import WatchedValue

SPEEDS = (0.5, 1, 2, 4, 8, 16, 32)
"""Steps a second."""
STEPS_AT_ONCE = 200
"""Steps that are handled before the screen may be drawn again."""
COUNT_EVERY_S = 0.05
"""Seconds between two batches of steps that are counted ahead."""
POLL_S = 0.3
"""Seconds between two reads of a live log."""
NOTICE_S = 6
"""Seconds after which a notice gives its line back to the keys."""
WIDE = 116
"""Terminal cells from which the table and the list stand side by side."""


class Stepper(App[None]):
    """The app for one log: it draws the `Navigation`, and keys and mouse change it."""

    CSS_PATH = "stepper.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*BINDINGS]
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012 (as declared by Textual)

    def __init__(self, reading: Reading, viewer: Seat | None, lang: str, live: Path | None = None) -> None:
        super().__init__()
        for palette in (LIGHT, DARK):
            self.register_theme(palette.theme())
        self.palette = _of_terminal()
        self.theme = self.palette.name
        self.navigation = Navigation(reading, viewer, lang, live=live is not None)
        self.live = live
        self.tables = Tables()
        self.speed = SPEEDS.index(2)
        self.playing: Timer | None = None
        self.interrupted = False
        self.failure: Exception | None = None
        self.notice = ""
        """What the last line says instead of the keys."""
        self._notice_timer: Timer | None = None
        self.analysis: DecisionAnalysis | None = None

    def _fatal_error(self) -> None:
        """End after an error: the caller prints it in one line."""
        self.failure = self._exception
        self._close_messages_no_wait()

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

    def on_mount(self) -> None:
        """Draw the first screen; start counting ahead and following a live log."""
        self.draw()
        self.set_interval(COUNT_EVERY_S, self._count_on)
        if self.live is not None:
            self.run_worker(self._follow(self.live), group="follow")

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
        self._pane("title").show(lambda width, _: [screen.title(presenter, at, palette, width, live)])
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
        self._pane("keys").show(lambda width, _: screen.last_lines(notice, texts, palette, width))

    def _pane(self, name: str) -> Lines:
        return self.screen_stack[0].query_one(f"#{name}", Lines)

    def _update_bar(self) -> None:
        navigation = self.navigation
        speed = f"{SPEEDS[self.speed]:g}/s" if self.playing is not None else ""
        ticks = navigation.presenter.index.sections(SectionKind.DEAL, SectionKind.ROUND)
        state = BarState(navigation.at, navigation.record.last, ticks, self.playing is not None, speed)
        self.screen_stack[0].query_one(NavigationBar).show_state(state, self.palette)

    def _count_on(self) -> None:
        """Count some more steps, so that a jump to the end is quick."""
        index = self.navigation.presenter.index
        if index.known < index.record.count:
            index.count(index.known + STEPS_AT_ONCE)
            if index.known == index.record.count:
                self._update_bar()

    # Moving.

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
        index = self.navigation.presenter.index
        self._jump(forward, lambda at: not WITH_HEADING.isdisjoint(index.begins(at)), "stepper-no-section")

    def action_mark(self, mark: str, forward: bool) -> None:
        """Go to the next or previous turn, trick, round or deal."""
        index, kind = self.navigation.presenter.index, SectionKind(mark)
        if kind in index.kinds():
            self._jump(forward, lambda at: kind in index.begins(at), f"stepper-no-{mark}")
        else:
            self.show_notice(screen.other_sections(self.navigation.presenter, kind))

    def action_wrong(self, forward: bool) -> None:
        """Go to the next or previous finding."""
        places = self.navigation.record.wrong_places()
        self._jump(forward, lambda at: at in places, "stepper-no-wrong")

    def _jump(self, forward: bool, wanted: Callable[[int], bool], otherwise: str) -> None:
        found = next(filter(wanted, self.navigation.next_places(forward)), None)
        if found is None:
            self.notify_text(otherwise)
        else:
            self.go(found)

    async def _seek(self, forward: bool, wanted: Callable[[int], bool], otherwise: str, words: str = "") -> bool:
        """Go to the next wanted place, unless the person moves on during a long search; return True if it went."""
        navigation = self.navigation
        started_from = (navigation.record, navigation.at)
        for count, place in enumerate(navigation.next_places(forward), 1):
            if wanted(place):
                self.go(place)
                return True
            if count % STEPS_AT_ONCE == 0:
                await asyncio.sleep(0)
                if started_from != (navigation.record, navigation.at):
                    return False
        self.notify_text(otherwise, words=words)
        return False

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
        navigation = self.navigation
        if not navigation.search_text:
            self.action_search()
            return
        self.run_worker(self._find(forward), group="seek", exclusive=True)

    async def _find(self, forward: bool) -> None:
        """Go to the next place with the searched text, then say which of them all it is."""
        navigation, words = self.navigation, self.navigation.search_text
        if await self._seek(forward, navigation.search_test(), "stepper-not-found", words):
            at, places = navigation.at, await navigation.found_places(STEPS_AT_ONCE)
            if at == navigation.at and at in places:
                self.notify_text("stepper-found", words=words, number=places.index(at) + 1, count=len(places))

    def action_watch(self) -> None:
        """Ask for an expression to watch; an empty one clears all."""

        def watch(typed: str) -> None:
            watched = WatchedValue(typed)
            try:
                if typed:
                    watched.check(self.navigation.presenter)
            except KifuError as error:
                self.show_notice(error_text(error, self.navigation.texts))
                return
            self.navigation.watched = [*self.navigation.watched, watched] if typed else []
            self.draw()

        self._ask("stepper-watch", watch)

    def action_changed(self, forward: bool) -> None:
        """Go to the next or previous step that changes a watched value."""
        if not self.navigation.watched:
            self.action_watch()
            return
        seeking = self._seek(forward, self.navigation.changes(), "stepper-no-change")
        self.run_worker(seeking, group="seek", exclusive=True)

    def _ask(self, question: str, then: Callable[[str], None], initial: str = "") -> None:
        def answered(typed: str | None) -> None:
            if typed is not None:
                then(typed.strip())

        self.push_screen(AskScreen(self.navigation.format_message(question), initial), answered)

    # Playing.

    def action_play(self) -> None:
        """Start or pause playing."""
        navigation = self.navigation
        if self.playing is not None:
            self._pause()
            return
        if navigation.at >= navigation.record.last and (not navigation.live or navigation.ended):
            self.go(START)
        self.playing = self.set_interval(1 / SPEEDS[self.speed], self._play_on)
        self._update_bar()

    def action_speed(self, by: int) -> None:
        """Play faster or slower."""
        self.speed = min(max(self.speed + by, 0), len(SPEEDS) - 1)
        if self.playing is not None:
            self.playing.stop()
            self.playing = self.set_interval(1 / SPEEDS[self.speed], self._play_on)
            self._update_bar()
        else:
            self.notify_text("stepper-speed", speed=f"{SPEEDS[self.speed]:g}")

    def _play_on(self) -> None:
        if self.navigation.at < self.navigation.record.last:
            self.go(self.navigation.at + 1)
        elif not self.navigation.live or self.navigation.ended:
            self._pause()

    def _pause(self) -> None:
        if self.playing is not None:
            self.playing.stop()
        self.playing = None
        self._update_bar()

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


def _of_terminal() -> Palette:
    """Return the light palette if COLORFGBG says that the terminal is light, else the dark one."""
    ground = os.environ.get("COLORFGBG", "").rpartition(";")[2]
    return LIGHT if ground in ("7", "15") else DARK
