"""The table of MABR as a scene: the stacks and fixed cards in the middle, a row of cards before each seat."""

from __future__ import annotations

from ...core.game import Fact, Part, Place, Scene, Seat, Thing, Zone
from .model import FIXED, LETTERS, Command, Conceal, Deal, Draw, Judge, Pass, Swap, Word, face
from .view import View


def scene(view: View) -> Scene:
    """Return the scene of a view."""
    return Scene(view.viewer, _table(view), tuple(_place(view, Seat(seat)) for seat in range(view.seats)))


def _table(view: View) -> Place:
    fixed = tuple(Thing((face(kana),), part=("fixed", letter)) for letter, kana in FIXED.items())
    last_turn = view.turns - 1 if view.over else view.turns
    facts = [Fact("fact-round", last_turn // view.seats + 1), Fact("fact-goal", view.goal)]
    if view.used:
        facts.append(Fact("fact-used", " ".join(view.used)))
    if isinstance(view.declared, Draw):
        facts.append(Fact("fact-abbreviation", view.declared.abbreviation))
    if isinstance(view.declared, Word):
        facts.append(Fact("fact-word", view.declared.word))
    return Place(seat=None, zones=(Zone("zone-fixed", fixed), _stacks(view)), facts=tuple(facts))


def _stacks(view: View) -> Zone:
    """Lay out the stacks: each shows the letter side of its top card."""
    stacks = zip(LETTERS, view.stack_sizes, strict=True) if view.stack_sizes else ()
    things = [Thing((face(letter),), count=size, part=("stack", letter)) for letter, size in stacks if size]
    return Zone("zone-stacks", tuple(things))


def _place(view: View, seat: Seat) -> Place:
    things = tuple(_card(view, seat, place) for place in range(len(view.letters[seat])))
    return Place(
        seat=seat,
        zones=(Zone("zone-row", things),),
        facts=(Fact("fact-score", view.scores[seat], view.goal),),
        marks=tuple(_marks(view, seat)),
    )


def _marks(view: View, seat: Seat) -> list[str]:
    marks = []
    if seat == view.turn and view.stack_sizes and not view.over:
        marks.append("mark-turn")
    if view.judged and view.judged[seat]:
        marks.append("mark-judged")
    if seat == view.reached:
        marks.append("mark-reached")
    return marks


def _card(view: View, seat: Seat, place: int) -> Thing:
    """Return a card with its kana if the view has it, else its letter; a seat's own is named by its place alone."""
    kana = view.kanas[seat][place]
    marks = []
    if seat == view.turn and place in view.look:
        marks.append("mark-shown" if view.shown else "mark-looked-at")
    elif kana and place not in view.turned[seat]:
        marks.append("mark-face-down")
    if seat == view.turn and isinstance(view.declared, Word) and place in view.declared.cards:
        marks.append("mark-declared")
    part: Part = ("place", place) if seat == view.viewer else ("other", seat, place)
    return Thing((face(kana or view.letters[seat][place]),), part=part, marks=tuple(marks), number=place + 1)


def parts(command: Command) -> tuple[Part, ...]:
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
