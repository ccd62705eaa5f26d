"""The keys of the stepper: the action of each, and its name in the help."""

from __future__ import annotations

from attrs import frozen
from textual.binding import Binding


@frozen
class Key:
    """A key: its names in Textual, its name for a person, and its action."""

    name: str
    shown: str
    action: str


@frozen
class Keys:
    """Keys that belong together; the message `stepper-key-TEXT` describes them."""

    text: str
    keys: tuple[Key, ...]


def _keys(text: str, *keys: tuple[str, str, str]) -> Keys:
    return Keys(text, tuple(Key(*key) for key in keys))


KEYS = (
    _keys("steps", ("left,up", "←", "step(-1)"), ("right,down", "→", "step(1)")),
    _keys("sections", ("pageup", "PgUp", "section(False)"), ("pagedown", "PgDn", "section(True)")),
    _keys("ends", ("home,g", "Home", "start"), ("end,G", "End", "end")),
    _keys("jump", ("colon,number_sign", ":", "jump")),
    _keys("search", ("slash", "/", "search")),
    _keys("found", ("N", "N", "found(False)"), ("n", "n", "found(True)")),
    _keys("wrong", ("X", "X", "wrong(False)"), ("x", "x", "wrong(True)")),
    _keys(
        "seat",
        ("s", "s", "next_seat(1)"),
        ("S", "S", "next_seat(-1)"),
        ("tab", "Tab", "next_seat(1)"),
        ("shift+tab", "⇧Tab", "next_seat(-1)"),
    ),
    _keys("why", ("enter,y", "Enter", "why")),
    _keys(
        "scroll",
        ("left_square_bracket", "[", "scroll_pane('notes', -3)"),
        ("right_square_bracket", "]", "scroll_pane('notes', 3)"),
        ("left_curly_bracket", "{", "scroll_pane('table', -3)"),
        ("right_curly_bracket", "}", "scroll_pane('table', 3)"),
    ),
    _keys("help", ("question_mark,f1", "?", "help")),
    _keys("quit", ("q", "q", "finish")),
)
"""All keys, in the order of the help."""

TAKEN = ("tab", "shift+tab")
"""Keys that Textual would use itself."""

BINDINGS = [Binding(key.name, key.action, show=False, priority=key.name in TAKEN) for keys in KEYS for key in keys.keys]

HINTS = ("steps", "help", "quit", "why", "search", "seat", "sections")
"""The keys of the bottom line, the most needed first: as many as fit; at 80 columns all but the last."""
