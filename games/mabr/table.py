"""How MABR tells and shows itself: the notes of a step, each with its rule, and the scene of a view."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...core import game as k
from .model import FIXED, KANA, LETTER, Command, Conceal, Deal, Draw, Judge, Pass, Rule, State, Swap, Word, face, laid
from .rules import GOALS, claimed, is_void, newly_turned, result, score
from .view import View


def explain(step: k.Step[State, Command], viewer: int | None) -> Iterator[k.Note]:
    """Yield the notes of a step; only the seat itself learns what it looks at."""
    before, after, seat = step.before, step.after, step.seat
    private = k.visible_to(viewer, before.turn)
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
            yield k.Note.of("concealed", Rule.MABR_6, seat=seat, count=len(before.look))
        case Pass():
            yield k.Note.of("passed", Rule.MABR_R6, seat=seat, **_begins(before))
    yield from _turn_ended(before, after)


def _laid_out(after: State) -> Iterator[k.Note]:
    yield k.Note.of(
        "laid-out", Rule.MABR_1, begins=k.SectionKind.DEAL, cards=tuple(FIXED.values()), stacks=len(after.stacks)
    )
    yield k.Note.of("goal", Rule.MABR_11, seats=after.seats, goal=GOALS[after.seats])
    yield k.Note.of("first-round", Rule.MABR_2, seat=after.turn)


def _begins(before: State) -> dict[str, Any]:
    """Return the marker of a note that begins a turn, and of a round with its number; a voided turn has begun."""
    if before.voided:
        return {}
    rounds, turn = divmod(before.turns, before.seats)
    return {"begins": k.SectionKind.TURN} if turn else {"begins": k.SectionKind.ROUND, "round": rounds + 1}


def _declared(before: State, seat: int, declared: Draw | Word) -> Iterator[k.Note]:
    begins = _begins(before)
    if isinstance(declared, Draw):
        yield k.Note.of("abbreviation", Rule.MABR_3, seat=seat, abbreviation=declared.abbreviation, **begins)
        return
    yield k.Note.of("word", Rule.MABR_7, seat=seat, word=declared.word, cards=declared.cards, **begins)
    if laid(declared.word) != declared.word:
        yield k.Note.of("full-size", Rule.MABR_R3, word=declared.word, cards=tuple(laid(declared.word)))


def _judged(before: State, seat: int, accept: bool, after: State, private: bool) -> Iterator[k.Note]:
    yield k.Note.of("judged", Rule.MABR_R7, seat=seat)
    declared = before.declared
    if after.declared is not None or declared is None:
        return
    votes = k.replace_at(before.votes, seat, accept)
    by = {vote: tuple(k.Seat(each) for each in range(len(votes)) if votes[each] is vote) for vote in (True, False)}
    text = declared.abbreviation if isinstance(declared, Draw) else declared.word
    key = "void" if is_void(votes) else "accepted"
    rule = Rule.MABR_R11 if after.seats == 2 else Rule.MABR_R7
    yield k.Note.of(key, rule, seat=before.turn, declared=text, accept=by[True], object=by[False])
    if not is_void(votes):
        yield from _carried_out(before, declared, after, private)


def _carried_out(before: State, declared: Draw | Word, after: State, private: bool) -> Iterator[k.Note]:
    seat = before.turn
    if isinstance(declared, Word):
        yield from _turned(before, seat, declared, after)
        return
    yield k.Note.of("drew", Rule.MABR_3, seat=seat, letters=tuple(declared.abbreviation), places=after.look)
    if private:
        cards = tuple(after.rows[seat][place] for place in after.look)
        yield k.Note.of("looks", Rule.MABR_R5, momentary=True, seat=seat, cards=cards)


def _turned(before: State, seat: int, word: Word, after: State) -> Iterator[k.Note]:
    new = newly_turned(before, seat, word)
    places = [place for _, place in new]
    known = [kana for kana, card in zip(laid(word.word), word.cards, strict=True) if card not in places]
    if known:
        yield k.Note.of("also-uses", Rule.MABR_8, seat=seat, cards=tuple(known))
    if after.look:
        cards = tuple(after.rows[seat][place] for place in after.look)
        declared = new[len(after.look) - 1][0]
        yield k.Note.of(
            "wrong", Rule.MABR_R4, momentary=True, seat=seat, word=word.word, cards=cards, said=declared, card=cards[-1]
        )
        return
    points, total, goal = claimed(before, seat, word), score(after, seat), GOALS[after.seats]
    turned = tuple(kana for kana, _ in new)
    yield k.Note.of("right", Rule.MABR_9, seat=seat, word=word.word, cards=turned, points=points, score=total)
    if total >= goal:
        yield k.Note.of("reached", Rule.MABR_11, seat=seat, score=total, goal=goal)
        yield k.Note.of("goal-word", Rule.MABR_12, word=word.word, letters=len(word.word))
        if before.reached is None:
            others = tuple(k.Seat((seat + i) % after.seats) for i in range(1, after.seats))
            yield k.Note.of("last-turns", Rule.MABR_13, seats=others)


def _swapped(before: State, seat: int, swap: Swap, private: bool) -> Iterator[k.Note]:
    got = before.rows[swap.seat][swap.other]
    swapped: dict[str, Any] = {"letter": LETTER[got], "place": swap.place, "other": swap.seat, "at": swap.other}
    yield k.Note.of("swapped", Rule.MABR_10, seat=seat, **swapped, **_begins(before))
    yield k.Note.of("places-stay", Rule.MABR_R9)
    if private:
        yield k.Note.of("looks", Rule.MABR_R5, momentary=True, seat=seat, cards=(got,))


def _turn_ended(before: State, after: State) -> Iterator[k.Note]:
    if after.turns == before.turns:
        return
    ended = result(after)
    if ended is None:
        if after.turns == after.seats:
            yield k.Note.of("free-choice", Rule.MABR_2, seat=after.turn)
            if after.options.is_pass_free:
                yield k.Note.of("free-pass", Rule.MABR_R6)
        return
    if after.reached is not None:
        yield k.Note.of("last-turn-over", Rule.MABR_13, seat=after.reached)
    elif after.passes == after.seats:
        yield k.Note.of("all-passed", Rule.MABR_R6)
    else:
        yield k.Note.of("idle", Rule.MABR_R10, rounds=after.options.idle_rounds)
    level = tuple(k.Seat(seat) for seat in range(after.seats) if ended.points[seat] == max(ended.points))
    if len(level) > 1:
        counts = tuple(map(len, after.turned))
        yield k.Note.of("level", Rule.MABR_14, seats=level, points=max(ended.points), counts=counts)
    rule = Rule.MABR_R8 if len(ended.winners) > 1 else Rule.MABR_14
    yield k.Note.of("won", rule, seats=ended.winners, points=ended.points)


def scene(view: View) -> k.Scene:
    """Return the scene of a view."""
    return k.Scene(view.viewer, _table(view), tuple(_place(view, k.Seat(seat)) for seat in range(view.seats)))


def _table(view: View) -> k.Place:
    fixed = tuple(k.Thing((face(kana),), part=("fixed", letter)) for letter, kana in FIXED.items())
    last_turn = view.turns if view.to_act else view.turns - 1
    facts = [k.Fact("fact-round", last_turn // view.seats + 1), k.Fact("fact-goal", GOALS[view.seats])]
    if view.used:
        facts.append(k.Fact("fact-used", " ".join(view.used)))
    idle = view.turns - view.progress
    if idle >= view.seats and view.options.idle_rounds:
        facts.append(k.Fact("fact-idle", idle, view.options.idle_rounds * view.seats))
    if isinstance(view.declared, Draw):
        facts.append(k.Fact("fact-abbreviation", view.declared.abbreviation))
    if isinstance(view.declared, Word):
        facts.append(k.Fact("fact-word", view.declared.word))
    return k.Place(seat=None, zones=(k.Zone("zone-fixed", fixed), _stacks(view)), facts=tuple(facts))


def _stacks(view: View) -> k.Zone:
    """Lay out the stacks: each shows the letter side of its top card."""
    stacks = zip(KANA, view.stack_sizes, strict=True) if view.stack_sizes else ()
    things = [k.Thing((face(letter),), count=size, part=("stack", letter)) for letter, size in stacks if size]
    return k.Zone("zone-stacks", tuple(things))


def _place(view: View, seat: int) -> k.Place:
    things = tuple(_card(view, seat, place) for place in range(len(view.letters[seat])))
    return k.Place(
        seat=seat,
        zones=(k.Zone("zone-row", things),),
        facts=(k.Fact("fact-score", view.scores[seat], GOALS[view.seats]),),
        marks=tuple(_marks(view, seat)),
    )


def _marks(view: View, seat: int) -> list[str]:
    marks = []
    if seat == view.turn and view.stack_sizes and view.to_act:
        marks.append("mark-turn")
    if view.judged and view.judged[seat]:
        marks.append("mark-judged")
    if seat == view.reached:
        marks.append("mark-reached")
    return marks


def _card(view: View, seat: int, place: int) -> k.Thing:
    """Return a card with its kana if the view has it, else its letter; a seat's own is named by its place alone."""
    kana = view.kanas[seat][place]
    marks = []
    if seat == view.turn and place in view.look:
        marks.append("mark-shown" if view.shown else "mark-looked-at")
    elif kana and place not in view.turned[seat]:
        marks.append("mark-face-down")
    if seat == view.turn and isinstance(view.declared, Word) and place in view.declared.cards:
        marks.append("mark-declared")
    part: k.Part = ("place", place) if seat == view.viewer else ("other", seat, place)
    return k.Thing((face(kana or view.letters[seat][place]),), part=part, marks=tuple(marks), number=place + 1)


def parts(command: Command) -> tuple[k.Part, ...]:
    """Return the stacks of an abbreviation in its order, the cards of a word or swap, or the button.

    A word is typed as well: the same cards may be declared as several words.
    """
    match command:
        case Draw(abbreviation):
            return tuple(("stack", letter) for letter in abbreviation)
        case Word(_, cards):
            return (("word",), *(("fixed", card) if isinstance(card, str) else ("place", card) for card in cards))
        case Swap(place, seat, other):
            return (("place", place), ("other", seat, other))
        case Judge(accept):
            return (("judge", "accept" if accept else "object"),)
        case Conceal():
            return (("turn", "conceal"),)
        case Pass():
            return (("turn", "pass"),)
        case Deal():
            return ()
