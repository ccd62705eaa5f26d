"""The colours of the stepper, light and dark, as on the page of an export."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen
from textual.theme import Theme


@frozen
class Palette:
    """The colours of all parts of the screen."""

    name: str
    dark: bool
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
    fork: str
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
            name=self.name,
            dark=self.dark,
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
                "fork": self.fork,
                "scrollbar": self.line,
                "scrollbar-hover": self.quiet,
                "scrollbar-active": self.quiet,
                "scrollbar-background": self.background,
                "scrollbar-background-hover": self.background,
                "scrollbar-background-active": self.background,
                "scrollbar-corner-color": self.background,
            },
        )


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

LIGHT = Palette(
    name="kifu-light",
    dark=False,
    background="#f4efe4",
    panel="#fffdf8",
    board="#e9e1d0",
    ink="#24211d",
    quiet="#625a4f",
    line="#cfc4ae",
    accent="#b3352a",
    now="#f8e2c4",
    felt="#2d5a4c",
    felt_ink="#f3efe2",
    felt_quiet="#c9d8cf",
    card="#fffefa",
    back="#2b4a78",
    back_line="#8fb0da",
    fork="#e5d3f2",
    tints=_TINTS,
    inline={**_TINTS, "ink": "#24211d", "orange": "#a84e06", "yellow": "#7d5e00", "green": "#1f6d35"},
    seats=("#2156a6", "#b3352a", "#1f6d35", "#974a03", "#76399c", "#0c6b77", "#8a3a63", "#5d5a1c"),
)

DARK = Palette(
    name="kifu-dark",
    dark=True,
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
    fork="#44305a",
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
