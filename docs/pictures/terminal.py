"""A terminal's screen as a page, with every character in its own cells."""

from html import escape

from rich.cells import cell_len
from rich.segment import Segment
from textual.app import App

CELL, LINE = 10, 21
"""The size of a cell in pixels."""

STYLE = f"""
body {{ margin: 0; font: 16.6px/{LINE}px "DejaVu Sans Mono", "Noto Sans Mono CJK JP", monospace; }}
div {{ height: {LINE}px; white-space: pre; display: flex; }}
span {{ display: block; overflow: hidden; height: {LINE}px; text-align: center; flex: none; }}
"""
BLOCKS = {"▐": "left: 50%; top: 0", "▌": "right: 50%; top: 0", "▎": "right: 75%; top: 0"}
BLOCKS |= {sign: f"top: {100 - 12.5 * (eighth + 1)}%; left: 0" for eighth, sign in enumerate("▁▂▃▄▅▆▇")}
"""The filled part of a block character; it is drawn, since fonts leave gaps."""


def page_of(app: App[None]) -> str:
    """Return the page of the app's present screen."""
    lines = app.screen._compositor.render_strips()
    drawn = "".join(f"<div>{''.join(map(_segment, line))}</div>" for line in lines)
    return f'<!doctype html><meta charset="utf-8"><style>{STYLE}</style>{drawn}'


def _segment(segment: Segment) -> str:
    style = segment.style
    look = []
    if style is not None:
        colour, ground = (style.bgcolor, style.color) if style.reverse else (style.color, style.bgcolor)
        look += [f"color: {colour.get_truecolor().hex}"] if colour is not None else []
        look += [f"background: {ground.get_truecolor().hex}"] if ground is not None else []
        look += ["font-weight: bold"] if style.bold else []
        look += ["font-style: italic"] if style.italic else []
        look += ["text-decoration: underline"] if style.underline else []
    return "".join(_cell(char, "; ".join(look)) for char in segment.text)


def _cell(char: str, look: str) -> str:
    wide = cell_len(char) * CELL
    if char in BLOCKS:
        filled = f'<b style="position: absolute; inset: 0; {BLOCKS[char]}; background: currentColor"></b>'
        return f'<span style="width: {wide}px; position: relative; {look}">{filled}</span>'
    return f'<span style="width: {wide}px; {look}">{escape(char)}</span>'
