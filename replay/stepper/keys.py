"""The keys of the stepper, with the name of each in the help."""

from __future__ import annotations

from textual.binding import Binding

TAKEN = ("tab", "shift+tab")
"""Keys that Textual would use itself."""


def _keys(*keys: tuple[str, str, str]) -> tuple[Binding, ...]:
    """Return keys that belong together, of each its names in Textual, its name for a person, and its action."""
    return tuple(
        Binding(name, action, show=False, key_display=shown, priority=name in TAKEN) for name, shown, action in keys
    )


KEYS = {
    "steps": _keys(("left,up", "←", "step(-1)"), ("right,down", "→", "step(1)")),
    "sections": _keys(("pageup", "PgUp", "section(False)"), ("pagedown", "PgDn", "section(True)")),
    "ends": _keys(("home,g", "Home", "start"), ("end,G", "End", "end")),
    "jump": _keys(("colon,number_sign", ":", "jump")),
    "search": _keys(("slash", "/", "search")),
    "found": _keys(("N", "N", "found(False)"), ("n", "n", "found(True)")),
    "wrong": _keys(("X", "X", "wrong(False)"), ("x", "x", "wrong(True)")),
    "seat": _keys(
        ("s", "s", "next_seat(1)"),
        ("S", "S", "next_seat(-1)"),
        ("tab", "Tab", "next_seat(1)"),
        ("shift+tab", "⇧Tab", "next_seat(-1)"),
    ),
    "why": _keys(("enter,y", "Enter", "why")),
    "scroll": _keys(
        ("left_square_bracket", "[", "scroll_pane('notes', -3)"),
        ("right_square_bracket", "]", "scroll_pane('notes', 3)"),
        ("left_curly_bracket", "{", "scroll_pane('table', -3)"),
        ("right_curly_bracket", "}", "scroll_pane('table', 3)"),
    ),
    "help": _keys(("question_mark,f1", "?", "help")),
    "quit": _keys(("q", "q", "finish")),
}
"""All keys, in the order of the help; the message `stepper-key-NAME` describes those of a name."""

HINTS = ("steps", "help", "quit", "why", "search", "seat", "sections")
"""The keys of the bottom line, the most needed first: as many as fit; at 80 columns all but the last."""
