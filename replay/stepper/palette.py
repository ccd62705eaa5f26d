"""The colours of the stepper, as on the page of an export in the dark, and what its apps share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, TypeVar

from attrs import frozen
from textual.app import App
from textual.binding import Binding, BindingType
from textual.theme import Theme

_TINTS = {
    "ink": "#22252b",
    "red": "#bf2f2f",
    "orange": "#ac5008",
    "yellow": "#806000",
    "green": "#1f7237",
    "blue": "#2156a6",
    "purple": "#76399c",
    "white": "#6a6357",
}
_INLINE = {
    "ink": "#ece6da",
    "red": "#ff9189",
    "orange": "#ffb070",
    "yellow": "#ecc94b",
    "green": "#7fd197",
    "blue": "#8fb8f5",
    "purple": "#cf9cf0",
    "white": "#ffffff",
}
T = TypeVar("T")


@frozen
class Palette:
    """The colours of all parts of the screen."""

    background: str = "#15171b"
    panel: str = "#1e2127"
    board: str = "#262a32"
    ink: str = "#ece6da"
    quiet: str = "#a8a193"
    line: str = "#414653"
    accent: str = "#ff8f78"
    now: str = "#403227"
    felt: str = "#1d3a33"
    felt_ink: str = "#f3efe2"
    felt_quiet: str = "#c9d8cf"
    card: str = "#f4efe3"
    back: str = "#28406a"
    back_line: str = "#7391bd"
    tints: Mapping[str, str] = _TINTS
    """On a card, by tint."""
    inline: Mapping[str, str] = _INLINE
    """In a sentence, by tint."""
    seats: tuple[str, ...] = ("#8fb8f5", "#ff9a8a", "#7fd197", "#ffb679", "#cf9cf0", "#6fcfdc", "#f29ac4", "#cfca78")

    def seat(self, seat: int | None) -> str:
        """Return the colour of a seat; None: a spectator."""
        return self.ink if seat is None or seat < 0 else self.seats[seat % len(self.seats)]

    def theme(self) -> Theme:
        """Return the palette as a theme of Textual."""
        return Theme(
            name="kifu",
            dark=True,
            primary=self.accent,
            accent=self.accent,
            foreground=self.ink,
            background=self.background,
            surface=self.panel,
            panel=self.panel,
            error=self.tints["red"],
            variables={
                "line": self.line,
                "now": self.now,
                "scrollbar": self.line,
                "scrollbar-hover": self.quiet,
                "scrollbar-active": self.quiet,
                "scrollbar-background": self.background,
                "scrollbar-background-hover": self.background,
                "scrollbar-background-active": self.background,
                "scrollbar-corner-color": self.background,
            },
        )


DARK = Palette()


class FullScreen(App[T]):
    """An app in the stepper's colours, whose caller prints what ended it."""

    CSS_PATH = "stepper.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "interrupt", show=False, priority=True)]
    ENABLE_COMMAND_PALETTE = False

    def __init__(self) -> None:
        super().__init__()
        self.register_theme(DARK.theme())
        self.theme = "kifu"
        self.interrupted = False
        self.failure: Exception | None = None

    def _fatal_error(self) -> None:
        """End after an error: the caller prints it in one line."""
        self.failure = self._exception
        self._close_messages_no_wait()

    def action_interrupt(self) -> None:
        """Close the app as after Ctrl-C."""
        self.interrupted = True
        self.exit()
