"""The contents of the panes, as lines: the title, the notes, the help and the rules."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from ...core.game import TABLE, SectionKind
from ...core.text.sanitize import sanitize
from ...core.text.texts import Texts
from ..render.typeset import block, wrap
from .cards import Drawing
from .keys import HINTS, KEYS, Key, Keys
from .palette import Palette
from .presenter import MAX_CELLS, NOT_IN_LOG, WRONG, NoteText, StepPresenter, current_sections
from .record import START
from .watched_value import WatchedValue

SECTION_KEYS = {SectionKind.TURN: "t", SectionKind.TRICK: "k", SectionKind.ROUND: "r", SectionKind.DEAL: "d"}
"""The key to the next section of each kind."""
RULE_WIDTH = 9
NOTES_CELLS = 400
"""The maximum width of a watched value."""


def title(presenter: StepPresenter, at: int, palette: Palette, width: int, live: str, log: str = "") -> Text:
    """Return the title line: which log it is of several, the game, the place in the match, and the viewer."""
    texts, record = presenter.texts, presenter.record
    right = Text()
    if live:
        right.append(f" ● {live} ", palette.inline["green"])
    viewer = (
        texts.seat(presenter.viewer, presenter.names) if presenter.viewer != TABLE else texts.format("page-all-open")
    )
    link = Style(color=palette.seat(presenter.viewer), bold=True, meta={"@click": "app.seats"})
    right.append(f" ◉ {viewer} ", link)
    if presenter.sees_less(at):
        right.append(f"◐ {texts.format('stepper-narrower')} ", palette.quiet)
    left = Text()
    if record.forked is not None:
        fork = texts.format("stepper-fork-title", step=record.forked, start=str(record.forked < 0).lower())
        link = Style(bgcolor=palette.fork, bold=True, meta={"@click": "app.leave"})
        left.append(f" {NOT_IN_LOG} {fork} ", link)
    if log:
        left.append(f" {log} ", Style(color=palette.accent, meta={"@click": "app.logs"}))
    left.append(f" {texts.title(presenter.game)} ", "bold")
    left.append(f" {current_sections(presenter, at)}", palette.quiet)
    left.truncate(max(width - cell_len(right.plain), 12), overflow="ellipsis")
    gap = max(width - cell_len(left.plain) - cell_len(right.plain), 0)
    return Text.assemble(left, " " * gap, right)


def notes(
    presenter: StepPresenter, at: int, drawing: Drawing, palette: Palette, width: int, watched: Iterable[WatchedValue]
) -> list[Text]:
    """Return the lines about a place: watched values, the command, whose turn it is, the notes and their rules."""
    lines: list[Text] = []
    for each in watched:
        value = sanitize(each.format(presenter, at), NOTES_CELLS)
        style = (
            palette.inline["red"] if value.startswith(WRONG) else palette.accent if each.changes(presenter, at) else ""
        )
        watched_text = Text.assemble((f"{sanitize(each.text, 60)} ", palette.quiet), (value, style))
        lines += block(Text("◎ ", style=palette.accent), 2, watched_text, width)
    command_text = presenter.command_text(at)
    if command_text:
        number = Text(f"{at} ", style=palette.quiet)
        lines += block(number, cell_len(number.plain), Text(sanitize(command_text, MAX_CELLS), style="bold"), width)
    elif at == START:
        lines += wrap(Text(presenter.texts.format("stepper-start"), style="bold"), width)
    if not presenter.record.in_log(at):
        lines += wrap(
            Text(f"{NOT_IN_LOG} {presenter.texts.format('stepper-not-in-log')}", f"bold on {palette.fork}"), width
        )
    lines += wrap(_status(presenter, at), width)
    lines += (line for note in presenter.notes(at) for line in _note(note, drawing, palette, width))
    return lines


def _note(note: NoteText, drawing: Drawing, palette: Palette, width: int) -> list[Text]:
    tail = Text(note.rule, style=Style(color=palette.accent, meta={"@click": "app.why"}))
    text = drawing.tinted(sanitize(note.text, MAX_CELLS))
    if note.text.startswith(WRONG):
        text.stylize(palette.inline["red"])
    right = max(RULE_WIDTH, cell_len(note.rule) + 2) if note.rule else 0
    head = "" if note.text.startswith(WRONG) else "• "
    return block(Text(head, style=palette.quiet), 2, text, width, tail, right)


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


def rules(presenter: StepPresenter, at: int, palette: Palette, width: int) -> list[Text]:
    """Return the full sentence of each rule at work in a place."""
    lines: list[Text] = []
    for number in dict.fromkeys(note.rule for note in presenter.notes(at) if note.rule):
        rule = presenter.game.rule(number)
        if lines:
            lines.append(Text())
        ours = f"  {presenter.texts.format('rulings')}" if rule.ruling else ""
        lines.append(Text.assemble((number, f"bold {palette.accent}"), (ours, palette.quiet)))
        lines += wrap(Text(presenter.texts.rule(rule, presenter.game)), width)
    return lines or wrap(Text(presenter.texts.format("stepper-no-rule")), width)


def help_lines(texts: Texts, palette: Palette, width: int, kinds: Collection[SectionKind]) -> list[Text]:
    """Return the list of keys, in two columns if the width allows; jumps only to kinds of sections that there are."""
    rows = []
    for keys, listed in ((keys, _usable(keys, kinds)) for keys in KEYS):
        if listed:
            head = Text(" ".join(key.shown for key in listed), style=f"bold {palette.accent}")
            sections = _section_names(texts, [kind for kind in SECTION_KEYS if kind in kinds])
            rows.append((head, Text(texts.format(f"stepper-key-{keys.text}", sections=sections))))
    longest = max(cell_len(text.plain) for _, text in rows) + 15
    columns = 2 if width >= 2 * longest else 1
    each = width // columns
    cells = [_in_cells(Text.assemble(" " * (12 - cell_len(head.plain)), head, "  ", text), each) for head, text in rows]
    half = -(-len(cells) // columns)
    lines = [Text.assemble(*cells[row::half]) for row in range(half)]
    mouse = wrap(Text(texts.format("stepper-help-mouse"), style=palette.quiet), width)
    return [*lines, Text(), *mouse]


def _usable(keys: Keys, kinds: Collection[SectionKind]) -> tuple[Key, ...]:
    """Return the keys without jumps to sections that there are not."""
    missing = {SECTION_KEYS[kind] for kind in SECTION_KEYS if kind not in kinds}
    return tuple(key for key in keys.keys if keys.text not in ("on", "back") or key.name.lower() not in missing)


def _section_names(texts: Texts, kinds: Iterable[SectionKind]) -> str:
    return texts.comma.join(texts.format(f"stepper-section-{kind.value}") for kind in kinds)


def other_sections(presenter: StepPresenter, kind: SectionKind) -> str:
    """Format that the match has no sections of a kind, and the keys to those it has, in the game's own words."""
    texts, game, kinds = presenter.texts, presenter.game, presenter.index.kinds()
    there = [f"{key} {texts.section(each.value, 'n', game)}" for each, key in SECTION_KEYS.items() if each in kinds]
    keys = texts.comma.join(there)
    return texts.format("stepper-none", section=_section_names(texts, [kind]), some=str(bool(there)).lower(), keys=keys)


def last_lines(notice: str, texts: Texts, palette: Palette, width: int, *, several: bool = False) -> list[Text]:
    """Return the last line: a notice, broken into as many lines as it needs, else the keys; of several logs, theirs."""
    if not notice:
        return [hints(texts, palette, width, several=several)]
    return [Text.assemble(" ", line) for line in wrap(Text(notice, f"bold {palette.accent}"), width - 2)]


def _in_cells(text: Text, width: int) -> Text:
    text.truncate(width, overflow="ellipsis")
    text.append(" " * (width - cell_len(text.plain)))
    return text


def hints(texts: Texts, palette: Palette, width: int, *, several: bool = False) -> Text:
    """Return the line of the most useful keys, each a button; between `several` logs those too."""
    line = Text(" ")
    wanted = [text for text in HINTS if several or text != "logs"]
    for each in (keys for text in wanted for keys in KEYS if keys.text == text):
        keys = each.keys[:2] if each.text == "logs" or len(each.keys) == 2 else each.keys[:1]
        action = Style(meta={"@click": f"app.{keys[-1].action}"})
        shown = " ".join(key.shown for key in keys)
        hint = f" {texts.format(f'stepper-hint-{each.text}')}  "
        if cell_len(line.plain) + cell_len(shown) + cell_len(hint) - 2 > width:
            break
        line.append(shown, Style(color=palette.accent, bold=True) + action).append(hint, action)
    return line


def paragraphs(texts: Sequence[str], width: int) -> list[Text]:
    """Return texts one below the other, the first in bold."""
    first, *others = (Text(sanitize(each, MAX_CELLS)) for each in texts)
    first.stylize("bold")
    return [*wrap(first, width), *(line for each in others for line in (Text(), *wrap(each, width)))]


def choice(command: str, drawing: Drawing, mark: str) -> Text:
    """Return a command as an item of a list, with a mark behind it."""
    return Text.assemble(drawing.tinted(command), (f"   {mark}", "dim") if mark else "")
