"""How Palace tells and shows itself: the notes of a step, each with its rule, and the scene of a view."""

from __future__ import annotations

from collections.abc import Iterator

from ...core import game as k
from . import rules
from .model import Build, Cards, Command, Deal, Draw, Inspect, Quake, Rule, State
from .rules import COLOUR_CHARGES, COLOURS, DECK, END
from .view import View, VisiblePalace

CHARGE_RULES = {**dict.fromkeys(COLOUR_CHARGES, Rule.PAL_12), "no_pair": Rule.PAL_14, "all_colours": Rule.PAL_15}


def explain(step: k.Step[State, Command], viewer: int | None) -> Iterator[k.Note]:
    """Yield the notes of a step; only their owner learns which cards were dealt, drawn or built with."""
    before, seat, after = step.before, step.seat, step.after
    match step.command:
        case Deal():
            yield from _dealt(after, viewer)
        case Draw():
            yield _drew(before.pile[0], seat, viewer)
        case Build(palaces):
            yield from _built(seat, palaces, after, viewer)
        case Inspect():
            yield from _inspected(before, seat, step.command)
            yield from _opened(before, after)
        case Quake(colour):
            yield from _quaked(before, seat, colour)
            yield from _opened(before, after)
    yield from _next(after)


def _dealt(after: State, viewer: int | None) -> Iterator[k.Note]:
    yield k.Note.of("dealt", Rule.PAL_1, begins=k.SectionKind.DEAL, cards=rules.HAND_SIZE)
    for seat, hand in enumerate(after.hands):
        if k.visible_to(viewer, seat):
            yield k.Note.of("hand", Rule.PAL_1, seat=k.Seat(seat), cards=hand)
    if after.seats == 3:
        yield k.Note.of("end-between", Rule.PAL_3)
        above = rules.CARDS_ABOVE_END[after.options.end_place]
        if len(above) == 1:
            yield k.Note.of("end-above", Rule.PAL_R1, above=above[0])
        else:
            yield k.Note.of("end-about", Rule.PAL_R1, least=above[0], most=above[-1])
    else:
        yield k.Note.of("end-among-last", Rule.PAL_2, last=rules.LAST_CARDS)


def _drew(card: k.Card, seat: int, viewer: int | None) -> k.Note:
    if card == END:
        return k.Note.of("end-drawn", Rule.PAL_7, begins=k.SectionKind.TURN, seat=seat)
    if k.visible_to(viewer, seat):
        return k.Note.of("drew", Rule.PAL_6, begins=k.SectionKind.TURN, seat=seat, card=card)
    return k.Note.of("drew-unseen", Rule.PAL_6, begins=k.SectionKind.TURN, seat=seat)


def _built(seat: int, palaces: tuple[Cards, ...], after: State, viewer: int | None) -> Iterator[k.Note]:
    new = after.palaces[seat][-len(palaces) :]
    for at, each in enumerate(new):
        begins = k.SectionKind.TURN if at == 0 else None
        yield k.Note.of("built", Rule.PAL_8, begins=begins, seat=seat, palace=each.number, size=len(each.cards))
    if len(new) == 2:
        yield k.Note.of("two-palaces", Rule.PAL_9, seat=seat)
    if k.visible_to(viewer, seat):
        for each in new:
            yield k.Note.of("own-palace", Rule.PAL_R3, seat=seat, palace=each.number, cards=each.cards)


def _inspected(before: State, seat: int, inspect: Inspect) -> Iterator[k.Note]:
    charge, rule = inspect.charge, CHARGE_RULES[inspect.charge]
    yield k.Note.of("inspected", Rule.PAL_10, begins=k.SectionKind.TURN, seat=seat, charge=charge)
    gained = 0
    for owner, number in inspect.targets:
        cards = next(each.cards for each in before.palaces[owner] if each.number == number)
        if rules.holds(charge, cards):
            gained += len(cards)
            yield k.Note.of("charge-holds", rule, owner=owner, palace=number, cards=cards, charge=charge)
            yield k.Note.of("pulled-down", Rule.PAL_11, owner=owner, palace=number, seat=seat, cards=cards)
        else:
            yield k.Note.of("charge-fails", rule, owner=owner, palace=number, cards=cards, charge=charge)
            yield k.Note.of("verified", Rule.PAL_10, owner=owner, palace=number)
    if len(inspect.targets) == 2:
        yield k.Note.of("both-judged", Rule.PAL_R5, seat=seat, gained=gained)


def _quaked(before: State, seat: int, colour: k.Card) -> Iterator[k.Note]:
    given: Cards = (colour,) * rules.QUAKE_SIZE
    yield k.Note.of("quaked", Rule.PAL_16, begins=k.SectionKind.TURN, seat=seat, cards=given)
    fallen: Cards = ()
    for owner, palaces in enumerate(before.palaces):
        for each in palaces:
            if rules.falls(each, colour):
                fallen += each.cards
                yield k.Note.of("fell", Rule.PAL_16, owner=k.Seat(owner), palace=each.number, cards=each.cards)
    if not fallen:
        yield k.Note.of("nothing-fell", Rule.PAL_R4, card=colour)
    yield k.Note.of("removed", Rule.PAL_17, cards=tuple(sorted(given + fallen)))


def _opened(before: State, after: State) -> Iterator[k.Note]:
    """Yield a note for each colour that a charge may name no longer, or may name again (PAL-13, PAL-R2)."""
    for colour in COLOURS:
        total, lying = DECK.count(colour), rules.lying_cards(after).count(colour)
        if rules.is_open(after, colour) and not rules.is_open(before, colour):
            if lying == total:
                yield k.Note.of("all-open", Rule.PAL_13, card=colour, total=total)
            else:
                yield k.Note.of("all-seen", Rule.PAL_R2, card=colour, total=total, lying=lying)
        elif rules.is_open(before, colour) and not rules.is_open(after, colour):
            yield k.Note.of("open-no-more", Rule.PAL_13, card=colour, total=total, lying=lying)
        elif not rules.is_open(after, colour) and _shown(after, colour) == total > _shown(before, colour):
            yield k.Note.of("seen-not-lying", Rule.PAL_R2, card=colour, total=total, lying=lying)


def _shown(state: State, colour: k.Card) -> int:
    return (rules.lying_cards(state) + state.out).count(colour)


def _next(after: State) -> Iterator[k.Note]:
    """Yield the note of the next turn, or of the winners."""
    ended = rules.result(after)
    if ended is None:
        held = len(after.hands[after.turn])
        yield k.Note.of("turn", Rule.PAL_4, seat=after.turn)
        if held >= rules.FULL_HAND:
            yield k.Note.of("must-build", Rule.PAL_5, seat=after.turn, held=held)
        return
    hands = tuple(map(len, after.hands))
    if len(ended.winners) > 1:
        key = "victory-shared"
    elif ended.points.count(max(ended.points)) > 1:
        key = "won-by-hand"
    else:
        key = "won"
    yield k.Note.of(key, Rule.PAL_18, seats=ended.winners, points=ended.points, hands=hands)


FACES = (k.Face("R", "red"), k.Face("Y", "yellow"), k.Face("G", "green"), k.Face("B", "blue"), k.Face("END"))

PILE: k.Part = ("pile", 0)
SECOND: k.Part = ("build", "second")
"""The button between the cards of a first and of a second palace."""


def face(card: k.Card) -> k.Face:
    """Return how a card looks."""
    return FACES[card]


def scene(view: View) -> k.Scene:
    """Return the scene of a view."""
    table = k.Place(
        seat=None,
        zones=(
            k.Zone("zone-pile", k.card_bundle(view.pile, face, view.pile_size, PILE)),
            k.Zone("zone-out", _out(view.out)),
        ),
        facts=(k.Fact("fact-pile", view.pile_size),),
    )
    return k.Scene(view.viewer, table, tuple(_place(view, k.Seat(seat)) for seat in range(view.seats)))


def _out(out: Cards) -> tuple[k.Thing, ...]:
    """Lay the cards out of the game in one bundle a colour."""
    bundles = [(face(card),) * out.count(card) for card in (*COLOURS, END)]
    return tuple(k.Thing(faces, len(faces)) for faces in bundles if faces)


def _place(view: View, seat: int) -> k.Place:
    palaces = view.palaces[seat]
    return k.Place(
        seat=seat,
        zones=(
            k.Zone("zone-hand", k.card_things(view.hands[seat], face, view.hand_sizes[seat], "card")),
            k.Zone("zone-palaces", tuple(_palace(seat, each) for each in palaces)),
        ),
        facts=(k.Fact("fact-palaces", len(palaces)),),
        marks=("mark-turn",) if seat in view.to_act else (),
    )


def _palace(seat: int, palace: VisiblePalace) -> k.Thing:
    faces = tuple(map(face, palace.cards or ()))
    mark = "mark-verified" if palace.verified else "mark-face-down"
    return k.Thing(faces, palace.size, ("palace", seat, palace.number), (mark,), palace.number + 1)


def parts(command: Command) -> tuple[k.Part, ...]:
    """Return the pile, cards of the hand, a charge and palaces, or an earthquake's colour."""
    match command:
        case Draw():
            return (PILE,)
        case Build((palace,)):
            return k.card_parts(palace)
        case Build((first, second)):
            return (*k.card_parts(first), SECOND, *k.card_parts(second))
        case Inspect(charge, targets):
            return (("charge", charge), *(("palace", owner, number) for owner, number in targets))
        case Quake(colour):
            return (("quake", FACES[colour].tint),)
        case Deal() | Build():
            return ()
