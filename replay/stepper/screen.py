"""What the panes say: the title, the notes, the help and the rules, set in lines."""

from __future__ import annotations

from collections.abc import Iterable

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from ...core.game import TABLE
from ...core.text.sanitize import sanitize
from ...core.text.texts import Texts
from ..render.typeset import block, wrap
from .cards import Drawing
from .keys import HINTS, KEYS
from .palette import Palette
from .presenter import LONGEST, NOT_IN_LOG, WRONG, NoteText, StepPresenter, going_on
from .record import START
from .watched_value import WatchedValue

RULE_WIDTH = 9
NOTES_CELLS = 400
"""The widest that a watched value is told."""


def title(told: StepPresenter, at: int, palette: Palette, width: int, live: str) -> Text:
    """Say what is shown, and through whose eyes."""
    texts, record = told.texts, told.record
    right = Text()
    if live:
        right.append(f" ● {live} ", palette.inline["green"])
    seen = texts.seat(told.viewer, told.names) if told.viewer != TABLE else texts.format("page-all-open")
    link = Style(color=palette.seat(told.viewer), bold=True, meta={"@click": "app.seats"})
    right.append(f" ◉ {seen} ", link)
    if told.narrower(at):
        right.append(f"◐ {texts.format('stepper-narrower')} ", palette.quiet)
    left = Text()
    if record.forked is not None:
        fork = texts.format("stepper-fork-title", step=record.forked, start=str(record.forked < 0).lower())
        link = Style(bgcolor=palette.fork, bold=True, meta={"@click": "app.leave"})
        left.append(f" {NOT_IN_LOG} {fork} ", link)
    left.append(f" {texts.title(told.game)} ", "bold")
    left.append(f" {going_on(told, at)}", palette.quiet)
    left.truncate(max(width - cell_len(right.plain), 12), overflow="ellipsis")
    gap = max(width - cell_len(left.plain) - cell_len(right.plain), 0)
    return Text.assemble(left, " " * gap, right)


def notes(
    told: StepPresenter, at: int, drawing: Drawing, palette: Palette, width: int, watched: Iterable[WatchedValue]
) -> list[Text]:
    """Tell a place: the command, what happened and by which rule, whose turn it is, and the values watched."""
    lines: list[Text] = []
    for each in watched:
        value = sanitize(each.say(told, at), NOTES_CELLS)
        style = palette.inline["red"] if value.startswith(WRONG) else palette.accent if each.changes(told, at) else ""
        said = Text.assemble((f"{sanitize(each.text, 60)} ", palette.quiet), (value, style))
        lines += block(Text("◎ ", style=palette.accent), 2, said, width)
    doing = told.doing(at)
    if doing:
        number = Text(f"{at} ", style=palette.quiet)
        lines += block(number, cell_len(number.plain), Text(sanitize(doing, LONGEST), style="bold"), width)
    elif at == START:
        lines += wrap(Text(told.texts.format("stepper-start"), style="bold"), width)
    if not told.record.in_log(at):
        lines += wrap(Text(f"{NOT_IN_LOG} {told.texts.format('stepper-not-in-log')}", f"bold on {palette.fork}"), width)
    lines += wrap(_standing(told, at), width)
    lines += (line for said in told.said(at) for line in _note(said, drawing, palette, width))
    return lines


def _note(said: NoteText, drawing: Drawing, palette: Palette, width: int) -> list[Text]:
    tail = Text(said.rule, style=Style(color=palette.accent, meta={"@click": "app.why"}))
    words = drawing.tinted(sanitize(said.words, LONGEST))
    if said.words.startswith(WRONG):
        words.stylize(palette.inline["red"])
    right = max(RULE_WIDTH, cell_len(said.rule) + 2) if said.rule else 0
    head = "" if said.words.startswith(WRONG) else "• "
    return block(Text(head, style=palette.quiet), 2, words, width, tail, right)


def _standing(told: StepPresenter, at: int) -> Text:
    """Say whose turn it is; at the end, how it ended."""
    texts, match = told.texts, told.record.match
    position = told.record.position(at)
    result = position.result
    if result is None and match.abandoned and at >= told.record.count - 1:
        return Text(texts.format("abandoned"), style="italic")
    if result is None:
        asked = tuple(sorted(position.to_act))
        return Text("▶ " + (texts.find("stepper-to-act", told.game, told.names, seats=asked) or ""), style="italic")
    said = []
    for seat, points in enumerate(result.points):
        each = Text(f"{texts.seat(seat, told.names)} {texts.format('points', points=points)}")
        if seat in result.winners:
            each = Text.assemble((f"{each} ★ {texts.format('winner')}", "bold"))
        said.append(each)
    return Text(" · ").join(said)


def rules(told: StepPresenter, at: int, palette: Palette, width: int) -> list[Text]:
    """Give the full sentence of each rule of a place."""
    lines: list[Text] = []
    for number in dict.fromkeys(said.rule for said in told.said(at) if said.rule):
        rule = told.game.rule(number)
        if lines:
            lines.append(Text())
        ours = f"  {told.texts.format('rulings')}" if rule.ruling else ""
        lines.append(Text.assemble((number, f"bold {palette.accent}"), (ours, palette.quiet)))
        lines += wrap(Text(told.texts.rule(rule, told.game)), width)
    return lines or wrap(Text(told.texts.format("stepper-no-rule")), width)


def help_lines(texts: Texts, palette: Palette, width: int) -> list[Text]:
    """List what every key does, in two columns where there is room."""
    rows = []
    for keys in KEYS:
        shown = " ".join(key.shown for key in keys.keys)
        head = Text(shown, style=f"bold {palette.accent}")
        rows.append((head, Text(texts.format(f"stepper-key-{keys.text}"))))
    columns = 2 if width >= 76 else 1
    each = width // columns
    cells = [_in_cells(Text.assemble(" " * (12 - cell_len(head.plain)), head, "  ", said), each) for head, said in rows]
    half = -(-len(cells) // columns)
    lines = [Text.assemble(*cells[row::half]) for row in range(half)]
    mouse = wrap(Text(texts.format("stepper-help-mouse"), style=palette.quiet), width)
    return [*lines, Text(), *mouse]


def _in_cells(text: Text, width: int) -> Text:
    text.truncate(width, overflow="ellipsis")
    text.append(" " * (width - cell_len(text.plain)))
    return text


def hints(texts: Texts, palette: Palette, width: int) -> Text:
    """Name the keys that one needs first, each a button."""
    line = Text(" ")
    for each in (keys for text in HINTS for keys in KEYS if keys.text == text):
        keys = each.keys if len(each.keys) == 2 else each.keys[:1]
        action = Style(meta={"@click": f"app.{keys[-1].action}"})
        shown = " ".join(key.shown for key in keys)
        said = f" {texts.format(f'stepper-hint-{each.text}')}  "
        if cell_len(line.plain) + cell_len(shown) + cell_len(said) - 2 > width:
            break
        line.append(shown, Style(color=palette.accent, bold=True) + action).append(said, action)
    return line


def choice(said: str, drawing: Drawing, mark: str) -> Text:
    """Set a command for a list, with a mark behind it."""
    return Text.assemble(drawing.tinted(said), (f"   {mark}", "dim") if mark else "")
