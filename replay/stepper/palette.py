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
T = TypeVar("T")


@frozen
class Palette:
    """The colours of all parts of the screen."""

    background: str
    panel: str
    board: str
    ink: str
    quiet: str
    line: str
    accent: str
    now: str
    felt: str
    felt_ink: str
    felt_quiet: str
    card: str
    back: str
    back_line: str
    tints: Mapping[str, str]
    """On a card, by tint."""
    inline: Mapping[str, str]
    """In a sentence, by tint."""
    seats: tuple[str, ...]

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


DARK = Palette(
    background="#15171b",
    panel="#1e2127",
    board="#262a32",
    ink="#ece6da",
    quiet="#a8a193",
    line="#414653",
    accent="#ff8f78",
    now="#403227",
    felt="#1d3a33",
    felt_ink="#f3efe2",
    felt_quiet="#c9d8cf",
    card="#f4efe3",
    back="#28406a",
    back_line="#7391bd",
    tints=_TINTS,
    inline={
        "ink": "#ece6da",
        "red": "#ff9189",
        "orange": "#ffb070",
        "yellow": "#ecc94b",
        "green": "#7fd197",
        "blue": "#8fb8f5",
        "purple": "#cf9cf0",
        "white": "#ffffff",
    },
    seats=("#8fb8f5", "#ff9a8a", "#7fd197", "#ffb679", "#cf9cf0", "#6fcfdc", "#f29ac4", "#cfca78"),
)


class FullScreen(App[T]):
    """An app in the stepper's colours, whose caller prints what ended it."""

    CSS_PATH = "stepper.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "interrupt", show=False, priority=True)]
    ENABLE_COMMAND_PALETTE = False

    def __init__(self) -> None:
        super().__init__()
        self.palette = DARK
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
