"""The contents of the panes, as lines: the title, the notes, the help and the rules."""

from __future__ import annotations

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from ...core.game import TABLE
from ...core.text.sanitize import sanitize
from ...core.text.texts import Texts
from ..render.transcript import RULE_WIDTH
from ..render.typeset import block, wrap
from .cards import Drawing
from .keys import HINTS, KEYS
from .palette import DARK
from .presenter import MAX_CELLS, WRONG, NoteText, StepPresenter
from .record import START


def title(presenter: StepPresenter, at: int, width: int) -> Text:
    """Return the title line: the game, the place in the match, and the viewer."""
    texts = presenter.texts
    right = Text()
    viewer = (
        texts.seat(presenter.viewer, presenter.names) if presenter.viewer != TABLE else texts.format("page-all-open")
    )
    link = Style(color=DARK.seat(presenter.viewer), bold=True, meta={"@click": "app.next_seat(1)"})
    right.append(f" ◉ {viewer} ", link)
    if presenter.viewer != TABLE:
        right.append(f"◐ {texts.format('stepper-narrower')} ", DARK.quiet)
    left = Text()
    left.append(f" {texts.title(presenter.game)} ", "bold")
    place = at if at > START else "–"
    left.append(f" {place}/{presenter.record.last} {presenter.sections(at)}", DARK.quiet)
    left.truncate(max(width - cell_len(right.plain), 12), overflow="ellipsis")
    gap = max(width - cell_len(left.plain) - cell_len(right.plain), 0)
    return Text.assemble(left, " " * gap, right)


def notes(presenter: StepPresenter, at: int, drawing: Drawing, width: int) -> list[Text]:
    """Return the lines about a place: the command, whose turn it is, the notes and their rules."""
    lines: list[Text] = []
    command_text = presenter.command_text(at)
    if command_text and presenter.record.position(at).result is None:  # the notes of the end say it, with its reasons
        number = Text(f"{at} ", style=DARK.quiet)
        lines += block(number, cell_len(number.plain), Text(sanitize(command_text, MAX_CELLS), style="bold"), width)
    elif at == START:
        lines += wrap(Text(presenter.texts.format("stepper-start"), style="bold"), width)
    lines += wrap(_status(presenter, at), width)
    lines += (line for note in presenter.notes(at) for line in _note(note, drawing, width))
    return lines


def _note(note: NoteText, drawing: Drawing, width: int) -> list[Text]:
    tail = Text(note.rule, style=Style(color=DARK.accent, meta={"@click": "app.why"}))
    text = drawing.tinted(sanitize(note.text, MAX_CELLS))
    if note.text.startswith(WRONG):
        text.stylize(DARK.inline["red"])
    right = max(RULE_WIDTH, cell_len(note.rule) + 2) if note.rule else 0
    head = "" if note.text.startswith(WRONG) else "• "
    return block(Text(head, style=DARK.quiet), 2, text, width, tail, right)


def _status(presenter: StepPresenter, at: int) -> Text:
    """Return whose turn it is, or the result."""
    texts, match = presenter.texts, presenter.record.match
    position = presenter.record.position(at)
    result = position.result
    if result is None and match.abandoned and at >= presenter.record.count - 1:
        return Text(texts.format("abandoned"), style="italic")
    if result is None:
        seats = tuple(sorted(position.to_act))
        to_act = texts.find("stepper-to-act", presenter.game, presenter.names, seats=seats)
        return Text(f"▶ {to_act or ''}", style="italic")
    results = []
    for seat, points in enumerate(result.points):
        each = Text(f"{texts.seat(seat, presenter.names)} {texts.points(points, presenter.game)}")
        if won := texts.won(result, seat):
            each = Text.assemble((f"{each} ★ {won}", "bold"))
        results.append(each)
    return Text(" · ").join(results)


def rules(presenter: StepPresenter, at: int, width: int) -> list[Text]:
    """Return the full sentence of each rule at work in a place."""
    lines: list[Text] = []
    for number in dict.fromkeys(note.rule for note in presenter.notes(at) if note.rule):
        rule = presenter.game.rule(number)
        if lines:
            lines.append(Text())
        ours = f"  {presenter.texts.format('rulings')}" if rule.ruling else ""
        lines.append(Text.assemble((number, f"bold {DARK.accent}"), (ours, DARK.quiet)))
        lines += wrap(Text(presenter.texts.rule(rule, presenter.game)), width)
    return lines or wrap(Text(presenter.texts.format("stepper-no-rule")), width)


def help_lines(texts: Texts, width: int) -> list[Text]:
    """Return the list of keys."""
    lines: list[Text] = []
    for name, keys in KEYS.items():
        head = Text(" ".join(filter(None, (key.key_display for key in keys))).rjust(12), f"bold {DARK.accent}")
        lines += block(head, 14, Text(texts.format(f"stepper-key-{name}")), width)
    mouse = wrap(Text(texts.format("stepper-help-mouse"), style=DARK.quiet), width)
    return [*lines, Text(), *mouse]


def last_lines(notice: str, texts: Texts, width: int) -> list[Text]:
    """Return the last line: a notice, broken into as many lines as it needs, else the keys."""
    if not notice:
        return [hints(texts, width)]
    return [Text.assemble(" ", line) for line in wrap(Text(notice, f"bold {DARK.accent}"), width - 2)]


def hints(texts: Texts, width: int) -> Text:
    """Return the line of the most useful keys, each a button."""
    line = Text(" ")
    for name in HINTS:
        keys = KEYS[name] if len(KEYS[name]) == 2 else KEYS[name][:1]
        action = Style(meta={"@click": f"app.{keys[-1].action}"})
        shown = " ".join(filter(None, (key.key_display for key in keys)))
        hint = f" {texts.format(f'stepper-hint-{name}')}  "
        if cell_len(line.plain) + cell_len(shown) + cell_len(hint) - 2 > width:
            break
        line.append(shown, Style(color=DARK.accent, bold=True) + action).append(hint, action)
    return line
