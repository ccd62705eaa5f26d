"""Text in lines: wrapping (of East Asian text too), indented blocks and columns; no line ends with a space."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.text import Text

NOT_FIRST = frozenset(",.:;!?)]}，．：；！？）］｝、。」』】…・ー〜々っゃゅょッャュョ")
NOT_LAST = frozenset("([{（［｛「『【")


def block(head: Text, indent: int, text: Text, width: int, tail: Text | None = None, right: int = 0) -> list[Text]:
    """Wrap a text to `width` cells, all lines indented, with `head` before the first.

    `tail` is put at the right edge of the first line, in `right` cells that the text leaves free.
    """
    wrapped = wrap(text, width - indent - right)
    lines = [Text.assemble(" " * indent, line) for line in wrapped]
    lines[0] = Text.assemble(head, " " * (indent - cell_len(head.plain)), wrapped[0])
    if tail is not None and tail.plain:
        lines[0].append(" " * (width - cell_len(lines[0].plain) - cell_len(tail.plain))).append_text(tail)
    for line in lines:
        line.rstrip()
    return lines


def section(title: str, width: int, stroke: str = "─") -> Text:
    """Return a title with a line drawn to the right edge."""
    rest = max(width - cell_len(title) - 1, 0)
    return Text.assemble((title, "bold"), " ", (stroke * rest, "dim"))


def padded(text: Text, cells: int) -> Text:
    """Return a text padded with spaces on the right."""
    return Text.assemble(text, " " * (cells - cell_len(text.plain)))


def columns(rows: Sequence[Sequence[str]], indent: int) -> list[Text]:
    """Align rows in columns, all but the first column to the right; the first of several rows is a header."""
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for place, row in enumerate(rows):
        first, *others = (" " * (width - cell_len(text)) for text, width in zip(row, widths, strict=True))
        cells = [row[0] + first, *(pad + text for pad, text in zip(others, row[1:], strict=True))]
        line = Text(" " * indent + "  ".join(cells), style="dim" if place == 0 and len(rows) > 1 else "")
        line.rstrip()
        lines.append(line)
    return lines


def wrap(text: Text, width: int) -> list[Text]:
    """Break a text into lines, at spaces and between wide characters where Japanese allows a break."""
    plain, cuts = text.plain, []
    start = place = used = 0
    width = max(width, 2)
    for at, char in enumerate(plain):
        cells = cell_len(char)
        if used + cells > width and char != " ":
            cut = place if place > start else at
            cuts.append(cut)
            start, used = cut, cell_len(plain[cut:at])
        used += cells
        if _may_break(char, plain[at + 1 : at + 2]):
            place = at + 1
    lines = list(text.divide(cuts)) if cuts else [text.copy()]
    for line in lines:
        line.rstrip()
    return lines


def _may_break(char: str, following: str) -> bool:
    if char == " ":
        return True
    if not following or following in NOT_FIRST or following == " " or char in NOT_LAST:
        return False
    return cell_len(char) == 2 or cell_len(following) == 2
