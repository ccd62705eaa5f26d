"""The stepper itself: its screen, and what each key does."""

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
from ...core.game import Mark, Seat
from ...core.log import Reading, read
from ...core.text.sanitize import sanitize
from ..call_errors import error_text
from . import screen
from .cards import PLAIN
from .index import HEADED
from .keys import BINDINGS
from .navigation import Navigation
from .palette import DARK, LIGHT, Palette
from .panels import AskScreen, ChooseScreen, ReadScreen
from .panes import BarState, Lines, NavigationBar, Steps
from .record import START
from .table import Tables
from .watched_value import WatchedValue

SPEEDS = (0.5, 1, 2, 4, 8, 16, 32)
"""Steps a second."""
AT_ONCE = 200
"""How many steps are looked at before the screen may be drawn again."""
SOON = 0.05
"""Seconds between two times that steps are counted ahead."""
POLL = 0.3
"""Seconds between two looks at a live log."""
WIDE = 116


class Stepper(App[None]):
    """Steps through one log: shows a walk, and lets keys and the mouse lead it."""

    CSS_PATH = "stepper.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*BINDINGS]
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012 (declared so by textual)

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

    def _fatal_error(self) -> None:
        """End after an error of ours: whoever called tells it, in one line."""
        self.failure = self._exception
        self._close_messages_no_wait()

    def compose(self) -> ComposeResult:
        yield Lines(id="title")
        with Container(id="body"):
            yield Lines(id="table")
            with Container(id="side"):
                yield Steps(id="steps")
                yield Lines(id="notes", steady=True)
        yield NavigationBar(id="bar")
        yield Lines(id="keys")

    def on_mount(self) -> None:
        self.draw()
        self.set_interval(SOON, self._count_on)
        if self.live is not None:
            self.run_worker(self._follow(self.live), group="follow")

    # What is shown.

    def draw(self) -> None:
        """Set every pane anew."""
        navigation, told, at, palette = self.navigation, self.navigation.told, self.navigation.at, self.palette
        drawing = self.tables.drawing(told, palette, PLAIN)
        live = (
            navigation.texts.format("stepper-ended" if navigation.ended else "stepper-live") if navigation.live else ""
        )
        self._pane("table").show(lambda width, height: self.tables.draw(told, at, palette, width, height))
        self._pane("title").show(lambda width, _: [screen.title(told, at, palette, width, live)])
        self._pane("notes").show(lambda width, _: screen.notes(told, at, drawing, palette, width, navigation.watched))
        self._pane("notes").scroll_home(animate=False)
        self._pane("keys").show(lambda width, _: [screen.hints(navigation.texts, palette, width)])
        self.screen_stack[0].query_one(Steps).tell(told, palette, at, navigation.words)
        self._lead()

    def go(self, at: int) -> None:
        """Show another place; what was said of the last one is gone."""
        self.clear_notifications()
        self.navigation.go(at)
        self.draw()

    def say(self, key: str, **values: object) -> None:
        """Say something that is soon gone."""
        self.tell(self.navigation.says(key, **values))

    def tell(self, message: str) -> None:
        self.clear_notifications()  # what was said before is over, and would only hide the notes
        self.notify(sanitize(message, 300), markup=False)

    def _pane(self, name: str) -> Lines:
        return self.screen_stack[0].query_one(f"#{name}", Lines)

    def _lead(self) -> None:
        navigation = self.navigation
        speed = f"{SPEEDS[self.speed]:g}/s" if self.playing is not None else ""
        ticks = navigation.told.index.sections(Mark.DEAL, Mark.ROUND)
        ways = BarState(navigation.at, navigation.record.last, ticks, self.playing is not None, speed)
        self.screen_stack[0].query_one(NavigationBar).lead(ways, self.palette)

    def _count_on(self) -> None:
        """Count a few more steps, so that a jump to the end finds them counted."""
        index = self.navigation.told.index
        if index.known < index.record.count:
            index.count(index.known + AT_ONCE)
            if index.known == index.record.count:
                self._lead()

    # Ways through the record.

    def action_step(self, by: int) -> None:
        self.go(self.navigation.at + by)

    def action_start(self) -> None:
        self.go(START)

    def action_end(self) -> None:
        self.go(self.navigation.record.last)

    def action_section(self, forward: bool) -> None:
        index = self.navigation.told.index
        self._jump(forward, lambda at: not HEADED.isdisjoint(index.begins(at)), "stepper-no-section")

    def action_mark(self, mark: str, forward: bool) -> None:
        index = self.navigation.told.index
        self._jump(forward, lambda at: Mark(mark) in index.begins(at), f"stepper-no-{mark}")

    def action_wrong(self, forward: bool) -> None:
        places = self.navigation.record.wrong_places()
        self._jump(forward, lambda at: at in places, "stepper-no-wrong")

    def _jump(self, forward: bool, wanted: Callable[[int], bool], otherwise: str) -> None:
        found = next(filter(wanted, self.navigation.next_places(forward)), None)
        if found is None:
            self.say(otherwise)
        else:
            self.go(found)

    async def _seek(self, forward: bool, wanted: Callable[[int], bool], otherwise: str, words: str = "") -> None:
        """Go to the next place that is wanted; whoever goes on meanwhile, in a long match, wants it no more."""
        navigation = self.navigation
        begun = (navigation.record, navigation.at)
        for count, place in enumerate(navigation.next_places(forward), 1):
            if wanted(place):
                self.go(place)
                return
            if count % AT_ONCE == 0:
                await asyncio.sleep(0)
                if begun != (navigation.record, navigation.at):
                    return
        self.say(otherwise, words=words)

    def action_jump(self) -> None:
        def jump(said: str) -> None:
            last = self.navigation.record.last
            if said.isascii() and said.isdigit() and len(said) < 10 and int(said) <= last:
                self.go(int(said))
            elif said:
                self.say("stepper-no-step", said=said, last=last)

        self._ask("stepper-jump", jump)

    def action_search(self) -> None:
        def search(said: str) -> None:
            self.navigation.words = said.casefold()
            self.draw()
            if said:
                self.action_found(True)

        self._ask("stepper-search", search, self.navigation.words)

    def action_found(self, forward: bool) -> None:
        navigation = self.navigation
        if not navigation.words:
            self.action_search()
            return
        seeking = self._seek(forward, navigation.speaks(), "stepper-not-found", navigation.words)
        self.run_worker(seeking, group="seek", exclusive=True)

    def action_watch(self) -> None:
        def watch(said: str) -> None:
            watched = WatchedValue(said)
            try:
                if said:
                    watched.check(self.navigation.told)
            except KifuError as error:
                self.tell(error_text(error, self.navigation.texts))
                return
            self.navigation.watched = [*self.navigation.watched, watched] if said else []
            self.draw()

        self._ask("stepper-watch", watch)

    def action_changed(self, forward: bool) -> None:
        if not self.navigation.watched:
            self.action_watch()
            return
        seeking = self._seek(forward, self.navigation.changes(), "stepper-no-change")
        self.run_worker(seeking, group="seek", exclusive=True)

    def _ask(self, question: str, then: Callable[[str], None], given: str = "") -> None:
        def answered(said: str | None) -> None:
            if said is not None:
                then(said.strip())

        self.push_screen(AskScreen(self.navigation.says(question), given), answered)

    # Playing.

    def action_play(self) -> None:
        navigation = self.navigation
        if self.playing is not None:
            self._pause()
            return
        if navigation.at >= navigation.record.last and (not navigation.live or navigation.ended):
            self.go(START)
        self.playing = self.set_interval(1 / SPEEDS[self.speed], self._play_on)
        self._lead()

    def action_speed(self, by: int) -> None:
        self.speed = min(max(self.speed + by, 0), len(SPEEDS) - 1)
        if self.playing is not None:
            self.playing.stop()
            self.playing = self.set_interval(1 / SPEEDS[self.speed], self._play_on)
            self._lead()
        else:
            self.say("stepper-speed", speed=f"{SPEEDS[self.speed]:g}")

    def _play_on(self) -> None:
        if self.navigation.at < self.navigation.record.last:
            self.go(self.navigation.at + 1)
        elif not self.navigation.live or self.navigation.ended:
            self._pause()

    def _pause(self) -> None:
        if self.playing is not None:
            self.playing.stop()
        self.playing = None
        self._lead()

    # Eyes.

    def action_see(self, seat: int | None) -> None:
        viewer = None if seat is None else Seat(seat)
        if viewer not in self.navigation.viewers:
            self.say("stepper-sealed", seat=self.navigation.viewer_label)
            return
        self.navigation.viewer = viewer
        self.draw()

    def action_next_seat(self, by: int) -> None:
        viewers = self.navigation.viewers
        if len(self.screen_stack) > 1:
            return
        if self.navigation.sealed:
            self.say("stepper-sealed", seat=self.navigation.viewer_label)
            return
        self.action_see(viewers[(viewers.index(self.navigation.viewer) + by) % len(viewers)])

    def action_seats(self) -> None:
        navigation, viewers = self.navigation, self.navigation.viewers
        if navigation.sealed:
            self.say("stepper-sealed", seat=navigation.viewer_label)
            return

        def see(place: int | None) -> None:
            if place is not None:
                self.action_see(viewers[place])

        called = [Text(navigation.call(each)) for each in viewers]
        self.push_screen(
            ChooseScreen(navigation.says("page-seen-by"), called, at=viewers.index(navigation.viewer)), see
        )

    # Forks.

    def action_fork(self) -> None:
        navigation, told, at = self.navigation, self.navigation.told, self.navigation.at
        if navigation.sealed:
            self.say("stepper-sealed-fork", seat=navigation.viewer_label)
            return
        commands = list(navigation.record.choices(at, navigation.viewer))
        if not commands:
            self.say("stepper-not-asked" if navigation.record.position(at).to_act else "stepper-over")
            return
        drawing = self.tables.drawing(told, self.palette, PLAIN)
        own = navigation.record.following(at)
        mark = navigation.says("stepper-own")
        said = [screen.choice(told.command(*each), drawing, mark if each == own else "") for each in commands]

        def fork(place: int | None) -> None:
            if place is not None:
                navigation.fork(at, *commands[place])
                self.draw()

        count = navigation.says("stepper-choices", count=len(commands))
        self.push_screen(
            ChooseScreen(navigation.says("stepper-fork"), said, hint=navigation.says("stepper-narrow"), more=count),
            fork,
        )

    def action_leave(self) -> None:
        if self.navigation.leave():
            self.draw()

    # What one can read, and how.

    def action_why(self) -> None:
        told, at, palette = self.navigation.told, self.navigation.at, self.palette
        self.push_screen(
            ReadScreen(self.navigation.says("page-rules"), lambda width: screen.rules(told, at, palette, width))
        )

    def action_help(self) -> None:
        texts, palette = self.navigation.texts, self.palette
        self.push_screen(ReadScreen(texts.format("page-keys"), lambda width: screen.help_lines(texts, palette, width)))

    def action_scroll_pane(self, name: str, by: int) -> None:
        self._pane(name).scroll_relative(y=by, animate=False)

    def action_language(self) -> None:
        self.navigation.switch_language()
        self.draw()

    def action_light(self) -> None:
        self.palette = LIGHT if self.palette.dark else DARK
        self.theme = self.palette.name
        self.draw()

    def action_finish(self) -> None:
        self.exit()

    def action_interrupt(self) -> None:
        self.interrupted = True
        self.exit()

    def on_steps_chosen(self, event: Steps.Chosen) -> None:
        self.go(event.at)

    def on_navigation_bar_dragged(self, event: NavigationBar.Dragged) -> None:
        self.go(event.at)

    # A live log.

    async def _follow(self, path: Path) -> None:
        """Read the log again whenever it has grown."""
        seen: tuple[int, int] | None = None
        while not self.navigation.ended:
            try:
                there = os.stat(path)
                now = (there.st_size, there.st_mtime_ns)
                if now != seen:
                    reading = await asyncio.to_thread(read, path)
                    seen = now
                    if reading.match is not None:
                        self.navigation.extend(reading)
                        self.draw()
            except OSError as error:
                self.tell(self.navigation.texts.message(os_error_message(error)))
                seen = None
            except KifuError as error:
                self.tell(error_text(error, self.navigation.texts))
                seen = None
            await asyncio.sleep(POLL)


def _of_terminal() -> Palette:
    """Choose light or dark as the terminal says it is, where it says so."""
    ground = os.environ.get("COLORFGBG", "").rpartition(";")[2]
    return LIGHT if ground in ("7", "15") else DARK
