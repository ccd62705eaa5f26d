"""The stepper's moves along the record: steps, jumps, searches, playing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from ...core.errors import KifuError
from ...core.game import SectionKind
from ..call_errors import error_text
from . import screen
from .frame import SPEEDS, Frame
from .index import WITH_HEADING
from .panels import AskScreen
from .record import START
from .watched_value import WatchedValue

STEPS_AT_ONCE = 200
"""Steps that are handled before the screen may be drawn again."""


class Moves(Frame):
    """The actions that go to another place."""

    def _count_on(self) -> None:
        """Count some more steps, so that a jump to the end is quick."""
        index = self.navigation.presenter.index
        if index.known < index.record.count:
            index.count(index.known + STEPS_AT_ONCE)
            if index.known == index.record.count:
                self._update_bar()

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
