"""The panes of the screen: lines that are already set, of which only the visible ones are drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from attrs import frozen
from rich.cells import cell_len
from rich.style import Style
from rich.text import Text
from textual.events import Click, MouseMove, Resize
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from ...core.text.sanitize import sanitize
from .palette import Palette
from .presenter import NOT_IN_LOG, WRONG, StepPresenter
from .record import START


class Lines(ScrollView, can_focus=False):
    """Lines of text, no wider than the pane. They are made anew when its width changes.

    Those of a `steady` pane keep the place of the scroll bar free, so that they are not set anew when it comes.
    """

    def __init__(self, *, steady: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.steady = steady
        self.lines: Sequence[Text] = ()
        self.make: Callable[[int, int], Sequence[Text]] = lambda _width, _height: ()

    def show(self, make: Callable[[int, int], Sequence[Text]]) -> None:
        """Show the lines that this function makes for a width and a height."""
        self.make = make
        self.remake()

    def remake(self) -> None:
        width, height = self.content_size
        bar = self.styles.scrollbar_size_vertical
        width -= bar if self.steady else 0
        old = self.lines
        self.lines = self.make(width, height) if width > 0 else ()
        if len(self.lines) > height > 1 and not self.steady:
            width -= bar
            self.lines = self.make(width, height)
        if self.virtual_size != (width, len(self.lines)):
            self.virtual_size = Size(width, len(self.lines))
            self.refresh()
            return
        for y, (before, after) in enumerate(zip(old, self.lines, strict=True)):
            if before != after:
                self.refresh_lines(y)

    def on_resize(self, _event: Resize) -> None:
        self.remake()

    def line(self, y: int) -> Text:
        return self.lines[y] if y < len(self.lines) else Text()

    def render_line(self, y: int) -> Strip:
        line = self.line(y + self.scroll_offset.y)
        strip = Strip(line.render(self.app.console, end=""), cell_len(line.plain))
        return strip.adjust_cell_length(self.size.width).apply_style(self.rich_style)


class Steps(Lines):
    """The list of steps, each put into words when it comes into sight."""

    class Chosen(Message):
        """A step was clicked."""

        def __init__(self, at: int) -> None:
            super().__init__()
            self.at = at

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.told: StepPresenter | None = None
        self.palette: Palette | None = None
        self.at = START
        self.words = ""

    def tell(self, told: StepPresenter, palette: Palette, at: int, words: str) -> None:
        """Show the steps around one of them; where the words stand that are searched, they are underlined."""
        before = self._look()
        rows = [told.index.row_of(self.at), told.index.row_of(at)]
        self.told, self.palette, self.at, self.words = told, palette, at, words
        top, size = self.scroll_offset.y, self.virtual_size
        self.see()
        if before != self._look() or (top, size) != (self.scroll_offset.y, self.virtual_size):
            self.refresh()
        else:
            for row in rows:
                self.refresh_lines(row)

    def _look(self) -> tuple[object, ...]:
        """Give all that every row depends on."""
        return (self.told and (self.told.index, self.told.texts), self.palette, self.words)

    def remake(self) -> None:
        self.see()
        self.refresh()

    def see(self) -> None:
        """Scroll the step into sight, and see that all rows around it are known."""
        if self.told is None:
            return
        width, height = self.scrollable_content_region.size
        place = self.told.index.row_of(self.at)
        self.told.index.row(place + height)
        self.virtual_size = Size(width, self.told.index.height)
        top = self.scroll_offset.y
        if not top + 1 < place < top + height - 2:
            self.scroll_to(y=max(place - height // 2, 0), animate=False, force=True)

    def line(self, y: int) -> Text:
        told, palette = self.told, self.palette
        row = told.index.row(y) if told is not None else None
        if told is None or palette is None or row is None:
            return Text()
        width = self.scrollable_content_region.width
        if row.section is not None:
            title = told.texts.format(f"begins-{row.section.mark.value}", number=row.section.number)
            rest = "─" * max(width - cell_len(title) - 2, 0)
            return Text.assemble((f" {title} ", f"bold {palette.accent}"), (rest, palette.line))
        return self._place(told, palette, row.at, width)

    def _place(self, told: StepPresenter, palette: Palette, at: int, width: int) -> Text:
        """Set a place in one line: its number, or a sign, and what happened."""
        in_log, said = told.record.in_log(at), told.line(at)
        number = str(at) if told.record.is_step(at) else "" if at >= 0 else "–"
        head = f"{' ' if in_log else NOT_IN_LOG}{number:>5} "
        line = Text.assemble((head, palette.quiet), sanitize(said, max(width - len(head), 8)))
        if said.startswith(WRONG):
            line.stylize(palette.inline["red"])
        found = line.plain.casefold().find(self.words) if self.words else -1
        if found >= 0:
            line.stylize("underline", found, found + len(self.words))
        line.append(" " * (width - cell_len(line.plain)))
        if at == self.at:
            line.stylize(f"bold {palette.ink} on {palette.now if in_log else palette.fork}")
            line.stylize(palette.accent, 0, 1)
            line.plain = "▌" + line.plain[1:]
        elif not in_log:
            line.stylize_before(f"on {palette.fork}")
        return line

    def on_click(self, event: Click) -> None:
        row = self.told.index.row(event.y + self.scroll_offset.y) if self.told is not None else None
        if row is not None:
            self.post_message(self.Chosen(row.at))


@frozen
class BarState:
    """Where the bar stands: a place among all, the places to be marked, and what plays how fast."""

    at: int
    last: int
    ticks: tuple[int, ...]
    playing: bool
    speed: str


class NavigationBar(Lines):
    """The way through the record: buttons, and a bar to click or drag on."""

    class Dragged(Message):
        """A place was pointed at."""

        def __init__(self, at: int) -> None:
            super().__init__()
            self.at = at

    ways = BarState(START, START, (), playing=False, speed="")
    begin = wide = 0

    def lead(self, ways: BarState, palette: Palette) -> None:
        """Show where on the way we are."""
        self.ways = ways
        self.show(lambda width, _height: [self._drawn(width, palette)])

    def _drawn(self, width: int, palette: Palette) -> Text:
        ways = self.ways
        buttons = Text(" ")
        play = "‖ " if ways.playing else "▶ "
        signs = (("|◂", "start"), ("◂", "step(-1)"), (play, "play"), ("▸", "step(1)"), ("▸|", "end"))
        for sign, action in signs:
            buttons.append(f" {sign} ", Style(color=palette.accent, bold=True, meta={"@click": f"app.{action}"}))
        counted = "–" if ways.at < 0 else str(ways.at)
        after = Text(f"  {counted}/{ways.last}  {ways.speed} ", style=palette.quiet)
        self.begin = cell_len(buttons.plain) + 1
        self.wide = max(width - self.begin - cell_len(after.plain), 2)
        bar = Text.assemble(buttons, " ", Text("─" * self.wide, style=palette.line), after)
        for tick in ways.ticks:
            _draw(bar, self._cell(tick), "┼", palette.quiet)
        here = self._cell(ways.at)
        for cell in range(self.begin, here):
            _draw(bar, cell, "━" if bar.plain[cell] == "─" else "╋", palette.accent)
        _draw(bar, here, "●", f"bold {palette.accent}")
        return bar

    def _cell(self, at: int) -> int:
        places = max(self.ways.last - START, 1)
        return self.begin + round((at - START) * (self.wide - 1) / places)

    def _seek(self, x: int) -> None:
        if self.begin <= x < self.begin + self.wide:
            places = self.ways.last - START
            self.post_message(self.Dragged(START + round((x - self.begin) * places / (self.wide - 1))))

    def on_click(self, event: Click) -> None:
        self._seek(event.x)

    def on_mouse_move(self, event: MouseMove) -> None:
        if event.button:
            self._seek(event.x)


def _draw(line: Text, cell: int, sign: str, style: str) -> None:
    line.plain = line.plain[:cell] + sign + line.plain[cell + 1 :]
    line.stylize(style, cell, cell + 1)
