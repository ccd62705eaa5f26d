"""The panes of the screen, which draw only the visible of their lines."""

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
    """A pane of lines, which are built again when its size changes.

    `steady`: the space of the scroll bar is always reserved, so that the lines keep their width when it appears.
    """

    def __init__(self, *, steady: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.steady = steady
        self.lines: Sequence[Text] = ()
        self.make: Callable[[int, int], Sequence[Text]] = lambda _width, _height: ()

    def show(self, make: Callable[[int, int], Sequence[Text]]) -> None:
        """Show the lines that `make` returns for a width and a height."""
        self.make = make
        self.rebuild()

    def rebuild(self) -> None:
        """Build the lines for the present size, and redraw those that changed."""
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
        """Build the lines for the new size."""
        self.rebuild()

    def line(self, y: int) -> Text:
        """Return a line; empty beyond the last."""
        return self.lines[y] if y < len(self.lines) else Text()

    def render_line(self, y: int) -> Strip:
        """Render a visible line."""
        line = self.line(y + self.scroll_offset.y)
        strip = Strip(line.render(self.app.console, end=""), cell_len(line.plain))
        return strip.adjust_cell_length(self.size.width).apply_style(self.rich_style)


class Steps(Lines):
    """The list of steps; each is formatted when it becomes visible."""

    class Chosen(Message):
        """A step was clicked."""

        def __init__(self, at: int) -> None:
            super().__init__()
            self.at = at

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.presenter: StepPresenter | None = None
        self.palette: Palette | None = None
        self.at = START
        self.search_text = ""

    def show_steps(self, presenter: StepPresenter, palette: Palette, at: int, words: str) -> None:
        """Show the list around one step, with the searched text underlined."""
        before = self._appearance()
        rows = [presenter.index.row_of(self.at), presenter.index.row_of(at)]
        self.presenter, self.palette, self.at, self.search_text = presenter, palette, at, words
        top, size = self.scroll_offset.y, self.virtual_size
        self.scroll_to_step()
        if before != self._appearance() or (top, size) != (self.scroll_offset.y, self.virtual_size):
            self.refresh()
        else:
            for row in rows:
                self.refresh_lines(row)

    def _appearance(self) -> tuple[object, ...]:
        """Return everything that all rows depend on."""
        return (self.presenter and (self.presenter.index, self.presenter.texts), self.palette, self.search_text)

    def rebuild(self) -> None:
        """Redraw the list for the present size."""
        self.scroll_to_step()
        self.refresh()

    def scroll_to_step(self) -> None:
        """Scroll the step into view, after counting the rows around it."""
        if self.presenter is None:
            return
        width, height = self.scrollable_content_region.size
        place = self.presenter.index.row_of(self.at)
        self.presenter.index.row(place + height)
        self.virtual_size = Size(width, self.presenter.index.height)
        top = self.scroll_offset.y
        if not top + 1 < place < top + height - 2:
            self.scroll_to(y=max(place - height // 2, 0), animate=False, force=True)

    def line(self, y: int) -> Text:
        """Return a row: a heading or a place."""
        presenter, palette = self.presenter, self.palette
        row = presenter.index.row(y) if presenter is not None else None
        if presenter is None or palette is None or row is None:
            return Text()
        width = self.scrollable_content_region.width
        if row.section is not None:
            title = presenter.texts.section(row.section.kind.value, row.section.number, presenter.game)
            rest = "─" * max(width - cell_len(title) - 2, 0)
            return Text.assemble((f" {title} ", f"bold {palette.accent}"), (rest, palette.line))
        return self._place(presenter, palette, row.at, width)

    def _place(self, presenter: StepPresenter, palette: Palette, at: int, width: int) -> Text:
        """Return the row of a place: its number and what happened."""
        in_log, text = presenter.record.in_log(at), presenter.line(at)
        number = str(at) if presenter.record.is_step(at) else "" if at >= 0 else "–"
        head = f"{' ' if in_log else NOT_IN_LOG}{number:>5} "
        line = Text.assemble((head, palette.quiet), sanitize(text, max(width - len(head), 8)))
        if text.startswith(WRONG):
            line.stylize(palette.inline["red"])
        found = line.plain.casefold().find(self.search_text) if self.search_text else -1
        if found >= 0:
            line.stylize("underline", found, found + len(self.search_text))
        line.append(" " * (width - cell_len(line.plain)))
        if at == self.at:
            line.stylize(f"bold {palette.ink} on {palette.now if in_log else palette.fork}")
            line.stylize(palette.accent, 0, 1)
            line.plain = "▌" + line.plain[1:]
        elif not in_log:
            line.stylize_before(f"on {palette.fork}")
        return line

    def on_click(self, event: Click) -> None:
        """Report the place that was clicked."""
        row = self.presenter.index.row(event.y + self.scroll_offset.y) if self.presenter is not None else None
        if row is not None:
            self.post_message(self.Chosen(row.at))


@frozen
class BarState:
    """What the navigation bar shows: the place, the last place, the marked places, and the playing speed."""

    at: int
    last: int
    ticks: tuple[int, ...]
    playing: bool
    speed: str


class NavigationBar(Lines):
    """The navigation bar: buttons, and a bar to click or drag on."""

    class Dragged(Message):
        """A place on the bar was clicked or dragged to."""

        def __init__(self, at: int) -> None:
            super().__init__()
            self.at = at

    state = BarState(START, START, (), playing=False, speed="")
    bar_start = bar_width = 0

    def show_state(self, state: BarState, palette: Palette) -> None:
        """Show a state."""
        self.state = state
        self.show(lambda width, _height: [self._drawn(width, palette)])

    def _drawn(self, width: int, palette: Palette) -> Text:
        state = self.state
        buttons = Text(" ")
        play = "‖ " if state.playing else "▶ "
        symbols = (("|◂", "start"), ("◂", "step(-1)"), (play, "play"), ("▸", "step(1)"), ("▸|", "end"))
        for sign, action in symbols:
            buttons.append(f" {sign} ", Style(color=palette.accent, bold=True, meta={"@click": f"app.{action}"}))
        counted = "–" if state.at < 0 else str(state.at)
        after = Text(f"  {counted}/{state.last}  {state.speed} ", style=palette.quiet)
        self.bar_start = cell_len(buttons.plain) + 1
        self.bar_width = max(width - self.bar_start - cell_len(after.plain), 2)
        bar = Text.assemble(buttons, " ", Text("─" * self.bar_width, style=palette.line), after)
        for tick in state.ticks:
            _draw(bar, self._cell(tick), "┼", palette.quiet)
        here = self._cell(state.at)
        for cell in range(self.bar_start, here):
            _draw(bar, cell, "━" if bar.plain[cell] == "─" else "╋", palette.accent)
        _draw(bar, here, "●", f"bold {palette.accent}")
        return bar

    def _cell(self, at: int) -> int:
        places = max(self.state.last - START, 1)
        return self.bar_start + round((at - START) * (self.bar_width - 1) / places)

    def _seek(self, x: int) -> None:
        if self.bar_start <= x < self.bar_start + self.bar_width:
            places = self.state.last - START
            self.post_message(self.Dragged(START + round((x - self.bar_start) * places / (self.bar_width - 1))))

    def on_click(self, event: Click) -> None:
        """Go to a place on the bar."""
        self._seek(event.x)

    def on_mouse_move(self, event: MouseMove) -> None:
        """Go to a place while dragging."""
        if event.button:
            self._seek(event.x)


def _draw(line: Text, cell: int, sign: str, style: str) -> None:
    line.plain = line.plain[:cell] + sign + line.plain[cell + 1 :]
    line.stylize(style, cell, cell + 1)
