"""Text set in lines: wrapped as East Asian text is too, hung under its head, without a space at any line's end."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.text import Text

NOT_FIRST = frozenset("、。,.:;:;!?!?)」』】)]}…・ー〜々っゃゅょッャュョ")
NOT_LAST = frozenset("(「『【([{")


def block(head: Text, indent: int, said: Text, width: int, tail: Text | None = None, right: int = 0) -> list[Text]:
    """Set a text in lines of `width` cells, all indented, `head` before the first.

    `tail` stands at the right edge of the first line, in `right` cells that the text leaves free.
    """
    lines = wrap(said, width - indent - right)
    set_ = [Text.assemble(" " * indent, line) for line in lines]
    set_[0] = Text.assemble(head, " " * (indent - cell_len(head.plain)), lines[0])
    if tail is not None and tail.plain:
        set_[0].append(" " * (width - cell_len(set_[0].plain) - cell_len(tail.plain))).append_text(tail)
    for line in set_:
        line.rstrip()
    return set_


def section(title: str, width: int, stroke: str = "─") -> Text:
    """Set a title with a stroke to the right edge."""
    rest = max(width - cell_len(title) - 1, 0)
    return Text.assemble((title, "bold"), " ", (stroke * rest, "dim"))


def padded(text: Text, cells: int) -> Text:
    return Text.assemble(text, " " * (cells - cell_len(text.plain)))


def columns(rows: Sequence[Sequence[str]], indent: int) -> list[Text]:
    """Set rows in columns, all but the first aligned to the right; of several rows the first is a head."""
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    set_ = []
    for place, row in enumerate(rows):
        first, *others = (" " * (width - cell_len(said)) for said, width in zip(row, widths, strict=True))
        cells = [row[0] + first, *(pad + said for pad, said in zip(others, row[1:], strict=True))]
        line = Text(" " * indent + "  ".join(cells), style="dim" if place == 0 and len(rows) > 1 else "")
        line.rstrip()
        set_.append(line)
    return set_


def wrap(text: Text, width: int) -> list[Text]:
    """Break a text into lines: at spaces, and between wide characters where Japanese may be broken."""
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
