"""Law 5: a draw by a history keeps to what its seat has just seen.

`Hints.determinize_history` draws states that may lie behind a history. From such a draw the last step is undone: the
cards go back to where the step took them from. What comes of it must give the view before the step, and the command in
it the draw again, with the notes that the seat was told. A card that was seen to go into a hand is then in that hand,
and who did not follow suit has none of it.

Only what can be undone without doubt is judged: steps of which the seat observes the whole command, and is told each
card that moves; and which take no card from the midst of a row whose order means something, as a pile's does.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from ..game import FORMAT_COMMANDS, TABLE, RedactedCommand, Seat, Step
from ..match import Match
from ..match.bot import ObservationHistory
from .channels import step_of
from .laws_of_play import answer, seats_of
from .laws_of_symmetry import Rows, sorted_rows
from .places import Fields, Path, leaves, pattern, put, rows
from .play import pick, shuffler_of

Row = tuple[Any, ...]
STEPS = 24
DRAWS = 4


def draws_keep_to_the_history(match: Match[Any, Any, Any]) -> None:
    """Law 5: what a draw by a history was a step ago may have led to it, as far as that can be said."""
    hints, shuffler = match.game.hints, shuffler_of(match, "history")
    if hints is None or any(isinstance(event.command, FORMAT_COMMANDS) for event in match.events):
        return
    order = sorted_rows(match.states)
    steps = pick(shuffler, [step for step in match.steps if step.seat != TABLE], STEPS)
    for seat in seats_of(match):
        history = ObservationHistory(match, seat).information_state().history
        for step in steps:
            if is_clear(step, seat, order):
                draw = hints.determinize_history(match.at(step.seq).view(seat), history[: step.seq + 1])
                for _ in range(DRAWS):
                    draw_keeps_to(step, seat, draw(shuffler), order)


def draw_keeps_to(step: Step[Any, Any], seat: Seat, drawn: Any, order: Rows) -> None:
    """Raise if a state, drawn by the history of a seat up to a step, could not have come of that step."""
    game, earlier = step.game, undone(step, drawn, order)
    what = f"a draw by the history of seat {seat} contradicts {step.command!r} of seat {step.seat}"
    assert earlier is not None, f"{what}: the cards that it moved are not there\n{step.after!r}\n{drawn!r}"
    assert game.view(earlier, seat) == game.view(step.before, seat), (
        f"{what}: the view before it was another one\n{step.before!r}\n{earlier!r}"
    )
    after = answer(game, earlier, step.seat, step.command)
    assert after == drawn, f"{what}: it would not have led there\n{earlier!r}\n{after!r}\n{drawn!r}"
    notes = [each.notes_for(seat) for each in (step, step_of(game, earlier, step.seat, step.command, after))]
    assert notes[0] == notes[1], f"{what}: the seat was told {notes[0]}, not {notes[1]}"


def is_clear(step: Step[Any, Any], seat: Seat, order: Rows) -> bool:
    """Return True if a step can be undone without doubt: the seat knows the cards that move, and rows stay in place."""
    observed = step.command_for(seat)
    if isinstance(observed, RedactedCommand):
        return False
    noted = [repr(value) for note in step.notes_for(seat) for _, each in note.values for _, value in leaves(each)]
    known = Counter(noted + [repr(value) for _, value in leaves(observed)])
    before, after = dict(rows(step.before)), dict(rows(step.after))
    gained = [
        (Counter(row) - Counter(before[path])).elements()
        for path, row in after.items()
        if path in before and not isinstance(row, Fields)
    ]
    moved = Counter(repr(card) for cards in gained for card in cards)
    if moved - known or not _stays_in_place(before, after) or _takes_from_a_pile(before, after, order):
        return False
    return bool(undone(step, step.after, order) == step.before)


def _takes_from_a_pile(before: dict[Path, Row], after: dict[Path, Row], order: Rows) -> bool:
    """Return True if a row that is not kept ascending has lost some of its cards, and not all."""
    rest = ((path, row, after[path]) for path, row in before.items() if after.get(path) and type(row) is tuple)
    return any(
        pattern(path) not in order.kept and len(row) != len(now) and Counter(row) - Counter(now)
        for path, row, now in rest
    )


def _stays_in_place(before: dict[Path, Row], after: dict[Path, Row]) -> bool:
    """Return True if no row has come to lie where another was: where rows have gone or come, others are as before."""
    for one, other in ((before, after), (after, before)):
        for path in one.keys() - other.keys():
            ends = [end for end in range(len(path)) if not any(_under(path[: end + 1], each) for each in other)]
            parent = path[: ends[0]] if ends else path
            if any(before[each] != after[each] for each in before.keys() & after.keys() if _under(parent, each)):
                return False
    return True


def _under(parent: Path, path: Path) -> bool:
    return path[: len(parent)] == parent


def undone(step: Step[Any, Any], state: Any, order: Rows) -> Any:
    """Return what a state like the one after a step was before it; None if cards that it gained are not there.

    `order` are the rows that the game keeps ascending.
    """
    before, after, now = dict(rows(step.before)), dict(rows(step.after)), dict(rows(state))
    earlier = step.before
    for path, row in before.items():
        if path not in after or path not in now:
            continue  # it is gone: what lay there, the seat was told
        if isinstance(row, Fields) or len(after[path]) == len(row):
            earlier = put_row(earlier, path, _each(row, after[path], now[path]))
            continue
        gained, lost = Counter(after[path]) - Counter(row), Counter(row) - Counter(after[path])
        if gained - Counter(now[path]):
            return None
        rest = list((Counter(now[path]) - gained + lost).elements())
        ordered = sorted(rest, key=_key) if pattern(path) in order.kept else _as_they_lie(rest, now[path])
        earlier = put_row(earlier, path, tuple(ordered))
    return earlier


def _each(before: Row, after: Row, now: Row) -> Row:
    """Return the values of a row that keeps its length: those that the step changed as they were before."""
    if len(now) != len(before) or len(after) != len(before):
        return before
    return type(before)(new if one == other else one for one, other, new in zip(before, after, now, strict=True))


def _as_they_lie(cards: list[Any], now: Row) -> list[Any]:
    """Return the cards in the order in which they lie in the row; as they are, if some do not lie there."""
    kept = [card for card in now if card in cards]
    return cards if sorted(map(repr, kept)) != sorted(map(repr, cards)) else kept


def _key(value: Any) -> Any:
    return (0, value, "") if isinstance(value, int) else (1, 0, repr(value))


def put_row(value: Any, path: Path, row: Row) -> Any:
    """Return a value with one of its rows replaced."""
    if type(row) is tuple:
        return put(value, path, row)
    old = dict(rows(value))[path]
    names = [place[-1] for place, _ in leaves(value) if place[:-1] == path]
    for name, one, other in zip(names, old, row, strict=True):
        if one is not other:
            value = put(value, (*path, name), other)
    return value
