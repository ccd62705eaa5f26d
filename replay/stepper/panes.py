"""The panes of the screen, which draw only the visible of their lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rich.cells import cell_len
from rich.text import Text
from textual.events import Click, Resize
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from ...core.text.sanitize import sanitize
from .palette import DARK
from .presenter import WRONG, StepPresenter
from .record import START


class Lines(ScrollView, can_focus=False):
    """A pane of lines, which are built again when its size changes.

    `steady`: the space of the scroll bar is always reserved, so that the lines keep their width when it appears.
    """

    def __init__(self, *, steady: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.steady = steady
        self.lines: Sequence[Text] = ()
        self.make: Callable[[int], Sequence[Text]] = lambda _: ()

    def show(self, make: Callable[[int], Sequence[Text]]) -> None:
        """Show the lines that `make` returns for a width."""
        self.make = make
        self.rebuild()

    def rebuild(self) -> None:
        """Build the lines for the present size."""
        width, height = self.content_size
        bar = self.styles.scrollbar_size_vertical
        width -= bar if self.steady else 0
        self.lines = self.make(width) if width > 0 else ()
        if len(self.lines) > height > 1 and not self.steady:
            width -= bar
            self.lines = self.make(width)
        self.virtual_size = Size(width, len(self.lines))
        self.refresh()

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
        self.at = START
        self.search_text = ""

    def show_steps(self, presenter: StepPresenter, at: int, words: str) -> None:
        """Show the list around one step, with the searched text underlined."""
        self.presenter, self.at, self.search_text = presenter, at, words
        self.rebuild()

    def rebuild(self) -> None:
        """Redraw the list for the present size."""
        self.scroll_to_step()
        self.refresh()

    def scroll_to_step(self) -> None:
        """Scroll the step into view."""
        if self.presenter is None:
            return
        width, height = self.scrollable_content_region.size
        place = self.presenter.row_of(self.at)
        self.virtual_size = Size(width, len(self.presenter.rows))
        top = self.scroll_offset.y
        if not top + 1 < place < top + height - 2:
            self.scroll_to(y=max(place - height // 2, 0), animate=False, force=True)

    def line(self, y: int) -> Text:
        """Return a row: a heading or a place."""
        presenter = self.presenter
        row = presenter.row(y) if presenter is not None else None
        if presenter is None or row is None:
            return Text()
        width = self.scrollable_content_region.width
        if row.section is not None:
            title = presenter.texts.section(row.section.kind.value, row.section.number, presenter.game)
            rest = "─" * max(width - cell_len(title) - 2, 0)
            return Text.assemble((f" {title} ", f"bold {DARK.accent}"), (rest, DARK.line))
        return self._place(presenter, row.at, width)

    def _place(self, presenter: StepPresenter, at: int, width: int) -> Text:
        """Return the row of a place: its number and what happened."""
        text = presenter.line(at)
        number = str(at) if presenter.record.is_step(at) else "" if at >= 0 else "–"
        head = f" {number:>5} "
        line = Text.assemble((head, DARK.quiet), sanitize(text, max(width - len(head), 8)))
        if text.startswith(WRONG):
            line.stylize(DARK.inline["red"])
        found = line.plain.casefold().find(self.search_text) if self.search_text else -1
        if found >= 0:
            line.stylize("underline", found, found + len(self.search_text))
        line.append(" " * (width - cell_len(line.plain)))
        if at == self.at:
            line.stylize(f"bold {DARK.ink} on {DARK.now}")
            line.stylize(DARK.accent, 0, 1)
            line.plain = "▌" + line.plain[1:]
        return line

    def on_click(self, event: Click) -> None:
        """Report the place that was clicked."""
        row = self.presenter.row(event.y + self.scroll_offset.y) if self.presenter is not None else None
        if row is not None:
            self.post_message(self.Chosen(row.at))
