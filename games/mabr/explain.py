"""The notes of a step of MABR, each with its rule."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...core.game import Note, Seat, SectionKind, Step, replace_at, visible_to
from .model import FIXED, GOALS, LETTER, Command, Conceal, Deal, Draw, Judge, Pass, Rule, State, Swap, Word, laid
from .rules import claimed, is_void, newly_turned, result, score


def explain(step: Step[State, Command], viewer: Seat | None) -> Iterator[Note]:
    """Yield the notes of a step; only the seat itself learns what it looks at."""
    before, after, seat = step.before, step.after, step.seat
    private = visible_to(viewer, before.turn)
    match step.command:
        case Deal():
            yield from _laid_out(after)
        case Draw() | Word() as declared:
            yield from _declared(before, seat, declared)
            if after.declared is None:
                yield from _carried_out(before, declared, after, private)
        case Judge(accept):
            yield from _judged(before, seat, accept, after, private)
        case Swap() as swap:
            yield from _swapped(before, seat, swap, private)
        case Conceal():
            yield Note.of("concealed", Rule.MABR_6, seat=seat, count=len(before.look))
        case Pass():
            yield Note.of("passed", Rule.MABR_R6, seat=seat, **_begins(before))
    yield from _turn_ended(before, after)


def _laid_out(after: State) -> Iterator[Note]:
    yield Note.of(
        "laid-out", Rule.MABR_1, begins=SectionKind.DEAL, cards=tuple(FIXED.values()), stacks=len(after.stacks)
    )
    yield Note.of("goal", Rule.MABR_11, seats=after.seats, goal=GOALS[after.seats])
    yield Note.of("first-round", Rule.MABR_2, seat=after.turn)


def _begins(before: State) -> dict[str, Any]:
    """Return the marker of a note that begins a turn, and of a round with its number; a voided turn has begun."""
    if before.voided:
        return {}
    rounds, turn = divmod(before.turns, before.seats)
    return {"begins": SectionKind.TURN} if turn else {"begins": SectionKind.ROUND, "round": rounds + 1}


def _declared(before: State, seat: Seat, declared: Draw | Word) -> Iterator[Note]:
    begins = _begins(before)
    if isinstance(declared, Draw):
        yield Note.of("abbreviation", Rule.MABR_3, seat=seat, abbreviation=declared.abbreviation, **begins)
        return
    yield Note.of("word", Rule.MABR_7, seat=seat, word=declared.word, cards=declared.cards, **begins)
    if laid(declared.word) != declared.word:
        yield Note.of("full-size", Rule.MABR_R3, word=declared.word, cards=tuple(laid(declared.word)))


def _judged(before: State, seat: Seat, accept: bool, after: State, private: bool) -> Iterator[Note]:
    yield Note.of("judged", Rule.MABR_R7, seat=seat)
    declared = before.declared
    if after.declared is not None or declared is None:
        return
    votes = replace_at(before.votes, seat, accept)
    by = {vote: tuple(Seat(each) for each in range(len(votes)) if votes[each] is vote) for vote in (True, False)}
    text = declared.abbreviation if isinstance(declared, Draw) else declared.word
    key = "void" if is_void(votes) else "accepted"
    yield Note.of(key, Rule.MABR_R7, seat=before.turn, declared=text, accept=by[True], object=by[False])
    if not is_void(votes):
        yield from _carried_out(before, declared, after, private)


def _carried_out(before: State, declared: Draw | Word, after: State, private: bool) -> Iterator[Note]:
    seat = before.turn
    if isinstance(declared, Word):
        yield from _turned(before, seat, declared, after)
        return
    yield Note.of("drew", Rule.MABR_3, seat=seat, letters=tuple(declared.abbreviation), places=after.look)
    if private:
        yield Note.of(
            "looks",
            Rule.MABR_R5,
            momentary=True,
            seat=seat,
            cards=tuple(after.rows[seat][place] for place in after.look),
        )


def _turned(before: State, seat: Seat, word: Word, after: State) -> Iterator[Note]:
    new = newly_turned(before, seat, word)
    places = [place for _, place in new]
    known = [kana for kana, card in zip(laid(word.word), word.cards, strict=True) if card not in places]
    if known:
        yield Note.of("also-uses", Rule.MABR_8, seat=seat, cards=tuple(known))
    if after.look:
        cards = tuple(after.rows[seat][place] for place in after.look)
        declared = new[len(after.look) - 1][0]
        yield Note.of(
            "wrong", Rule.MABR_R4, momentary=True, seat=seat, word=word.word, cards=cards, said=declared, card=cards[-1]
        )
        return
    points, total, goal = claimed(before, seat, word), score(after, seat), GOALS[after.seats]
    turned = tuple(kana for kana, _ in new)
    yield Note.of("right", Rule.MABR_9, seat=seat, word=word.word, cards=turned, points=points, score=total)
    if total >= goal:
        yield Note.of("reached", Rule.MABR_11, seat=seat, score=total, goal=goal)
        yield Note.of("goal-word", Rule.MABR_12, word=word.word, letters=len(word.word))
        if before.reached is None:
            others = tuple(Seat((seat + i) % after.seats) for i in range(1, after.seats))
            yield Note.of("last-turns", Rule.MABR_13, seats=others)


def _swapped(before: State, seat: Seat, swap: Swap, private: bool) -> Iterator[Note]:
    got = before.rows[swap.seat][swap.other]
    swapped: dict[str, Any] = {"letter": LETTER[got], "place": swap.place, "other": swap.seat, "at": swap.other}
    yield Note.of("swapped", Rule.MABR_10, seat=seat, **swapped, **_begins(before))
    yield Note.of("places-stay", Rule.MABR_R9)
    if private:
        yield Note.of("looks", Rule.MABR_R5, momentary=True, seat=seat, cards=(got,))


def _turn_ended(before: State, after: State) -> Iterator[Note]:
    if after.turns == before.turns:
        return
    ended = result(after)
    if ended is None:
        if after.turns == after.seats:
            yield Note.of("free-choice", Rule.MABR_2, seat=after.turn)
        return
    if after.reached is None:
        yield Note.of("all-passed", Rule.MABR_R6)
    else:
        yield Note.of("last-turn-over", Rule.MABR_13, seat=after.reached)
    level = tuple(Seat(seat) for seat in range(after.seats) if ended.points[seat] == max(ended.points))
    if len(level) > 1:
        counts = tuple(map(len, after.turned))
        yield Note.of("level", Rule.MABR_14, seats=level, points=max(ended.points), counts=counts)
    rule = Rule.MABR_R8 if len(ended.winners) > 1 else Rule.MABR_14
    yield Note.of("won", rule, seats=ended.winners, points=ended.points)
